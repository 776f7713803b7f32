// Slot leases: a numbered slot that one owner holds at a time, from a SQLite file; acquired,
// renewed, given back.

#include <holdfast/io/random.h>
#include <holdfast/io/runtime.h>
#include <holdfast/store_sql/sqlite_store.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <variant>

namespace hf = holdfast;
using std::chrono_literals::operator""s;
using std::chrono_literals::operator""ms;

namespace {

// 128 random bits for each lease session, never used twice.
hf::Incarnation new_incarnation(hf::Runtime& runtime) {
    std::array<char, 33> text{};
    std::snprintf(
        text.data(),
        text.size(),
        "%016llx%016llx",
        static_cast<unsigned long long>(runtime.random().next()),
        static_cast<unsigned long long>(runtime.random().next())
    );
    return hf::Incarnation::parse(text.data()).value();
}

// begin lease
// Takes a slot of "workers", keeps it once, gives it back. The answer: the number of the slot.
hf::Task<hf::Slot>
work_once(hf::SlotLeaseStore& slots, hf::OwnerKey owner, hf::Incarnation session) {
    const hf::Namespace workers = hf::Namespace::parse("workers").value();
    hf::Loop& loop = (co_await hf::this_scope()).loop();

    hf::AcquireRequest request =
        hf::AcquireRequest(workers, owner, session).limit(64).ttl(30s).tolerance(1s);
    auto acquired = co_await slots.acquire(request, hf::Deadline::in(2s, loop.now()));
    if (!acquired.ok()) {
        co_return std::move(acquired).error();  // sent again it would find what the lost call took
    }
    const auto* got = std::get_if<hf::Acquired>(&acquired.value());
    if (got == nullptr) {
        co_return hf::Error(hf::Code::overloaded, hf::Effect::none, "all slots are held");
    }

    const hf::LeaseKey key(workers, got->lease.slot, owner, session, got->lease.fence);
    auto renewed = co_await slots.renew(key, 30s, 1s, hf::Deadline::in(2s, loop.now()));
    if (!renewed.ok()) {
        co_return std::move(renewed).error();
    }
    const auto* kept = std::get_if<hf::SlotLease>(&renewed.value());
    if (kept == nullptr) {
        co_return hf::Error(hf::Code::denied, hf::Effect::none, "the lease was lost: stop working");
    }

    // We stamped nothing of our window [floor, ceiling), so all of it goes back.
    auto released =
        co_await slots.release(key, kept->floor - 1ms, hf::Deadline::in(2s, loop.now()));
    if (!released.ok()) {
        co_return std::move(released).error();
    }
    co_return kept->slot;
}
// end lease

int run(const std::filesystem::path& file) {
    auto opened = hf::open_runtime(hf::RuntimeOptions().loops(1));
    if (!opened.ok()) {
        return 1;
    }
    hf::Runtime& runtime = *opened.value();
    auto store = hf::open_sqlite_store(
        runtime, hf::SqliteStoreOptions(file.string()), hf::Deadline::in(5s, runtime.clock())
    );
    if (!store.ok()) {
        std::fprintf(
            stderr,
            "%.*s\n",
            static_cast<int>(store.error().what().size()),
            store.error().what().data()
        );
        return 1;
    }
    for (const char* name : {"host-1", "host-2"}) {
        auto worked = hf::wait(
            runtime,
            work_once(
                store.value()->slots(), hf::OwnerKey::parse(name).value(), new_incarnation(runtime)
            )
        );
        if (!worked.ok()) {
            return 1;
        }
        std::printf("%s held slot %u\n", name, worked.value().value());
    }
    return 0;
}

}  // namespace

int main() {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / "holdfast-example-22";
    std::filesystem::create_directories(folder);
    const int code = run(folder / "slots.db");
    std::filesystem::remove_all(folder);
    return code;
}
