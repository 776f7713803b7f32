#pragma once
// A server of the protocol that answers what a test wrote down, for what the installed Redis does
// not have or do. What it says about a driver holds for the script, not for a server of that
// version.
//
//   ScriptedRedis server;
//   server.on({"WAITAOF"}, "*2\r\n:1\r\n:1\r\n");                 // whenever it comes
//   server.expect({"GET", "a"}, "$1\r\n1\r\n");                   // in this order, each once
//   server.expect({"GET", "b"}, Answer("$1").then(Answer::Then::reset));
//
// It knows HELLO 3, AUTH, SELECT, CLIENT, PING and RESET from the start, and answers others with an
// error, as a server does; `problem()` then says what was not written down.

#include <holdfast/base/time.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::testing {

using Words = std::vector<std::string>;

class Answer {
public:
    enum class Then : std::uint8_t { go_on, close, reset };

    // NOLINTBEGIN(google-explicit-constructor): the bytes of a reply are the usual answer
    Answer(std::string bytes) : bytes_(std::move(bytes)) {}
    Answer(const char* bytes) : bytes_(bytes) {}
    // NOLINTEND(google-explicit-constructor)
    static Answer none() { return {""}; }
    Answer&& after(Duration delay) && {
        delay_ = delay;
        return std::move(*this);
    }
    Answer&& then(Then then) && {
        then_ = then;
        return std::move(*this);
    }

    const std::string& bytes() const { return bytes_; }
    Duration delay() const { return delay_; }
    Then then() const { return then_; }

private:
    std::string bytes_;
    Duration delay_ = Duration::zero();
    Then then_ = Then::go_on;
};

// A command that came: on which connection (1 is the first), its words, and when.
struct Heard {
    std::size_t connection;
    Words words;
    SteadyTime when = system_clock().steady_now();
};

// Any thread. Words match without regard to case, as far as they go: {"CLIENT", "SETINFO"} is every
// such command; "*" is any word.
class ScriptedRedis {
public:
    ScriptedRedis();
    ScriptedRedis(const ScriptedRedis&) = delete;
    ScriptedRedis& operator=(const ScriptedRedis&) = delete;
    ~ScriptedRedis();

    std::uint16_t port() const;

    void on(Words words, Answer answer);  // the last that matches counts
    // `answer` runs on the server's thread and may not call the server.
    void on(Words words, std::function<Answer(const Words&)> answer);
    void expect(Words words, Answer answer);  // is asked before on()

    void old_protocol();                            // HELLO is unknown
    void availability_zone(std::string_view zone);  // in HELLO's answer, as Valkey 8.1 has it
    void push(std::string bytes);                   // to all connections
    void end_all(Answer::Then how = Answer::Then::reset);

    std::vector<Heard> heard() const;
    std::size_t heard(const Words& words) const;  // how many that match
    std::size_t expected_left() const;
    std::size_t connections() const;  // ever accepted
    std::size_t open_connections() const;
    std::string problem() const;  // empty: each command was written down

private:
    class Thread;
    std::unique_ptr<Thread> thread_;
};

// "%1\r\n$3\r\nkey\r\n..." is easily written wrongly: bulk("v"), array({bulk("a"), ":1\r\n"}).
std::string bulk(std::string_view text);
std::string array(const std::vector<std::string>& values);
std::string map(const std::vector<std::string>& keys_and_values);
std::string push(const std::vector<std::string>& values);

}  // namespace holdfast::testing
