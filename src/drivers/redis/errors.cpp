#include <holdfast/redis/errors.h>
#include <holdfast/redis/limits.h>

#include <algorithm>
#include <array>

namespace holdfast::redis {

namespace {

struct Meaning {
    std::string_view begins;  // of the server's text
    Code code;
    bool before_it_began;  // the server says this only before it runs any of a script
    std::string_view what;
};

constexpr std::string_view wrong_call = "the server refused the call as wrong";
constexpr std::string_view denied = "the server denied it";
constexpr std::string_view full = "the server has no room for it";
constexpr std::string_view cannot_now = "the server cannot serve it now";
constexpr std::string_view elsewhere = "another node has the key";
constexpr std::string_view not_there = "this server does not have the command";

// The first that fits counts; one that ends with a blank is a whole word.
constexpr std::array meanings{
    Meaning{"MOVED ", Code::moved, true, elsewhere},
    Meaning{"ASK ", Code::moved, true, elsewhere},
    Meaning{"NOSCRIPT ", Code::invalid_argument, true, "the server does not know the script"},
    Meaning{"EXECABORT ", Code::invalid_argument, true, "a command of the transaction was refused"},
    Meaning{"CROSSSLOT ", Code::invalid_argument, true, "the keys have different slots"},
    Meaning{"LOADING ", Code::unreachable, true, "the server is reading its data"},
    Meaning{"BUSY ", Code::unreachable, true, "the server is busy with a script"},
    Meaning{"MASTERDOWN ", Code::unreachable, true, "the replica has lost its primary"},
    Meaning{"CLUSTERDOWN ", Code::unreachable, true, "the cluster is down"},
    Meaning{"TRYAGAIN ", Code::unreachable, true, "the keys are on their way to another node"},
    Meaning{"NOAUTH ", Code::denied, true, "the server wants a password"},
    Meaning{"WRONGPASS ", Code::denied, true, "the server refused user or password"},
    Meaning{"NOPERM ", Code::denied, false, denied},
    Meaning{"DENIED ", Code::denied, true, denied},
    Meaning{"ERR AUTH ", Code::denied, true, denied},
    Meaning{"ERR Client sent AUTH", Code::denied, true, denied},
    Meaning{"OOM ", Code::overloaded, false, "the server's memory is full"},
    Meaning{"ERR max number of clients", Code::overloaded, true, full},
    Meaning{"READONLY ", Code::unreachable, false, "the server is a replica"},
    Meaning{"NOREPLICAS ", Code::unreachable, false, "the server has too few replicas"},
    Meaning{"MISCONF ", Code::unreachable, false, "the server cannot save its data"},
    Meaning{"UNBLOCKED ", Code::unreachable, true, "the server ended the wait"},
    Meaning{"NOGOODSLAVE ", Code::unreachable, true, cannot_now},
    Meaning{"WRONGTYPE ", Code::invalid_argument, false, "the key holds another type"},
    Meaning{"NOGROUP ", Code::invalid_argument, false, "the stream or its group does not exist"},
    Meaning{"BUSYGROUP ", Code::invalid_argument, false, "the group exists"},
    Meaning{"BUSYKEY ", Code::invalid_argument, false, "the key exists"},
    Meaning{"NOTBUSY ", Code::invalid_argument, false, "no script runs"},
    Meaning{"UNKILLABLE ", Code::invalid_argument, false, "the script has written"},
    Meaning{"NOPROTO ", Code::unsupported, true, not_there},
    Meaning{"ERR unknown command", Code::unsupported, false, not_there},
    Meaning{"ERR unknown subcommand", Code::unsupported, false, not_there},
    Meaning{"ERR Unknown subcommand", Code::unsupported, false, not_there},
    Meaning{"ERR This instance has cluster support disabled", Code::unsupported, false, not_there},
    Meaning{"ERR syntax", Code::invalid_argument, false, wrong_call},
    Meaning{"ERR wrong number of arguments", Code::invalid_argument, false, wrong_call},
    Meaning{"ERR value is", Code::invalid_argument, false, wrong_call},
    Meaning{"ERR hash value is", Code::invalid_argument, false, wrong_call},
    Meaning{"ERR invalid", Code::invalid_argument, false, wrong_call},
    Meaning{"ERR Invalid", Code::invalid_argument, false, wrong_call},
    Meaning{"ERR increment", Code::invalid_argument, false, wrong_call},
    Meaning{"ERR index out of range", Code::invalid_argument, false, wrong_call},
    Meaning{"ERR offset is out of range", Code::invalid_argument, false, wrong_call},
    Meaning{"ERR bit ", Code::invalid_argument, false, wrong_call},
    Meaning{"ERR min or max", Code::invalid_argument, false, wrong_call},
    Meaning{"ERR no such key", Code::invalid_argument, false, wrong_call},
    Meaning{"ERR timeout is", Code::invalid_argument, false, wrong_call},
    Meaning{"ERR DB index", Code::invalid_argument, false, wrong_call},
    Meaning{"ERR string exceeds", Code::invalid_argument, false, wrong_call},
    Meaning{"ERR The ID specified in XADD", Code::invalid_argument, false, wrong_call},
};

constexpr Meaning unclear{"", Code::internal, false, "the server failed"};

const Meaning& meaning_of(std::string_view text) {
    const auto* found = std::ranges::find_if(meanings, [&](const Meaning& meaning) {
        return text.starts_with(meaning.begins);
    });
    return found == meanings.end() ? unclear : *found;
}

// At the border of a UTF-8 character: the text goes into logs.
std::string_view cut(std::string_view text) {
    if (text.size() <= server_text_bytes_max) {
        return text;
    }
    std::size_t end = server_text_bytes_max;
    while (end > server_text_bytes_max - 4 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80
    ) {
        --end;
    }
    return text.substr(0, end);
}

}  // namespace

Error error_of(RespView reply, const AnyCommand& command, Effect before) {
    const Meaning& meaning = meaning_of(reply.text());
    const bool certain = before == Effect::none || command.repeat() == Repeat::read;
    const bool nothing_done =
        certain && (command.on_error() == OnError::nothing_done || meaning.before_it_began);
    ErrorContext context;
    context.server_text = cut(reply.text());
    context.command = command.name();
    return Error(meaning.code, nothing_done ? Effect::none : Effect::unknown, meaning.what)
        .with(std::move(context));
}

std::string_view server_word(std::string_view text) {
    return text.substr(0, text.find(' '));
}

Error copy_of(const Error& error) {
    Error copy(error.code(), error.effect(), error.what());
    return error.context() == nullptr ? std::move(copy)
                                      : std::move(copy).with(ErrorContext(*error.context()));
}

std::string_view server_word(const Error& error) {
    return error.context() == nullptr ? std::string_view()
                                      : server_word(error.context()->server_text);
}

}  // namespace holdfast::redis
