// Promises of a TLS stream once it stands: bytes, ends, cuts, and calls that are given up.
#include "tests/tls_scene.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

std::string text_of(std::size_t bytes) {
    std::string text(bytes, ' ');
    for (std::size_t i = 0; i < bytes; ++i) {
        text[i] = static_cast<char>('!' + (i * 7 + i / 251) % 90);
    }
    return text;
}

Task<> say(Stream* stream, std::string text, Deadline deadline) {
    auto sent = co_await write_all(*stream, text, deadline);
    stream->shutdown_write();
    co_return sent;
}
Task<std::size_t> read_once(Stream* stream) {
    std::array<std::byte, 64> space;
    co_return co_await stream->read_some(space);
}
Task<std::size_t> write_once(Stream* stream, std::string text) {
    co_return co_await stream->write_some(bytes_of(text));
}
Task<> abort_both(Stream* stream, std::optional<Error>& read, std::optional<Error>& written) {
    auto stop = [](Stream* own) -> Task<> {
        own->abort();
        co_return Done();
    };
    const std::string text(100, 'x');
    auto all = co_await when_all(read_once(stream), write_once(stream, text), stop(stream));
    read.emplace(std::move(std::get<0>(all.value())).error());
    written.emplace(std::move(std::get<1>(all.value())).error());
    co_return Done();
}

TEST(TlsStream, bytes_and_ends_travel_both_ways_however_the_connection_cuts_them) {
    for (const std::size_t window : {1U, 2U, 3U, 5U, 17U, 100U, 4'095U, 65'536U}) {
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            TlsScene scene(seed, window);
            scene.shake();
            ASSERT_TRUE(scene.server && scene.client) << window;
            const std::string there = text_of(2'000);
            const std::string back = text_of(777);
            auto all = scene.run(when_all(
                say(scene.client.get(), there, scene.in(1'000'000)),
                say(scene.server.get(), back, scene.in(1'000'000)),
                reading_all(scene.server.get()),
                reading_all(scene.client.get())
            ));
            EXPECT_EQ(std::get<2>(all.value()).value(), there) << window;
            EXPECT_EQ(std::get<3>(all.value()).value(), back) << window;
        }
    }
}

TEST(TlsStream, messages_around_the_size_of_a_record_arrive_whole) {
    for (const std::size_t size : {1U, 4'096U, 16'383U, 16'384U, 16'385U, 33'000U, 300'000U}) {
        TlsScene scene(size);
        scene.shake();
        const std::string text = text_of(size);
        auto both = scene.run(when_all(
            say(scene.server.get(), text, scene.in(1'000'000)), reading_all(scene.client.get())
        ));
        EXPECT_EQ(std::get<1>(both.value()).value(), text) << size;
    }
}

