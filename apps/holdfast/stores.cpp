#include "stores.h"

#include <holdfast/store_memory/memory_store.h>

namespace holdfast::app {
namespace {

constexpr Duration open_time{10'000};  // two services may make the tables of one file at once

}  // namespace

std::string StoreChoice::shown() const {
    return kind_ == Kind::memory ? "memory" : "sqlite " + path_;
}

std::variant<StoreChoice, StoreProblem> store_of_uri(std::string_view uri) {
    if (uri.starts_with("jdbc:")) {
        uri.remove_prefix(5);
        if (!uri.starts_with("sqlite:")) {
            return StoreProblem{"this version opens jdbc:sqlite:PATH only"};
        }
    }
    if (uri == "memory:") {
        return StoreChoice::memory();
    }
    constexpr std::string_view sqlite = "sqlite:";
    if (uri.starts_with(sqlite)) {
        std::string_view path = uri.substr(sqlite.size());
        path.remove_prefix(path.starts_with("///") ? 2 : 0);
        if (path.empty() || path.starts_with(":")) {
            return StoreProblem{
                "sqlite: needs the path of a file, as in sqlite:/var/lib/holdfast/holdfast.db"
            };
        }
        return StoreChoice::sqlite(std::string(path));
    }
    return StoreProblem{"this version knows memory: and sqlite:PATH"};
}

Result<std::unique_ptr<Store>> open_store(
    Runtime& runtime, const StoreChoice& choice, std::size_t queue_max, SqlStoreProbe* probe
) {
    if (choice.kind() == StoreChoice::Kind::memory) {
        return open_memory_store();
    }
    SqliteStoreOptions options(choice.path());
    options.queue_max(queue_max);
    if (probe != nullptr) {
        options.probe(*probe);
    }
    return open_sqlite_store(runtime, options, Deadline::in(open_time, runtime.clock()));
}

std::string describe(const StoreChoice& choice, const Error& error) {
    std::string text = choice.shown();
    text.append(": ").append(error.what());
    if (error.context() != nullptr && !error.context()->server_text.empty()) {
        text.append(" (").append(error.context()->server_text).append(")");
    }
    return text;
}

}  // namespace holdfast::app
