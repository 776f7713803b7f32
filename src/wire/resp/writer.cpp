#include <holdfast/resp/writer.h>

#include <charconv>
#include <cstring>

namespace holdfast {
namespace {

char* write_line(char* to, char type, std::size_t number) {
    *to++ = type;
    if (number < 10) {
        *to++ = static_cast<char>('0' + number);
    } else if (number < 100) {
        *to++ = static_cast<char>('0' + number / 10);
        *to++ = static_cast<char>('0' + number % 10);
    } else {
        to = std::to_chars(to, to + resp_line_bytes_max, number).ptr;
    }
    std::memcpy(to, "\r\n", 2);
    return to + 2;
}

// With its lines it goes into one append.
constexpr std::size_t short_word_bytes_max = 232;

}  // namespace

char* write_resp_count(char* to, std::size_t words) {
    return write_line(to, '*', words);
}

char* write_resp_bulk(char* to, std::string_view word) {
    to = write_line(to, '$', word.size());
    if (!word.empty()) {  // its data() may be null
        std::memcpy(to, word.data(), word.size());
    }
    to += word.size();
    std::memcpy(to, "\r\n", 2);
    return to + 2;
}

void append_resp_count(std::string& out, std::size_t words) {
    char line[resp_line_bytes_max];
    out.append(line, write_line(line, '*', words));
}

void append_resp_bulk(std::string& out, std::string_view word) {
    if (word.size() <= short_word_bytes_max) {
        char text[resp_line_bytes_max + short_word_bytes_max + 2];
        out.append(text, write_resp_bulk(text, word));
        return;
    }
    char line[resp_line_bytes_max];
    out.append(line, write_line(line, '$', word.size()));
    out.append(word);
    out.append("\r\n", 2);
}

}  // namespace holdfast
