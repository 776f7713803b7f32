// Whether the time of a refused token tells how near it came: Welch's t over paired classes of
// wrong tokens, in turns of random order. |t| above 5 would mean that the two can be told apart.

#include "auth.h"
#include "keyed_hash.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::bench {
namespace {

constexpr std::size_t headers_each = 1'000;
constexpr std::size_t rounds = 250;
constexpr std::size_t tokens_known = 8;
constexpr std::size_t token_bytes = 43;
constexpr double t_max = 5;

std::string random_token(std::mt19937_64& random, std::size_t bytes) {
    constexpr std::string_view letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    std::string token;
    for (std::size_t i = 0; i < bytes; ++i) {
        token.push_back(letters[random() % letters.size()]);
    }
    return token;
}

// The mean and variance of what is left without the slowest twentieth, which interrupts made.
struct Sample {
    double mean = 0;
    double variance = 0;
    double count = 0;
};
Sample sample_of(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    times.resize(times.size() - times.size() / 20);
    Sample sample;
    sample.count = static_cast<double>(times.size());
    for (double time : times) {
        sample.mean += time / sample.count;
    }
    for (double time : times) {
        sample.variance += (time - sample.mean) * (time - sample.mean) / (sample.count - 1);
    }
    return sample;
}
double welch(const Sample& a, const Sample& b) {
    return (a.mean - b.mean) / std::sqrt(a.variance / a.count + b.variance / b.count);
}

double nanoseconds_of(TokenTable& table, const std::string& header) {
    const auto begin = std::chrono::steady_clock::now();
    const auto found = table.find(std::string_view(header));
    const auto end = std::chrono::steady_clock::now();
    if (found.has_value()) {
        std::puts("a wrong token was taken");
        std::exit(1);
    }
    return std::chrono::duration<double, std::nano>(end - begin).count();
}

int run() {
    std::mt19937_64 random(1);
    AuthOptions options;
    std::vector<std::string> known;
    for (std::size_t i = 0; i < tokens_known; ++i) {
        known.push_back(random_token(random, token_bytes));
        options.tokens.emplace_back(known.back());
    }
    const KeyedHash names = KeyedHash::fresh();
    TokenTable table(options, names);

    constexpr std::array<const char*, 4> classes{
        "first byte wrong", "last byte wrong", "one byte short", "unknown, as short"
    };
    std::array<std::vector<double>, classes.size() + 1> times;  // the last: unknown, as long
    const auto header_of = [&](std::size_t number) {
        std::string token = known[random() % known.size()];
        switch (number) {
        case 0:
            token.front() = token.front() == '.' ? ',' : '.';
            break;
        case 1:
            token.back() = token.back() == '.' ? ',' : '.';
            break;
        case 2:
            token.pop_back();
            break;
        case 3:
            token = random_token(random, token_bytes - 1);
            break;
        default:
            token = random_token(random, token_bytes);
            break;
        }
        return "Bearer " + token;
    };
    // Made before, so that what a class needs to be made is not measured with it.
    std::vector<std::pair<std::size_t, std::string>> headers;
    for (std::size_t i = 0; i < headers_each * times.size(); ++i) {
        headers.emplace_back(i % times.size(), header_of(i % times.size()));
    }
    for (std::size_t round = 0; round < rounds; ++round) {
        std::shuffle(headers.begin(), headers.end(), random);
        for (const auto& [number, header] : headers) {
            times[number].push_back(nanoseconds_of(table, header));
        }
    }

    const Sample as_long = sample_of(times[4]);
    const Sample as_short = sample_of(times[3]);
    const std::array<double, 3> t{
        welch(sample_of(times[0]), as_long),
        welch(sample_of(times[1]), as_long),
        welch(sample_of(times[2]), as_short)
    };
    bool holds = true;
    for (std::size_t i = 0; i < t.size(); ++i) {
        holds = holds && std::abs(t[i]) < t_max;
        std::printf(
            "%s against an unknown token of its length: t %.2f, bar |t| < %.0f: %s\n",
            classes[i],
            t[i],
            t_max,
            std::abs(t[i]) < t_max ? "holds" : "MISSED"
        );
    }
    std::printf(
        "%zu measurements each, %zu tokens known, mean %.0f ns\n",
        headers_each * rounds,
        tokens_known,
        as_long.mean
    );
    return holds ? 0 : 1;
}

}  // namespace
}  // namespace holdfast::bench

int main() {
    return holdfast::bench::run();
}
