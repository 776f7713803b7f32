#include "tests/topology/failover_callers.h"

#include <cstdio>

namespace holdfast::redis {
namespace {

bool strange(const Error& error) {
    switch (error.code()) {
    case Code::timed_out:
    case Code::unreachable:
    case Code::overloaded:
    case Code::moved:
        return false;
    default:
        std::printf(
            "failover: strange: %s: %s\n",
            std::string(error.what()).c_str(),
            error.context() == nullptr ? "" : error.context()->server_text.c_str()
        );
        return true;
    }
}

}  // namespace

std::size_t FailoverCounts::answered_of(std::size_t part) const {
    const std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(std::ranges::count(answered_, part, &Answered::part));
}

std::optional<SteadyTime> FailoverCounts::first_after(SteadyTime moment, std::size_t part) const {
    const std::lock_guard lock(mutex_);
    std::optional<SteadyTime> first;
    for (const Answered& one : answered_) {
        if (one.part == part && one.begun > moment && (!first.has_value() || one.ended < *first)) {
            first = one.ended;
        }
    }
    return first;
}

double FailoverCounts::rate_of_others(std::size_t part, SteadyTime from, SteadyTime to) const {
    const std::lock_guard lock(mutex_);
    const auto number = std::ranges::count_if(answered_, [&](const Answered& one) {
        return one.part != part && one.ended >= from && one.ended < to;
    });
    const double seconds = static_cast<double>((to - from).count()) / 1'000;
    return seconds <= 0 ? 0 : static_cast<double>(number) / seconds;
}

void FailoverVerdict::add(const FailoverVerdict& other) {
    done += other.done;
    none += other.none;
    unknown += other.unknown;
    unknown_that_ran += other.unknown_that_ran;
    none_that_ran += other.none_that_ran;
    twice += other.twice;
    lost += other.lost;
}

template <class T>
void FailoverCaller::count(const Result<T>& outcome, Deadline deadline, SteadyTime now) {
    ++counts_->calls;
    if (!outcome.ok()) {
        counts_->strange += strange(outcome.error()) ? 1U : 0U;
    }
    const std::int64_t over = (now - deadline.time()).count();
    std::int64_t latest = counts_->latest_ms;
    while (over > latest && !counts_->latest_ms.compare_exchange_weak(latest, over)) {
    }
    counts_->late += over > late_after.count() ? 1U : 0U;
}

Task<> FailoverCaller::run(int round, FailoverCounts* counts, const std::atomic<bool>* ending) {
    counts_ = counts;
    Loop& loop = (co_await this_scope()).loop();
    while (!*ending) {
        // A third outlives the failover: what would be sent again then is.
        const Duration most(draw(3) == 0 ? 10'000 : 150 + draw(1'500));
        const Deadline deadline = Deadline::in(most, loop.now());
        const std::uint64_t kind = draw(4);
        if (kind < 2) {
            (void)co_await increment(round, deadline);
        } else if (kind == 2) {
            (void)co_await write_and_read(deadline);
        } else {
            (void)co_await read_many(deadline);
        }
        (void)co_await sleep(loop.now() + Duration(draw(10)));
    }
    co_return Done();
}

Task<> FailoverCaller::increment(int round, Deadline deadline) {
    Loop& loop = (co_await this_scope()).loop();
    const std::size_t part = any_part();
    std::vector<Increment>& all = increments_[part];
    const std::size_t number = all.size();
    Increment one;
    one.key = "{" + tags_[part] + "}:" + name_ + ":r" + std::to_string(round) + ":" +
              std::to_string(number);
    all.push_back(std::move(one));
    const SteadyTime begun = loop.now();
    auto value = co_await client_->run(incr(all[number].key), deadline);
    const SteadyTime ended = loop.now();
    count(value, deadline, ended);
    if (value.ok()) {
        // A second attempt of a call that had run would see 2.
        counts_->foreign += value.value() == 1 ? 0U : 1U;
        all[number].told = Told::done;
        if (part_.has_value()) {
            counts_->answered(Answered(begun, ended, part));
        }
    } else {
        all[number].told = value.error().effect() == Effect::none ? Told::none : Told::unknown;
    }
    co_return Done();
}

Task<> FailoverCaller::write_and_read(Deadline deadline) {
    Loop& loop = (co_await this_scope()).loop();
    const std::string key = own_key(any_part());
    auto written =
        co_await client_->run(set(key, key + "=" + std::string(draw(200), 'v')), deadline);
    count(written, deadline, loop.now());
    auto value = co_await client_->run(get(key), deadline);
    count(value, deadline, loop.now());
    if (value.ok() && value.value().has_value() && !value.value()->starts_with(key + "=")) {
        ++counts_->foreign;
    }
    co_return Done();
}

// Of several parts it is split.
Task<> FailoverCaller::read_many(Deadline deadline) {
    Loop& loop = (co_await this_scope()).loop();
    std::vector<std::string> keys;
    for (int i = 0; i < 8; ++i) {
        keys.push_back(own_key(any_part()));
    }
    auto values = co_await client_->run(mget(keys), deadline);
    count(values, deadline, loop.now());
    if (values.ok()) {
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const auto& value = values.value()[i];
            counts_->foreign += value.has_value() && !value->starts_with(keys[i] + "=") ? 1U : 0U;
        }
    }
    co_return Done();
}

FailoverVerdict FailoverCaller::judge(RawRedis& redis, std::size_t part, int round) {
    FailoverVerdict verdict;
    const std::vector<Increment> all = std::exchange(increments_[part], {});
    for (std::size_t begin = 0; begin < all.size(); begin += 500) {
        const std::size_t end = std::min(all.size(), begin + 500);
        std::vector<std::string> words{"MGET"};
        for (std::size_t i = begin; i < end; ++i) {
            words.push_back(all[i].key);
        }
        const auto values = redis.call(words);
        EXPECT_EQ(values.children.size(), end - begin) << in_words(values);
        for (std::size_t i = 0; i < values.children.size(); ++i) {
            const bool absent = values[i].is_null();
            const bool once = !absent && values[i].text == "1";
            const Increment& one = all[begin + i];
            if (!absent && !once) {
                ++verdict.twice;
                std::printf("failover: round %d: %s ran twice\n", round, one.key.c_str());
            }
            switch (one.told) {
            case Told::done:
                ++verdict.done;
                verdict.lost += absent ? 1U : 0U;
                break;
            case Told::none:
                ++verdict.none;
                verdict.none_that_ran += absent ? 0U : 1U;
                break;
            default:
                ++verdict.unknown;
                verdict.unknown_that_ran += once ? 1U : 0U;
            }
        }
    }
    return verdict;
}

}  // namespace holdfast::redis
