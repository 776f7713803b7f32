#include "asio_loop.h"
#include "hand_over.h"
#include "use_task.h"

#include <holdfast/io/signals.h>

#include <boost/asio/basic_signal_set.hpp>

#include <stdexcept>

namespace holdfast {
namespace {

using SignalSet = boost::asio::basic_signal_set<boost::asio::io_context::executor_type>;

class AsioSignals final : public Signals {
public:
    AsioSignals(Loop& loop, std::unique_ptr<SignalSet> set) : loop_(&loop), set_(std::move(set)) {}
    ~AsioSignals() override {
        if (!loop_->on_this_thread()) {
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
    Loop* loop_;
    std::unique_ptr<SignalSet> set_;
};

}  // namespace

Result<std::unique_ptr<Signals>> open_signals(Loop& loop, const std::vector<int>& numbers) {
    auto* asio_loop = dynamic_cast<AsioLoop*>(&loop);
    if (asio_loop == nullptr) {
        return Error(Code::unsupported, Effect::none, "signals need a loop of real time");
    }
    try {
        auto set = std::make_unique<SignalSet>(asio_loop->io());
        for (const int number : numbers) {
            boost::system::error_code error;
            set->add(number, error);
            if (error) {
                return Error(Code::invalid_argument, Effect::none, "this signal cannot be caught");
            }
        }
        return std::unique_ptr<Signals>(std::make_unique<AsioSignals>(loop, std::move(set)));
    } catch (const std::runtime_error&) {  // the standard library and Asio each throw their own
                                           // kind
        return Error(Code::overloaded, Effect::none, "no descriptors for signals");
    }
}

}  // namespace holdfast
