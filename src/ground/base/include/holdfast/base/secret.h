#pragma once
// Text that must not be shown: no printer, no comparison, wiped when it goes.

#include <string>
#include <string_view>
#include <utility>

namespace holdfast {

class Secret {
public:
    Secret() = default;
    explicit Secret(std::string text) : text_(std::move(text)) {}
    Secret(const Secret&) = default;
    Secret(Secret&& other) noexcept : text_(std::move(other.text_)) { other.wipe(); }
    Secret& operator=(Secret other) noexcept {
        text_.swap(other.text_);
        return *this;
    }
    ~Secret() { wipe(); }

    bool empty() const { return text_.empty(); }
    // The one way to the text; its callers are easy to list.
    std::string_view reveal() const { return text_; }

private:
    void wipe() noexcept {
        volatile char* bytes = text_.data();
        for (std::size_t i = 0; i < text_.size(); ++i) {
            bytes[i] = 0;
        }
        text_.clear();
    }

    std::string text_;
};

}  // namespace holdfast
