#pragma once
// The one store of a world: the shipped memory store under a clock that jumps, which is restarted
// now and then. It keeps what it has answered.

#include "scene.h"

#include <holdfast/store/store.h>

#include <memory>

namespace holdfast::sim {

class CentralStore {
public:
    explicit CentralStore(Scene& scene);

    // What arrives now is executed now. On the world's loop.
    template <class T>
    Result<T> run(Task<T> task) {
        Scope scope(scene_->world());
        const bool ended = task.run(scope);
        return ended ? task.take()
                     : Result<T>(Error(Code::internal, Effect::unknown, "the store waited"));
    }
    SlotLeaseStore& slots() { return store_->slots(); }
    Result<ReserveOutcome> reserve(const ReserveRequest& request, Deadline deadline);

    bool is_down() const { return scene_->runtime().now() < up_at_; }
    void go_down(Duration time) { up_at_ = scene_->runtime().now() + time; }
    void go_up() { up_at_ = SteadyTime(); }

    void jump(Duration by);
    // At most store_behind_max below its highest reading, as when somebody has put it right.
    void settle();

private:
    void note_highest();

    Scene* scene_;
    SkewedClock clock_;
    std::unique_ptr<Store> store_;
    WallTime highest_{};
    SteadyTime up_at_{};
    // Of a store whose reserve reads, and writes later: what it read before others wrote.
    std::map<std::string, std::pair<SteadyTime, Range>> read_before_;
};

}  // namespace holdfast::sim
