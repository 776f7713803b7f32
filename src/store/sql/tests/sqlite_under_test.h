#pragma once
// The SQLite store as the kit needs it: one file, opened again and again.

#include "manual_clock.h"
#include "support/temporary_folder.h"

#include <holdfast/store_kit/store_kit.h>
#include <holdfast/store_sql/sqlite_store.h>

namespace holdfast {

inline Deadline soon(Runtime& runtime) {
    return Deadline::in(Duration(20'000), runtime.clock());
}

class SqliteUnderTest final : public StoreUnderTest {
public:
    enum class Time { by_hand, its_own };
    SqliteUnderTest(Runtime& runtime, Time time) : StoreUnderTest(runtime, 1), time_(time) {}

    Result<std::unique_ptr<Store>> open() override {
        SqliteStoreOptions options((folder_ / "store.db").string());
        if (has_clock()) {
            options.clock(clock_).wall_clock_alone(true);
        }
        return open_sqlite_store(runtime(), options, soon(runtime()));
    }
    bool survives_closing() const override { return true; }
    bool has_clock() const override { return time_ == Time::by_hand; }
    void set_clock(StoreTime time) override { clock_.set_wall(WallTime(time.time_since_epoch())); }

private:
    Time time_;
    testing::TemporaryFolder folder_;
    ManualClock clock_;
};

}  // namespace holdfast
