#pragma once
// The first words on a connection, as bytes and replies: all in one write, a second one only where
// the server does not know HELLO.

#include "connection.h"

#include <holdfast/redis/options.h>
#include <holdfast/resp/reply.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace holdfast::redis {

class Handshake {
public:
    // All outlive it.
    Handshake(
        const RedisOptions& options,
        const Credentials& credentials,
        NodeRole role = NodeRole::any,
        std::span<const AnyCommand> first_commands = {}
    );

    // What to write now; empty: nothing.
    std::string take_output() { return std::exchange(output_, std::string()); }
    // Not for pushes.
    void answered(RespView reply);
    bool done() const { return !failure_ && at_ == due_.size() && output_.empty(); }
    const std::optional<Error>& failure() const { return failure_; }
    int protocol() const { return protocol_; }
    const std::string& server_version() const { return server_version_; }
    const std::string& zone() const { return zone_; }

private:
    enum class Due : std::uint8_t { hello, must, may, role };

    void put(Due due, std::initializer_list<std::string_view> words);
    void begin_resp3();
    void begin_resp2();
    void put_rest();
    void greeted(RespView reply);

    const RedisOptions* options_;
    const Credentials* credentials_;
    NodeRole role_;
    std::span<const AnyCommand> first_commands_;
    std::string output_;
    std::vector<Due> due_;
    std::size_t at_ = 0;
    std::size_t ignored_ = 0;  // replies of the first write that tell nothing: HELLO was unknown
    std::optional<Error> failure_;
    int protocol_ = 3;
    std::string server_version_;
    std::string zone_;
};

}  // namespace holdfast::redis
