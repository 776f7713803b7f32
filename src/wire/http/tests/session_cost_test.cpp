// What a connection costs: nothing on the heap for a request in steady state, 16 KiB when idle.
#include "session.h"

#include <holdfast/io/virtual_runtime.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {
std::atomic<long> allocations = 0;
std::atomic<long> bytes_allocated = 0;
}  // namespace

#ifndef HOLDFAST_SANITIZED  // a sanitizer brings its own
[[gnu::noinline]] void* operator new(std::size_t bytes) {
    ++allocations;
    bytes_allocated += static_cast<long>(bytes);
    if (void* memory = std::malloc(bytes)) {
        return memory;
    }
    std::abort();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
#endif

namespace holdfast {
namespace {

constexpr std::string_view one_request =
    "POST /ranges:reserve HTTP/1.1\r\nHost: 127.0.0.1:8688\r\n"
    "Authorization: Bearer 0123456789abcdef0123456789abcdef\r\nContent-Type: application/json\r\n"
    "Content-Length: 44\r\n\r\n{\"key\":\"order-id\",\"size\":100,\"initialOffset\":0}";

// Gives the same request `times` times, then an end; each read comes at once or on the next turn.
class RepeatingStream final : public Stream {
public:
    RepeatingStream(std::string bytes, long times) : bytes_(std::move(bytes)), left_(times) {}

    void shutdown_write() noexcept override {}
    void abort() noexcept override {}

private:
    Result<std::size_t>
    send_now(std::span<const std::byte> first, std::span<const std::byte> second) override {
        return first.size() + second.size();
    }
    bool start_io(StreamAwait& io) override {
        if (io.kind() == StreamAwait::Kind::read && left_ > 0) {
            --left_;
            const std::size_t count = std::min(io.into().size(), bytes_.size());
            std::memcpy(io.into().data(), bytes_.data(), count);
            io.set(count);
        }
        return false;
    }
    void cancel_io(StreamAwait&) noexcept override {}
    void forget_io(StreamAwait&) noexcept override {}

    std::string bytes_;
    long left_;
};

class ConstantHandler final : public HttpHandler {
public:
    explicit ConstantHandler(bool waits) : waits_(waits) {}
    bool admit(const HttpRequest&, HttpResponse&) override { return true; }
    Task<Done> serve(const HttpRequest& request, HttpResponse& response) override {
        ++served;
        if (waits_) {
            co_await yield();
        }
        response.body.append(R"({"start":1,"end":2})");
        bodies += request.body.size();
        co_return Done();
    }
    void refuse(HttpRefusal, HttpResponse&) override { ++refused; }

    long served = 0;
    long refused = 0;
    std::size_t bodies = 0;

private:
    bool waits_;
};

struct Cost {
    long allocations;
    long served;
};
// On a real loop: the virtual one allocates for each of its steps.
Cost cost_of(long times, bool waits) {
    RuntimeOptions one;
    one.loops(1);
    auto opened = open_runtime(one);
    EXPECT_TRUE(opened.ok());
    auto runtime = std::move(opened).value();
    ConstantHandler handler(waits);
    HttpLimits limits;
    LoopCounts counts;
    std::string bytes(one_request);
    bytes.replace(bytes.find(": 44"), 4, ": 47");
    HttpSession session(
        std::make_unique<RepeatingStream>(bytes, times), "peer", handler, limits, counts
    );
    const long before = allocations;
    (void)wait(*runtime, session.live());
    return {allocations - before, handler.served};
}

TEST(HttpSessionCost, a_request_in_steady_state_allocates_nothing) {
    for (const bool waits : {false, true}) {
        (void)cost_of(100, waits);
        const Cost few = cost_of(100, waits);
        const Cost many = cost_of(10'100, waits);
        EXPECT_EQ(many.served - few.served, 10'000);
#ifndef HOLDFAST_SANITIZED
        EXPECT_EQ(many.allocations - few.allocations, 0) << (waits ? "waiting" : "at once");
#endif
    }
}

TEST(HttpSessionCost, an_idle_connection_takes_less_than_16_kib) {
    ConstantHandler handler(true);  // so that it has read ahead once
    HttpLimits limits;
    LoopCounts counts;
    auto runtime = open_virtual_runtime(VirtualOptions());
    StreamPair streams = open_virtual_streams(*runtime);
    const long before = bytes_allocated;
    auto session =
        std::make_unique<HttpSession>(std::move(streams.near), "peer", handler, limits, counts);
    spawn(runtime->loop(0), session->live(), [](Result<Done>) {});
    runtime->run(runtime->now() + Duration(1));
    EXPECT_LE(
        bytes_allocated - before, 8 * 1024
    );  // the socket and its reactor entry take the rest
    RecordProperty("bytes", std::to_string(bytes_allocated - before));
    runtime.reset();  // before the session that its tasks use
}

TEST(HttpSessionCost, a_grown_buffer_is_given_back_when_the_connection_is_idle) {
    HttpLimits limits;
    RequestReader reader(limits, "peer");
    const std::size_t idle_bytes = reader.buffer_bytes();
    const std::string request =
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n" + std::string(60'000, 'x');
    reader.append({request.data(), request.size()});
    EXPECT_EQ(reader.next(), RequestReader::Event::head);
    EXPECT_EQ(reader.next(), RequestReader::Event::complete);
    EXPECT_GE(reader.buffer_bytes(), 60'000U);
    reader.finish();
    reader.shrink();
    EXPECT_EQ(reader.buffer_bytes(), idle_bytes);
    EXPECT_LE(sizeof(HttpSession) + idle_bytes, 6 * 1024U);
}

}  // namespace
}  // namespace holdfast
