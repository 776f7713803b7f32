#include "build_info.h"

namespace holdfast::app {

BuildInfo build_info() {
    BuildInfo info;
    info.version = HOLDFAST_VERSION;
    info.commit = HOLDFAST_COMMIT;
    info.compiler = HOLDFAST_COMPILER;
    return info;
}

}  // namespace holdfast::app
