#pragma once
// What one thread gets out of SQLite with nothing around it: one statement, one commit, one fsync
// after the other.

#include "report.h"

#include <cstdint>
#include <string>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace holdfast::bench {

class BareSqlite {
public:
    // Write-ahead log, synchronous=FULL, each statement a transaction of its own. The table has the
    // columns of the store's.
    explicit BareSqlite(const std::string& path);
    BareSqlite(const BareSqlite&) = delete;
    BareSqlite& operator=(const BareSqlite&) = delete;
    ~BareSqlite();

    // Takes ten numbers of the keys in turn.
    Run reserve(const std::vector<std::string>& keys, std::uint64_t operations);

private:
    void execute(const char* text);

    sqlite3* connection_ = nullptr;
    sqlite3_stmt* upsert_ = nullptr;
};

}  // namespace holdfast::bench
