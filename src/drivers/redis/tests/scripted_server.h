#pragma once
// A server of virtual time that answers by a script of the test.

#include <holdfast/io/compose.h>
#include <holdfast/io/tcp.h>
#include <holdfast/io/virtual_runtime.h>
#include <holdfast/resp/parser.h>

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace holdfast::redis {

using ServerWords = std::vector<std::string>;

struct ServerAnswer {
    std::string bytes;    // may be none
    bool closes = false;  // the connection, after the bytes
    Duration after{0};    // how long the server takes; it does nothing else meanwhile
};

class ScriptedServer {
public:
    using Script = std::function<ServerAnswer(const ServerWords&)>;

    explicit ScriptedServer(VirtualRuntime& runtime) : runtime_(&runtime) { up(); }
    ~ScriptedServer() { down(); }

    // Answers what no script answers: HELLO, CLIENT, SELECT, GET, SET, INCR, PING.
    ServerAnswer usual(const ServerWords& words);

    Script script = [this](const ServerWords& words) {
        return usual(words);
    };
    std::map<std::string, std::string> values;
    std::vector<ServerWords> heard;  // of all connections
    int connections = 0;
    int open_connections = 0;
    bool mute = false;  // takes connections and never says a word

    std::uint16_t port() const { return port_; }
    void up() {
        TcpListenOptions options;
        options.port(port_);
        listener_ = std::shared_ptr<TcpListener>(
            std::move(open_tcp_listener(runtime_->loop(0), options)).value()
        );
        port_ = listener_->port();
        spawn(runtime_->loop(0), accepting(this, listener_), [](Result<Done>) {});
    }
    void down() {
        listener_->close();
        break_connections();
    }
    void break_connections() {
        for (auto& [number, stream] : streams_) {
            stream->abort();
        }
    }
    // Unasked, on all connections.
    void say(const std::string& bytes) {
        for (auto& [number, stream] : streams_) {
            spawn(runtime_->loop(0), saying(stream, bytes), [](Result<Done>) {});
        }
    }
    std::size_t count(std::string_view name) const {
        std::size_t found = 0;
        for (const ServerWords& words : heard) {
            found += words[0] == name ? 1U : 0U;
        }
        return found;
    }

private:
    static Task<> saying(std::shared_ptr<Stream> stream, std::string bytes) {
        Loop& loop = (co_await this_scope()).loop();
        co_return co_await write_all(*stream, bytes, Deadline::in(Duration(100'000), loop.now()));
    }
    static Task<> accepting(ScriptedServer* self, std::shared_ptr<TcpListener> listener) {
        for (;;) {
            auto accepted = co_await listener->accept();
            if (!accepted.ok()) {
                co_return Done();
            }
            ++self->connections;
            std::shared_ptr<Stream> stream = std::move(accepted.value().stream);
            spawn(
                self->runtime_->loop(0),
                serving(self, std::move(stream), self->connections),
                [](Result<Done>) {}
            );
        }
    }
    static Task<> serving(ScriptedServer* self, std::shared_ptr<Stream> stream, int number) {
        self->streams_[number] = stream;
        ++self->open_connections;
        std::string unread;
        RespParser parser;
        std::vector<std::byte> space(1'000);
        for (bool open = true; open;) {
            auto got = co_await stream->read_some(space);
            if (!got.ok() || got.value() == 0) {
                break;
            }
            unread.append(reinterpret_cast<const char*>(space.data()), got.value());
            while (open && !self->mute && parser.parse(unread) == RespStatus::complete) {
                ServerWords words;
                for (const RespView word : parser.reply()) {
                    words.emplace_back(word.text());
                }
                unread.erase(0, parser.consumed());
                self->heard.push_back(words);
                ServerAnswer answer = self->script(words);
                if (answer.after != Duration(0)) {
                    (void)co_await sleep(self->runtime_->now() + answer.after);
                }
                const Deadline deadline = Deadline::at(self->runtime_->now() + Duration(100'000));
                auto wrote = co_await write_all(*stream, answer.bytes, deadline);
                open = wrote.ok() && !answer.closes;
            }
        }
        --self->open_connections;
        self->streams_.erase(number);
        co_return Done();
    }

    VirtualRuntime* runtime_;
    std::shared_ptr<TcpListener> listener_;
    std::uint16_t port_ = 0;
    std::map<int, std::shared_ptr<Stream>> streams_;
};

inline std::string bulk_reply(std::string_view text) {
    return "$" + std::to_string(text.size()) + "\r\n" + std::string(text) + "\r\n";
}

inline ServerAnswer ScriptedServer::usual(const ServerWords& words) {
    const std::string& name = words[0];
    if (name == "HELLO") {
        return {"%2\r\n+version\r\n+7.0.15\r\n+proto\r\n:3\r\n"};
    }
    if (name == "PING") {
        return {"+PONG\r\n"};
    }
    if (name == "GET") {
        const auto found = values.find(words[1]);
        return {found == values.end() ? "_\r\n" : bulk_reply(found->second)};
    }
    if (name == "SET") {
        values[words[1]] = words[2];
    }
    if (name == "INCR") {
        std::string& value = values[words[1]];
        value = std::to_string(value.empty() ? 1 : std::stoi(value) + 1);
        return {":" + value + "\r\n"};
    }
    return {"+OK\r\n"};
}

}  // namespace holdfast::redis
