#include "script.h"
#include "scripted_host.h"

#include <algorithm>

namespace holdfast::testing {
namespace {

std::vector<std::unique_ptr<Script>> one_script() {
    std::vector<std::unique_ptr<Script>> scripts;
    scripts.push_back(std::make_unique<Script>());
    return scripts;
}

}  // namespace

class ScriptedRedis::Thread {
public:
    ScriptedHost<Script> host{one_script()};

    template <class Change>
    void tell(Change change) {
        host.tell(0, change);
    }
    template <class Look>
    auto see(Look at) const {
        return host.see(0, at);
    }
};

ScriptedRedis::ScriptedRedis() : thread_(std::make_unique<Thread>()) {}
ScriptedRedis::~ScriptedRedis() = default;

std::uint16_t ScriptedRedis::port() const {
    return thread_->host.port(0);
}

void ScriptedRedis::on(Words words, Answer answer) {
    on(std::move(words), [answer](const Words&) { return answer; });
}
void ScriptedRedis::on(Words words, std::function<Answer(const Words&)> answer) {
    thread_->tell([&](Script& script) { script.on(std::move(words), std::move(answer)); });
}
void ScriptedRedis::expect(Words words, Answer answer) {
    thread_->tell([&](Script& script) { script.expect(std::move(words), std::move(answer)); });
}
void ScriptedRedis::old_protocol() {
    thread_->tell([](Script& script) { script.old_protocol(); });
}
void ScriptedRedis::availability_zone(std::string_view zone) {
    thread_->tell([&](Script& script) { script.availability_zone(zone); });
}
void ScriptedRedis::push(std::string bytes) {
    const SteadyTime now = system_clock().steady_now();
    thread_->host.tell_conversations(0, [&](auto& conversation) { conversation.say(bytes, now); });
}
void ScriptedRedis::end_all(Answer::Then how) {
    thread_->host.tell_conversations(0, [&](auto& conversation) { conversation.end(how); });
}

std::vector<Heard> ScriptedRedis::heard() const {
    return thread_->see([](const Script& script) { return script.heard(); });
}
std::size_t ScriptedRedis::heard(const Words& words) const {
    return thread_->see([&](const Script& script) {
        return static_cast<std::size_t>(std::count_if(
            script.heard().begin(),
            script.heard().end(),
            [&](const Heard& one) { return matches(words, one.words); }
        ));
    });
}
std::size_t ScriptedRedis::expected_left() const {
    return thread_->see([](const Script& script) { return script.expected_left(); });
}
std::size_t ScriptedRedis::connections() const {
    return thread_->host.accepted(0);
}
std::size_t ScriptedRedis::open_connections() const {
    return thread_->host.open(0);
}
std::string ScriptedRedis::problem() const {
    return thread_->see([](const Script& script) { return script.problem(); });
}

}  // namespace holdfast::testing
