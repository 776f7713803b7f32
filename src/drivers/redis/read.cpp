#include <holdfast/redis/read.h>

#include <charconv>

namespace holdfast::redis {

namespace {

bool is_text(RespView reply) {
    return reply.type() == RespType::bulk || reply.type() == RespType::simple ||
           reply.type() == RespType::verbatim;
}

template <class Number>
Result<Number> number_in(std::string_view text) {
    Number value{};
    const char* end = text.data() + text.size();
    const auto [at, problem] = std::from_chars(text.data(), end, value);
    if (text.empty() || problem != std::errc() || at != end) {
        return wrong_shape();
    }
    return value;
}

}  // namespace

Error wrong_shape() {
    return {Code::corrupt, Effect::unknown, "the answer does not have the shape of this command's"};
}

Result<Done> read_ok(RespView reply) {
    if (!is_text(reply) || reply.text() != "OK") {
        return wrong_shape();
    }
    return Done();
}

Result<bool> read_ok_or_null(RespView reply) {
    if (reply.is_null()) {
        return false;
    }
    return read_ok(reply).and_then([](Done) { return Result<bool>(true); });
}

Result<Done> read_done(RespView reply) {
    if (!is_text(reply) && reply.type() != RespType::integer) {
        return wrong_shape();
    }
    return Done();
}

Result<std::int64_t> read_integer(RespView reply) {
    if (reply.type() == RespType::integer) {
        return reply.number();
    }
    if (is_text(reply)) {
        return number_in<std::int64_t>(reply.text());
    }
    return wrong_shape();
}

Result<std::uint64_t> read_unsigned(RespView reply) {
    if (reply.type() == RespType::integer || is_text(reply)) {
        return number_in<std::uint64_t>(reply.text());
    }
    return wrong_shape();
}

Result<bool> read_boolean(RespView reply) {
    if ((reply.type() != RespType::integer && reply.type() != RespType::boolean) ||
        (reply.number() != 0 && reply.number() != 1)) {
        return wrong_shape();
    }
    return reply.number() == 1;
}

Result<double> read_real(RespView reply) {
    if (reply.type() == RespType::real || reply.type() == RespType::integer || is_text(reply)) {
        return number_in<double>(reply.text());
    }
    return wrong_shape();
}

Result<std::string> read_text(RespView reply) {
    if (!is_text(reply)) {
        return wrong_shape();
    }
    return std::string(reply.text());
}

Result<std::optional<std::string>> read_optional_text(RespView reply) {
    return read_optional<read_text>(reply);
}

Result<std::optional<std::int64_t>> read_optional_integer(RespView reply) {
    return read_optional<read_integer>(reply);
}

Result<std::optional<double>> read_optional_real(RespView reply) {
    return read_optional<read_real>(reply);
}

Result<std::vector<std::string>> read_texts(RespView reply) {
    return read_list<read_text>(reply);
}

Result<std::vector<std::optional<std::string>>> read_optional_texts(RespView reply) {
    return read_list<read_optional_text>(reply);
}

Result<std::vector<std::int64_t>> read_integers(RespView reply) {
    return read_list<read_integer>(reply);
}

Result<std::vector<std::pair<std::string, std::string>>> read_pairs(RespView reply) {
    return read_pairs_of<read_text, read_text>(reply);
}

}  // namespace holdfast::redis