TEST(TlsStream, one_side_may_end_while_the_other_goes_on) {
    TlsScene scene;
    scene.shake();
    auto end = [](Stream* stream) -> Task<> {
        stream->shutdown_write();
        co_return Done();
    };
    (void)scene.run(end(scene.client.get()));
    EXPECT_EQ(scene.run(reading_all(scene.server.get())).value(), "");
    auto both = scene.run(when_all(
        say(scene.server.get(), "still here", scene.in(10'000)), reading_all(scene.client.get())
    ));
    EXPECT_EQ(std::get<1>(both.value()).value(), "still here");
}

TEST(TlsStream, what_was_written_before_it_is_destroyed_is_delivered_with_the_end) {
    TlsScene scene(1, 20'000);
    scene.shake();
    const std::string text = text_of(40'000);
    auto fill = [](std::unique_ptr<Stream> stream, std::string all) -> Task<std::size_t> {
        co_return stream->write_now(bytes_of(all));  // and the stream goes
    };
    auto taken = scene.run(fill(std::move(scene.server), text));
    ASSERT_TRUE(taken.ok());
    EXPECT_GT(taken.value(), 10'000U);
    auto read = scene.run(reading_all(scene.client.get()));
    ASSERT_TRUE(read.ok()) << read.error().what();
    EXPECT_EQ(read.value(), text.substr(0, taken.value()));
}

TEST(TlsStream, a_destroyed_one_does_not_stay_for_ever_for_a_peer_that_does_not_read) {
    TlsScene scene(1, 100);
    scene.shake();
    auto fill = [](std::unique_ptr<Stream> stream, std::string all) -> Task<std::size_t> {
        co_return stream->write_now(bytes_of(all));
    };
    (void)scene.run(fill(std::move(scene.server), text_of(1'000)));
    scene.runtime->run(scene.now() + Duration(20'000));
    const auto read = scene.run(reading_all(scene.client.get()));
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().code(), Code::unreachable);
}

TEST(TlsStream, what_waits_to_be_sent_is_bounded) {
    TlsScene scene(1, 100);
    scene.shake();
    auto fill = [](Stream* stream, std::string all) -> Task<std::size_t> {
        std::size_t sum = 0;
        for (;;) {
            auto taken = stream->write_now(bytes_of(all));
            if (!taken.ok() || taken.value() == 0) {
                co_return sum;
            }
            sum += taken.value();
        }
    };
    const auto taken = scene.run(fill(scene.server.get(), text_of(1'000'000)));
    EXPECT_LE(taken.value(), 40'000U);
}

TEST(TlsStream, a_write_that_is_given_up_has_sent_nothing) {
    TlsScene scene(7, 100);
    scene.shake();
    auto write = [](Stream* stream, std::string first, Deadline soon) -> Task<std::string> {
        std::string sent;
        for (;;) {  // until it waits
            auto taken = stream->write_now(bytes_of(first));
            if (!taken.ok() || taken.value() == 0) {
                break;
            }
            sent += first.substr(0, taken.value());
        }
        const std::string lost = "given up";
        auto given_up = co_await with_deadline(write_once(stream, lost), soon);
        EXPECT_FALSE(given_up.ok());
        if (!given_up.ok()) {
            EXPECT_EQ(given_up.error().code(), Code::timed_out);
            EXPECT_EQ(given_up.error().effect(), Effect::none);
        }
        co_return sent;
    };
    auto sent = scene.run(write(scene.server.get(), text_of(5'000), scene.in(100)));
    ASSERT_TRUE(sent.ok());
    const std::string later = "and later";
    auto both = scene.run(
        when_all(say(scene.server.get(), later, scene.in(100'000)), reading_all(scene.client.get()))
    );
    EXPECT_EQ(std::get<1>(both.value()).value(), sent.value() + later);
}

TEST(TlsStream, a_read_that_is_given_up_loses_no_byte) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        TlsScene scene(seed, 40);
        scene.shake();
        auto read = [](Stream* stream, Loop* loop) -> Task<std::string> {
            std::string all;
            std::array<std::byte, 64> space;
            for (;;) {
                auto one = [](Stream* from, std::span<std::byte> into) -> Task<std::size_t> {
                    co_return co_await from->read_some(into);
                };
                const Deadline soon = Deadline::in(Duration(2), loop->now());
                auto got = co_await with_deadline(one(stream, space), soon);
                if (!got.ok() && got.error().code() == Code::timed_out) {
                    continue;
                }
                if (!got.ok()) {
                    co_return std::move(got).error();
                }
                if (got.value() == 0) {
                    co_return all;
                }
                all.append(reinterpret_cast<const char*>(space.data()), got.value());
            }
        };
        const std::string text = text_of(3'000);
        auto both = scene.run(when_all(
            say(scene.server.get(), text, scene.in(1'000'000)),
            read(scene.client.get(), &scene.runtime->loop(0))
        ));
        EXPECT_EQ(std::get<1>(both.value()).value(), text) << seed;
    }
}

TEST(TlsStream, an_abort_ends_what_is_in_flight_and_breaks_the_peer) {
    TlsScene scene(1, 100);
    scene.shake();
    auto fill = [](Stream* stream, std::string text) -> Task<std::size_t> {
        co_return stream->write_now(bytes_of(text));
    };
    (void)scene.run(fill(scene.server.get(), text_of(40'000)));
    std::optional<Error> read;
    std::optional<Error> written;
    (void)scene.run(abort_both(scene.server.get(), read, written));
    EXPECT_EQ(read->code(), Code::closed);
    EXPECT_EQ(written->code(), Code::closed);
    EXPECT_EQ(written->effect(), Effect::none);
    EXPECT_EQ(scene.run(read_once(scene.server.get())).error().code(), Code::closed);
    EXPECT_EQ(scene.run(reading_all(scene.client.get())).error().code(), Code::unreachable);
}

// A client behind a relay reads one message. The relay acts at a byte of what the server sends,
// unless that ends before: signatures differ in length by some bytes.
Result<std::string> read_through(TlsRelay& relay, const std::string& text) {
    TlsScene scene;
    StreamPair behind = open_virtual_streams(*scene.runtime);
    auto serve = [](std::unique_ptr<Stream> stream, std::string all, Deadline end) -> Task<> {
        auto context = open_tls_server(TlsFiles::get().server_options());
        auto tls = co_await accept_tls(std::move(stream), std::move(context).value(), end);
        if (!tls.ok()) {
            co_return std::move(tls).error();
        }
        co_return co_await write_all(*tls.value(), all, end);
    };
    auto read = [](std::unique_ptr<Stream> stream, Deadline end) -> Task<std::string> {
        auto context = open_tls_client(TlsFiles::get().client_options());
        auto tls =
            co_await connect_tls(std::move(stream), std::move(context).value(), "localhost", end);
        if (!tls.ok()) {
            co_return std::move(tls).error();
        }
        co_return co_await reading_all(tls.value().get());
    };
    TlsRelay back(TlsRelay::Act::cut, TlsRelay::never);
    auto all = scene.run(when_all(
        serve(std::move(scene.near), text, scene.in(60'000)),
        relay.run(scene.far.get(), behind.near.get()),
        back.run(behind.near.get(), scene.far.get()),
        with_deadline(read(std::move(behind.far), scene.in(60'000)), scene.in(60'000))
    ));
    return std::move(std::get<3>(all.value()));
}

TEST(TlsStream, a_connection_that_is_cut_anywhere_never_reads_as_an_end) {
    const std::string text = text_of(100);
    TlsRelay open(TlsRelay::Act::cut, TlsRelay::never);
    ASSERT_EQ(read_through(open, text).value(), text);
    int cuts = 0;
    // Every byte of the message and of the goodbye, some of the handshake.
    for (std::size_t at = 0; at<open.seen + 8; at += at + 160> open.seen ? 1 : 13) {
        TlsRelay relay(TlsRelay::Act::cut, at);
        const auto read = read_through(relay, text);
        if (relay.acted) {
            ++cuts;
            ASSERT_FALSE(read.ok()) << at;
            ASSERT_EQ(read.error().code(), Code::unreachable) << at;
        } else {
            ASSERT_EQ(read.value(), text) << at;
        }
    }
    EXPECT_GT(cuts, 150);
}

TEST(TlsStream, a_byte_changed_on_its_way_never_becomes_text) {
    const std::string text = text_of(100);
    TlsRelay open(TlsRelay::Act::cut, TlsRelay::never);
    ASSERT_EQ(read_through(open, text).value(), text);
    for (std::size_t at = 0; at < open.seen; at += 5) {
        TlsRelay relay(TlsRelay::Act::change, at);
        const auto read = read_through(relay, text);
        ASSERT_EQ(read.ok(), !relay.acted)
            << at << " " << (read.ok() ? "read" : read.error().what());
    }
}

}  // namespace
}  // namespace holdfast
