#pragma once
// The one public header that names Boost: holdfast tasks inside an Asio program, on its own
// io_context.
//
//   AsioHost host(io_context);
//   auto lease = co_await async_run(host, store.acquire(..), boost::asio::use_awaitable);
//
// The completion signature is void(Result<T>): errors stay values, and any completion token works.
// The handler's cancellation slot asks the task to stop; the handler is called once, on its own
// executor, when the task has ended.

#include <holdfast/io/runtime.h>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <memory>

namespace holdfast {

// A loop on an io_context that one thread runs at a time. It keeps nothing running by itself: the
// io_context returns from run() when no task is left. Names of hosts are looked up on one thread of
// its own.
//
// Destroyed on the thread that runs the io_context, or while nobody does, before the io_context.
// Tasks that still run are destroyed where they stand: `closed`, unknown.
class AsioHost {
public:
    explicit AsioHost(boost::asio::io_context& io);
    ~AsioHost();
    AsioHost(const AsioHost&) = delete;
    AsioHost& operator=(const AsioHost&) = delete;

    // For spawn(), and for what opens things on a loop.
    Loop& loop() const;

private:
    struct Parts;
    boost::asio::io_context* io_;
    std::shared_ptr<Parts> parts_;
};

// Any thread may start it; the task runs on the host's loop.
template <class T, class Token>
auto async_run(AsioHost& host, Task<T> task, Token&& token) {
    return boost::asio::async_initiate<Token, void(Result<T>)>(
        [&loop = host.loop()](auto handler, Task<T> running) {
            const Stop stop;
            auto slot = boost::asio::get_associated_cancellation_slot(handler);
            if (slot.is_connected()) {
                slot.assign([stop](boost::asio::cancellation_type) { stop.request(); });
            }
            auto executor =
                boost::asio::get_associated_executor(handler, boost::asio::system_executor());
            auto work = boost::asio::make_work_guard(executor);
            spawn(
                loop,
                std::move(running),
                [slot, executor, work = std::move(work), handler = std::move(handler)](
                    Result<T> outcome
                ) mutable {
                    slot.clear();
                    boost::asio::dispatch(
                        executor,
                        [handler = std::move(handler), outcome = std::move(outcome)]() mutable {
                            std::move(handler)(std::move(outcome));
                        }
                    );
                },
                &stop
            );
        },
        token,
        std::move(task)
    );
}

}  // namespace holdfast
