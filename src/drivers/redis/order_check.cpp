#include "order_check.h"

#include <holdfast/base/fault_switch.h>

#include <algorithm>

namespace holdfast::redis {
namespace {

constexpr std::string_view echo = "*2\r\n$4\r\nECHO\r\n$16\r\n";

// The server answers so to an ECHO too, as long as it is in that state.
bool tells_nothing(RespView reply) {
    const std::string_view text = reply.text();
    return text.starts_with("BUSY ") || text.starts_with("LOADING ") ||
           text.starts_with("NOPERM ") || text.starts_with("NOAUTH ");
}

}  // namespace

// SplitMix64 (https://prng.di.unimi.it/splitmix64.c) as hexadecimal digits.
OrderCheck::Number OrderCheck::number(std::uint64_t index) const {
    std::uint64_t bits = seed_ + (index + 1) * 0x9e3779b97f4a7c15U;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
    bits ^= bits >> 31;
    Number digits{};
    for (char& digit : digits) {
        digit = "0123456789abcdef"[bits & 15];
        bits >>= 4;
    }
    return digits;
}

void OrderCheck::append(WriteBuffer& out) {
    const Number digits = number(written_);
    char* to = out.room(echo.size() + digits.size() + 2);
    to = std::ranges::copy(echo, to).out;
    to = std::ranges::copy(digits, to).out;
    out.wrote(std::ranges::copy(std::string_view("\r\n"), to).out);
    ++written_;
}

bool OrderCheck::allows(RespView reply, bool ours) {
    const bool expected =
        !reply.is_aggregate() && reply.text() == std::string_view(expected_.data(), 16);
    if (fault("redis.05")) {
        return true;
    }
    if (!ours) {
        return !expected;
    }
    ++answered_;
    expect();
    return expected || (reply.is_error() && tells_nothing(reply));
}

void OrderCheck::lost() {
    answered_ = written_;
    expect();
}

}  // namespace holdfast::redis
