// Faults by which other clients gave one caller's reply to another. The numbers are those of the
// list in tests/faults/README.md.

#include "faults_scene.h"

#include <holdfast/redis/codec.h>
#include <holdfast/redis/script.h>

#include <stdexcept>

namespace holdfast::redis {
namespace {

// Boost.Redis: a reply of another type than its caller reads ends the connection for all.
Task<> callers_of_whom_two_err(Client* client, Deadline deadline) {
    auto all = co_await when_all(
        client->task(get("text").as(read_integer), deadline),
        client->task(lpush("text", words("x")), deadline),
        client->task(get("other"), deadline),
        client->task(incr("count"), deadline)
    );
    EXPECT_TRUE(all.ok());
    auto& [misread, refused, other, count] = all.value();
    EXPECT_FALSE(misread.ok());
    EXPECT_FALSE(refused.ok());
    if (!misread.ok() && !refused.ok()) {
        EXPECT_EQ(misread.error().code(), Code::corrupt);
        EXPECT_EQ(refused.error().code(), Code::invalid_argument);
        EXPECT_EQ(refused.error().effect(), Effect::none);
    }
    EXPECT_TRUE(other.ok() && other.value() == "of other");
    EXPECT_TRUE(count.ok() && count.value() == 1);
    co_return Done();
}

TEST(RedisFaults, F1_a_callers_type_error_is_that_callers_alone) {
    RedisServer server(RedisServerOptions().memory_only());
    server.raw().call({"MSET", "text", "abc", "other", "of other"});
    FaultProxy proxy(server.port());
    FaultScene scene(proxy.port());
    EXPECT_TRUE(scene.wait(callers_of_whom_two_err(scene.client.get(), scene.in())).ok());
    EXPECT_EQ(proxy.connections(), 1U);
    EXPECT_EQ(in_words(server.raw().call({"GET", "count"})), "1");
}

// Boost.Redis, hiredis: an attribute is taken for the reply, and every later reply is the one of
// the caller before.
TEST(RedisFaults, F2_an_attribute_before_a_reply_moves_no_reply) {
    RedisServer server(RedisServerOptions().memory_only());
    server.raw().call({"MSET", "one", "of one", "two", "of two"});
    FaultScene scene(server.port());
    Batch batch;
    auto attribute = batch.add(raw("DEBUG", words("PROTOCOL", "attrib"), no_keys()));
    auto one = batch.add(get("one"));
    auto two = batch.add(get("two"));
    auto pong = batch.add(ping("three"));
    const auto run = [](Client* client, Batch* what, Deadline deadline) -> Task<> {
        co_return co_await client->run(*what, deadline);
    };
    ASSERT_TRUE(scene.wait(run(scene.client.get(), &batch, scene.in())).ok());
    EXPECT_EQ(
        batch.get(attribute).value().view().text(), "Some real reply following the attribute"
    );
    EXPECT_EQ(batch.get(one).value(), "of one");
    EXPECT_EQ(batch.get(two).value(), "of two");
    EXPECT_EQ(batch.get(pong).value(), "three");
}

// What a caller may do with a connection when it leaves: every form of call.
enum class Form { single, batch, transaction, script };

Task<std::string> call_of(Client* client, Form form, std::string key, Deadline deadline) {
    static const Script echo("return redis.call('GET', KEYS[1])", Repeat::read);
    const auto text = [](Result<std::optional<std::string>> value) -> Result<std::string> {
        if (!value.ok()) {
            return std::move(value).error();
        }
        return value.value().value_or("nothing");
    };
    if (form == Form::single) {
        co_return text(co_await client->run(get(key), deadline));
    }
    if (form == Form::script) {
        ScriptCall<std::string> call = echo.call(key).as(read_text);
        co_return co_await run_script(*client, std::move(call), deadline);
    }
    if (form == Form::batch) {
        Batch batch;
        batch.add(get(key));
        auto slot = batch.add(get(key));
        batch.add(get(key));
        auto done = co_await client->run(batch, deadline);
        if (!done.ok()) {
            co_return std::move(done).error();
        }
        co_return text(batch.get(slot));
    }
    Transaction transaction;
    auto slot = transaction.add(get(key));
    transaction.add(get(key));
    auto end = co_await client->run(transaction, deadline);
    if (!end.ok()) {
        co_return std::move(end).error();
    }
    co_return text(transaction.get(slot));
}

// One caller leaves while its replies come byte by byte, another asks on.
void leave_at_every_byte(Form form) {
    RedisServer server(RedisServerOptions().memory_only());
    server.raw().call({"MSET", "mine", "of mine", "yours", "of yours"});
    FaultProxy proxy(server.port());
    FaultScene scene(proxy.port());
    ASSERT_TRUE(scene.wait(call_of(scene.client.get(), form, "mine", scene.in())).ok());
    proxy.slice(Toward::client, 1, Duration(2));
    int left = 0;
    for (int ms = 1; ms <= 40; ms += 3) {
        const Deadline leaving = scene.in(Duration(ms));
        auto mine =
            scene.wait(with_deadline(call_of(scene.client.get(), form, "mine", scene.in()), leaving)
            );
        left += mine.ok() ? 0 : 1;
        auto yours = scene.wait(call_of(scene.client.get(), form, "yours", scene.in()));
        ASSERT_TRUE(yours.ok()) << ms << " ms: " << yours.error().what();
        ASSERT_EQ(yours.value(), "of yours") << ms << " ms";
    }
    EXPECT_GT(left, 0);
    EXPECT_EQ(proxy.connections(), 1U);
}

TEST(RedisFaults, fault_01_a_caller_that_leaves_at_any_byte_takes_nobodys_reply) {
    leave_at_every_byte(Form::single);
}

TEST(RedisFaults, fault_02_the_same_in_a_batch_a_transaction_and_a_script) {
    for (const Form form : {Form::batch, Form::transaction, Form::script}) {
        leave_at_every_byte(form);
    }
}

// A value whose text cannot always be written, and not always be read.
class Fragile {
public:
    using Value = std::string;
    static std::string write(const std::string& value) {
        if (value.ends_with("unwritable")) {
            throw std::runtime_error("cannot be written");
        }
        return value;
    }
    static Result<std::string> read(std::string_view text) {
        if (text.ends_with("unreadable")) {
            return Error(Code::corrupt, Effect::none, "cannot be read");
        }
        return std::string(text);
    }
};

// The exception stays where the command is made: no exception may leave a task.
std::optional<Command<Done>> written(const std::string& key, const std::string& value) {
    try {
        return set_value<Fragile>(key, value);
    } catch (const std::runtime_error&) {
        return std::nullopt;
    }
}

Task<> fragile_caller(Client* client, int number, std::atomic<int>* foreign, Deadline deadline) {
    const std::string key = "key:" + std::to_string(number);
    for (int round = 0; round < 50; ++round) {
        const bool unwritable = (number * 50 + round) % 37 == 0;
        const bool unreadable = (number * 50 + round) % 41 == 0;
        const std::string value = key + ":" + std::to_string(round) +
                                  (unwritable   ? ":unwritable"
                                   : unreadable ? ":unreadable"
                                                : "");
        auto command = written(key, value);
        if (!command.has_value()) {
            continue;
        }
        auto set = co_await client->run(std::move(*command), deadline);
        auto got = co_await client->run(get_value<Fragile>(key), deadline);
        const bool right = unreadable ? !got.ok() && got.error().code() == Code::corrupt
                                      : got.ok() && got.value() == value;
        *foreign += set.ok() && right ? 0 : 1;
    }
    co_return Done();
}

TEST(RedisFaults, fault_03_and_04_values_that_cannot_be_encoded_or_decoded_move_no_reply) {
    RedisServer server(RedisServerOptions().memory_only());
    FaultProxy proxy(server.port());
    FaultScene scene(proxy.port());
    std::atomic<int> foreign = 0;
    std::vector<Task<>> callers;
    for (int i = 0; i < 64; ++i) {
        callers.push_back(fragile_caller(scene.client.get(), i, &foreign, scene.in(patience * 2)));
    }
    EXPECT_TRUE(scene.wait(when_all(std::move(callers))).ok());
    EXPECT_EQ(foreign, 0);
    EXPECT_EQ(proxy.connections(), 1U);
}

// How many of 64 callers in one write were given what is another's.
Task<int> foreign_answers(Client* client, Deadline deadline) {
    std::vector<Task<std::optional<std::string>>> calls;
    for (int i = 0; i < 64; ++i) {
        calls.push_back(client->task(get("k" + std::to_string(i)), deadline));
    }
    auto all = co_await when_all(std::move(calls));
    int foreign = 0;
    for (int i = 0; i < 64; ++i) {
        const auto& one = all.value()[static_cast<std::size_t>(i)];
        foreign += one.ok() && one.value() != "of k" + std::to_string(i) ? 1 : 0;
    }
    co_return foreign;
}

// Lettuce 2012: replies were out of step, and nobody noticed until the program was restarted.
TEST(RedisFaults, fault_05_a_reply_that_vanished_is_noticed_by_the_end_of_its_write) {
    RedisServer server(RedisServerOptions().memory_only());
    for (int i = 0; i < 64; ++i) {
        server.raw().call({"SET", "k" + std::to_string(i), "of k" + std::to_string(i)});
    }
    FaultProxy proxy(server.port());
    FaultScene scene(proxy.port(), RedisOptions().check_order(true));
    const Duration soon(5'000);
    EXPECT_EQ(scene.wait(foreign_answers(scene.client.get(), scene.in(soon))).value(), 0);
    proxy.swallow_reply(10);
    EXPECT_LT(scene.wait(foreign_answers(scene.client.get(), scene.in(soon))).value(), 64);
    EXPECT_TRUE(eventually([&] { return proxy.done(); }));
    for (int round = 0; round < 3; ++round) {
        EXPECT_EQ(scene.wait(foreign_answers(scene.client.get(), scene.in(soon))).value(), 0);
    }
    EXPECT_EQ(proxy.connections(), 2U);
}

}  // namespace
}  // namespace holdfast::redis
