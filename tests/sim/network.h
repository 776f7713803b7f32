#pragma once
// The way between processes and the store: messages are delayed, lost, repeated, overtaken, and
// come when nobody waits any more.

#include "central_store.h"
#include "scene.h"

#include <functional>
#include <memory>
#include <vector>

namespace holdfast::sim {

// A call that waits for its answer, seen from the network.
class Waiting {
public:
    virtual void break_off() = 0;  // the connection broke

protected:
    ~Waiting() = default;
};

class Network {
public:
    Network(Scene& scene, CentralStore& store) : scene_(&scene), store_(&store) {}
    ~Network();
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;

    CentralStore& store() { return *store_; }
    Scene& scene() { return *scene_; }

    // Happens after the time a message takes. A lost one never does.
    void carry(const char* what, std::function<void()> arrival);
    // How often a request is executed: 0, 1 or 2 times.
    int copies();

    void add(Waiting& call) { waiting_.push_back(&call); }
    void remove(Waiting& call) { std::erase(waiting_, &call); }
    // All calls in flight hear that the connection broke; their requests are on their way all the
    // same.
    void break_all();

private:
    struct Travel final : Work {
        void run() override;
        Network* network = nullptr;
        std::function<void()> arrival;
    };
    Duration delay();

    Scene* scene_;
    CentralStore* store_;
    std::vector<Waiting*> waiting_;
    std::vector<std::unique_ptr<Travel>> all_;
    std::vector<Travel*> unused_;
};

// co_await Call<Outcome>(..): the answer that arrives before the deadline.
template <class Outcome>
class [[nodiscard]] Call final : public Suspension, private Work, private Waiting {
public:
    using value_type = Outcome;
    using Execute = std::function<Result<Outcome>()>;  // at the store
    // An answer that nobody waits for; of broken variants only.
    using Late = std::shared_ptr<std::optional<Outcome>>;
    Call(Network& network, const char* what, Deadline deadline, Execute execute, Late late)
        : network_(&network), what_(what), deadline_(deadline), execute_(std::move(execute)),
          late_(std::move(late)) {}
    ~Call() { leave(); }

    Result<Outcome> await_resume() { return std::move(*outcome_); }

private:
    struct Flight {
        Call* call = nullptr;  // null: nobody waits
    };

    bool start() override {
        Loop& loop = scope().loop();
        if (scope().cancelled()) {
            outcome_.emplace(cancelled_error());
            return false;
        }
        if (deadline_.passed(loop.now())) {
            outcome_.emplace(Error(Code::timed_out, Effect::none, "the deadline had passed"));
            return false;
        }
        flight_ = std::make_shared<Flight>();
        flight_->call = this;
        network_->add(*this);
        const int copies = network_->copies();
        for (int i = 0; i < copies; ++i) {
            network_->carry(
                what_,
                [flight = flight_,
                 network = network_,
                 what = what_,
                 execute = execute_,
                 late = late_] { arrive(flight, *network, what, execute, late); }
            );
        }
        loop.arm(*this, deadline_.time());
        return true;
    }
    static void arrive(
        const std::shared_ptr<Flight>& flight,
        Network& network,
        const char* what,
        const Execute& execute,
        const Late& late
    ) {
        if (network.store().is_down()) {
            if (flight->call != nullptr) {
                flight->call->break_off();
            }
            return;
        }
        auto outcome = std::make_shared<Result<Outcome>>(execute());
        network.carry(what, [flight, outcome, late] {
            if (flight->call != nullptr) {
                flight->call->end(std::move(*outcome));
            } else if (late != nullptr && outcome->ok()) {
                late->emplace(outcome->value());
            }
        });
    }

    void end(Result<Outcome> outcome) {
        leave();
        outcome_.emplace(std::move(outcome));
        scope().loop().post(*this);  // one thread: and unlike what is sent, it may be destroyed
    }
    void break_off() override {
        end(Error(Code::unreachable, Effect::unknown, "the connection to the store broke"));
    }
    void on_cancel() noexcept override {
        leave();
        outcome_.emplace(cancelled_error(Effect::unknown));
        scope().loop().post(*this);
    }
    void run() override {
        if (!outcome_.has_value()) {
            leave();
            outcome_.emplace(Error(Code::timed_out, Effect::unknown, "no answer in time"));
        }
        resume();
    }
    void leave() {
        if (flight_ != nullptr) {
            flight_->call = nullptr;
            flight_ = nullptr;
            network_->remove(*this);
        }
    }

    Network* network_;
    const char* what_;
    Deadline deadline_;
    Execute execute_;
    Late late_;
    std::shared_ptr<Flight> flight_;
    std::optional<Result<Outcome>> outcome_;
};

}  // namespace holdfast::sim
