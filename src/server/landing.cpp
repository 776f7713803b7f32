#include "landing.h"

#include "embedded_files.h"

#include <holdfast/base/check.h>

#include <openssl/evp.h>

#include <algorithm>
#include <array>

namespace holdfast {
namespace {

constexpr std::size_t host_bytes_max = 253 + 6;  // the longest name, and a port

std::string_view words_of(LandingState state) {
    switch (state) {
    case LandingState::up:
        return "Healthy: the store answers.";
    case LandingState::down:
        return "Not healthy: the store does not answer.";
    case LandingState::stopping:
        break;
    }
    return "Stopping: calls in flight are finished, new ones should go elsewhere.";
}

bool is_plain(std::string_view host) {
    constexpr std::string_view letters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:[]";
    return !host.empty() && host.size() <= host_bytes_max &&
           host.find_first_not_of(letters) == std::string_view::npos;
}

// The page's one style, named by its hash: no other is followed, and no script at all.
std::string policy_for(std::string_view page) {
    constexpr std::string_view open = "<style>";
    const std::size_t begin = page.find(open) + open.size();
    const std::string_view style = page.substr(begin, page.find("</style>") - begin);
    std::array<unsigned char, 32> digest{};
    check(
        EVP_Digest(style.data(), style.size(), digest.data(), nullptr, EVP_sha256(), nullptr) == 1,
        "SHA-256"
    );
    std::array<unsigned char, 45> text{};
    const int size = EVP_EncodeBlock(text.data(), digest.data(), digest.size());
    std::string policy = "default-src 'none'; style-src 'sha256-";
    policy.append(text.begin(), text.begin() + size);
    return policy + "'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
}

// A part of the page by its name in {{ }}.
class Parts {
public:
    std::string_view state_class, state, origin, version;

    std::string_view of(std::string_view name) const {
        if (name == "class") {
            return state_class;
        }
        if (name == "state") {
            return state;
        }
        return name == "origin" ? origin : version;
    }
};

}  // namespace

void write_landing(HttpResponse& response, const LandingFacts& facts) {
    std::string origin = facts.tls ? "https://" : "http://";
    origin.append(is_plain(facts.host) ? facts.host : "127.0.0.1:8688");
    Parts parts;
    parts.state_class = facts.state == LandingState::up ? "up" : "down";
    parts.state = words_of(facts.state);
    parts.origin = origin;
    parts.version = facts.version;

    std::string_view rest = embedded_file("landing.html");
    response.content_type = "text/html; charset=utf-8";
    response.add_header("Content-Security-Policy", policy_for(rest));
    response.add_header("Referrer-Policy", "no-referrer");
    for (std::size_t at = rest.find("{{"); at != std::string_view::npos; at = rest.find("{{")) {
        const std::size_t end = rest.find("}}", at);
        response.body.append(rest.substr(0, at))
            .append(parts.of(rest.substr(at + 2, end - at - 2)));
        rest.remove_prefix(end + 2);
    }
    response.body.append(rest);
}

}  // namespace holdfast
