// holdfast ids leases: what a running service says of its machine.

#include "commands.h"
#include "data_folder.h"
#include "http_get.h"

#include <holdfast/codec/json.h>
#include <holdfast/codec/json_writer.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace holdfast::app {
namespace {

constexpr const char* usual_url = "http://127.0.0.1:8688";
constexpr std::size_t token_bytes_max = 512;

std::string from_environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : value;
}

// $HOLDFAST_TOKEN, else the file that an unconfigured service keeps. Nothing: neither.
std::optional<Secret> token_for(const std::string& data) {
    if (std::string told = from_environment("HOLDFAST_TOKEN"); !told.empty()) {
        return Secret(std::move(told));
    }
    const auto folder = data_folder(data);
    if (!folder.has_value()) {
        return std::nullopt;
    }
    std::ifstream in(*folder / "token");
    std::string line;
    if (!std::getline(in, line) || line.empty() || line.size() > token_bytes_max) {
        return std::nullopt;
    }
    return Secret(std::move(line));
}

std::string number_in(const JsonObject& lease, std::string_view name) {
    const auto found = lease.integer(name);
    return found.ok() ? std::to_string(found.value()) : "-";
}
std::string text_in(const JsonObject& lease, std::string_view name) {
    const auto found = lease.text(name);
    return found.ok() ? std::string(found.value()) : "-";
}

void print_row(const JsonObject& lease) {
    std::printf(
        "%-24s %6s %-24s %8s %-14s %s\n",
        text_in(lease, "namespace").c_str(),
        number_in(lease, "slot").c_str(),
        text_in(lease, "ownerKey").c_str(),
        number_in(lease, "fence").c_str(),
        text_in(lease, "state").c_str(),
        number_in(lease, "expiresAt").c_str()
    );
}

// False: the text is not the service's.
bool print_leases(const std::string& body, bool json) {
    JsonDocument document;
    const auto parsed = document.parse_object(body);
    if (!parsed.ok() || !parsed.value().array("leases").ok()) {
        return false;
    }
    if (!json) {
        std::printf(
            "%-24s %6s %-24s %8s %-14s %s\n",
            "namespace",
            "slot",
            "owner",
            "fence",
            "state",
            "expires at (ms of the store)"
        );
    }
    for (const JsonValue lease : parsed.value().array("leases").value()) {
        if (json) {
            std::string line;
            JsonWriter(line).value(lease);
            std::printf("%s\n", line.c_str());
        } else if (const auto object = lease.object()) {
            print_row(*object);
        }
    }
    return true;
}

}  // namespace

int ids_leases(const IdsLeasesArguments& arguments) {
    std::string url = arguments.url.empty() ? from_environment("HOLDFAST_URL") : arguments.url;
    url = url.empty() ? usual_url : url;
    const auto token = token_for(arguments.configuration.data);
    if (!token.has_value()) {
        complain("no token is known: set HOLDFAST_TOKEN, or say --data FOLDER of the service");
        return exit_code::wrong_usage;
    }
    const auto asked = http_get(url, "/actuator/cosid", *token);
    if (const auto* problem = std::get_if<std::string>(&asked)) {
        complain(*problem);
        return problem->find("allowed:") != std::string::npos ? exit_code::wrong_usage
                                                              : exit_code::unreachable;
    }
    const GetAnswer& answer = std::get<GetAnswer>(asked);
    if (answer.status == 401 || answer.status == 403) {
        complain(url + ": the token is not one that reaches everything: set HOLDFAST_TOKEN");
        return exit_code::wrong_usage;
    }
    if (answer.status != 200 || !print_leases(answer.body, arguments.json)) {
        complain(
            url + ": answered " + std::to_string(answer.status) + ", not as a service of ours"
        );
        return exit_code::unreachable;
    }
    return exit_code::done;
}

}  // namespace holdfast::app
