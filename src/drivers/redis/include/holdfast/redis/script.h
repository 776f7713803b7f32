#pragma once
// A Lua script that is sent once to each node: calls name it by its SHA-1, and a server that does
// not know it is told its text.
//
//   static const Script unlock("if redis.call('get', KEYS[1]) == ARGV[1] then ..",
//                              Repeat::idempotent);
//   co_await run_script(client, unlock.call("lock", token).as(read_integer), deadline);

#include <holdfast/base/time.h>
#include <holdfast/io/task.h>
#include <holdfast/redis/command.h>
#include <holdfast/redis/errors.h>
#include <holdfast/redis/owned_reply.h>
#include <holdfast/redis/words.h>

#include <concepts>
#include <memory>
#include <string>
#include <utility>

namespace holdfast::redis {

// One call: as it is sent first, and what to send if the server does not know the script.
template <class Reply>
class ScriptCall {
public:
    ScriptCall(Command<Reply> command, std::shared_ptr<const std::string> text)
        : command_(std::move(command)), text_(std::move(text)) {}

    // The answer is read otherwise.
    template <class Other>
    ScriptCall<Other> as(Result<Other> (*reader)(RespView)) && {
        return ScriptCall<Other>(std::move(command_).as(reader), std::move(text_));
    }

    const Command<Reply>& command() const { return command_; }
    // SCRIPT LOAD to the node that has the keys.
    Command<std::string> load() const;
    // With its text instead of its name.
    Command<Reply> whole() const;

private:
    Command<Reply> command_;
    std::shared_ptr<const std::string> text_;
};

Command<std::string> load_script(std::string_view text, std::int32_t slot);
AnyCommand whole_script(const AnyCommand& by_name, std::string_view text);

template <class Reply>
Command<std::string> ScriptCall<Reply>::load() const {
    return load_script(*text_, command_.any().slot());
}

template <class Reply>
Command<Reply> ScriptCall<Reply>::whole() const {
    return {whole_script(command_.any(), *text_), command_.reader()};
}

// Made once and kept; any thread.
class Script {
public:
    // `repeat`: what running it a second time does. `read`: the server refuses it if it writes, and
    // a replica may run it. `idempotent`: it carries a token, or sets what is set already.
    explicit Script(std::string text, Repeat repeat = Repeat::once);

    // What it answers has the shape that it gives: `.as(read_integer)`.
    ScriptCall<OwnedReply> call(Words keys = {}, Words arguments = {}) const;

    const std::string& text() const { return *text_; }
    const std::string& sha1() const { return sha1_; }  // 40 small hexadecimal digits

private:
    std::shared_ptr<const std::string> text_;
    std::string sha1_;
    Repeat repeat_;
};

// The server did not know the script: it was not run.
bool script_unknown(const Error& error);
// An error before the script was run: effect none, whatever happened to the loading.
Error before_the_script(const Error& error);

class Client;
// Calls may go to a node that has none of the script's keys: in the middle of a migration, or a
// replica.
bool sends_elsewhere(const Client& client);
template <class Other>
bool sends_elsewhere(const Other&) {
    return false;
}

template <class Client, class Reply>
Task<Reply> run_script_as_task(Client* client, ScriptCall<Reply> call, Deadline deadline) {
    Command<Reply> first = call.command();
    Result<Reply> reply = co_await client->run(std::move(first), deadline);
    if (reply.ok() || !script_unknown(reply.error())) {
        co_return std::move(reply);
    }
    Result<std::string> loaded = co_await client->run(call.load(), deadline);
    if (!loaded.ok()) {
        co_return before_the_script(loaded.error());
    }
    Command<Reply> again = call.command();
    Result<Reply> second = co_await client->run(std::move(again), deadline);
    if (second.ok() || !script_unknown(second.error()) || !sends_elsewhere(*client)) {
        co_return std::move(second);
    }
    Command<Reply> whole = call.whole();
    co_return co_await client->run(std::move(whole), deadline);
}

template <class Client, class Reply>
Result<Reply>
run_script_blocking(Client& client, const ScriptCall<Reply>& call, Deadline deadline) {
    Result<Reply> reply = client.run(Command<Reply>(call.command()), deadline);
    if (reply.ok() || !script_unknown(reply.error())) {
        return reply;
    }
    const Result<std::string> loaded = client.run(call.load(), deadline);
    if (!loaded.ok()) {
        return before_the_script(loaded.error());
    }
    return client.run(Command<Reply>(call.command()), deadline);
}

// With a Client or a Lease: a Task. With a BlockingClient: the result. Errors as of their run();
// `invalid_argument`, none, with the server's word NOSCRIPT: it forgot the script twice. A Client
// of a cluster or of sentinels then sends the text with the call, to wherever that goes.
template <class Client, class Reply>
auto run_script(Client& client, ScriptCall<Reply> call, Deadline deadline) {
    using Run = decltype(client.run(Command<Reply>(call.command()), deadline));
    if constexpr (std::same_as<Run, Result<Reply>>) {
        return run_script_blocking(client, call, deadline);
    } else {
        return run_script_as_task(&client, std::move(call), deadline);
    }
}

}  // namespace holdfast::redis
