#pragma once
// ${NAME} and ${NAME:default} inside of values.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

struct Expansion {
    std::string text;
    std::string shown;    // with ${NAME} in place of what came from elsewhere
    std::string problem;  // empty: none
};

class Placeholders {
public:
    struct Found {
        std::string text;
        bool expand = false;  // another setting: its own placeholders count too
    };
    using Lookup = std::function<std::optional<Found>(const std::string& name)>;

    explicit Placeholders(Lookup lookup) : lookup_(std::move(lookup)) {}

    // Any number of texts; the bound on lookups is over all of them.
    Expansion expand(std::string_view text);

private:
    std::string walk(std::string_view text, std::string* shown);
    std::string replace(std::string_view inside);
    void fail(std::string problem);

    Lookup lookup_;
    std::vector<std::string> open_;  // names being expanded
    std::size_t depth_ = 0;
    std::size_t steps_ = 0;
    std::string problem_;
};

}  // namespace holdfast
