#pragma once
// A store whose calls are late, fail or lose their answers as a test says, and a generator on it,
// under virtual time.

#include "ranges/range_generator.h"

#include <holdfast/io/virtual_runtime.h>
#include <holdfast/store_memory/memory_store.h>

#include <gtest/gtest.h>

#include <functional>
#include <mutex>
#include <vector>

namespace holdfast::testing {

// What happens to one call.
class CallPlan {
public:
    CallPlan() {}  // NOLINT(modernize-use-equals-default): no aggregate (g++ 12)
    CallPlan before(Duration time) && {
        before_ = time;
        return std::move(*this);
    }
    CallPlan after(Duration time) && {
        after_ = time;
        return std::move(*this);
    }
    CallPlan refuse(Code code) && {
        refusal_ = code;
        return std::move(*this);
    }
    CallPlan lose_answer() && {
        lost_ = true;
        return std::move(*this);
    }
    // Another process takes so many first.
    CallPlan elsewhere(std::int64_t numbers) && {
        elsewhere_ = numbers;
        return std::move(*this);
    }
    CallPlan answer(ReserveOutcome outcome) && {
        answer_ = outcome;
        return std::move(*this);
    }

private:
    friend class ScriptedStore;
    Duration before_{};  // until the store acts
    Duration after_{};   // from then until its answer is there
    std::optional<Code> refusal_;
    std::optional<ReserveOutcome> answer_;
    std::int64_t elsewhere_ = 0;
    bool lost_ = false;
};

class ScriptedStore final : public RangeStore {
public:
    using Script = std::function<CallPlan(std::size_t call)>;  // from 0 on

    Task<ReserveOutcome> reserve(ReserveRequest request, Deadline deadline) override {
        CallPlan plan;
        {
            const std::lock_guard lock(mutex_);
            const std::size_t call = sizes_.size();
            sizes_.push_back(request.size());
            keys_.push_back(request.key().text());
            if (script_) {
                plan = script_(call);
            }
        }
        Loop& loop = (co_await this_scope()).loop();
        if (plan.before_ > Duration::zero()) {
            const SteadyTime acts = loop.now() + plan.before_;
            const bool late = deadline.time() < acts;
            auto slept = co_await sleep(late ? deadline.time() : acts);
            if (!slept.ok() || late) {
                co_return Error(
                    slept.ok() ? Code::timed_out : Code::cancelled, Effect::none, "scripted: late"
                );
            }
        }
        if (plan.refusal_.has_value()) {
            co_return Error(*plan.refusal_, Effect::none, "scripted: refused");
        }
        if (plan.answer_.has_value()) {
            co_return *plan.answer_;
        }
        if (plan.elsewhere_ > 0) {
            ReserveRequest other(request.key(), plan.elsewhere_);
            (void)co_await inner_->ranges().reserve(std::move(other), deadline);
        }
        auto answer = co_await inner_->ranges().reserve(request, deadline);
        if (answer.ok()) {
            if (const auto* range = std::get_if<Range>(&answer.value())) {
                const std::lock_guard lock(mutex_);
                ranges_.push_back(*range);
            }
        }
        if (plan.after_ > Duration::zero()) {
            const SteadyTime arrives = loop.now() + plan.after_;
            const bool late = deadline.time() < arrives;
            auto slept = co_await sleep(late ? deadline.time() : arrives);
            if (!slept.ok() || late) {
                co_return Error(
                    slept.ok() ? Code::timed_out : Code::cancelled,
                    Effect::unknown,
                    "scripted: the answer is late"
                );
            }
        }
        if (plan.lost_) {
            co_return Error(Code::unreachable, Effect::unknown, "scripted: the answer is lost");
        }
        co_return answer;
    }
    Task<SealOutcome> seal(RangeKey key, Deadline deadline) override {
        return inner_->ranges().seal(std::move(key), deadline);
    }

    void script(Script script) {
        const std::lock_guard lock(mutex_);
        script_ = std::move(script);
    }
    std::size_t calls() const {
        const std::lock_guard lock(mutex_);
        return sizes_.size();
    }
    std::vector<std::int64_t> sizes() const {
        const std::lock_guard lock(mutex_);
        return sizes_;
    }
    std::vector<std::string> keys() const {
        const std::lock_guard lock(mutex_);
        return keys_;
    }
    // What the store has given away, whether or not the answer arrived.
    std::vector<Range> ranges() const {
        const std::lock_guard lock(mutex_);
        return ranges_;
    }
    RangeStore& inner() { return inner_->ranges(); }

private:
    std::unique_ptr<Store> inner_ = open_memory_store();
    mutable std::mutex mutex_;
    Script script_;
    std::vector<std::int64_t> sizes_;
    std::vector<std::string> keys_;
    std::vector<Range> ranges_;
};

class SegmentScene {
public:
    explicit SegmentScene(std::uint64_t seed = 1, std::size_t loops = 1)
        : runtime(open_virtual_runtime(VirtualOptions().seed(seed).loops(loops))) {}
    ~SegmentScene() { generator.reset(); }

    void make(const GeneratorOptions& options) {
        auto made = make_range_generator(
            options,
            Namespace::parse("shop").value(),
            store,
            *runtime,
            runtime->clock(),
            metrics,
            log
        );
        ASSERT_TRUE(made.ok()) << made.error().what();
        generator = std::move(made).value();
    }
    void make(SegmentOptions options) {
        make(GeneratorOptions::segment("orders", std::move(options)));
    }
    void open(SegmentOptions options, Duration time = std::chrono::seconds(10)) {
        make(std::move(options));
        EXPECT_TRUE(wait(generator->open(in(time))).ok());
    }
    template <class T>
    Result<T> wait(Task<T> task) {
        return holdfast::wait(*runtime, std::move(task));
    }
    Deadline in(Duration time) const { return Deadline::in(time, runtime->now()); }
    void pass(Duration time) const { runtime->run(runtime->now() + time); }
    // A number now, or what kept us.
    Result<std::int64_t> next() const { return generator->next(); }
    Result<std::int64_t> next_within(Duration time) { return wait(generator->next(in(time))); }
    void seal(std::string_view key) {
        const RangeKey parsed = RangeKey::parse(key).value();
        EXPECT_TRUE(wait(store.inner().seal(parsed, in(std::chrono::seconds(1)))).ok());
    }
    Range reserve_elsewhere(std::string_view key, std::int64_t size, std::int64_t offset = 0) {
        const RangeKey parsed = RangeKey::parse(key).value();
        auto answer = wait(
            store.inner().reserve(ReserveRequest(parsed, size, offset), in(std::chrono::seconds(1)))
        );
        return std::get<Range>(answer.value());
    }

    std::unique_ptr<VirtualRuntime> runtime;
    ScriptedStore store;
    Metrics metrics;
    LogLines lines;
    Log log{LogFormat::text, LogLevel::debug, system_clock(), lines};
    std::unique_ptr<RangeGenerator> generator;
};

inline CallPlan slow(Duration time) {
    return CallPlan().before(time);
}

}  // namespace holdfast::testing
