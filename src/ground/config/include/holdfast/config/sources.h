#pragma once
// Where settings come from. Nothing here reads the process's environment or the disk: the program
// passes both in.

#include <string>
#include <utility>
#include <vector>

namespace holdfast {

// A value with its place, for sources that are neither file nor environment. Its text is taken as
// it is, without ${}.
struct LocatedSetting {
    std::string name;
    std::string value;
    std::string where;  // "command line --listen"
};

// Stronger first: overrides, environment, file; behind them the defaults of the schema.
// The setters return a value, so that `sources = std::move(sources).file(...)` is right too.
class ConfigSources {
public:
    ConfigSources file(std::string name, std::string text) && {
        file_name_ = std::move(name);
        file_text_ = std::move(text);
        return std::move(*this);
    }
    ConfigSources environment(std::vector<std::pair<std::string, std::string>> variables) && {
        environment_ = std::move(variables);
        return std::move(*this);
    }
    ConfigSources overrides(std::vector<LocatedSetting> settings) && {
        overrides_ = std::move(settings);
        return std::move(*this);
    }

    const std::string& file_name() const { return file_name_; }  // empty: no file
    const std::string& file_text() const { return file_text_; }
    const std::vector<std::pair<std::string, std::string>>& environment() const {
        return environment_;
    }
    const std::vector<LocatedSetting>& overrides() const { return overrides_; }

private:
    std::string file_name_;
    std::string file_text_;
    std::vector<std::pair<std::string, std::string>> environment_;
    std::vector<LocatedSetting> overrides_;
};

// Whether any variable is meant as a setting under the prefix (COSID_...). The variables that
// Kubernetes and container links make out of service names (COSID_SERVICE_HOST, COSID_PORT_80_TCP)
// are not.
bool names_settings(
    const std::vector<std::pair<std::string, std::string>>& environment, std::string_view prefix
);

}  // namespace holdfast
