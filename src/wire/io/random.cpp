#include <holdfast/io/random.h>

#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

namespace holdfast {
namespace {

class SystemRandom final : public Random {
public:
    void fill(std::span<std::byte> bytes) override {
        while (!bytes.empty()) {
            const ssize_t got = getrandom(bytes.data(), bytes.size(), 0);
            if (got < 0 && errno != EINTR) {
                std::abort();  // no kernel that runs this program lacks it; guessing would be worse
            }
            bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        }
    }
    std::uint64_t next() override {
        std::uint64_t number = 0;
        fill(std::as_writable_bytes(std::span(&number, 1)));
        return number;
    }
};

}  // namespace

Random& system_random() {
    static SystemRandom random;
    return random;
}

}  // namespace holdfast
