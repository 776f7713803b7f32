// A generator on ranges, as its callers see it.

#include "segment_scene.h"

#include <holdfast/ids/segment_handle.h>

#include <algorithm>
#include <set>

namespace holdfast::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Segment, ids_of_one_process_rise_from_the_offset) {
    SegmentScene scene;
    scene.open(SegmentOptions().step(10).offset(500));
    for (std::int64_t expected = 500; expected < 560; ++expected) {
        ASSERT_EQ(scene.next_within(seconds(1)).value(), expected);
    }
}

TEST(Segment, a_handle_takes_in_turn_with_its_generator_and_over_the_ends_of_ranges) {
    SegmentScene scene;
    scene.open(SegmentOptions().step(10).safe_distance(4));
    auto handle = SegmentHandle::of(*scene.generator);
    ASSERT_TRUE(handle.has_value());
    for (std::int64_t expected = 0; expected < 40; expected += 2) {
        ASSERT_EQ(expected % 4 == 0 ? handle->next().value() : *handle->try_next(), expected);
        ASSERT_EQ(scene.generator->next().value(), expected + 1);
    }
    EXPECT_FALSE(handle->try_next().has_value());
    EXPECT_EQ(handle->next().error().code(), Code::overloaded);
    ASSERT_EQ(scene.next_within(seconds(1)).value(), 40);
    EXPECT_EQ(handle->next().value(), 41);
    EXPECT_EQ(scene.generator->info().issued, 42u);
    ASSERT_TRUE(scene.wait(scene.generator->close(scene.in(seconds(1)))).ok());
    EXPECT_EQ(handle->next().error().code(), Code::closed);
}

TEST(Segment, only_a_shared_counter_has_a_handle) {
    for (const SegmentOptions& options :
         {SegmentOptions().order(SegmentOrder::relaxed), SegmentOptions().mode(SegmentMode::direct)
         }) {
        SegmentScene scene;
        scene.open(options);
        EXPECT_FALSE(SegmentHandle::of(*scene.generator).has_value());
    }
    SegmentScene plain;
    plain.open(SegmentOptions().mode(SegmentMode::plain));
    EXPECT_TRUE(SegmentHandle::of(*plain.generator).has_value());
}

TEST(Segment, a_span_rises_and_goes_on_over_the_end_of_a_range) {
    SegmentScene scene;
    scene.open(SegmentOptions().step(10).safe_distance(4));
    std::vector<std::int64_t> ids(35);
    ASSERT_EQ(scene.generator->next(ids).value(), 35u);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        EXPECT_EQ(ids[i], static_cast<std::int64_t>(i));
    }
}

TEST(Segment, a_span_gets_what_is_in_hand_and_says_how_many) {
    SegmentScene scene;
    scene.open(SegmentOptions().step(10).safe_distance(2));
    std::vector<std::int64_t> ids(100);
    EXPECT_EQ(scene.generator->next(ids).value(), 20u);
    EXPECT_EQ(scene.generator->next(ids).error().code(), Code::overloaded);
    ASSERT_TRUE(scene.wait(scene.generator->fill(ids, scene.in(seconds(1)))).ok());
    EXPECT_EQ(ids.front(), 20);
    EXPECT_EQ(ids.back(), 119);
}

TEST(Segment, an_empty_span_is_filled) {
    SegmentScene scene;
    scene.open(SegmentOptions());
    EXPECT_EQ(scene.generator->next(std::span<std::int64_t>()).value(), 0u);
    EXPECT_TRUE(
        scene.wait(scene.generator->fill(std::span<std::int64_t>(), scene.in(seconds(1)))).ok()
    );
}

// Row 16.
TEST(Segment, a_small_step_on_a_slow_store_waits_and_never_fails) {
    for (std::int64_t step = 1; step <= 50; ++step) {
        SegmentScene scene(static_cast<std::uint64_t>(step));
        scene.store.script([](std::size_t) { return slow(milliseconds(700)); });
        scene.open(SegmentOptions().step(step));
        for (std::int64_t expected = 0; expected < 200; ++expected) {
            const auto id = scene.next_within(seconds(5));
            ASSERT_TRUE(id.ok()) << step << ": " << id.error().what();
            ASSERT_EQ(id.value(), expected) << step;
        }
    }
}

