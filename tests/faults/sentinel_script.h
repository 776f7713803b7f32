#pragma once
// What a sentinel of ScriptedSentinels answers, without sockets.

#include "node_script.h"

#include <faults/scripted_sentinels.h>

namespace holdfast::testing {

class SentinelScript final : public NodeScript {
public:
    void peers(std::vector<std::uint16_t> ports) { peers_ = std::move(ports); }
    void show(const SentinelView& view) { views_.insert_or_assign(view.name, view); }
    void forget(const std::string& name) { views_.erase(name); }
    const SentinelView* view(const std::string& name) const;

private:
    std::optional<std::string> before_handlers(Caller&, const std::string&, const Words&) override {
        return std::nullopt;
    }
    std::string reply(Caller& caller, const std::string& name, const Words& words) override;
    std::string of_one(const SentinelView& view, const std::string& name, bool third) const;
    std::string others(bool third) const;

    std::vector<std::uint16_t> peers_;
    std::map<std::string, SentinelView> views_;
};

// Whether a connection hears this channel.
bool hears(const Caller& caller, const std::string& channel);
// What it is told: a push of RESP3, an array of RESP2; of its pattern, if it has subscribed to "*".
std::string message_to(const Caller& caller, const std::string& channel, const std::string& text);

}  // namespace holdfast::testing
