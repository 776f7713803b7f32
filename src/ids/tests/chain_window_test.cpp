// All orders in which takers and the change of a range can meet, step by step.

#include <holdfast/ids/range_window.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace holdfast::testing {
namespace {

// Lets one thread do one atomic operation at a time, in an order that a list of choices says.
class Stepper {
public:
    using Body = std::function<void()>;

    // Runs the bodies in every order of their steps; returns how many there were.
    static int walk(const std::function<std::vector<Body>()>& make, const Body& check) {
        std::vector<Choice> path;
        int orders = 0;
        do {
            Stepper(path).run(make());
            check();
            ++orders;
            while (!path.empty() && path.back().taken + 1 == path.back().open) {
                path.pop_back();
            }
            if (!path.empty()) {
                ++path.back().taken;
            }
        } while (!path.empty());
        return orders;
    }
    static void step() {
        if (current != nullptr) {
            current->park(self);
        }
    }

private:
    enum class State : std::uint8_t { runs, parked, ended };
    struct Choice {
        std::size_t taken;
        std::size_t open;
    };

    explicit Stepper(std::vector<Choice>& path) : path_(path) {}

    void run(const std::vector<Body>& bodies) {
        states_.assign(bodies.size(), State::runs);
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            threads.emplace_back([this, i, &body = bodies[i]] {
                current = this;
                self = i;
                body();
                const std::lock_guard lock(mutex_);
                states_[i] = State::ended;
                changed_.notify_all();
            });
        }
        for (std::size_t depth = 0; choose(depth); ++depth) {
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
    }
    bool choose(std::size_t depth) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] {
            return !turn_.has_value() && std::ranges::count(states_, State::runs) == 0;
        });
        std::vector<std::size_t> parked;
        for (std::size_t i = 0; i < states_.size(); ++i) {
            if (states_[i] == State::parked) {
                parked.push_back(i);
            }
        }
        if (parked.empty()) {
            return false;
        }
        if (depth == path_.size()) {
            path_.push_back({0, parked.size()});
        }
        turn_ = parked[path_[depth].taken];
        changed_.notify_all();
        return true;
    }
    void park(std::size_t i) {
        std::unique_lock lock(mutex_);
        states_[i] = State::parked;
        changed_.notify_all();
        changed_.wait(lock, [this, i] { return turn_ == i; });
        turn_.reset();
        states_[i] = State::runs;
    }

    static thread_local Stepper* current;
    static thread_local std::size_t self;

    std::vector<Choice>& path_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<State> states_;
    std::optional<std::size_t> turn_;
};
thread_local Stepper* Stepper::current = nullptr;
thread_local std::size_t Stepper::self = 0;

template <class T>
class SteppedAtomic {
public:
    explicit SteppedAtomic(T value) : value_(value) {}
    T load(std::memory_order order) const {
        Stepper::step();
        return value_.load(order);
    }
    void store(T value, std::memory_order order) {
        Stepper::step();
        value_.store(value, order);
    }
    T fetch_add(T value, std::memory_order order) {
        Stepper::step();
        return value_.fetch_add(value, order);
    }
    bool compare_exchange_weak(T& expected, T value, std::memory_order order) {
        return compare_exchange_strong(expected, value, order);
    }
    bool compare_exchange_strong(T& expected, T value, std::memory_order order) {
        Stepper::step();
        return value_.compare_exchange_strong(expected, value, order);
    }

private:
    std::atomic<T> value_;
};

using Window = RangeWindowOf<SteppedAtomic>;
using Numbers = std::vector<std::uint64_t>;

// What a taker gets when it asks again under the lock, after all.
void take(Window& window, Numbers& good, Numbers& held) {
    std::uint64_t number = 0;
    const auto taken = window.take(number);
    if (taken == Window::Taken::good) {
        good.push_back(number);
    } else if (taken == Window::Taken::beyond) {
        held.push_back(number);
    }
}

void expect_once_and_inside(Numbers numbers, std::uint64_t start, std::uint64_t end) {
    std::ranges::sort(numbers);
    ASSERT_EQ(std::ranges::adjacent_find(numbers), numbers.end()) << "given out twice";
    for (const std::uint64_t number : numbers) {
        ASSERT_TRUE(start <= number && number < end) << number << " is not of this range";
    }
}

TEST(ChainWindow, takers_that_meet_a_new_range_get_numbers_of_it_or_none) {
    std::optional<Window> window;
    Numbers good[2];
    Numbers held[2];
    const int orders = Stepper::walk(
        [&] {
            window.emplace();
            window->open(0, 2);
            std::uint64_t first = 0;
            EXPECT_EQ(window->take_many(2, first), 2u);
            for (int i = 0; i < 2; ++i) {
                good[i].clear();
                held[i].clear();
            }
            return std::vector<Stepper::Body>{
                [&] { take(*window, good[0], held[0]); },
                [&] {
                    std::uint64_t from = 0;
                    const std::uint64_t count = window->take_many(2, from);
                    for (std::uint64_t i = 0; i < count; ++i) {
                        good[1].push_back(from + i);
                    }
                },
                [&] { window->open(10, 12); },
            };
        },
        [&] {
            Numbers all = good[0];
            all.insert(all.end(), good[1].begin(), good[1].end());
            for (const std::uint64_t number : held[0]) {
                if (number >= 10) {
                    all.push_back(number);  // good when it asks again, if below the end
                }
            }
            std::erase_if(all, [](std::uint64_t number) { return number >= 12; });
            expect_once_and_inside(all, 10, 12);
            for (const Numbers& numbers : good) {
                expect_once_and_inside(numbers, 10, 12);
            }
        }
    );
    EXPECT_GT(orders, 100);
}

TEST(ChainWindow, a_number_that_is_given_back_is_taken_by_one) {
    std::optional<Window> window;
    Numbers good[3];
    Numbers held[3];
    bool back = false;
    const int orders = Stepper::walk(
        [&] {
            window.emplace();
            window->open(0, 2);
            std::uint64_t number = 0;
            for (int i = 0; i < 3; ++i) {
                (void)window->take(number);
                good[i].clear();
                held[i].clear();
            }
            EXPECT_EQ(number, 2u);  // taken too late: its holder finds no next range
            return std::vector<Stepper::Body>{
                [&] { take(*window, good[0], held[0]); },
                [&] { take(*window, good[1], held[1]); },
                [&] {
                    window->shut();
                    back = window->give_back(2);
                    window->open(2, 6);
                },
            };
        },
        [&] {
            Numbers all;
            take(*window, all, held[2]);
            for (int i = 0; i < 2; ++i) {
                all.insert(all.end(), good[i].begin(), good[i].end());
                all.insert(all.end(), held[i].begin(), held[i].end());
            }
            expect_once_and_inside(all, 2, 6);
            if (!back) {
                EXPECT_EQ(std::ranges::count(all, 2u), 0) << "its holder has dropped it";
            }
        }
    );
    EXPECT_GT(orders, 50);
}

}  // namespace
}  // namespace holdfast::testing
