#include "redirect.h"

#include "node_address.h"
#include "topology.h"
#include "uri_parts.h"

namespace holdfast::redis {
namespace {

// `text` begins with this whole word.
bool says(std::string_view text, std::string_view word) {
    return text.starts_with(word) && (text.size() == word.size() || text[word.size()] == ' ');
}

}  // namespace

std::optional<Redirect> parse_redirect(std::string_view text, const Endpoint& asked) {
    const std::string_view word = cut(text, ' ');
    if (word != "MOVED" && word != "ASK") {
        return std::nullopt;
    }
    const auto slot = small_number(cut(text, ' '), cluster_slots_count - 1);
    const std::size_t colon = text.rfind(':');
    if (!slot.has_value() || colon == std::string_view::npos) {
        return std::nullopt;
    }
    const auto port = small_number(text.substr(colon + 1), 65'535);
    std::string_view host = text.substr(0, colon);
    if (host.starts_with('[')) {
        if (!host.ends_with(']') || host.find(':') == std::string_view::npos) {
            return std::nullopt;
        }
        host = host.substr(1, host.size() - 2);
    }
    auto node = said_endpoint(host, port.value_or(0), asked);
    if (!node.has_value()) {
        return std::nullopt;
    }
    return Redirect(word == "ASK", static_cast<std::uint16_t>(*slot), std::move(*node));
}

NodeAnswer node_answer(RespView error) {
    const std::string_view text = error.text();
    if (text.empty()) {
        return NodeAnswer::none;
    }
    switch (text.front()) {
    case 'A':
        return says(text, "ASK") ? NodeAnswer::ask : NodeAnswer::none;
    case 'C':
        return says(text, "CLUSTERDOWN") ? NodeAnswer::cluster_down : NodeAnswer::none;
    case 'L':
        return says(text, "LOADING") ? NodeAnswer::loading : NodeAnswer::none;
    case 'M':
        if (says(text, "MOVED")) {
            return NodeAnswer::moved;
        }
        return says(text, "MASTERDOWN") ? NodeAnswer::master_down : NodeAnswer::none;
    case 'R':
        return says(text, "READONLY") ? NodeAnswer::read_only : NodeAnswer::none;
    case 'T':
        return says(text, "TRYAGAIN") ? NodeAnswer::try_again : NodeAnswer::none;
    default:
        return NodeAnswer::none;
    }
}

}  // namespace holdfast::redis
