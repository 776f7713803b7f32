#pragma once
// The file that a service reads when nobody names one.

#include <holdfast/config/config.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

struct ConfigFile {
    std::string name;  // as it stands in messages
    std::string text;
};

struct ConfigFileOutcome {
    std::optional<ConfigFile> file;        // neither: there is no file
    std::optional<ConfigProblem> problem;  // one is there, or was named, and cannot be read
};

// ./config, ., /etc/holdfast, the strongest first. The program adds others, such as /config in an
// image.
std::vector<std::filesystem::path> default_config_folders();

// application.yaml or application.yml in the first folder that has one; both in one folder are a
// problem.
ConfigFileOutcome find_config_file(const std::vector<std::filesystem::path>& folders);

// The file that the command line names. At most one byte more than config_file_bytes_max is read.
ConfigFileOutcome read_config_file(const std::filesystem::path& path);

}  // namespace holdfast
