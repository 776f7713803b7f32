#pragma once
// When a topology is asked for again: slowly while all is well, soon when something is suspected,
// never twice at once and never twice in a second. The caller's clock.

#include <holdfast/base/time.h>
#include <holdfast/io/random.h>

namespace holdfast::redis {

class RefreshPace {
public:
    explicit RefreshPace(Random& random) : random_(&random) {}

    // When the next refresh begins; the first at once; SteadyTime::max() while one is under way.
    SteadyTime due() const { return due_; }
    void begun(SteadyTime now);
    // `learnt`: somebody answered. If not, or if something was suspected since it began, the next
    // follows as soon as it may.
    void ended(SteadyTime now, bool learnt);
    // A refresh that is under way may have asked before the fault: another one follows it.
    void suspect(SteadyTime now);

    bool is_under_way() const { return under_way_; }

private:
    void soon(SteadyTime now);
    Duration part_of(Duration most);

    Random* random_;
    SteadyTime begun_ = SteadyTime::min();
    SteadyTime due_ = SteadyTime::min();
    bool ever_begun_ = false;
    bool under_way_ = false;
    bool suspected_ = false;
    bool hurried_ = false;  // due_ is as soon as it may be
};

}  // namespace holdfast::redis
