#include <holdfast/redis/command.h>

#include <array>

namespace holdfast::redis {

namespace {

constexpr std::uint16_t polynomial = 0x1021;  // CRC16 XMODEM, as the cluster specification says
constexpr std::uint16_t slots = 16384;

// Bytes that are taken at once: short keys are one or two steps, and the tables are 4 KB.
constexpr std::size_t step = 8;

// Of each byte with so many zero bytes behind it.
using CrcTable = std::array<std::uint16_t, 256>;

constexpr std::uint16_t with_byte(std::uint16_t crc, const CrcTable& table, std::uint8_t byte) {
    const auto index = static_cast<std::uint8_t>((crc >> 8) ^ byte);
    return static_cast<std::uint16_t>((crc << 8) ^ table[index]);
}

constexpr std::array<CrcTable, step> crc_of_bytes() {
    std::array<CrcTable, step> tables{};
    for (std::size_t byte = 0; byte < tables[0].size(); ++byte) {
        auto crc = static_cast<std::uint16_t>(byte << 8);
        for (int bit = 0; bit < 8; ++bit) {
            const bool top = (crc & 0x8000) != 0;
            crc = static_cast<std::uint16_t>(crc << 1);
            if (top) {
                crc ^= polynomial;
            }
        }
        tables[0][byte] = crc;
    }
    for (std::size_t zeros = 1; zeros < step; ++zeros) {
        for (std::size_t byte = 0; byte < tables[0].size(); ++byte) {
            tables[zeros][byte] = with_byte(tables[zeros - 1][byte], tables[0], 0);
        }
    }
    return tables;
}

constexpr std::array<CrcTable, step> crc_tables = crc_of_bytes();

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
    const std::string_view text = hashed_part(key);
    const char* at = text.data();
    std::size_t left = text.size();
    std::uint16_t crc = 0;
    for (; left >= step; left -= step, at += step) {
        const auto first = static_cast<std::uint8_t>((crc >> 8) ^ static_cast<std::uint8_t>(at[0]));
        const auto second = static_cast<std::uint8_t>(crc ^ static_cast<std::uint8_t>(at[1]));
        crc = crc_tables[step - 1][first] ^ crc_tables[step - 2][second];
        for (std::size_t i = 2; i < step; ++i) {
            crc ^= crc_tables[step - 1 - i][static_cast<std::uint8_t>(at[i])];
        }
    }
    for (; left != 0; --left, ++at) {
        crc = with_byte(crc, crc_tables[0], static_cast<std::uint8_t>(*at));
    }
    return crc % slots;
}

}  // namespace holdfast::redis