TEST(Segment, a_store_slower_than_the_first_call_time_is_given_more) {
    SegmentScene scene;
    scene.store.script([](std::size_t) { return slow(milliseconds(3'500)); });
    scene.make(SegmentOptions().step(10));
    EXPECT_TRUE(scene.wait(scene.generator->open(scene.in(milliseconds(10)))).ok());
    EXPECT_EQ(scene.next_within(seconds(20)).value(), 0);
}

TEST(Segment, an_empty_chain_waits_up_to_the_deadline_with_effect_none) {
    SegmentScene scene;
    scene.store.script([](std::size_t) { return slow(seconds(60)); });
    scene.make(SegmentOptions().step(10));
    const SteadyTime before = scene.runtime->now();
    EXPECT_TRUE(scene.wait(scene.generator->open(scene.in(milliseconds(200)))).ok());
    EXPECT_EQ(scene.next().error().code(), Code::overloaded);
    const auto late = scene.next_within(milliseconds(300));
    EXPECT_EQ(late.error().code(), Code::timed_out);
    EXPECT_EQ(late.error().effect(), Effect::none);
    EXPECT_GE(scene.runtime->now() - before, milliseconds(500));
    EXPECT_LE(scene.runtime->now() - before, milliseconds(510));
}

TEST(Segment, a_call_after_a_failed_fetch_says_that_the_store_gives_none) {
    SegmentScene scene;
    scene.store.script([](std::size_t) { return CallPlan().refuse(Code::unreachable); });
    scene.open(SegmentOptions());
    const auto refused = scene.next();
    EXPECT_EQ(refused.error().code(), Code::unreachable);
    EXPECT_EQ(refused.error().effect(), Effect::none);
    EXPECT_EQ(scene.generator->info().state, IdState::waiting);
}

// Row 27: a flag that said "a load is under way" stayed set for ever.
TEST(Segment, one_failed_call_anywhere_is_made_good) {
    for (const Code code : {Code::unreachable, Code::timed_out, Code::overloaded, Code::internal}) {
        for (std::size_t at = 0; at < 12; ++at) {
            for (const SegmentMode mode :
                 {SegmentMode::chain, SegmentMode::plain, SegmentMode::direct}) {
                SegmentScene scene(at + 1);
                scene.store.script([&](std::size_t call) {
                    return call == at ? CallPlan().refuse(code) : CallPlan();
                });
                scene.open(SegmentOptions().step(5).mode(mode));
                for (int i = 0; i < 80; ++i) {
                    ASSERT_EQ(scene.next_within(seconds(5)).value(), i) << at;
                }
                EXPECT_GT(scene.store.calls(), at);
            }
        }
    }
}

TEST(Segment, a_lost_answer_burns_numbers_and_repeats_none) {
    for (const SegmentMode mode : {SegmentMode::chain, SegmentMode::plain, SegmentMode::direct}) {
        SegmentScene scene;
        scene.store.script([](std::size_t call) {
            return call % 3 == 1 ? CallPlan().lose_answer() : CallPlan();
        });
        scene.open(SegmentOptions().step(4).mode(mode));
        std::int64_t last = -1;
        for (int i = 0; i < 200; ++i) {
            const std::int64_t id = scene.next_within(seconds(5)).value();
            ASSERT_GT(id, last);
            last = id;
        }
    }
}

TEST(Segment, after_a_long_outage_the_next_call_finds_the_store_again) {
    SegmentScene scene;
    bool away = true;
    scene.store.script([&](std::size_t) {
        return away ? CallPlan().refuse(Code::unreachable) : CallPlan();
    });
    scene.open(SegmentOptions().step(5));
    scene.pass(std::chrono::minutes(10));
    const std::size_t calls = scene.store.calls();
    EXPECT_GE(calls, 200u);  // every two seconds or so
    EXPECT_LE(calls, 600u);
    away = false;
    EXPECT_EQ(scene.next_within(milliseconds(500)).value(), 0);
}

TEST(Segment, a_store_that_fails_at_once_is_not_hammered_by_those_who_wait) {
    SegmentScene scene;
    scene.store.script([](std::size_t) { return CallPlan().refuse(Code::unreachable); });
    scene.open(SegmentOptions().step(5));
    EXPECT_EQ(scene.next_within(seconds(10)).error().code(), Code::timed_out);
    EXPECT_LE(scene.store.calls(), 60u);
    EXPECT_GE(scene.store.calls(), 20u);
}

TEST(Segment, a_sealed_key_is_denied_after_the_numbers_in_hand) {
    SegmentScene scene;
    scene.open(SegmentOptions().step(10).safe_distance(2));
    scene.seal("shop/orders");
    for (int i = 0; i < 20; ++i) {
        ASSERT_EQ(scene.next().value(), i);
        scene.pass(milliseconds(20));
    }
    EXPECT_EQ(scene.next().error().code(), Code::denied);
    EXPECT_EQ(scene.next_within(seconds(5)).error().code(), Code::denied);
    EXPECT_EQ(scene.generator->info().state, IdState::sealed);
}

TEST(Segment, all_who_wait_hear_at_once_that_the_key_is_sealed) {
    SegmentScene scene;
    scene.seal("shop/orders");
    scene.store.script([](std::size_t) { return slow(milliseconds(50)); });
    scene.make(SegmentOptions().step(10));
    int denied = 0;
    const SteadyTime begin = scene.runtime->now();
    SteadyTime last = begin;
    scene.wait(scene.generator->open(scene.in(milliseconds(1)))).value();
    for (int i = 0; i < 20; ++i) {
        spawn(
            *scene.runtime,
            scene.generator->next(scene.in(seconds(30))),
            [&](const Result<std::int64_t>& answer) {
                denied += !answer.ok() && answer.error().code() == Code::denied ? 1 : 0;
                last = scene.runtime->now();
            }
        );
    }
    scene.pass(seconds(1));
    EXPECT_EQ(denied, 20);
    EXPECT_LE(last - begin, milliseconds(60));
}

// The end of the numbers, as near as whole steps come to it.
TEST(Segment, an_exhausted_key_gives_its_last_whole_step_and_stays_usable) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    SegmentScene scene;
    scene.open(SegmentOptions().step(10).offset(most - 25).safe_distance(8));
    for (int i = 0; i < 20; ++i) {
        ASSERT_EQ(scene.next_within(seconds(5)).value(), most - 25 + i);
    }
    const auto over = scene.next_within(seconds(5));
    EXPECT_EQ(over.error().code(), Code::denied);
    EXPECT_EQ(over.error().effect(), Effect::none);
    EXPECT_EQ(scene.generator->info().state, IdState::exhausted);
    const Range rest = scene.reserve_elsewhere("shop/orders", 5);
    EXPECT_EQ(rest.start, most - 5);
    EXPECT_EQ(rest.end, most);
}

TEST(Segment, a_direct_call_for_too_many_leaves_the_key_to_smaller_ones) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    SegmentScene scene;
    scene.open(SegmentOptions().mode(SegmentMode::direct).offset(most - 3));
    std::vector<std::int64_t> four(4);
    const auto over = scene.wait(scene.generator->fill(four, scene.in(seconds(1))));
    EXPECT_EQ(over.error().code(), Code::denied);
    for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(scene.next_within(seconds(1)).value(), most - 3 + i);
    }
    EXPECT_EQ(scene.next_within(seconds(1)).error().code(), Code::denied);
    EXPECT_EQ(scene.generator->info().state, IdState::exhausted);
}

// Row 48.
TEST(Segment, numbers_are_exact_around_two_to_the_53) {
    constexpr std::int64_t border = std::int64_t{1} << 53;
    SegmentScene scene;
    scene.open(SegmentOptions().step(3).offset(border - 4));
    for (int i = -4; i < 15; ++i) {
        ASSERT_EQ(scene.next_within(seconds(1)).value(), border + i);
    }
}

TEST(Segment, plain_fetches_only_when_used_up_and_once_for_all_who_wait) {
    SegmentScene scene;
    scene.store.script([](std::size_t) { return slow(milliseconds(50)); });
    scene.open(SegmentOptions().step(10).mode(SegmentMode::plain));
    EXPECT_EQ(scene.store.calls(), 0u);
    std::set<std::int64_t> got;
    for (int i = 0; i < 10; ++i) {
        spawn(
            *scene.runtime,
            scene.generator->next(scene.in(seconds(5))),
            [&](const Result<std::int64_t>& id) { got.insert(id.value()); }
        );
    }
    scene.pass(seconds(1));
    EXPECT_EQ(got.size(), 10u);
    EXPECT_EQ(*got.rbegin(), 9);
    EXPECT_EQ(scene.store.calls(), 1u);
    EXPECT_EQ(scene.next().error().code(), Code::overloaded);
    scene.pass(seconds(1));
    EXPECT_EQ(scene.store.calls(), 2u);
    EXPECT_EQ(scene.next().value(), 10);
}

TEST(Segment, direct_asks_for_each_id_and_is_dense) {
    SegmentScene scene;
    scene.open(SegmentOptions().mode(SegmentMode::direct));
    EXPECT_EQ(scene.next().error().code(), Code::unsupported);
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(scene.next_within(seconds(1)).value(), i);
    }
    std::vector<std::int64_t> ids(100);
    ASSERT_TRUE(scene.wait(scene.generator->fill(ids, scene.in(seconds(1)))).ok());
    EXPECT_EQ(ids.back(), 104);
    EXPECT_EQ(scene.store.calls(), 6u);
    const GeneratorInfo info = scene.generator->info();
    EXPECT_EQ(info.issued, 105u);
    EXPECT_EQ(info.burnt, 0u);
    EXPECT_EQ(info.last, 104);
}

