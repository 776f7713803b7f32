#include "handshake.h"

#include <holdfast/redis/errors.h>

namespace holdfast::redis {
namespace {

constexpr std::string_view library_name = "holdfast";
constexpr std::string_view library_version = HOLDFAST_VERSION;

std::string_view or_else(const std::string& said, std::string_view usual) {
    return said.empty() ? usual : said;
}

}  // namespace

Handshake::Handshake(
    const RedisOptions& options,
    const Credentials& credentials,
    NodeRole role,
    std::span<const AnyCommand> first_commands
)
    : options_(&options), credentials_(&credentials), role_(role), first_commands_(first_commands) {
    if (options.protocol() == 2) {
        begin_resp2();
    } else {
        begin_resp3();
    }
}

void Handshake::put(Due due, std::initializer_list<std::string_view> words) {
    append_resp_count(output_, words.size());
    for (const std::string_view word : words) {
        append_resp_bulk(output_, word);
    }
    due_.push_back(due);
}

void Handshake::begin_resp3() {
    protocol_ = 3;
    const bool auth = !credentials_->password.empty();
    const bool name = !options_->client_name().empty();
    append_resp_count(output_, 2 + (auth ? 3U : 0U) + (name ? 2U : 0U));
    append_resp_bulk(output_, "HELLO");
    append_resp_bulk(output_, "3");
    if (auth) {
        append_resp_bulk(output_, "AUTH");
        append_resp_bulk(output_, credentials_->user.empty() ? "default" : credentials_->user);
        append_resp_bulk(output_, credentials_->password.reveal());
    }
    if (name) {
        append_resp_bulk(output_, "SETNAME");
        append_resp_bulk(output_, options_->client_name());
    }
    due_.push_back(Due::hello);
    put_rest();
}

void Handshake::begin_resp2() {
    protocol_ = 2;
    if (!credentials_->password.empty()) {
        if (credentials_->user.empty()) {  // servers before 6.0 take the password alone
            put(Due::must, {"AUTH", credentials_->password.reveal()});
        } else {
            put(Due::must, {"AUTH", credentials_->user, credentials_->password.reveal()});
        }
    }
    if (!options_->client_name().empty()) {
        put(Due::may, {"CLIENT", "SETNAME", options_->client_name()});
    }
    put_rest();
}

void Handshake::put_rest() {
    if (options_->database() != 0) {
        put(Due::must, {"SELECT", std::to_string(options_->database())});
    }
    if (role_ == NodeRole::primary) {
        put(Due::role, {"ROLE"});
    } else if (role_ == NodeRole::replica) {
        put(Due::must, {"READONLY"});
    }
    for (const AnyCommand& command : first_commands_) {
        append_resp_count(output_, command.words());
        output_ += command.bytes();
        due_.push_back(Due::must);
    }
    if (options_->check_order()) {
        put(Due::must, {"ECHO", "holdfast"});  // else each answer to a later one would be an error
    }
    const std::string_view name = or_else(options_->library_name(), library_name);
    const std::string_view version = or_else(options_->library_version(), library_version);
    put(Due::may, {"CLIENT", "SETINFO", "LIB-NAME", name});
    put(Due::may, {"CLIENT", "SETINFO", "LIB-VER", version});
}

void Handshake::answered(RespView reply) {
    if (failure_) {
        return;
    }
    if (ignored_ != 0) {
        --ignored_;
        return;
    }
    if (at_ == due_.size()) {
        failure_ = Error(Code::corrupt, Effect::none, "a reply that nobody asked for");
        return;
    }
    const Due due = due_[at_++];
    if (due == Due::hello) {
        greeted(reply);
    } else if (reply.is_error() && due != Due::may) {
        failure_ = error_of(reply, AnyCommand("AUTH"));
    } else if (due == Due::role && (reply.size() == 0 || (*reply.begin()).text() != "master")) {
        failure_ = Error(Code::unreachable, Effect::none, "this node is not the primary");
    }
}

void Handshake::greeted(RespView reply) {
    if (!reply.is_error()) {
        const bool map = reply.type() == RespType::map;
        for (auto at = reply.begin(); map && at != reply.end();) {
            const RespView key = *at;
            ++at;
            if (key.text() == "version") {
                server_version_ = (*at).text();
            } else if (key.text() == "availability_zone") {
                zone_ = (*at).text();
            }
            ++at;
        }
        if (!map) {
            failure_ = Error(Code::corrupt, Effect::none, "the greeting has another shape");
        }
        return;
    }
    Error error = error_of(reply, AnyCommand("HELLO"));
    if (error.code() != Code::unsupported || options_->protocol() == 3) {
        failure_ = std::move(error);
        return;
    }
    // The rest of the first write was said to a server that may not have known us.
    ignored_ = due_.size() - at_;
    due_.clear();
    at_ = 0;
    begin_resp2();
}

}  // namespace holdfast::redis
