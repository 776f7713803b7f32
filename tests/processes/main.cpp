// id_worker MODE --store sqlite:PATH|http:PORT --file FILE ..   issues and writes down
// id_worker check FILE..                                        says whether anything came twice
// Modes: time, range, fork.

#include "http_store.h"
#include "worker.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/store_sql/sqlite_store.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace holdfast::testing {
namespace {

std::atomic<bool> stop = false;

int check_files(int count, char** files) {
    std::vector<Record> all;
    for (int i = 0; i < count; ++i) {
        const auto records = read_records(files[i]);
        all.insert(all.end(), records.begin(), records.end());
    }
    const Verdict verdict = judge(all);
    std::printf(
        "{\"numbers\":%llu,\"repeated\":%llu}\n",
        static_cast<unsigned long long>(verdict.numbers),
        static_cast<unsigned long long>(verdict.repeated)
    );
    return verdict.repeated == 0 ? 0 : 1;
}

std::unique_ptr<Store>
open_named(const std::string& name, const std::string& token, Runtime& runtime) {
    constexpr std::string_view sqlite = "sqlite:";
    if (name.starts_with(sqlite)) {
        const SqliteStoreOptions options(name.substr(sqlite.size()));
        auto opened =
            open_sqlite_store(runtime, options, Deadline::in(Duration{60'000}, runtime.clock()));
        return opened.ok() ? std::move(opened).value() : nullptr;
    }
    const int port = std::atoi(name.substr(name.find(':') + 1).c_str());
    return std::make_unique<HttpStore>(static_cast<std::uint16_t>(port), token);
}

int run(std::map<std::string, std::string>& said, const std::string& mode) {
    WorkerOptions options;
    const auto number = [&](const char* name, std::int64_t otherwise) {
        return said.contains(name) ? std::atoll(said[name].c_str()) : otherwise;
    };
    options.owner = said["--owner"];
    options.ttl = Duration(number("--ttl", 300));
    options.tolerance = Duration(number("--tolerance", 50));
    options.run = Duration(number("--run", 0));
    options.slots = static_cast<std::uint32_t>(number("--slots", 4));
    options.span = static_cast<int>(number("--span", 64));
    options.pause = Duration(number("--pause", 8));
    options.bare_counter = said["--bare-counter"];
    options.seconds = number("--seconds", 0) != 0;
#ifdef HOLDFAST_FAULTS
    fault_on = said["--fault"];
#endif
    auto runtime = open_runtime(RuntimeOptions().loops(1).pool_threads(2)).value();
    auto store = open_named(said["--store"], said["--token"], *runtime);
    if (store == nullptr) {
        std::fprintf(stderr, "the store does not open\n");
        return 1;
    }
    RecordFile file(said["--file"]);
    if (mode == "range") {
        return reserve_ranges(*store, *runtime, options, file);
    }
    return mode == "fork" ? fork_amid(*store, *runtime, options, file)
                          : issue_by_time(*store, *runtime, options, file);
}

}  // namespace

bool told_to_stop() {
    return stop.load();
}

}  // namespace holdfast::testing

int main(int count, char** words) {
    namespace own = holdfast::testing;
    const std::string mode = count > 1 ? words[1] : "";
    if (mode == "check") {
        return own::check_files(count - 2, words + 2);
    }
    std::signal(SIGTERM, [](int) { own::stop.store(true); });
    std::signal(SIGPIPE, SIG_IGN);
    std::map<std::string, std::string> said;
    for (int i = 2; i + 1 < count; i += 2) {
        said[words[i]] = words[i + 1];
    }
    return own::run(said, mode);
}
