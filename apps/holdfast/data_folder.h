#pragma once
// The folder that an unconfigured service keeps its data in: the store's file and the token.

#include <holdfast/base/result.h>
#include <holdfast/base/secret.h>
#include <holdfast/io/random.h>

#include <filesystem>
#include <optional>
#include <string>
#include <variant>

namespace holdfast::app {

// `told` (--data), else $HOLDFAST_DATA, else $XDG_DATA_HOME/holdfast, else ~/.local/share/holdfast.
// Nothing: no home.
std::optional<std::filesystem::path> data_folder(const std::string& told);

// An error with a text for people, which names the path.
struct FolderProblem {
    std::string text;
};

// Makes the folder (mode 0700) with its parents if it is not there.
std::optional<FolderProblem> make_folder(const std::filesystem::path& folder);

struct Token {
    Secret text;
    std::filesystem::path file;
    bool fresh;  // made just now: to be shown once
};

// Reads <folder>/token, or makes it: 256 random bits, mode 0600, whole or not at all, also when two
// services start at once.
std::variant<Token, FolderProblem> open_token(const std::filesystem::path& folder, Random& random);

}  // namespace holdfast::app
