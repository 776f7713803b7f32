#include "opened_ids.h"

namespace holdfast::app {
namespace {

// A lease is asked for this long: a store that is being started, or a slot that runs out.
constexpr Duration open_time{10'000};
constexpr Duration close_time{5'000};

std::string text_of(const Error& error) {
    std::string text = "ids: ";
    if (error.context() != nullptr && !error.context()->server_text.empty()) {
        text.append(error.context()->server_text).append(": ");
    }
    return text.append(error.what());
}

}  // namespace

std::variant<std::unique_ptr<IdRuntime>, IdsProblem> open_ids(
    IdRuntimeOptions options,
    const OpenedStores& stores,
    Runtime& runtime,
    Metrics& metrics,
    Log& log
) {
    auto opened = wait(
        runtime,
        open_id_runtime(
            std::move(options),
            stores.named(),
            runtime,
            metrics,
            log,
            Deadline::in(open_time, runtime.clock())
        )
    );
    if (!opened.ok()) {
        const bool settings = opened.error().code() == Code::invalid_argument;
        return IdsProblem{
            text_of(opened.error()), settings ? exit_code::wrong_usage : exit_code::unreachable
        };
    }
    return std::move(opened).value();
}

void close_ids(IdRuntime& ids, Runtime& runtime, Log& log) {
    const auto closed = wait(runtime, ids.close(Deadline::in(close_time, runtime.clock())));
    if (!closed.ok()) {
        log.warn(
            "lease_not_released",
            "the machine's lease could not be given back; it runs out by itself",
            {{"code", name_of(closed.error().code())}, {"what", closed.error().what()}}
        );
    }
}

}  // namespace holdfast::app
