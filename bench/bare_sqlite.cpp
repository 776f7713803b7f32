#include "bare_sqlite.h"

#include "machine.h"
#include "stopwatch.h"

#include <sqlite3.h>

namespace holdfast::bench {

BareSqlite::BareSqlite(const std::string& path) {
    if (sqlite3_open(path.c_str(), &connection_) != SQLITE_OK) {
        fail("sqlite3 cannot open " + path);
    }
    execute("PRAGMA journal_mode=WAL");
    execute("PRAGMA synchronous=FULL");
    execute("CREATE TABLE bare(name varchar(200) NOT NULL PRIMARY KEY, next_value bigint, "
            "sealed boolean NOT NULL DEFAULT 0) WITHOUT ROWID");
    constexpr const char* upsert =
        "INSERT INTO bare(name, next_value) VALUES(?1, ?2) "
        "ON CONFLICT(name) DO UPDATE SET next_value = next_value + ?2 RETURNING next_value";
    if (sqlite3_prepare_v2(connection_, upsert, -1, &upsert_, nullptr) != SQLITE_OK) {
        fail(sqlite3_errmsg(connection_));
    }
}

BareSqlite::~BareSqlite() {
    sqlite3_finalize(upsert_);
    sqlite3_close(connection_);
}

Run BareSqlite::reserve(const std::vector<std::string>& keys, std::uint64_t operations) {
    constexpr sqlite3_int64 size = 10;
    const Stopwatch watch;
    for (std::uint64_t i = 0; i < operations; ++i) {
        const std::string& key = keys[i % keys.size()];
        sqlite3_bind_text(upsert_, 1, key.data(), static_cast<int>(key.size()), SQLITE_STATIC);
        sqlite3_bind_int64(upsert_, 2, size);
        if (sqlite3_step(upsert_) != SQLITE_ROW || sqlite3_column_int64(upsert_, 0) < size ||
            sqlite3_step(upsert_) != SQLITE_DONE) {
            fail(sqlite3_errmsg(connection_));
        }
        sqlite3_reset(upsert_);
    }
    return Run{operations, watch.seconds(), {}};
}

void BareSqlite::execute(const char* text) {
    if (sqlite3_exec(connection_, text, nullptr, nullptr, nullptr) != SQLITE_OK) {
        fail(sqlite3_errmsg(connection_));
    }
}

}  // namespace holdfast::bench
