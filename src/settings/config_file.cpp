#include <holdfast/config/limits.h>
#include <holdfast/settings/config_file.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

namespace holdfast {

std::vector<std::filesystem::path> default_config_folders() {
    return {"config", ".", "/etc/holdfast"};
}

ConfigFileOutcome find_config_file(const std::vector<std::filesystem::path>& folders) {
    for (const std::filesystem::path& folder : folders) {
        const std::filesystem::path yaml = (folder / "application.yaml").lexically_normal();
        const std::filesystem::path yml = (folder / "application.yml").lexically_normal();
        std::error_code ignored;
        const bool has_yaml = std::filesystem::exists(yaml, ignored);
        const bool has_yml = std::filesystem::exists(yml, ignored);
        if (has_yaml && has_yml) {
            ConfigFileOutcome outcome;
            outcome.problem = ConfigProblem{
                yaml.string(), "", "stands beside " + yml.string() + "; remove one of them"
            };
            return outcome;
        }
        if (has_yaml || has_yml) {
            return read_config_file(has_yaml ? yaml : yml);
        }
    }
    return {};
}

ConfigFileOutcome read_config_file(const std::filesystem::path& path) {
    ConfigFileOutcome outcome;
    const auto cannot = [&](const std::string& why) {
        outcome.problem = ConfigProblem{path.string(), "", "cannot be read: " + why};
        return outcome;
    };
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
        return cannot("it is a folder; name a YAML file");
    }
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        return cannot(std::generic_category().message(errno == 0 ? EIO : errno));
    }
    std::string text(config_file_bytes_max + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (in.bad()) {
        return cannot(std::generic_category().message(EIO));
    }
    text.resize(static_cast<std::size_t>(in.gcount()));
    outcome.file = ConfigFile{path.string(), std::move(text)};
    return outcome;
}

}  // namespace holdfast
