#pragma once
// What nodes of scripted clusters and sentinels have in common, without sockets.

#include "script.h"

#include <map>
#include <optional>

namespace holdfast::testing {

class NodeScript : public Responder {
public:
    void on(Words words, Answer answer) {
        handlers_.emplace_back(std::move(words), std::move(answer));
    }
    void mute(bool is) { mute_ = is; }

    Answer answer(Caller& caller, const Words& words) final;

    const std::vector<Heard>& heard() const { return heard_; }
    std::size_t heard(const Words& words) const;
    const std::map<std::string, std::size_t>& commands() const { return commands_; }

protected:
    // `name`: in upper case, with the second word of those that have one.
    virtual std::optional<std::string>
    before_handlers(Caller& caller, const std::string& name, const Words& words) = 0;
    virtual std::string reply(Caller& caller, const std::string& name, const Words& words) = 0;

private:
    std::vector<std::pair<Words, Answer>> handlers_;
    bool mute_ = false;
    std::vector<Heard> heard_;
    std::map<std::string, std::size_t> commands_;
};

std::string upper(std::string text);
// "CLUSTER SLOTS", "GET".
std::string name_of(const Words& words);
std::string error(const std::string& text);
std::string integer(std::uint64_t number);
// A map of RESP3, an array of RESP2.
std::string pairs(const std::vector<std::string>& values, bool third);

}  // namespace holdfast::testing
