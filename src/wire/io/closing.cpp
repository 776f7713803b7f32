#include "closing.h"

namespace holdfast {

void Closing::run() {
    if (!loop_->closed()) {
        loop_->close();
        List<RootPromise> seen;
        seen.take(loop_->roots());
        while (!seen.empty()) {
            RootPromise& root = seen.front();
            loop_->roots().push_back(root);
            root.scope().cancel();
        }
    }
    if (!loop_->roots().empty() && !deadline_.passed(loop_->now())) {
        loop_->arm(*this, loop_->now() + Duration(1));
        return;
    }
    while (!loop_->roots().empty()) {
        ++destroyed;
        std::coroutine_handle<RootPromise>::from_promise(loop_->roots().front()).destroy();
    }
    done.set();
}

}  // namespace holdfast
