#include "script.h"

#include <strings.h>

namespace holdfast::testing {
namespace {

std::string counted_line(char type, std::size_t count) {
    return type + std::to_string(count) + "\r\n";
}

std::string aggregate(char type, std::size_t entries, const std::vector<std::string>& values) {
    std::string out = counted_line(type, entries);
    for (const std::string& value : values) {
        out += value;
    }
    return out;
}

}  // namespace

std::string bulk(std::string_view text) {
    return counted_line('$', text.size()) + std::string(text) + "\r\n";
}
std::string array(const std::vector<std::string>& values) {
    return aggregate('*', values.size(), values);
}
std::string map(const std::vector<std::string>& keys_and_values) {
    return aggregate('%', keys_and_values.size() / 2, keys_and_values);
}
std::string push(const std::vector<std::string>& values) {
    return aggregate('>', values.size(), values);
}

bool matches(const Words& pattern, const Words& words) {
    if (pattern.size() > words.size()) {
        return false;
    }
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const bool same = pattern[i].size() == words[i].size() &&
                          strncasecmp(pattern[i].data(), words[i].data(), words[i].size()) == 0;
        if (pattern[i] != "*" && !same) {
            return false;
        }
    }
    return true;
}

std::string in_one_line(const Words& words) {
    std::string out;
    for (const std::string& word : words) {
        out += (out.empty() ? "" : " ") + word;
    }
    return out;
}

Script::Script() {
    on({"HELLO"}, [this](const Words& words) {
        return Answer(hello_.answer(words.size() > 1 && words[1] == "3"));
    });
    for (const char* const word : {"AUTH", "SELECT", "CLIENT"}) {
        on({word}, [](const Words&) { return Answer("+OK\r\n"); });
    }
    on({"CLIENT", "ID"}, [](const Words&) { return Answer(":1\r\n"); });
    on({"PING"}, [](const Words&) { return Answer("+PONG\r\n"); });
    on({"RESET"}, [](const Words&) { return Answer("+RESET\r\n"); });
}

std::string Hello::answer(bool third) const {
    std::vector<std::string> values{
        bulk("server"),
        bulk("redis"),
        bulk("version"),
        bulk("7.2.0"),
        bulk("proto"),
        third ? ":3\r\n" : ":2\r\n",
        bulk("id"),
        ":1\r\n",
        bulk("mode"),
        bulk(mode),
        bulk("role"),
        bulk(role),
        bulk("modules"),
        "*0\r\n"
    };
    if (!zone.empty()) {
        values.push_back(bulk("availability_zone"));
        values.push_back(bulk(zone));
    }
    return third ? map(values) : array(values);
}

void Script::old_protocol() {
    on({"HELLO"}, [](const Words&) {
        return Answer("-ERR unknown command `HELLO`, with args beginning with: \r\n");
    });
}

Answer Script::answer(Caller& caller, const Words& words) {
    heard_.push_back({caller.number, words});
    if (!expected_.empty() && matches(expected_.front().first, words)) {
        Answer answer = std::move(expected_.front().second);
        expected_.pop_front();
        return answer;
    }
    for (auto handler = handlers_.rbegin(); handler != handlers_.rend(); ++handler) {
        if (matches(handler->first, words)) {
            return handler->second(words);
        }
    }
    if (problem_.empty()) {
        problem_ = "came, but was not written down: " + in_one_line(words);
        if (!expected_.empty()) {
            problem_ += "; expected: " + in_one_line(expected_.front().first);
        }
    }
    return {"-ERR unknown command '" + (words.empty() ? "" : words[0]) + "'\r\n"};
}

}  // namespace holdfast::testing
