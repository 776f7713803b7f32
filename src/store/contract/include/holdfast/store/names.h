#pragma once
// The names a store accepts (spec: keys and namespaces of the store contract). A value of these
// types has been checked: a store needs no second look, and no `{`, `}`, `|`, space or control byte
// can reach a key or a row.

#include <holdfast/base/result.h>

#include <compare>
#include <string>
#include <string_view>

namespace holdfast {

template <class Tag>
class Name {
public:
    // invalid_argument, none: the text breaks the rule of its kind; what() says how.
    static Result<Name> parse(std::string_view text);

    const std::string& text() const { return text_; }
    friend auto operator<=>(const Name&, const Name&) = default;

private:
    explicit Name(std::string text) : text_(std::move(text)) {}
    std::string text_;
};

// 1..200 bytes of A-Z a-z 0-9 . _ - : / @, no empty segment, no segment "." or ".."; "/" splits
// segments.
using RangeKey = Name<struct RangeKeyTag>;
// 1..100 bytes of the same alphabet without "/"; not "." or "..".
using Namespace = Name<struct NamespaceTag>;
using OwnerKey = Name<struct OwnerKeyTag>;
// 1..64 bytes of A-Z a-z 0-9 _ -: the token of one lease session, never reused (stores: condition
// A3).
using Incarnation = Name<struct IncarnationTag>;

// The part before the first "/", the whole key without one: what a client's permissions and
// counters go by.
std::string_view first_segment(const RangeKey& key);

}  // namespace holdfast
