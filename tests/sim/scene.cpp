#include "scene.h"

#include <cstdio>

namespace holdfast::sim {
namespace {

constexpr std::size_t processes_max = 6;

}  // namespace

Scene::Scene(std::uint64_t seed, bool traces)
    : runtime_(open_virtual_runtime(VirtualOptions().seed(seed).loops(1 + processes_max))),
      chance_(runtime_->engine()), plan_(draw_plan(seed, chance_)), begin_(runtime_->now()),
      traces_(traces) {}

void Scene::trace(const char* format, ...) const {
    if (!traces_) {
        return;
    }
    std::printf("%8lld  ", static_cast<long long>(now_ms()));
    va_list arguments;
    va_start(arguments, format);
    std::vprintf(format, arguments);
    va_end(arguments);
    std::putchar('\n');
}

}  // namespace holdfast::sim
