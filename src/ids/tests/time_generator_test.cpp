// The verbs of time-based generators.
#include "tests/lease_scene.h"

#include <holdfast/ids/codec.h>
#include <holdfast/io/compose.h>

#include <array>

namespace holdfast {
namespace {

using testing::parts_of;
using testing::Scene;

IdLayout small() {  // 16 ids a millisecond
    return IdLayout::milliseconds().bits(41, 10, 4);
}

struct Issuing : Scene {
    explicit Issuing(IdLayout of = IdLayout::milliseconds())
        : layout(of), machine(leased(options(), {layout})),
          ids(generator(*machine, GeneratorOptions::snowflake("ids", layout))) {}
    ~Issuing() { ids.reset(); }

    IdLayout layout;
    std::unique_ptr<Machine> machine;
    std::unique_ptr<IdGenerator> ids;
};

TEST(TimeGenerator, a_number_says_its_time_its_machine_and_its_sequence) {
    Issuing scene;
    scene.run(Duration(777));
    const auto id = scene.ids->next().value();
    EXPECT_EQ(testing::time_of_id(id), scene.store_wall());
    EXPECT_EQ(
        Slot(static_cast<std::uint32_t>(parts_of(id).machine)), scene.machine->leases().at(0).slot
    );
    EXPECT_EQ(parts_of(id).sequence, 1);
}

TEST(TimeGenerator, a_span_is_filled_from_its_beginning_with_rising_ids) {
    Issuing scene;
    std::vector<std::int64_t> ids(10'000);
    const auto count = scene.ids->next(std::span(ids));
    ASSERT_TRUE(count.ok());
    EXPECT_EQ(count.value(), 4'095u + 4'096u);  // of this tick and the next
    for (std::size_t i = 1; i < count.value(); ++i) {
        ASSERT_GT(ids[i], ids[i - 1]);
    }
    EXPECT_EQ(parts_of(ids[4'094]).sequence, 4'095);
    EXPECT_EQ(parts_of(ids[4'095]).sequence, 0);
    EXPECT_EQ(parts_of(ids[4'095]).time, parts_of(ids[0]).time + 1);
    EXPECT_EQ(scene.ids->next(std::span(ids)).error().code(), Code::overloaded);
    EXPECT_EQ(scene.ids->next(std::span<std::int64_t>()).value(), 0u);
    EXPECT_EQ(scene.ids->info().issued, 4'095u + 4'096u);
}

TEST(TimeGenerator, a_text_is_read_back) {
    Issuing scene;
    const auto text = scene.ids->next_text().value();
    EXPECT_EQ(text.size(), 11u);
    const auto id = scene.ids->parse(text).value();
    EXPECT_EQ(id, scene.ids->info().last);
    EXPECT_EQ(scene.ids->parse_parts(text).value(), parts_of(id));
    EXPECT_FALSE(scene.ids->parse(text + "0").ok());
}

TEST(TimeGenerator, a_friendly_text_needs_no_layout_in_its_options) {
    Issuing scene;
    const auto friendly = scene.generator(
        *scene.machine, GeneratorOptions::snowflake("f").codec(CodecOptions(TextBase::friendly))
    );
    const auto text = friendly->next_text().value();
    EXPECT_EQ(friendly->parse_parts(text).value().time, parts_of(*friendly->info().last).time);
}

TEST(TimeGenerator, a_string_generator_gives_texts_and_no_numbers) {
    Scene scene;
    const auto machine = scene.leased(Scene::options(), {IdLayout::text()});
    const auto ids = scene.generator(*machine, GeneratorOptions::string("s"));
    const auto first = ids->next_text().value();
    const auto second = ids->next_text().value();
    EXPECT_EQ(first.size(), 15u);
    EXPECT_LT(first, second);
    const auto parts = ids->parse_parts(first).value();
    EXPECT_EQ(time_of(IdLayout::text(), parts), scene.store_wall());
    EXPECT_EQ(parts.sequence, 1);
    std::array<std::int64_t, 2> numbers{};
    EXPECT_EQ(ids->next().error().code(), Code::unsupported);
    EXPECT_EQ(ids->next(std::span(numbers)).error().code(), Code::unsupported);
    EXPECT_EQ(ids->parse(first).error().code(), Code::unsupported);
    EXPECT_EQ(
        wait(*scene.runtime, ids->next(scene.in(Duration(10)))).error().code(), Code::unsupported
    );
    EXPECT_EQ(
        wait(*scene.runtime, ids->fill(std::span(numbers), scene.in(Duration(10)))).error().code(),
        Code::unsupported
    );
    std::array<std::string, 3> texts;
    ASSERT_TRUE(wait(*scene.runtime, ids->fill_text(std::span(texts), scene.in(Duration(10)))).ok()
    );
    EXPECT_LT(second, texts[0]);
    EXPECT_LT(texts[1], texts[2]);
    EXPECT_FALSE(ids->info().last.has_value());
}

TEST(TimeGenerator, has_no_periods) {
    Issuing scene;
    std::array<std::int64_t, 2> numbers{};
    EXPECT_EQ(scene.ids->next_of_period(std::span(numbers)).error().code(), Code::unsupported);
    EXPECT_EQ(
        wait(*scene.runtime, scene.ids->fill_of_period(std::span(numbers), scene.in(Duration(10))))
            .error()
            .code(),
        Code::unsupported
    );
}

TEST(TimeGenerator, a_task_waits_for_the_clock) {
    Issuing scene(small());
    std::vector<std::int64_t> ids(1'000);
    const SteadyTime before = scene.runtime->now();
    ASSERT_TRUE(
        wait(*scene.runtime, scene.ids->fill(std::span(ids), scene.in(Duration(5'000)))).ok()
    );
    for (std::size_t i = 1; i < ids.size(); ++i) {
        ASSERT_GT(ids[i], ids[i - 1]);
    }
    // 16 a millisecond, two of which may lead; timers are up to 1 ms late.
    const Duration took = scene.runtime->now() - before;
    EXPECT_GE(took, Duration(1'000 / 16 - 2));
    EXPECT_LE(took, Duration(1'000 / 16 + 3));
    std::vector<std::string> texts(100);
    ASSERT_TRUE(
        wait(*scene.runtime, scene.ids->fill_text(std::span(texts), scene.in(Duration(5'000)))).ok()
    );
    EXPECT_LT(texts[0], texts[99]);
    EXPECT_TRUE(wait(*scene.runtime, scene.ids->next(scene.in(Duration(100)))).ok());
}

TEST(TimeGenerator, a_task_that_cannot_have_its_ids_in_time_says_so) {
    Issuing scene(small());
    std::vector<std::int64_t> ids(1'000);
    const auto filled =
        wait(*scene.runtime, scene.ids->fill(std::span(ids), scene.in(Duration(10))));
    ASSERT_FALSE(filled.ok());
    EXPECT_EQ(filled.error().code(), Code::timed_out);
    EXPECT_EQ(filled.error().effect(), Effect::none);
}

TEST(TimeGenerator, a_task_waits_for_the_lease) {
    Scene scene;
    const auto machine = scene.machine();
    const auto ids = scene.generator(*machine);
    const auto late = wait(*scene.runtime, ids->next(scene.in(Duration(1'000))));
    EXPECT_EQ(late.error().code(), Code::timed_out);
    auto opening = [](Machine& to_open, SteadyTime when) -> Task<Done> {
        auto slept = co_await sleep(when);
        EXPECT_TRUE(slept.ok());
        co_return co_await to_open.open(Deadline::in(Duration(1'000), when));
    };
    const auto both = wait(
        *scene.runtime,
        when_all(
            ids->next(scene.in(Duration(10'000))),
            opening(*machine, scene.runtime->now() + Duration(3'000))
        )
    );
    EXPECT_TRUE(std::get<0>(both.value()).ok());
    ASSERT_TRUE(scene.close(*machine).ok());
    const SteadyTime before = scene.runtime->now();
    const auto closed = wait(*scene.runtime, ids->next(scene.in(Duration(10'000))));
    EXPECT_EQ(closed.error().code(), Code::closed);
    EXPECT_EQ(scene.runtime->now(), before);
}

TEST(TimeGenerator, a_task_that_is_asked_to_stop_stops) {
    Issuing scene(small());
    std::vector<std::int64_t> ids(100'000);
    const auto cut = wait(
        *scene.runtime,
        with_deadline(
            scene.ids->fill(std::span(ids), scene.in(Duration(60'000))), scene.in(Duration(100))
        )
    );
    EXPECT_EQ(cut.error().code(), Code::timed_out);
}

TEST(TimeGenerator, shows_what_it_is_and_what_it_gave_out) {
    Issuing scene;
    auto info = scene.ids->info();
    EXPECT_EQ(info.name, "ids");
    EXPECT_EQ(info.strategy, IdStrategy::snowflake);
    EXPECT_EQ(info.state, IdState::issuing);
    EXPECT_EQ(info.layout, IdLayout::milliseconds());
    EXPECT_FALSE(info.last.has_value());
    EXPECT_EQ(info.issued, 0u);
    const auto id = scene.ids->next().value();
    scene.run(Duration(500));
    const auto next = scene.ids->next().value();
    info = scene.ids->info();
    EXPECT_GT(next, id);
    EXPECT_EQ(info.last, next);
    EXPECT_EQ(info.issued, 2u);
}

// Row 24: 41 bits of milliseconds since 2019 are full in 2089.
TEST(TimeGenerator, tells_the_years_left_and_does_not_start_in_the_last_one) {
    const IdLayout layout = IdLayout::milliseconds();
    const WallTime end = layout.time_of(layout.last_tick());
    const Duration year(31'556'952'000);
    const auto at = [&](WallTime now) {
        Scene scene;
        scene.host_clock.shift(now - scene.host_clock.wall_now());
        const auto machine = scene.machine();
        const auto made = make_time_generator(GeneratorOptions::snowflake("ids"), *machine);
        EXPECT_EQ(scene.lines.contains("time_field_ends"), made.ok() && now > end - 5 * year);
        return made.ok() ? "made" : std::string(name_of(made.error().code()));
    };
    EXPECT_EQ(at(end - 6 * year), "made");
    EXPECT_EQ(at(end - 4 * year), "made");
    EXPECT_EQ(at(end - year - Duration(1'000)), "made");
    EXPECT_EQ(at(end - year + Duration(1'000)), "invalid_argument");
    EXPECT_EQ(at(end + year), "invalid_argument");
    Issuing scene;
    const double years = *scene.ids->info().years_left;
    EXPECT_NEAR(years, layout.years_left(scene.store_wall()), 0.001);
    EXPECT_GT(years, 60.0);
}

TEST(TimeGenerator, refuses_options_that_do_not_fit_it) {
    Scene scene;
    const auto machine =
        scene.machine(Scene::options(), {IdLayout::milliseconds(), IdLayout::text()});
    const auto made = [&](const GeneratorOptions& options) {
        const auto result = make_time_generator(options, *machine);
        return result.ok() || result.error().code() != Code::invalid_argument;
    };
    EXPECT_TRUE(made(GeneratorOptions::snowflake("a")));
    EXPECT_FALSE(made(GeneratorOptions::segment("a")));
    EXPECT_FALSE(made(GeneratorOptions::periodic("a")));
    EXPECT_FALSE(made(GeneratorOptions::snowflake("a", IdLayout::text())));
    EXPECT_FALSE(made(GeneratorOptions::string("a", IdLayout::milliseconds())));
    EXPECT_FALSE(made(GeneratorOptions::snowflake("a", IdLayout::milliseconds().bits(41, 11, 12))));
    EXPECT_FALSE(made(GeneratorOptions::snowflake("a").codec(
        CodecOptions(TextBase::friendly).layout(IdLayout::seconds())
    )));
    EXPECT_FALSE(
        made(GeneratorOptions::snowflake("a").codec(CodecOptions().group_prefix(PrefixOptions())))
    );
}

}  // namespace
}  // namespace holdfast
