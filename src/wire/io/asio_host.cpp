#include "asio_loop.h"
#include "asio_network.h"
#include "thread_pool.h"

#include <holdfast/io/asio.h>

#include <boost/asio/post.hpp>

namespace holdfast {
namespace {

constexpr std::size_t name_threads = 1;     // a program looks up few names
constexpr std::size_t name_queue_max = 64;  // more at once mean that the resolver is stuck

}  // namespace

struct AsioHost::Parts {
    explicit Parts(boost::asio::io_context& io)
        : pool(name_threads, name_queue_max), network(pool), loop(io, network) {
        loop.rest_between_tasks();
    }
    ~Parts() { loop.run_last(); }
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;

    ThreadPool pool;
    AsioNetwork network;
    AsioLoop loop;
    std::shared_ptr<Parts> kept;  // in a forked child: there is no thread to join
};

AsioHost::AsioHost(boost::asio::io_context& io) : io_(&io), parts_(std::make_shared<Parts>(io)) {}

AsioHost::~AsioHost() {
    Loop& loop = parts_->loop;
    if (loop.forked()) {
        Parts& parts = *parts_;
        parts.kept = std::move(parts_);
        return;
    }
    loop.close();
    parts_->pool.close();
    while (!loop.roots().empty()) {
        std::coroutine_handle<RootPromise>::from_promise(loop.roots().front()).destroy();
    }
    // Turns of the loop that are queued already come before this.
    boost::asio::post(*io_, [parts = std::move(parts_)] {});
}

Loop& AsioHost::loop() const {
    return parts_->loop;
}

}  // namespace holdfast
