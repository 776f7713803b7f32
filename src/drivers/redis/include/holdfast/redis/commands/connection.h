#pragma once
// What a connection is told when it begins, and signs of life.

#include <holdfast/base/secret.h>
#include <holdfast/redis/command.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast::redis {

struct Greeting {
    std::string server;
    std::string version;
    std::int64_t protocol = 2;
    std::int64_t client_id = 0;
    std::string mode;  // standalone, cluster, sentinel
    std::string role;  // master, replica

    friend bool operator==(const Greeting&, const Greeting&) = default;
};

class HelloOptions {
public:
    HelloOptions& user(std::string name, Secret password) {
        user_ = std::pair(std::move(name), std::move(password));
        return *this;
    }
    HelloOptions& client_name(std::string name) {
        client_name_ = std::move(name);
        return *this;
    }

    void put_into(AnyCommand& command) const;

private:
    std::optional<std::pair<std::string, Secret>> user_;
    std::optional<std::string> client_name_;
};

// The bytes of these two hold the password: they are shown nowhere.
Command<Done> auth(const Secret& password);
Command<Done> auth(std::string_view user, const Secret& password);
// `protocol`: 2 or 3. NOPROTO or an unknown command: the server is older than 6.
Command<Greeting> hello(std::int64_t protocol, const HelloOptions& options = {});

Command<std::string> echo(std::string_view text);
Command<Done> ping();
Command<std::string> ping(std::string_view text);
// Of a leased connection: as if it were new, with no user, name, transaction or subscription.
Command<Done> reset();
Command<Done> select(std::uint32_t database);

// To a node of a cluster: the next command may be for a slot that is on its way to it.
Command<Done> asking();
Command<Done> readonly();  // a replica of a cluster answers reads of its slots
Command<Done> readwrite();

}  // namespace holdfast::redis
