// Random replies, right and damaged, against the naive parser and against what they were made of.
#include "naive_parser.h"

#include <gtest/gtest.h>

#include <random>

namespace holdfast {
namespace {

class Maker {
public:
    explicit Maker(unsigned seed) : random_(seed) {}

    struct Made {
        std::string bytes;
        std::string text;
    };

    Made reply() { return below(10) == 0 ? aggregate('>', 0) : value(0); }
    unsigned below(unsigned limit) { return random_() % limit; }

private:
    static std::string line(char type, const std::string& text) { return type + text + "\r\n"; }

    std::string word() {
        std::string text;
        for (unsigned size = below(4) == 0 ? below(200) : below(8); size > 0; --size) {
            text += "\r\n$*:+-a1;."[below(11)];
        }
        return text;
    }
    std::string plain_word() {
        std::string text;
        for (unsigned size = below(40); size > 0; --size) {
            text += static_cast<char>('a' + below(26));
        }
        return text;
    }

    std::string attributes(int depth) {
        std::string bytes;
        while (depth < 4 && below(8) == 0) {
            const unsigned entries = below(3);
            bytes += line('|', std::to_string(entries));
            for (unsigned i = 0; i < 2 * entries; ++i) {
                bytes += value(depth + 1).bytes;
            }
        }
        return bytes;
    }

    Made streamed_text() {
        std::string whole;
        std::string bytes = "$?\r\n";
        for (unsigned chunks = below(4); chunks > 0; --chunks) {
            const std::string part = word() + "x";
            whole += part;
            bytes += line(';', std::to_string(part.size())) + part + "\r\n";
        }
        return {bytes + ";0\r\n", counted("$", whole)};
    }

    Made aggregate(char type, int depth) {
        const unsigned entries = below(5);
        const unsigned children = type == '%' ? 2 * entries : entries;
        const bool streamed = type != '>' && below(4) == 0;
        Made made{
            line(type, streamed ? "?" : std::to_string(entries)),
            type + std::to_string(children) + "["
        };
        for (unsigned i = 0; i < children; ++i) {
            const Made child = value(depth + 1);
            made.bytes += child.bytes;
            made.text += child.text + " ";
        }
        made.bytes += streamed ? ".\r\n" : "";
        made.text += "]";
        return made;
    }

    Made scalar() {
        const std::string text = word();
        const std::string plain = plain_word();
        switch (below(12)) {
        case 0:
            return {line('+', plain), counted("+", plain)};
        case 1:
            return {line('-', plain), counted("-", plain)};
        case 2: {
            const auto number =
                static_cast<std::int64_t>((std::uint64_t{random_()} << 32U) | random_());
            const std::string digits = std::to_string(below(2) == 0 ? number : number % 1000);
            return {line(':', digits), ":" + digits};
        }
        case 3:
            return {"_\r\n", "null"};
        case 4:
            return {below(2) == 0 ? "$-1\r\n" : "*-1\r\n", "null"};
        case 5:
            return {"#t\r\n", "true"};
        case 6:
            return {line(',', "1.5e3"), ",5:1.5e3"};
        case 7:
            return {
                line('(', "123456789012345678901234567890"), "(30:123456789012345678901234567890"
            };
        case 8:
            return {line('!', std::to_string(text.size())) + text + "\r\n", counted("-", text)};
        case 9:
            return {
                line('=', std::to_string(text.size() + 4)) + "txt:" + text + "\r\n",
                counted("=", text)
            };
        case 10:
            return streamed_text();
        default:
            return {line('$', std::to_string(text.size())) + text + "\r\n", counted("$", text)};
        }
    }

    Made value(int depth) {
        const std::string before = attributes(depth);
        Made made = depth < 5 && below(3) == 0 ? aggregate("*~%"[below(3)], depth) : scalar();
        made.bytes = before + made.bytes;
        return made;
    }

    std::mt19937 random_;
};

TEST(RandomReplies, are_what_they_were_made_of_however_they_are_cut) {
    for (unsigned seed = 0; seed < 2000; ++seed) {
        Maker maker(seed);
        std::string bytes;
        std::string said;
        for (int i = 0; i < 3; ++i) {
            const Maker::Made made = maker.reply();
            bytes += made.bytes;
            said += made.text + " @" + std::to_string(made.bytes.size()) + "\n";
        }
        ASSERT_EQ(NaiveParser(bytes).said(), said) << "seed " << seed;
        ASSERT_EQ(said_of(bytes, bytes.size()), said) << "seed " << seed;
        ASSERT_EQ(said_of(bytes, 1 + maker.below(30)), said) << "seed " << seed;
        if (bytes.size() < 500) {
            ASSERT_EQ(said_of(bytes, 1), said) << "seed " << seed;
        }
    }
}

TEST(RandomReplies, damaged_ones_are_judged_as_the_naive_parser_judges_them) {
    for (unsigned seed = 0; seed < 6000; ++seed) {
        Maker maker(seed);
        std::string bytes = maker.reply().bytes + maker.reply().bytes;
        for (unsigned damages = 1 + maker.below(3); damages > 0 && !bytes.empty(); --damages) {
            const std::size_t at = maker.below(static_cast<unsigned>(bytes.size()));
            switch (maker.below(3)) {
            case 0:
                bytes[at] = "0123456789-+?;.|\r\n$*%~>_#,(=!:x"[maker.below(32)];
                break;
            case 1:
                bytes.erase(at, 1 + maker.below(3));
                break;
            default:
                bytes.insert(at, 1, "0123456789-+?;.|\r\n$*%~>_#,(=!:x"[maker.below(32)]);
            }
        }
        const std::string said = NaiveParser(bytes).said();
        ASSERT_EQ(said_of(bytes, bytes.size()), said) << "seed " << seed;
        ASSERT_EQ(said_of(bytes, 1 + maker.below(30)), said) << "seed " << seed;
    }
}

// What a beginning is judged to be does not depend on the calls before.
TEST(RandomReplies, a_beginning_is_judged_the_same_at_every_byte) {
    for (unsigned seed = 0; seed < 1000; ++seed) {
        Maker maker(seed);
        std::string bytes = maker.reply().bytes;
        bytes[maker.below(static_cast<unsigned>(bytes.size()))] = "0-+?;.\r\n$*"[maker.below(10)];
        RespParser sliced;
        RespStatus last = RespStatus::incomplete;
        for (std::size_t size = 1; size <= bytes.size() && last == RespStatus::incomplete; ++size) {
            const std::string_view beginning = std::string_view(bytes).substr(0, size);
            last = sliced.parse(beginning);
            RespParser whole;
            ASSERT_EQ(whole.parse(beginning), last) << "seed " << seed << " at " << size;
        }
    }
}

}  // namespace
}  // namespace holdfast
