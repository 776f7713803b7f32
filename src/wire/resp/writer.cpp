#include <holdfast/resp/writer.h>

#include <charconv>
#include <cstring>

namespace holdfast {
namespace {

char* write_line(char* to, char type, std::size_t number) {
    *to++ = type;
    to = std::to_chars(to, to + resp_line_bytes_max, number).ptr;
    *to++ = '\r';
    *to++ = '\n';
    return to;
}

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
    *to++ = '\r';
    *to++ = '\n';
    return to;
}

void append_resp_count(std::string& out, std::size_t words) {
    char line[resp_line_bytes_max];
    out.append(line, write_resp_count(line, words));
}

void append_resp_bulk(std::string& out, std::string_view word) {
    char line[resp_line_bytes_max];
    out.append(line, write_line(line, '$', word.size()));
    out.append(word);
    out.append("\r\n", 2);
}

}  // namespace holdfast