TEST(Segment, texts_of_padded_ids_sort_like_their_numbers) {
    SegmentScene scene;
    scene.open(SegmentOptions().step(1'000).offset(61 * 62));
    std::vector<std::string> texts(2'000);
    ASSERT_TRUE(scene.wait(scene.generator->fill_text(texts, scene.in(seconds(5)))).ok());
    EXPECT_TRUE(std::ranges::is_sorted(texts));
    for (std::size_t i = 0; i < texts.size(); ++i) {
        EXPECT_EQ(texts[i].size(), 11u);
        ASSERT_EQ(scene.generator->parse(texts[i]).value(), 61 * 62 + static_cast<std::int64_t>(i));
    }
    scene.pass(milliseconds(50));
    const std::string one = scene.generator->next_text().value();
    EXPECT_EQ(scene.generator->parse(one).value(), 61 * 62 + 2'000);
}

TEST(Segment, forms_that_it_has_not_are_unsupported) {
    SegmentScene scene;
    scene.open(SegmentOptions());
    std::vector<std::int64_t> ids(3);
    EXPECT_EQ(scene.generator->next_of_period(ids).error().code(), Code::unsupported);
    EXPECT_EQ(
        scene.wait(scene.generator->fill_of_period(ids, scene.in(seconds(1)))).error().code(),
        Code::unsupported
    );
    EXPECT_EQ(scene.generator->parse_parts("0").error().code(), Code::unsupported);
}

TEST(Segment, two_processes_on_one_key_never_share_a_number) {
    SegmentScene first;
    first.open(SegmentOptions().step(7));
    auto made = make_range_generator(
        GeneratorOptions::segment("orders", SegmentOptions().step(5)),
        Namespace::parse("shop").value(),
        first.store,
        *first.runtime,
        first.runtime->clock(),
        first.metrics,
        first.log
    );
    const auto second = std::move(made).value();
    first.wait(second->open(first.in(seconds(1)))).value();
    std::set<std::int64_t> all;
    for (int i = 0; i < 300; ++i) {
        ASSERT_TRUE(all.insert(first.next_within(seconds(1)).value()).second);
        ASSERT_TRUE(all.insert(first.wait(second->next(first.in(seconds(1)))).value()).second);
    }
}

TEST(Segment, every_number_of_the_options_has_two_sides) {
    const auto make = [](SegmentOptions options) {
        SegmentScene scene;
        auto made = make_range_generator(
            GeneratorOptions::segment("orders", std::move(options)),
            Namespace::parse("shop").value(),
            scene.store,
            *scene.runtime,
            scene.runtime->clock(),
            scene.metrics,
            scene.log
        );
        return made.ok() ? std::optional<Code>() : made.error().code();
    };
    EXPECT_EQ(make(SegmentOptions().step(0)), Code::invalid_argument);
    EXPECT_EQ(make(SegmentOptions().step(1)), std::nullopt);
    EXPECT_EQ(make(SegmentOptions().step(1'000'000'000'000)), std::nullopt);
    EXPECT_EQ(make(SegmentOptions().step(1'000'000'000'001)), Code::invalid_argument);
    EXPECT_EQ(make(SegmentOptions().offset(-1)), Code::invalid_argument);
    EXPECT_EQ(
        make(SegmentOptions().offset(std::numeric_limits<std::int64_t>::max())), std::nullopt
    );
    EXPECT_EQ(make(SegmentOptions().safe_distance(0)), Code::invalid_argument);
    EXPECT_EQ(make(SegmentOptions().safe_distance(1)), std::nullopt);
    EXPECT_EQ(make(SegmentOptions().safe_distance(1'000)), std::nullopt);
    EXPECT_EQ(make(SegmentOptions().safe_distance(1'001)), Code::invalid_argument);
}

}  // namespace
}  // namespace holdfast::testing
