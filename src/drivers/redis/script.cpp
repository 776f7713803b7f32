#include <holdfast/redis/client.h>
#include <holdfast/redis/commands/scripts.h>
#include <holdfast/redis/read.h>
#include <holdfast/redis/script.h>
#include <holdfast/resp/parser.h>

#include <openssl/evp.h>

#include <array>

namespace holdfast::redis {

namespace {

std::string sha1_of(std::string_view text) {
    std::array<unsigned char, 20> digest{};
    (void)EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha1(), nullptr);
    constexpr std::string_view digits = "0123456789abcdef";
    std::string written;
    for (const unsigned char byte : digest) {
        written += {digits[byte >> 4], digits[byte & 15]};
    }
    return written;
}

}  // namespace

Command<std::string> load_script(std::string_view text, std::int32_t slot) {
    AnyCommand any("SCRIPT|LOAD", Repeat::idempotent);
    any.add(text).route_to(slot);
    return {std::move(any), read_text};
}

AnyCommand whole_script(const AnyCommand& by_name, std::string_view text) {
    AnyCommand any(by_name.name() == "EVALSHA_RO" ? "EVAL_RO" : "EVAL", by_name.repeat());
    any.set_on_error(by_name.on_error()).set_bulky(by_name.bulky()).add(text);
    RespParser parser;
    const std::string all =
        "*" + std::to_string(by_name.words()) + "\r\n" + std::string(by_name.bytes());
    (void)parser.parse(all);
    std::uint32_t at = 0;
    for (const RespView word : parser.reply()) {
        const bool key = at >= by_name.first_key() && at < by_name.first_key() + by_name.keys();
        if (at >= 2 && key && by_name.keys() != 0) {
            any.add_key(word.text());
        } else if (at >= 2) {  // behind the name of the command and that of the script
            any.add(word.text());
        }
        ++at;
    }
    return any;
}

bool sends_elsewhere(const Client& client) {
    return client.options().shape() != Shape::single;
}

Script::Script(std::string text, Repeat repeat)
    : text_(std::make_shared<const std::string>(std::move(text))), sha1_(sha1_of(*text_)),
      repeat_(repeat) {}

ScriptCall<OwnedReply> Script::call(Words keys, Words arguments) const {
    if (repeat_ == Repeat::read) {
        return {evalsha_ro(sha1_, keys, arguments), text_};
    }
    return {evalsha(sha1_, keys, arguments).repeat(repeat_), text_};
}

bool script_unknown(const Error& error) {
    return server_word(error) == "NOSCRIPT";
}

Error before_the_script(const Error& error) {
    Error none(error.code(), Effect::none, error.what());
    if (error.context() == nullptr) {
        return none;
    }
    return std::move(none).with(ErrorContext(*error.context()));
}

}  // namespace holdfast::redis
