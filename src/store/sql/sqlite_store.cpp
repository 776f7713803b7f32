#include "grouped.h"
#include "range_rows.h"
#include "schema.h"
#include "slot_rows.h"

#include <holdfast/sql/sqlite.h>
#include <holdfast/store/request_rules.h>

namespace holdfast {
namespace {

template <class Outcome, class Operation>
Task<Outcome> in_group(std::shared_ptr<GroupCommit> group, Operation operation, Deadline deadline) {
    Grouped<Outcome, Operation> call(std::move(group), std::move(operation), deadline);
    co_return co_await call;
}

template <class Outcome>
Task<Outcome> refuse(Error error) {
    co_return std::move(error);
}

class SqliteStore final : public Store, private RangeStore, private SlotLeaseStore {
public:
    explicit SqliteStore(std::shared_ptr<GroupCommit> group) : group_(std::move(group)) {}
    SqliteStore(const SqliteStore&) = delete;
    SqliteStore& operator=(const SqliteStore&) = delete;
    ~SqliteStore() override { group_->close(); }

    RangeStore& ranges() override { return *this; }
    SlotLeaseStore& slots() override { return *this; }
    std::string_view type() const override { return "sqlite"; }

    Task<Done> probe(Deadline deadline) override {
        auto operation = [](SqlTransaction& transaction) -> Result<Done> {
            auto present = schema_present(transaction.connection());
            if (!present.ok()) {
                return std::move(present).error();
            }
            if (!present.value()) {
                return Error(Code::corrupt, Effect::none, "the tables are gone");
            }
            return Done();
        };
        return in_group<Done>(group_, std::move(operation), deadline);
    }

private:
    Task<ReserveOutcome> reserve(ReserveRequest request, Deadline deadline) override {
        if (auto fine = check(request); !fine.ok()) {
            return refuse<ReserveOutcome>(std::move(fine).error());
        }
        auto operation = [request = std::move(request)](SqlTransaction& transaction) {
            return reserve_range(transaction.connection(), request);
        };
        return in_group<ReserveOutcome>(group_, std::move(operation), deadline);
    }

    Task<SealOutcome> seal(RangeKey key, Deadline deadline) override {
        auto operation = [key = std::move(key)](SqlTransaction& transaction) {
            return seal_range(transaction.connection(), key);
        };
        return in_group<SealOutcome>(group_, std::move(operation), deadline);
    }

    Task<AcquireOutcome> acquire(AcquireRequest request, Deadline deadline) override {
        if (auto fine = check(request); !fine.ok()) {
            return refuse<AcquireOutcome>(std::move(fine).error());
        }
        auto operation = [request = std::move(request)](SqlTransaction& transaction) {
            return transaction.guarded([&]() -> Result<AcquireOutcome> {
                auto now = transaction.now();
                if (!now.ok()) {
                    return std::move(now).error();
                }
                SlotRows rows(transaction.connection(), request.name());
                return acquire_slot(rows, request, now.value());
            });
        };
        return in_group<AcquireOutcome>(group_, std::move(operation), deadline);
    }

    Task<RenewOutcome>
    renew(LeaseKey key, Duration ttl, Duration tolerance, Deadline deadline) override {
        if (auto fine = check_renew(key, ttl, tolerance); !fine.ok()) {
            return refuse<RenewOutcome>(std::move(fine).error());
        }
        auto operation = [key = std::move(key), ttl, tolerance](SqlTransaction& transaction
                         ) -> Result<RenewOutcome> {
            auto now = transaction.now();
            if (!now.ok()) {
                return std::move(now).error();
            }
            SlotRows rows(transaction.connection(), key.name());
            return renew_slot(rows, key, ttl, tolerance, now.value());
        };
        return in_group<RenewOutcome>(group_, std::move(operation), deadline);
    }

    Task<ReleaseOutcome> release(LeaseKey key, StoreTime last_issued, Deadline deadline) override {
        if (auto fine = check_release(key, last_issued); !fine.ok()) {
            return refuse<ReleaseOutcome>(std::move(fine).error());
        }
        auto operation = [key = std::move(key), last_issued](SqlTransaction& transaction) {
            SlotRows rows(transaction.connection(), key.name());
            return release_slot(rows, key, last_issued);
        };
        return in_group<ReleaseOutcome>(group_, std::move(operation), deadline);
    }

    std::shared_ptr<GroupCommit> group_;
};

}  // namespace

Result<std::unique_ptr<Store>>
open_sqlite_store(Runtime& runtime, const SqliteStoreOptions& options, Deadline deadline) {
    if (options.queue_max() == 0 || options.batch_max() == 0) {
        return Error(Code::invalid_argument, Effect::none, "a store needs room for a call");
    }
    const Clock& clock = runtime.clock();
    auto connection = open_sqlite(SqliteOptions(options.path(), clock), deadline);
    if (!connection.ok()) {
        return std::move(connection).error();
    }
    SqlConnection& file = *connection.value();
    // First a look: a file that we must refuse is not touched.
    auto present = schema_present(file);
    if (!present.ok()) {
        return std::move(present).error();
    }
    auto ready = make_sqlite_durable(file, clock, deadline);
    if (ready.ok()) {
        ready = make_schema(file, deadline);
    }
    if (!ready.ok()) {
        return std::move(ready).error();
    }
    auto group = std::make_shared<GroupCommit>(runtime, std::move(connection).value(), options);
    return std::unique_ptr<Store>(std::make_unique<SqliteStore>(std::move(group)));
}

}  // namespace holdfast
