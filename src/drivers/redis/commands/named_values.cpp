#include <holdfast/redis/commands/named_values.h>
#include <holdfast/redis/read.h>

#include <algorithm>
#include <charconv>

namespace holdfast::redis {

namespace {

// The text up to `end`, which is taken off `rest` too.
std::string_view take_until(std::string_view& rest, char end) {
    const std::size_t size = rest.find(end);
    const std::string_view taken = rest.substr(0, size);
    rest.remove_prefix(size == std::string_view::npos ? rest.size() : size + 1);
    return taken;
}

Result<NamedValues> client_of(std::string_view line) {
    NamedValues client;
    while (!line.empty()) {
        std::string_view value = take_until(line, ' ');
        if (value.find('=') == std::string_view::npos) {
            return wrong_shape();
        }
        const std::string_view name = take_until(value, '=');
        client.values.emplace_back(name, value);
    }
    return client;
}

std::string_view without_newline(std::string_view line) {
    while (line.ends_with('\n') || line.ends_with('\r')) {
        line.remove_suffix(1);
    }
    return line;
}

}  // namespace

std::optional<std::string_view> NamedValues::find(std::string_view name) const {
    const auto found =
        std::ranges::find_if(values, [&](const auto& pair) { return pair.first == name; });
    return found == values.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

std::optional<std::int64_t> NamedValues::integer(std::string_view name) const {
    const std::string_view text = find(name).value_or("");
    std::int64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [at, problem] = std::from_chars(text.data(), end, number);
    const bool good = !text.empty() && problem == std::errc() && at == end;
    return good ? std::optional(number) : std::nullopt;
}

Result<NamedValues> read_info(RespView reply) {
    auto text = read_text(reply);
    if (!text.ok()) {
        return std::move(text).error();
    }
    NamedValues info;
    std::string_view rest = text.value();
    while (!rest.empty()) {
        std::string_view line = without_newline(take_until(rest, '\n'));
        if (line.empty() || line.starts_with('#')) {
            continue;
        }
        const std::string_view name = take_until(line, ':');
        info.values.emplace_back(name, line);
    }
    return info;
}

Result<NamedValues> read_client(RespView reply) {
    return read_text(reply).and_then([](std::string&& text) {
        return client_of(without_newline(text));
    });
}

Result<std::vector<NamedValues>> read_clients(RespView reply) {
    auto text = read_text(reply);
    if (!text.ok()) {
        return std::move(text).error();
    }
    std::vector<NamedValues> clients;
    std::string_view rest = text.value();
    while (!rest.empty()) {
        Result<NamedValues> client = client_of(without_newline(take_until(rest, '\n')));
        if (!client.ok()) {
            return std::move(client).error();
        }
        if (!client.value().values.empty()) {
            clients.push_back(std::move(client).value());
        }
    }
    return clients;
}

}  // namespace holdfast::redis
