#pragma once
// One function a command. Each prints for people, errors in one line to standard error, and returns
// the exit code.

#include <cstdint>
#include <string>

namespace holdfast::app {

namespace exit_code {
inline constexpr int done = 0;
inline constexpr int no = 1;           // the question was answered with no
inline constexpr int wrong_usage = 2;  // command line or settings
inline constexpr int unreachable = 3;  // the store or the server
}  // namespace exit_code

struct ConfigurationArguments {
    std::string file;    // --config; empty: looked for
    std::string data;    // --data; empty: see data_folder.h
    std::string listen;  // --listen ADDRESS:PORT; empty: from the settings
};

struct TckArguments {
    std::string store;       // a store URI
    std::string only;        // promises whose name contains this
    std::uint64_t seed = 0;  // 0: drawn
    std::size_t sequences = 200;
    bool json = false;
};

int serve(const ConfigurationArguments& arguments);
int config_check(const ConfigurationArguments& arguments);
int config_show(const ConfigurationArguments& arguments, bool json);
// `name`: a setting in any spelling, or the beginning of several.
int config_explain(const ConfigurationArguments& arguments, const std::string& name);
int tck(const TckArguments& arguments);

// "holdfast: " and the text, as one line.
void complain(const std::string& text);

}  // namespace holdfast::app
