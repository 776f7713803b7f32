#pragma once
// What every store promises, one function a promise, to be run against any store: in tests, and on
// a user's own servers. Runs use names of their own that begin with "holdfast-tck-", and leave them
// behind: the contract deletes nothing.

#include <holdfast/base/time.h>
#include <holdfast/io/runtime.h>
#include <holdfast/store/store.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace holdfast {

// A place with a store, as the kit needs it. One thread, which is not a loop's.
class StoreUnderTest {
public:
    // `seed` makes the names of this run differ from those of any other: it is random, except for a
    // store that starts empty.
    StoreUnderTest(Runtime& runtime, std::uint64_t seed);
    virtual ~StoreUnderTest() = default;

    // At most one store of it is open at a time. What an earlier one has written is there if
    // survives_closing().
    virtual Result<std::unique_ptr<Store>> open() = 0;
    virtual bool survives_closing() const { return false; }

    // Whether the store's clock can be set, in both directions; without, promises about expiry wait
    // for short leases.
    virtual bool has_clock() const { return false; }
    virtual void set_clock(StoreTime) {}

    Runtime& runtime() const { return runtime_; }
    const std::string& prefix() const { return prefix_; }  // "holdfast-tck-<12 hexadecimal digits>"
    std::string fresh_name();                              // prefix, "-" and a number

private:
    Runtime& runtime_;
    std::string prefix_;
    std::uint64_t names_ = 0;
};

class Trial;
enum class Needs : std::uint8_t { nothing, clock, reopening };

struct Promise {
    std::string_view group;
    std::string_view name;  // a sentence of lower-case words
    Needs needs;
    void (*check)(Trial& trial);
};
std::span<const Promise> all_promises();

enum class Verdict : std::uint8_t { passed, failed, skipped };

struct PromiseResult {
    Verdict verdict;
    std::string text;  // what was expected, or why it was skipped
};
PromiseResult run_promise(const Promise& promise, StoreUnderTest& under_test);

}  // namespace holdfast
