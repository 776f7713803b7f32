#pragma once
// What a ScriptedRedis answers, without sockets.

#include "conversation.h"

#include <faults/scripted_redis.h>

#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::testing {

bool matches(const Words& pattern, const Words& words);
std::string in_one_line(const Words& words);

// What HELLO answers, of a server of Redis 7.2.
struct Hello {
    std::string mode = "standalone";
    std::string role = "master";
    std::string zone;  // of Valkey 8.1; empty: the field is missing

    std::string answer(bool third) const;
};

class Script final : public Responder {
public:
    using Handler = std::function<Answer(const Words&)>;

    Script();  // knows what a server of Redis 7.2 says to the words of a handshake
    void on(Words words, Handler answer) {
        handlers_.emplace_back(std::move(words), std::move(answer));
    }
    void expect(Words words, Answer answer) {
        expected_.emplace_back(std::move(words), std::move(answer));
    }
    void old_protocol();
    void availability_zone(std::string_view zone) { hello_.zone = zone; }

    Answer answer(Caller& caller, const Words& words) override;
    const std::vector<Heard>& heard() const { return heard_; }
    std::size_t expected_left() const { return expected_.size(); }
    const std::string& problem() const { return problem_; }

private:
    std::vector<std::pair<Words, Handler>> handlers_;
    std::deque<std::pair<Words, Answer>> expected_;
    std::vector<Heard> heard_;
    Hello hello_;
    std::string problem_;
};

}  // namespace holdfast::testing
