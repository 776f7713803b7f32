#pragma once
// What is wrong with one option, for those who refuse it.

#include <string_view>

namespace holdfast {

struct OptionProblem {
    std::string_view option;  // spelled as in the settings
    std::string_view what;    // a literal that says what is allowed
};

}  // namespace holdfast
