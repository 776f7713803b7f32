#pragma once
// A second opinion: reads whole replies by plain recursion, builds trees and copies everything. It
// shares no code with the parser.

#include "feeding.h"

#include <cstdlib>
#include <string>
#include <string_view>

namespace holdfast {

class NaiveParser {
public:
    explicit NaiveParser(std::string_view bytes) : bytes_(bytes) {}

    // Says what Feeder says.
    std::string said() {
        std::string out;
        try {
            while (at_ < bytes_.size()) {
                const std::size_t from = at_;
                const std::string text = value(0);
                out += text + " @" + std::to_string(at_ - from) + "\n";
            }
        } catch (const More&) {
            return out;
        } catch (const Broken&) {
            return out + "broken\n";
        }
        return out;
    }

private:
    struct More {};
    struct Broken {};

    char take() {
        if (at_ == bytes_.size()) {
            throw More();
        }
        return bytes_[at_++];
    }
    void expect(char wanted) {
        if (take() != wanted) {
            throw Broken();
        }
    }
    void line_end() {
        expect('\r');
        expect('\n');
    }
    std::string line() {
        std::string text;
        for (char c = take(); c != '\r'; c = take()) {
            text += c;
        }
        expect('\n');
        return text;
    }
    std::string bytes(unsigned long long count) {
        if (bytes_.size() - at_ < count + 2) {
            throw More();
        }
        std::string text(bytes_.substr(at_, count));
        at_ += count;
        line_end();
        return text;
    }

    // "?" and "-1" as they stand, or the number.
    std::string length() {
        std::string digits;
        for (;;) {
            const char c = take();
            if (c == '\r') {
                break;
            }
            digits += c;
            const bool null = digits == "-" || digits == "-1";
            const bool number = digits.find_first_not_of("0123456789") == std::string::npos &&
                                digits.size() <= 10 && (digits.size() == 1 || digits[0] != '0') &&
                                std::stoull(digits) <= 4'294'967'296ULL;
            if (!null && !number && digits != "?") {
                throw Broken();
            }
        }
        if (digits.empty() || digits == "-") {
            throw Broken();
        }
        expect('\n');
        return digits;
    }

    std::string integer() {
        std::string digits;
        for (char c = take(); c != '\r'; c = take()) {
            digits += c;
            std::string unsigned_digits = digits;
            const bool minus = digits[0] == '-';
            if (minus || digits[0] == '+') {
                unsigned_digits.erase(0, 1);
                if (unsigned_digits.empty()) {
                    continue;
                }
            }
            const std::string most = minus ? "9223372036854775808" : "9223372036854775807";
            if (unsigned_digits.find_first_not_of("0123456789") != std::string::npos ||
                (unsigned_digits.size() > 1 && unsigned_digits[0] == '0') ||
                unsigned_digits.size() > most.size() ||
                (unsigned_digits.size() == most.size() && unsigned_digits > most)) {
                throw Broken();
            }
        }
        if (digits.empty() || digits == "+" || digits == "-") {
            throw Broken();
        }
        expect('\n');
        if (digits == "-0") {
            throw Broken();
        }
        return ":" + std::to_string(std::strtoll(digits.c_str(), nullptr, 10));
    }

    std::string text_with_length(char type) {
        const std::string announced = length();
        if (announced == "?") {
            if (type != '$') {
                throw Broken();
            }
            std::string whole;
            for (;;) {
                expect(';');
                const std::string size = length();
                if (size == "?" || size == "-1") {
                    throw Broken();
                }
                if (size == "0") {
                    return counted("$", whole);
                }
                whole += bytes(std::stoull(size));
            }
        }
        if (announced == "-1") {
            if (type != '$') {
                throw Broken();
            }
            return "null";
        }
        if (type == '=' && std::stoull(announced) < 4) {
            throw Broken();
        }
        const std::string text = bytes(std::stoull(announced));
        if (type == '=') {
            if (text[3] != ':') {
                throw Broken();
            }
            return counted("=", text.substr(4));
        }
        return counted(std::string(1, type == '!' ? '-' : '$'), text);
    }

    // Values until `count` of them were read, or, if there is none announced, until the end mark.
    std::string children(char type, const std::string& announced, int depth) {
        std::string out;
        unsigned long long seen = 0;
        const bool streamed = announced == "?";
        const unsigned long long count =
            streamed ? 0 : std::stoull(announced) * (type == '%' ? 2 : 1);
        for (;; ++seen) {
            if (streamed && at_ < bytes_.size() && bytes_[at_] == '.') {
                if (type == '%' && seen % 2 != 0) {
                    throw Broken();
                }
                ++at_;
                line_end();
                break;
            }
            if (!streamed && seen == count) {
                break;
            }
            out += value(depth) + " ";
        }
        return std::string(1, type) + std::to_string(seen) + "[" + out + "]";
    }

    std::string aggregate(char type, int depth) {
        if (type == '>' && depth > 0) {
            throw Broken();
        }
        const std::string announced = length();
        if (announced == "-1") {
            if (type != '*') {
                throw Broken();
            }
            return "null";
        }
        if (announced == "?"
                ? type == '>'
                : std::stoull(announced) > (type == '%' ? 0xffff'0000ULL / 2 : 0xffff'0000ULL)) {
            throw Broken();
        }
        if (depth == 128) {
            throw Broken();
        }
        return children(type, announced, depth + 1);
    }

    void attribute(int depth) {
        const std::string announced = length();
        if (announced == "?" || announced == "-1" || depth == 128 ||
            std::stoull(announced) > 0xffff'0000ULL / 2) {
            throw Broken();
        }
        children('%', announced, depth + 1);
    }

    std::string value(int depth) {
        for (;;) {
            const char type = take();
            switch (type) {
            case '|':
                attribute(depth);
                continue;
            case '+':
            case '-':
            case ',':
            case '(':
                return counted(std::string(1, type), line());
            case ':':
                return integer();
            case '_':
                line_end();
                return "null";
            case '#': {
                const char letter = take();
                if (letter != 't' && letter != 'f') {
                    throw Broken();
                }
                line_end();
                return letter == 't' ? "true" : "false";
            }
            case '$':
            case '!':
            case '=':
                return text_with_length(type);
            case '*':
            case '~':
            case '%':
            case '>':
                return aggregate(type, depth);
            default:
                throw Broken();
            }
        }
    }

    std::string_view bytes_;
    std::size_t at_ = 0;
};

}  // namespace holdfast
