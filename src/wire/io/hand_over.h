#pragma once
// Lets a thing be destroyed on a loop's thread when its owner is on another.

#include <holdfast/io/loop.h>

#include <utility>

namespace holdfast {

template <class Thing>
void hand_over(Loop& loop, Thing thing) {
    struct Burial final : Work {
        explicit Burial(Thing last) : buried(std::move(last)) {}
        void run() override { delete this; }
        Thing buried;
    };
    loop.send(*new Burial(std::move(thing)));
}

}  // namespace holdfast
