#include <holdfast/io/keyed_hash.h>
#include <holdfast/io/random.h>

#include <bit>
#include <cstring>

namespace holdfast {
namespace {

static_assert(std::endian::native == std::endian::little, "words are read as they lie");

struct State {
    std::uint64_t a;
    std::uint64_t b;
    std::uint64_t c;
    std::uint64_t d;

    void round() {
        a += b;
        c += d;
        b = std::rotl(b, 13) ^ a;
        d = std::rotl(d, 16) ^ c;
        a = std::rotl(a, 32);
        c += b;
        a += d;
        b = std::rotl(b, 17) ^ c;
        d = std::rotl(d, 21) ^ a;
        c = std::rotl(c, 32);
    }
    void take(std::uint64_t word) {
        d ^= word;
        round();
        round();
        a ^= word;
    }
};

}  // namespace

KeyedHash KeyedHash::fresh() {
    return KeyedHash({system_random().next(), system_random().next()});
}

std::uint64_t KeyedHash::of(std::string_view text) const {
    // The four words of "somepseudorandomlygeneratedbytes".
    State state{
        key_[0] ^ 0x736f6d6570736575,
        key_[1] ^ 0x646f72616e646f6d,
        key_[0] ^ 0x6c7967656e657261,
        key_[1] ^ 0x7465646279746573
    };
    std::uint64_t last = static_cast<std::uint64_t>(text.size()) << 56;
    for (; text.size() >= 8; text.remove_prefix(8)) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data(), 8);
        state.take(word);
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
        last |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])) << (8 * i);
    }
    state.take(last);
    state.c ^= 0xff;
    for (int i = 0; i < 4; ++i) {
        state.round();
    }
    return state.a ^ state.b ^ state.c ^ state.d;
}

}  // namespace holdfast
