#include "split_call.h"

#include <holdfast/redis/read.h>

#include <algorithm>
#include <array>
#include <map>

namespace holdfast::redis {
namespace {

constexpr std::array names{"MGET", "MSET", "DEL", "UNLINK", "EXISTS", "TOUCH"};
// What an error tells of its parts: of the first few.
constexpr std::size_t parts_told_max = 16;

// The words of a command as they travel: "$3\r\nGET\r\n".
std::vector<std::string_view> words_of(const AnyCommand& command) {
    std::vector<std::string_view> words;
    std::string_view bytes = command.bytes();
    while (!bytes.empty()) {
        std::size_t size = 0;
        const char* end = bytes.data() + bytes.size();
        const char* text = std::from_chars(bytes.data() + 1, end, size).ptr + 2;
        words.emplace_back(text, size);
        bytes.remove_prefix(static_cast<std::size_t>(text - bytes.data()) + size + 2);
    }
    return words;
}

// The literal that a command's name must be.
std::string_view literal(std::string_view name) {
    return *std::ranges::find(names, name);
}

// A value of MGET.
void append_value(std::string& out, RespView value) {
    if (value.is_null()) {
        out += "_\r\n";
    } else {
        append_resp_bulk(out, value.text());
    }
}

}  // namespace

bool SplitCall::possible(const AnyCommand& command) {
    return command.key_step() != 0 && command.lane() == Lane::shared &&
           std::ranges::find(names, command.name()) != names.end();
}

SplitCall::SplitCall(
    Client& client, Loop& loop, const AnyCommand& command, SteadyTime deadline, Operation& whole
)
    : name_(literal(command.name())), batch_(divide(command)), whole_(&whole),
      parts_(client, loop, batch_, deadline, *this) {}

Batch SplitCall::divide(const AnyCommand& command) {
    const std::vector<std::string_view> words = words_of(command);
    std::map<std::int32_t, std::size_t> part_with;
    std::vector<AnyCommand> parts;
    for (std::size_t at = command.first_key(); at < words.size(); at += command.key_step()) {
        const std::int32_t slot = key_slot(words[at]);
        const auto [part, fresh] = part_with.try_emplace(slot, parts.size());
        if (fresh) {
            parts.emplace_back(name_, command.repeat());
            slots_.push_back(slot);
        }
        part_of_.push_back(part->second);
        AnyCommand& mine = parts[part->second];
        mine.add_key(words[at]);
        for (std::size_t i = 1; i < command.key_step(); ++i) {
            mine.add(words[at + i]);
        }
    }
    Batch batch;
    for (const AnyCommand& part : parts) {
        batch.add_any(part);
    }
    return batch;
}

Effect SplitCall::give_up() {
    const Effect effect = parts_.give_up();
    const bool some = batch_.replies().answered() != 0;
    return some && name_ != "MGET" && name_ != "EXISTS" ? Effect::unknown : effect;
}

// What the parts have come to, for who must repair it.
std::string SplitCall::outcomes() const {
    std::string text;
    for (std::size_t i = 0; i < std::min(slots_.size(), parts_told_max); ++i) {
        const bool done = batch_.replies().has(i) && !batch_.replies()[i].is_error();
        text += (text.empty() ? "slot " : ", slot ") + std::to_string(slots_[i]) + ": ";
        text += done ? std::string_view("done") : name_of(batch_.effect_at(i));
    }
    return text;
}

std::optional<Error> SplitCall::first_error(std::optional<Error> error) const {
    Effect effect = Effect::none;
    bool done = false;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        if (batch_.replies().has(i)) {
            if (!batch_.replies()[i].is_error()) {
                done = true;
                continue;
            }
            if (!error.has_value()) {
                error.emplace(batch_.error_at(i, batch_.replies()[i]));
            }
        }
        effect = std::max(effect, batch_.effect_at(i));
    }
    if (!error.has_value()) {
        return std::nullopt;
    }
    if (done && name_ != "MGET" && name_ != "EXISTS") {
        effect = Effect::unknown;
    }
    ErrorContext context;
    if (error->context() != nullptr) {
        context = *error->context();
    }
    context.situation = outcomes();
    return Error(error->code(), effect, error->what()).with(std::move(context));
}

std::string SplitCall::joined() const {
    std::string reply;
    if (name_ == "MSET") {
        return "+OK\r\n";
    }
    if (name_ != "MGET") {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            sum += batch_.replies()[i].number();
        }
        return ":" + std::to_string(sum) + "\r\n";
    }
    append_resp_count(reply, part_of_.size());
    std::vector<RespView::Iterator> next;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        next.push_back(batch_.replies()[i].begin());
    }
    for (const std::size_t part : part_of_) {
        if (next[part] == batch_.replies()[part].end()) {
            return {};
        }
        append_value(reply, *next[part]);
        ++next[part];
    }
    return reply;
}

void SplitCall::parts_ended(std::optional<Error> error) {
    if (auto first = first_error(std::move(error)); first.has_value()) {
        whole_->failed(std::move(*first));
        return;
    }
    const std::string reply = joined();
    RespParser parser;
    if (parser.parse(reply) != RespStatus::complete) {
        whole_->failed(wrong_shape());
        return;
    }
    whole_->replied(parser.reply(), true);
}

}  // namespace holdfast::redis
