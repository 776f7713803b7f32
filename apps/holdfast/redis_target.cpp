#include "redis_target.h"

#include <holdfast/redis/from_uri.h>

namespace holdfast::app {
namespace {

constexpr Duration timeout_default{2'000};

std::string text_of(const Error& error) {
    std::string text(error.what());
    if (error.context() != nullptr && !error.context()->server_text.empty()) {
        text += ": " + error.context()->server_text;
    }
    return text;
}

}  // namespace

int redis_failure(const std::string& shown, const Error& error) {
    complain(
        shown + ": " + std::string(name_of(error.code())) + ", effect " +
        std::string(name_of(error.effect())) + ": " + text_of(error)
    );
    switch (error.code()) {
    case Code::invalid_argument:
    case Code::unsupported:
    case Code::denied:
        return exit_code::wrong_usage;
    default:
        return exit_code::unreachable;
    }
}

std::variant<RedisTarget, int> redis_target(const RedisArguments& arguments) {
    auto uri = redis::RedisUri::parse(arguments.uri);
    if (!uri.ok()) {
        complain("the URI of Redis: " + text_of(uri.error()));
        return exit_code::wrong_usage;
    }
    RedisTarget target;
    target.shown = uri.value().shown();
    target.timeout = arguments.timeout_ms != 0 ? Duration(arguments.timeout_ms)
                                               : uri.value().timeout.value_or(timeout_default);
    auto options = redis::options_from(
        uri.value(),
        TlsClientOptions().ca(arguments.ca).certificate(arguments.certificate).key(arguments.key)
    );
    if (!options.ok()) {
        return redis_failure(target.shown, options.error());
    }
    if (!arguments.password_file.empty()) {
        options.value().credentials(
            redis::credentials_from_file(uri.value().user, arguments.password_file)
        );
    } else if (!arguments.password_environment.empty()) {
        options.value().credentials(
            redis::credentials_from_environment(uri.value().user, arguments.password_environment)
        );
    }
    auto runtime = open_runtime(RuntimeOptions().loops(1));
    if (!runtime.ok()) {
        return redis_failure(target.shown, runtime.error());
    }
    target.runtime = std::move(runtime).value();
    auto client = redis::open_redis(*target.runtime, std::move(options).value());
    if (!client.ok()) {
        return redis_failure(target.shown, client.error());
    }
    target.client = std::move(client).value();
    return target;
}

}  // namespace holdfast::app
