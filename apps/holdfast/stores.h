#pragma once
// Which store a user means, and the one place that opens it.

#include <holdfast/io/runtime.h>
#include <holdfast/store/store.h>
#include <holdfast/store_sql/sqlite_store.h>

#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace holdfast::app {

class StoreChoice {
public:
    enum class Kind { memory, sqlite };
    static StoreChoice memory() { return StoreChoice(Kind::memory, {}); }
    static StoreChoice sqlite(std::string path) {
        return StoreChoice(Kind::sqlite, std::move(path));
    }

    Kind kind() const { return kind_; }
    const std::string& path() const { return path_; }
    std::string shown() const;  // "sqlite /var/lib/holdfast/holdfast.db"

private:
    StoreChoice(Kind kind, std::string path) : path_(std::move(path)), kind_(kind) {}
    std::string path_;
    Kind kind_;
};

// A text for people: what the URI may be.
struct StoreProblem {
    std::string text;
};

// memory:, sqlite:PATH, jdbc:sqlite:PATH.
std::variant<StoreChoice, StoreProblem> store_of_uri(std::string_view uri);

// Blocks on the disk: not on a loop thread. `probe`, which a memory store has no use for, outlives
// the store.
Result<std::unique_ptr<Store>> open_store(
    Runtime& runtime,
    const StoreChoice& choice,
    std::size_t queue_max,
    SqlStoreProbe* probe = nullptr
);

// "sqlite /path: the disk is full": what to tell a person, in one line.
std::string describe(const StoreChoice& choice, const Error& error);

}  // namespace holdfast::app
