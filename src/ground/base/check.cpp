#include <holdfast/base/check.h>

#include <cstdio>
#include <cstdlib>

namespace holdfast {

void check(bool holds, std::string_view what) {
    if (!holds) {
        std::fprintf(stderr, "holdfast: a bug: %.*s\n", static_cast<int>(what.size()), what.data());
        std::abort();
    }
}

}  // namespace holdfast
