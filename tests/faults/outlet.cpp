#include "outlet.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace holdfast::testing {

void Outlet::add(std::string bytes, SteadyTime due) {
    if (!bytes.empty()) {
        size_ += bytes.size();
        queue_.push_back({std::move(bytes), due});
    }
}

void Outlet::clear() {
    queue_.clear();
    size_ = 0;
}

std::optional<SteadyTime> Outlet::due(const Slices& slices) const {
    if (queue_.empty()) {
        return std::nullopt;
    }
    return slices.bytes == 0 ? queue_.front().due : std::max(queue_.front().due, paced_);
}

bool Outlet::write(int fd, SteadyTime now, const Slices& slices) {
    for (auto next = due(slices); next.has_value() && *next <= now; next = due(slices)) {
        Piece& piece = queue_.front();
        const std::size_t left = piece.bytes.size() - piece.sent;
        const std::size_t size = slices.bytes == 0 ? left : std::min(left, slices.bytes);
        const ssize_t sent = send(fd, piece.bytes.data() + piece.sent, size, MSG_NOSIGNAL);
        if (sent < 0) {
            return errno == EAGAIN || errno == EINTR;
        }
        piece.sent += static_cast<std::size_t>(sent);
        size_ -= static_cast<std::size_t>(sent);
        if (piece.sent == piece.bytes.size()) {
            queue_.pop_front();
        }
        if (slices.bytes != 0) {
            paced_ = now + slices.pace;
        }
    }
    return true;
}

}  // namespace holdfast::testing
