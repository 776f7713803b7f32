// The service's own ids: a batch is one call of a generator, answered from memory.

#include "answer.h"
#include "handler.h"
#include "ids_report.h"

#include <holdfast/codec/json_writer.h>

#include <array>
#include <charconv>
#include <cstring>

namespace holdfast {
namespace {

// 19 digits and a comma; Digits writes no further.
constexpr std::size_t number_bytes_max = 20;

// The count of the query. Nothing: it is none from 1 to `most`, or stands twice.
std::optional<std::size_t> count_in(std::string_view query, std::size_t most) {
    constexpr std::string_view name = "count=";
    std::optional<std::size_t> count;
    while (!query.empty()) {
        const std::string_view part = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(query.size(), part.size() + 1));
        if (!part.starts_with(name)) {
            if (part == "count") {
                return std::nullopt;
            }
            continue;  // not ours: ignored, as unknown members of a body are
        }
        const std::string_view digits = part.substr(name.size());
        std::size_t value = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (count.has_value() || error != std::errc() || end != digits.data() + digits.size() ||
            value < 1 || value > most) {
            return std::nullopt;
        }
        count = value;
    }
    return count.value_or(1);
}

// The numbers of a batch share most of their digits: those before the last four are made once for
// all that have them.
class Digits {
public:
    // At most 19 of them; 20 bytes of `out` may be written. The end.
    char* write(char* out, std::int64_t number) {
        if (number < 10'000) {
            return std::to_chars(out, out + number_bytes_max, number).ptr;
        }
        const std::int64_t high = number / 10'000;
        if (high != high_) {
            high_ = high;
            high_bytes_ =
                std::to_chars(text_.data(), text_.data() + text_.size(), high).ptr - text_.data();
        }
        std::memcpy(out, text_.data(), text_.size());  // of a fixed size: no call
        out += high_bytes_;
        auto low = static_cast<std::uint32_t>(number - high * 10'000);
        for (int i = 3; i >= 0; --i, low /= 10) {
            out[i] = static_cast<char>('0' + low % 10);
        }
        return out + 4;
    }

private:
    std::int64_t high_ = 0;
    std::ptrdiff_t high_bytes_ = 0;
    std::array<char, 16> text_{};  // 15 digits of the widest
};

void append_numbers(std::string& out, std::span<const std::int64_t> numbers) {
    const std::size_t begin = out.size();
    out.resize(begin + numbers.size() * number_bytes_max);
    Digits digits;
    char* at = out.data() + begin;
    for (const std::int64_t number : numbers) {
        at = digits.write(at, number);
        *at++ = ',';
    }
    out.resize(static_cast<std::size_t>(at - out.data()) - (numbers.empty() ? 0 : 1));
}

void write_numbers(HttpResponse& response, std::span<const std::int64_t> numbers) {
    response.body.append(R"({"ids":[)");
    append_numbers(response.body, numbers);
    response.body.append("]}");
}

// What passes by itself, so that waiting for it is worth the time.
bool passes(const Error& error) {
    return error.code() == Code::overloaded || error.code() == Code::unreachable;
}

// Denied for ever: the state says by what.
HttpCode code_of(IdState state) {
    switch (state) {
    case IdState::sealed:
        return http_code::range_sealed;
    case IdState::exhausted:
        return http_code::range_exhausted;
    case IdState::issuing:
    case IdState::waiting:
    case IdState::lost:
    case IdState::disabled:
    case IdState::closed:
        break;
    }
    return http_code::generator_disabled;
}

}  // namespace

std::optional<ServiceHandler::IdsWanted> ServiceHandler::ids_wanted(
    const Route& route, std::uint32_t caller, const HttpRequest& request, HttpResponse& response
) {
    // Nobody is refused where the operator opened the path to all.
    if (access_to(route, request.path) != Access::open && tokens_->knows(caller) &&
        !tokens_->grant(caller).allows_namespace(state_->options.namespace_name)) {
        set_error(response, http_code::forbidden, "this token may not reach the service's own ids");
        return std::nullopt;
    }
    std::string_view name = generator_in(route, request.path);
    name = name.empty() ? default_generator : name;
    IdsWanted wanted{state_->ids->find(name), 0};
    if (wanted.generator == nullptr) {
        set_error(response, http_code::unknown_generator, "there is no such generator");
        return std::nullopt;
    }
    const auto count = count_in(request.query, state_->options.ids_count_max);
    if (!count.has_value()) {
        const std::string text =
            "count: must be from 1 to " + std::to_string(state_->options.ids_count_max);
        set_error(response, http_code::bad_request, text);
        return std::nullopt;
    }
    wanted.count = *count;
    return wanted;
}

Task<Done> ServiceHandler::issue(
    const Route& route, std::uint32_t caller, const HttpRequest& request, HttpResponse& response
) {
    const auto wanted = ids_wanted(route, caller, request, response);
    if (!wanted.has_value()) {
        co_return Done();
    }
    IdGenerator& generator = *wanted->generator;
    switch (route.action) {
    case Action::id_strings:
    case Action::id_strings_of:
        co_return co_await issue_texts(generator, wanted->count, response);
    case Action::id_periodic_of:
        co_return co_await issue_of_period(generator, wanted->count, response);
    case Action::cosid_issue:  // for any generator: in the form that it has
        if (generator.strategy() == IdStrategy::string) {
            co_return co_await issue_texts(generator, wanted->count, response);
        }
        if (generator.strategy() == IdStrategy::periodic) {
            co_return co_await issue_of_period(generator, wanted->count, response);
        }
        break;
    default:
        break;
    }
    if (generator.strategy() == IdStrategy::string) {
        set_error(response, http_code::bad_request, "its ids are texts: ask for .../strings");
        co_return Done();
    }
    if (generator.strategy() == IdStrategy::periodic) {
        set_error(
            response,
            http_code::bad_request,
            "its numbers start again in each period: ask for .../periodic"
        );
        co_return Done();
    }
    co_return co_await issue_numbers(generator, wanted->count, response);
}

// Without a suspension where the numbers are there, into memory of the loop's own.
Task<Done>
ServiceHandler::issue_numbers(IdGenerator& generator, std::size_t count, HttpResponse& response) {
    numbers_.resize(std::max(numbers_.size(), count));
    std::size_t filled = 0;
    while (filled < count) {
        auto taken = generator.next(std::span(numbers_).subspan(filled, count - filled));
        if (taken.ok()) {
            filled += taken.value();
            continue;
        }
        if (!passes(taken.error())) {
            ids_failed(generator, taken.error(), response);
            co_return Done();
        }
        // Another request may use numbers_ meanwhile.
        std::vector<std::int64_t> own(
            numbers_.begin(), numbers_.begin() + static_cast<std::ptrdiff_t>(count)
        );
        auto rest = co_await generator.fill(std::span(own).subspan(filled), store_deadline());
        if (!rest.ok()) {
            ids_failed(generator, rest.error(), response);
            co_return Done();
        }
        write_numbers(response, own);
        co_return Done();
    }
    write_numbers(response, std::span(numbers_).first(count));
    co_return Done();
}

Task<Done>
ServiceHandler::issue_texts(IdGenerator& generator, std::size_t count, HttpResponse& response) {
    std::vector<std::string> texts(count);
    auto filled = co_await generator.fill_text(texts, store_deadline());
    if (!filled.ok()) {
        ids_failed(generator, filled.error(), response);
        co_return Done();
    }
    JsonWriter json(response.body);
    json.open_object().name("ids").open_array();
    for (const std::string& text : texts) {
        json.text(text);
    }
    json.close_array().close_object();
    co_return Done();
}

Task<Done>
ServiceHandler::issue_of_period(IdGenerator& generator, std::size_t count, HttpResponse& response) {
    if (generator.strategy() != IdStrategy::periodic) {
        set_error(response, http_code::bad_request, "the generator has no periods");
        co_return Done();
    }
    std::vector<std::int64_t> values(count);
    auto filled = co_await generator.fill_of_period(values, store_deadline());
    if (!filled.ok()) {
        ids_failed(generator, filled.error(), response);
        co_return Done();
    }
    JsonWriter(response.body)
        .open_object()
        .field("period", std::string_view(filled.value().period))
        .name("values")
        .raw("[");
    append_numbers(response.body, std::span(values).first(filled.value().count));
    response.body.append("]}");
    co_return Done();
}

void ServiceHandler::ids_failed(
    const IdGenerator& generator, const Error& error, HttpResponse& response
) {
    switch (error.code()) {
    case Code::denied:
        set_error(response, code_of(generator.info().state), error.what());
        return;
    case Code::corrupt:
        set_error(
            response,
            http_code::generator_disabled,
            "the store has lost an acknowledged write: an operator must look"
        );
        return;
    case Code::unsupported:
        set_error(response, http_code::bad_request, error.what());
        return;
    case Code::cancelled:
        metrics_.cancelled();  // the client went away: nobody reads this
        break;
    case Code::invalid_argument:  // the clock, not the caller
    case Code::internal:
        state_->log->error(
            "ids_failed",
            "a generator cannot issue",
            {{"generator", generator.name()},
             {"code", name_of(error.code())},
             {"what", error.what()}}
        );
        break;
    default:
        break;
    }
    const bool ours = error.code() == Code::invalid_argument;
    const HttpCode code = ours ? http_code::store_error : http_code_of(error);
    set_error(response, code, code == http_code::busy ? error.what() : http_message_of(code));
    response.add_header(effect_header, name_of(Effect::none));
    response.close = error.code() == Code::closed;
    if (code == http_code::busy || code == http_code::store_unavailable) {
        response.add_header("Retry-After", "1");
    }
    if (code == http_code::busy) {
        metrics_.busy();
    }
}

}  // namespace holdfast
