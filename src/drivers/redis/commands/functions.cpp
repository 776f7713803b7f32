#include "fields.h"
#include "flush_mode.h"
#include "script_call.h"
#include "stream_read.h"

#include <holdfast/redis/commands/functions.h>

namespace holdfast::redis {

namespace {

Result<FunctionInfo> read_function(RespView reply) {
    FunctionInfo info;
    return Fields(reply)
        .take("name", info.name, read_text)
        .take("description", info.description, read_optional_text)
        .take("flags", info.flags, read_texts)
        .give(info);
}

Result<FunctionLibrary> read_library(RespView reply) {
    FunctionLibrary library;
    return Fields(reply)
        .take("library_name", library.name, read_text)
        .take("engine", library.engine, read_text)
        .take("functions", library.functions, read_list<read_function>)
        .take_if_there("library_code", library.code, read_optional_text)
        .give(library);
}

Result<RunningFunction> read_running(RespView reply) {
    RunningFunction running;
    return Fields(reply)
        .take("name", running.name, read_text)
        .take("command", running.command, read_texts)
        .take("duration_ms", running.running, read_duration_ms)
        .give(running);
}

Result<FunctionEngine> read_engine_counts(RespView reply) {
    FunctionEngine engine;
    return Fields(reply)
        .take("libraries_count", engine.libraries, read_unsigned)
        .take("functions_count", engine.functions, read_unsigned)
        .give(engine);
}

Result<std::vector<FunctionEngine>> read_engines(RespView reply) {
    auto pairs = read_pairs_of<read_text, read_engine_counts>(reply);
    if (!pairs.ok()) {
        return std::move(pairs).error();
    }
    std::vector<FunctionEngine> engines;
    for (auto& [name, engine] : pairs.value()) {
        engine.name = std::move(name);
        engines.push_back(std::move(engine));
    }
    return engines;
}

Result<FunctionStats> read_stats(RespView reply) {
    FunctionStats stats;
    return Fields(reply)
        .take("running_script", stats.running, read_optional<read_running>)
        .take("engines", stats.engines, read_engines)
        .give(stats);
}

std::string_view word_of(RestorePolicy policy) {
    switch (policy) {
    case RestorePolicy::append:
        return "APPEND";
    case RestorePolicy::replace:
        return "REPLACE";
    case RestorePolicy::flush:
        break;
    }
    return "FLUSH";
}

}  // namespace

void FunctionListOptions::put_into(AnyCommand& command) const {
    if (library_) {
        command.add("LIBRARYNAME").add(*library_);
    }
    if (with_code_) {
        command.add("WITHCODE");
    }
}

Command<OwnedReply> fcall(std::string_view function, Words keys, Words arguments) {
    return script_call("FCALL", function, keys, arguments);
}

Command<OwnedReply> fcall_ro(std::string_view function, Words keys, Words arguments) {
    return read_only_call("FCALL_RO", function, keys, arguments);
}

Command<Done> function_delete(std::string_view library) {
    return {build("FUNCTION|DELETE", Repeat::once, library), read_ok};
}

Command<std::string> function_dump() {
    AnyCommand any("FUNCTION|DUMP", Repeat::read);
    any.set_bulky();
    return {std::move(any), read_text};
}

Command<Done> function_flush(FlushMode mode) {
    return {flushing("FUNCTION|FLUSH", mode), read_ok};
}

Command<Done> function_kill() {
    return {build("FUNCTION|KILL", Repeat::once), read_ok};
}

Command<std::vector<FunctionLibrary>> function_list(const FunctionListOptions& options) {
    AnyCommand any("FUNCTION|LIST", Repeat::read);
    options.put_into(any);
    return {std::move(any), read_list<read_library>};
}

Command<std::string> function_load(std::string_view code, bool replace) {
    AnyCommand any("FUNCTION|LOAD");
    if (replace) {
        any.add("REPLACE");
    }
    any.add(code);
    return {std::move(any), read_text};
}

Command<Done> function_restore(std::string_view dumped, RestorePolicy policy) {
    return {build("FUNCTION|RESTORE", Repeat::once, dumped, word_of(policy)), read_ok};
}

Command<FunctionStats> function_stats() {
    return {build("FUNCTION|STATS", Repeat::read), read_stats};
}

}  // namespace holdfast::redis
