#include "hiredis_callers.h"

#include "counted.h"
#include "machine.h"
#include "redis_child.h"

#include <hiredis/async.h>
#include <hiredis/hiredis.h>
#include <poll.h>
#include <unistd.h>

#include <array>

namespace holdfast::bench {
namespace {

redisContext* connected(std::uint16_t port) {
    redisContext* context = redisConnect("127.0.0.1", port);
    if (context == nullptr || context->err != 0) {
        fail("hiredis does not connect");
    }
    return context;
}

struct Words {
    explicit Words(const std::string& key) : texts{"GET", key.c_str()}, sizes{3, key.size()} {}
    std::array<const char*, 2> texts;
    std::array<std::size_t, 2> sizes;
};

// An event loop of one connection, the least there can be.
struct Events {
    int fd = -1;
    bool wants_write = false;

    void attach(redisAsyncContext& context) {
        fd = context.c.fd;
        context.ev.data = this;
        context.ev.addRead = [](void*) {
        };
        context.ev.delRead = [](void*) {
        };
        context.ev.addWrite = [](void* self) {
            static_cast<Events*>(self)->wants_write = true;
        };
        context.ev.delWrite = [](void* self) {
            static_cast<Events*>(self)->wants_write = false;
        };
        context.ev.cleanup = [](void*) {
        };
    }
    void turn(redisAsyncContext& context) const {
        pollfd waiting{fd, static_cast<short>(POLLIN | (wants_write ? POLLOUT : 0)), 0};
        if (::poll(&waiting, 1, -1) < 0) {
            fail("poll failed");
        }
        if ((waiting.revents & POLLIN) != 0) {
            redisAsyncHandleRead(&context);
        }
        if ((waiting.revents & POLLOUT) != 0) {
            redisAsyncHandleWrite(&context);
        }
    }
};

struct Async {
    const std::vector<std::string>* keys;
    std::uint64_t next = 0;
    std::uint64_t count;
    std::uint64_t ended = 0;

    void ask(redisAsyncContext* context) {
        const Words words((*keys)[next++ % keys->size()]);
        (void)redisAsyncCommandArgv(
            context,
            &Async::answered,
            this,
            2,
            const_cast<const char**>(words.texts.data()),
            words.sizes.data()
        );
    }
    static void answered(redisAsyncContext* context, void* reply, void* of) {
        auto& self = *static_cast<Async*>(of);
        if (reply == nullptr || static_cast<redisReply*>(reply)->len != 32) {
            fail("hiredis got another answer");
        }
        ++self.ended;
        if (self.next < self.count) {
            self.ask(context);
        }
    }
};

}  // namespace

Run hiredis_blocking(
    std::uint16_t port, const std::vector<std::string>& keys, std::uint64_t count
) {
    redisContext* context = connected(port);
    const Counted counted;
    for (std::uint64_t i = 0; i < count; ++i) {
        Words words(keys[i % keys.size()]);
        auto* reply = static_cast<redisReply*>(
            redisCommandArgv(context, 2, words.texts.data(), words.sizes.data())
        );
        if (reply == nullptr || reply->len != 32) {
            fail("hiredis got another answer");
        }
        freeReplyObject(reply);
    }
    Run run = counted.run(count);
    redisFree(context);
    return run;
}

Run hiredis_pipeline(
    std::uint16_t port, const std::vector<std::string>& keys, std::size_t size, std::uint64_t count
) {
    redisContext* context = connected(port);
    const Counted counted;
    for (std::uint64_t i = 0; i < count; i += size) {
        for (std::size_t k = 0; k < size; ++k) {
            Words words(keys[(i + k) % keys.size()]);
            (void)redisAppendCommandArgv(context, 2, words.texts.data(), words.sizes.data());
        }
        for (std::size_t k = 0; k < size; ++k) {
            void* reply = nullptr;
            if (redisGetReply(context, &reply) != REDIS_OK) {
                fail("hiredis got no answer");
            }
            freeReplyObject(reply);
        }
    }
    Run run = counted.run(count);
    redisFree(context);
    return run;
}

Run hiredis_async(
    std::uint16_t port,
    const std::vector<std::string>& keys,
    std::size_t callers,
    std::uint64_t count
) {
    redisAsyncContext* context = redisAsyncConnect("127.0.0.1", port);
    if (context == nullptr || context->err != 0) {
        fail("hiredis does not connect");
    }
    Events events;
    events.attach(*context);
    Async async{&keys, 0, count};
    const Counted counted;
    for (std::size_t i = 0; i < callers && async.next < count; ++i) {
        async.ask(context);
    }
    while (async.ended < count) {
        events.turn(*context);
    }
    Run run = counted.run(count);
    redisAsyncFree(context);
    return run;
}

Run raw_blocking(std::uint16_t port, const std::vector<std::string>& keys, std::uint64_t count) {
    const int fd = dial(port);
    std::vector<std::string> commands;
    for (const std::string& key : keys) {
        commands.push_back(
            "*2\r\n$3\r\nGET\r\n$" + std::to_string(key.size()) + "\r\n" + key + "\r\n"
        );
    }
    std::array<char, 256> answer{};
    const Counted counted;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::string& command = commands[i % commands.size()];
        if (::write(fd, command.data(), command.size()) != static_cast<ssize_t>(command.size()) ||
            ::read(fd, answer.data(), answer.size()) != 39) {
            fail("the bare socket got another answer");
        }
    }
    Run run = counted.run(count);
    ::close(fd);
    return run;
}

}  // namespace holdfast::bench
