#include <holdfast/io/compose.h>
#include <holdfast/io/stream.h>

#include <algorithm>

namespace holdfast {
namespace {

// What is left of two pieces of bytes.
class Pieces {
public:
    Pieces(std::span<const std::byte> first, std::span<const std::byte> second)
        : first_(first), second_(second) {}
    std::span<const std::byte> first() const { return first_; }
    std::span<const std::byte> second() const { return second_; }
    bool empty() const { return first_.empty() && second_.empty(); }
    void skip(std::size_t count) {
        const std::size_t of_first = std::min(count, first_.size());
        first_ = first_.subspan(of_first);
        second_ = second_.subspan(count - of_first);
    }

private:
    std::span<const std::byte> first_;
    std::span<const std::byte> second_;
};

Error after(Error error, bool bytes_left) {
    if (!bytes_left || error.effect() == Effect::unknown) {
        return error;
    }
    return Error(error.code(), Effect::unknown, error.what());
}

Task<> write_rest(Stream& stream, Pieces pieces, bool bytes_left) {
    while (!pieces.empty()) {
        auto wrote = co_await stream.write_some(pieces.first(), pieces.second());
        if (!wrote.ok()) {
            co_return after(std::move(wrote).error(), bytes_left);
        }
        bytes_left = bytes_left || wrote.value() != 0;
        pieces.skip(wrote.value());
    }
    co_return Done();
}

}  // namespace

Task<> write_all(
    Stream& stream,
    std::span<const std::byte> first,
    std::span<const std::byte> second,
    Deadline deadline
) {
    // Sockets are ready nearly always: the deadline costs nothing then.
    Pieces pieces(first, second);
    Scope& scope = co_await this_scope();
    if (scope.cancelled()) {
        co_return cancelled_error();
    }
    auto wrote = stream.write_now(pieces.first(), pieces.second());
    if (!wrote.ok()) {
        co_return std::move(wrote).error();
    }
    const bool bytes_left = wrote.value() != 0;
    pieces.skip(wrote.value());
    if (pieces.empty()) {
        co_return Done();
    }
    auto rest = co_await with_deadline(write_rest(stream, pieces, bytes_left), deadline);
    if (!rest.ok()) {
        co_return after(std::move(rest).error(), bytes_left);
    }
    co_return Done();
}

}  // namespace holdfast
