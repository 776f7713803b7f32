#pragma once
// Every field of an answer as text: what two answers are compared by, and what a difference is told
// with.

#include <holdfast/store/store.h>

#include <string>

namespace holdfast {

std::string text_of(const Result<ReserveOutcome>& answer);
std::string text_of(const Result<SealOutcome>& answer);
std::string text_of(const Result<AcquireOutcome>& answer);
std::string text_of(const Result<RenewOutcome>& answer);
std::string text_of(const Result<ReleaseOutcome>& answer);

}  // namespace holdfast
