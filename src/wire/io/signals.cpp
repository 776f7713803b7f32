#include "asio_loop.h"
#include "hand_over.h"
#include "use_task.h"

#include <holdfast/io/fork.h>
#include <holdfast/io/signals.h>

#include <boost/asio/basic_signal_set.hpp>

#include <atomic>
#include <csignal>
#include <stdexcept>

namespace holdfast {
namespace {

constexpr int signals_end = 64;  // those of Linux below the last real-time one

using SignalSet = boost::asio::basic_signal_set<boost::asio::io_context::executor_type>;

class AsioSignals final : public Signals, private ForkAware {
public:
    AsioSignals(Loop& loop, std::unique_ptr<SignalSet> set, std::uint64_t numbers)
        : loop_(&loop), set_(std::move(set)), numbers_(numbers) {}
    ~AsioSignals() override {
        numbers_ = 0;
        if (loop_->forked() || !loop_->on_this_thread()) {
            hand_over(*loop_, std::move(set_));
        }
    }

    Task<int> next() override {
        auto came = co_await set_->async_wait(use_task);
        if (came.error) {
            co_return cancelled_error();
        }
        co_return came.value;
    }

private:
    // Asio's handler writes into a pipe that the child shares with the parent: the parent would
    // take the child's signals for its own.
    void forked() noexcept override {
        const std::uint64_t numbers = numbers_.load();
        for (int number = 1; number < signals_end; ++number) {
            if ((numbers >> number & 1) != 0) {
                (void)std::signal(number, SIG_DFL);
            }
        }
    }

    Loop* loop_;
    std::unique_ptr<SignalSet> set_;
    std::atomic<std::uint64_t> numbers_;  // a bit each
};

}  // namespace

Result<std::unique_ptr<Signals>> open_signals(Loop& loop, const std::vector<int>& numbers) {
    auto* asio_loop = dynamic_cast<AsioLoop*>(&loop);
    if (asio_loop == nullptr) {
        return Error(Code::unsupported, Effect::none, "signals need a loop of real time");
    }
    try {
        auto set = std::make_unique<SignalSet>(asio_loop->io());
        std::uint64_t bits = 0;
        for (const int number : numbers) {
            boost::system::error_code error;
            set->add(number, error);
            if (error || number >= signals_end) {
                return Error(Code::invalid_argument, Effect::none, "this signal cannot be caught");
            }
            bits |= std::uint64_t{1} << number;
        }
        return std::unique_ptr<Signals>(std::make_unique<AsioSignals>(loop, std::move(set), bits));
    } catch (const std::runtime_error&) {  // the standard library and Asio each throw their own
                                           // kind
        return Error(Code::overloaded, Effect::none, "no descriptors for signals");
    }
}

}  // namespace holdfast
