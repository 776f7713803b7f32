#pragma once
// A store that counts and times the calls of another.

#include <holdfast/io/runtime.h>
#include <holdfast/observe/metrics.h>
#include <holdfast/store/store.h>

#include <memory>

namespace holdfast {

// Answers are passed on as they are. `runtime` and `metrics` outlive the store; calls are made on
// loops of that runtime, others are passed on uncounted.
std::unique_ptr<Store> meter(std::unique_ptr<Store> store, Runtime& runtime, Metrics& metrics);

}  // namespace holdfast
