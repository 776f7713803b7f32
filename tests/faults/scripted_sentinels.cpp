#include "scripted_host.h"
#include "sentinel_script.h"

#include <faults/scripted_sentinels.h>

namespace holdfast::testing {
namespace {

std::vector<std::unique_ptr<SentinelScript>> scripts(std::size_t count) {
    std::vector<std::unique_ptr<SentinelScript>> all;
    for (std::size_t i = 0; i < count; ++i) {
        all.push_back(std::make_unique<SentinelScript>());
    }
    return all;
}

}  // namespace

class ScriptedSentinels::Thread {
public:
    explicit Thread(std::size_t count) : host(scripts(count)) {}
    ScriptedHost<SentinelScript> host;
};

ScriptedSentinels::ScriptedSentinels(std::size_t count) : thread_(std::make_unique<Thread>(count)) {
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<std::uint16_t> others = ports();
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        thread_->host.tell(i, [&](SentinelScript& script) { script.peers(others); });
    }
}
ScriptedSentinels::~ScriptedSentinels() = default;

std::size_t ScriptedSentinels::size() const {
    return thread_->host.size();
}
std::uint16_t ScriptedSentinels::port(std::size_t sentinel) const {
    return thread_->host.port(sentinel);
}
std::vector<std::uint16_t> ScriptedSentinels::ports() const {
    std::vector<std::uint16_t> all;
    for (std::size_t i = 0; i < size(); ++i) {
        all.push_back(port(i));
    }
    return all;
}

void ScriptedSentinels::show(const SentinelView& view) {
    thread_->host.tell_all([&](SentinelScript& script) { script.show(view); });
}
void ScriptedSentinels::show(const SentinelView& view, std::size_t sentinel) {
    thread_->host.tell(sentinel, [&](SentinelScript& script) { script.show(view); });
}
void ScriptedSentinels::forget(const std::string& name, std::size_t sentinel) {
    thread_->host.tell(sentinel, [&](SentinelScript& script) { script.forget(name); });
}

void ScriptedSentinels::switch_master(const SentinelView& to) {
    const auto address = [](const SentinelServer& server) {
        return " " + server.host + " " + std::to_string(server.port);
    };
    for (std::size_t i = 0; i < size(); ++i) {
        std::string text = to.name;
        thread_->host.tell(i, [&](SentinelScript& script) {
            const SentinelView* const old = script.view(to.name);
            text += address(old != nullptr ? old->primary : to.primary) + address(to.primary);
            script.show(to);
        });
        publish(i, "+switch-master", text);
    }
}

void ScriptedSentinels::publish(
    std::size_t sentinel, const std::string& channel, const std::string& text
) {
    const SteadyTime now = system_clock().steady_now();
    thread_->host.tell_conversations(sentinel, [&](Conversation& one) {
        if (hears(one.caller(), channel)) {
            one.say(message_to(one.caller(), channel, text), now);
        }
    });
}

void ScriptedSentinels::on(std::size_t sentinel, Words words, Answer answer) {
    thread_->host.tell(sentinel, [&](SentinelScript& script) {
        script.on(std::move(words), std::move(answer));
    });
}
void ScriptedSentinels::mute(std::size_t sentinel) {
    thread_->host.tell(sentinel, [](SentinelScript& script) { script.mute(true); });
}
void ScriptedSentinels::closes(std::size_t sentinel) {
    thread_->host.door(sentinel, Door::closes);
    end_all(sentinel, Answer::Then::close);
}
void ScriptedSentinels::down(std::size_t sentinel) {
    thread_->host.door(sentinel, Door::refuses);
    end_all(sentinel, Answer::Then::reset);
}
void ScriptedSentinels::heal(std::size_t sentinel) {
    thread_->host.tell(sentinel, [](SentinelScript& script) { script.mute(false); });
    thread_->host.door(sentinel, Door::open);
}
void ScriptedSentinels::end_all(std::size_t sentinel, Answer::Then how) {
    thread_->host.tell_conversations(sentinel, [&](Conversation& one) { one.end(how); });
}

std::map<std::string, std::size_t> ScriptedSentinels::commands(std::size_t sentinel) const {
    return thread_->host.see(sentinel, [](const SentinelScript& one) { return one.commands(); });
}
std::size_t ScriptedSentinels::heard(std::size_t sentinel, const Words& words) const {
    return thread_->host.see(sentinel, [&](const SentinelScript& one) { return one.heard(words); });
}
std::size_t ScriptedSentinels::subscribers(std::size_t sentinel, const std::string& channel) const {
    std::size_t count = 0;
    thread_->host.tell_conversations(sentinel, [&](const Conversation& one) {
        count += hears(one.caller(), channel) ? 1 : 0;
    });
    return count;
}
std::size_t ScriptedSentinels::connections(std::size_t sentinel) const {
    return thread_->host.accepted(sentinel);
}
std::size_t ScriptedSentinels::open_connections(std::size_t sentinel) const {
    return thread_->host.open(sentinel);
}

}  // namespace holdfast::testing
