#pragma once
// Libraries of functions that the server keeps. Errors of a call as of scripts.

#include <holdfast/base/time.h>
#include <holdfast/redis/command.h>
#include <holdfast/redis/commands/scripts.h>
#include <holdfast/redis/owned_reply.h>
#include <holdfast/redis/words.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::redis {

struct FunctionInfo {
    std::string name;
    std::optional<std::string> description;
    std::vector<std::string> flags;

    friend bool operator==(const FunctionInfo&, const FunctionInfo&) = default;
};

struct FunctionLibrary {
    std::string name;
    std::string engine;
    std::vector<FunctionInfo> functions;
    std::optional<std::string> code;  // if it was asked for

    friend bool operator==(const FunctionLibrary&, const FunctionLibrary&) = default;
};

struct RunningFunction {
    std::string name;
    std::vector<std::string> command;
    Duration running{};

    friend bool operator==(const RunningFunction&, const RunningFunction&) = default;
};

struct FunctionEngine {
    std::string name;
    std::uint64_t libraries = 0;
    std::uint64_t functions = 0;

    friend bool operator==(const FunctionEngine&, const FunctionEngine&) = default;
};

struct FunctionStats {
    std::optional<RunningFunction> running;
    std::vector<FunctionEngine> engines;

    friend bool operator==(const FunctionStats&, const FunctionStats&) = default;
};

enum class RestorePolicy : std::uint8_t { append, replace, flush };

class FunctionListOptions {
public:
    FunctionListOptions& library(std::string pattern) {
        library_ = std::move(pattern);
        return *this;
    }
    FunctionListOptions& with_code() {
        with_code_ = true;
        return *this;
    }

    void put_into(AnyCommand& command) const;

private:
    std::optional<std::string> library_;
    bool with_code_ = false;
};

Command<OwnedReply> fcall(std::string_view function, Words keys = {}, Words arguments = {});
Command<OwnedReply> fcall_ro(std::string_view function, Words keys = {}, Words arguments = {});

Command<Done> function_delete(std::string_view library);
Command<std::string> function_dump();
Command<Done> function_flush(FlushMode mode = FlushMode::server_default);
Command<Done> function_kill();
Command<std::vector<FunctionLibrary>> function_list(const FunctionListOptions& options = {});
Command<std::string> function_load(std::string_view code, bool replace = false);  // its name
Command<Done>
function_restore(std::string_view dumped, RestorePolicy policy = RestorePolicy::append);
Command<FunctionStats> function_stats();

}  // namespace holdfast::redis
