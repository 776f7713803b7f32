#include <holdfast/redis/command.h>

#include <array>

namespace holdfast::redis {

namespace {

constexpr std::uint16_t polynomial = 0x1021;  // CRC16 XMODEM, as the cluster specification says
constexpr std::uint16_t slots = 16384;

constexpr std::array<std::uint16_t, 256> crc_of_bytes() {
    std::array<std::uint16_t, 256> table{};
    for (std::size_t byte = 0; byte < table.size(); ++byte) {
        auto crc = static_cast<std::uint16_t>(byte << 8);
        for (int bit = 0; bit < 8; ++bit) {
            const bool top = (crc & 0x8000) != 0;
            crc = static_cast<std::uint16_t>(crc << 1);
            if (top) {
                crc ^= polynomial;
            }
        }
        table[byte] = crc;
    }
    return table;
}

constexpr std::array<std::uint16_t, 256> crc_table = crc_of_bytes();

// What decides about the slot: the first non-empty text between the first { and the next }.
std::string_view hashed_part(std::string_view key) {
    const std::size_t open = key.find('{');
    if (open == std::string_view::npos) {
        return key;
    }
    const std::size_t close = key.find('}', open + 1);
    if (close == std::string_view::npos || close == open + 1) {
        return key;
    }
    return key.substr(open + 1, close - open - 1);
}

}  // namespace

std::int32_t key_slot(std::string_view key) {
    std::uint16_t crc = 0;
    for (const char c : hashed_part(key)) {
        const auto index = static_cast<std::uint8_t>((crc >> 8) ^ static_cast<std::uint8_t>(c));
        crc = static_cast<std::uint16_t>((crc << 8) ^ crc_table[index]);
    }
    return crc % slots;
}

}  // namespace holdfast::redis
