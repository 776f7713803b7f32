// A name that is not found in time, by a look-up that the test holds up.
#include "blocking_link.h"
#include "fault_from_environment.h"

#include <holdfast/redis/read.h>

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace holdfast::redis {
namespace {

// So long a held look-up stays if nobody lets it go: a caller that waits for it is seen then.
constexpr std::chrono::seconds held_max{5};

// Shared with the thread of the look-up, which may outlive the client.
struct Gate {
    std::promise<void> opened;
    std::shared_future<void> open = opened.get_future().share();
    std::atomic<int> begun = 0;
    std::atomic<int> ended = 0;
    std::promise<void> over;
};

LookUp held_by(const std::shared_ptr<Gate>& gate) {
    return [gate](const std::string&, std::uint16_t port) {
        ++gate->begun;
        (void)gate->open.wait_for(held_max);
        if (++gate->ended == 1) {
            gate->over.set_value();
        }
        return system_look_up("127.0.0.1", port);
    };
}

Deadline in(int ms) {
    return Deadline::in(Duration(ms), system_clock());
}

class OneCall final : public BlockingCall {
public:
    OneCall(const AnyCommand& command, Deadline deadline) { carry(command, deadline.time()); }
    std::optional<Error> error;

private:
    void replied(RespView, bool) override { ended(); }
    void failed(Error why) override {
        error.emplace(std::move(why));
        ended();
    }
    void refused(Error why) override { error.emplace(std::move(why)); }
};

TEST(BlockingResolver, a_slow_look_up_costs_a_call_its_deadline_and_no_more) {
    auto gate = std::make_shared<Gate>();
    {
        BlockingLink link(RedisOptions().host("slow.test"), held_by(gate));
        const AnyCommand command("PING");
        OneCall call(command, in(20));
        link.perform(call);
        ASSERT_TRUE(call.error.has_value());
        EXPECT_EQ(call.error->code(), Code::unreachable);
        EXPECT_EQ(call.error->effect(), Effect::none);
        EXPECT_EQ(gate->ended, 0);
    }  // the client is gone, its look-up still runs
    EXPECT_EQ(gate->ended, 0);
    gate->opened.set_value();
    gate->over.get_future().wait();
}

TEST(BlockingResolver, a_look_up_that_was_given_up_is_waited_for_by_the_next_one) {
    auto gate = std::make_shared<Gate>();
    BlockingResolver resolver(held_by(gate));
    for (int i = 0; i < 3; ++i) {
        auto late = resolver.find("slow.test", 1, in(5));
        ASSERT_FALSE(late.ok());
        EXPECT_EQ(late.error().code(), Code::timed_out);
        EXPECT_EQ(late.error().effect(), Effect::none);
    }
    gate->opened.set_value();
    auto found = resolver.find("slow.test", 1, in(20'000));
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found.value().size(), 1U);
    EXPECT_EQ(gate->begun, 1);
    EXPECT_TRUE(resolver.find("slow.test", 1, in(20'000)).ok());  // asked anew
    EXPECT_EQ(gate->begun, 2);
}

TEST(BlockingResolver, addresses_in_digits_are_not_looked_up) {
    BlockingResolver resolver([](const std::string&, std::uint16_t) {
        ADD_FAILURE() << "looked up";
        return std::vector<SocketAddress>();
    });
    EXPECT_TRUE(resolver.find("127.0.0.1", 6'379, in(20'000)).ok());
    EXPECT_TRUE(resolver.find("::1", 6'379, in(20'000)).ok());
}

TEST(BlockingResolver, a_name_without_an_address_is_unreachable) {
    BlockingResolver resolver([](const std::string&, std::uint16_t) {
        return std::vector<SocketAddress>();
    });
    auto found = resolver.find("nowhere.test", 1, in(20'000));
    ASSERT_FALSE(found.ok());
    EXPECT_EQ(found.error().code(), Code::unreachable);
}

}  // namespace
}  // namespace holdfast::redis
