#pragma once
// A store on a file of its own, and a second connection through which a test holds its write lock.

#include "manual_clock.h"
#include "support/temporary_folder.h"

#include <holdfast/io/compose.h>
#include <holdfast/sql/sqlite.h>
#include <holdfast/store_sql/sqlite_store.h>

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

namespace holdfast {

class CountingProbe final : public SqlStoreProbe {
public:
    void batch_committed(std::size_t calls) override {
        ++commits;
        committed_calls += calls;
    }
    void batch_failed(std::size_t, Effect) override { ++failures; }
    void lock_missed() override {
        ++misses;
        missed.set();
    }
    std::atomic<std::size_t> commits = 0;
    std::atomic<std::size_t> committed_calls = 0;
    std::atomic<std::size_t> failures = 0;
    std::atomic<std::size_t> misses = 0;
    Signal missed;
};

class HeldFile {
public:
    HeldFile() : runtime_(std::move(open_runtime(RuntimeOptions().loops(1))).value()) {}

    Runtime& runtime() { return *runtime_; }
    CountingProbe& probe() { return probe_; }
    std::string path() const { return (folder_ / "store.db").string(); }
    SqliteStoreOptions options() {
        SqliteStoreOptions options(path());
        options.probe(probe_);
        return options;
    }
    Deadline in(Duration duration) { return Deadline::in(duration, runtime_->clock()); }
    Deadline soon() { return in(Duration(20'000)); }

    std::unique_ptr<Store> open(const SqliteStoreOptions& options) {
        auto store = open_sqlite_store(*runtime_, options, soon());
        EXPECT_TRUE(store.ok()) << store.error().what();
        return std::move(store).value();
    }
    std::unique_ptr<SqlConnection> connect() {
        return open_sqlite(SqliteOptions(path(), runtime_->clock()), soon()).value();
    }
    std::int64_t number(std::string_view text) {
        auto file = connect();
        SqlRun run(*file->prepare(text).value());
        EXPECT_TRUE(run.step().value());
        return run.row().integer(0);
    }

private:
    testing::TemporaryFolder folder_;
    std::unique_ptr<Runtime> runtime_;
    CountingProbe probe_;
};

inline RangeKey key_of(std::string_view text) {
    return RangeKey::parse(text).value();
}
inline Task<ReserveOutcome>
reserve(Store& store, std::string_view key, std::int64_t size, Deadline deadline) {
    return store.ranges().reserve(ReserveRequest(key_of(key), size), deadline);
}

}  // namespace holdfast
