#pragma once
// Codecs of the room made of a base that is a plain member: one virtual call an id.

#include "codecs/date_pattern.h"

#include <holdfast/ids/codec.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast {

// Interface: IdCodec or TextIdCodec.
template <class Interface, class Base>
class PlainCodec final : public Interface {
public:
    explicit PlainCodec(const CodecOptions& options) : base_(options) {}

    Result<Done> append(
        std::string& out, typename Base::Argument id, const TextContext& /*context*/
    ) const override {
        if (const std::string_view fault = base_.append(out, id); !fault.empty()) {
            return Error(Code::invalid_argument, Effect::none, fault);
        }
        return Done();
    }
    Result<typename Base::Value> parse(std::string_view text) const override {
        return base_.parse(text);
    }

private:
    Base base_;
};

// Text around the number, in CosId's order, from the outside in: date and group where they stand
// before the fixed prefix, prefix, date and group where they do not, number, suffix.
class Decoration {
public:
    // The options were checked.
    Decoration(const CodecOptions& options, std::optional<DatePattern> date)
        : options_(options), date_(std::move(date)) {}

    bool has_group() const { return options_.group_prefix().has_value(); }
    bool has_date() const { return date_.has_value(); }
    // Whether the date is the id's own.
    bool has_own_date() const { return has_date() && options_.layout().has_value(); }

    // The literal that says why not. `time`: of the date prefix.
    std::string_view append_before(std::string& out, WallTime time, std::string_view group) const;
    void append_after(std::string& out) const { out += options_.suffix(); }

    struct Stripped {
        std::string_view number;
        std::string_view date;
    };
    Result<Stripped> strip(std::string_view text) const;
    bool is_date_of(std::string_view date, WallTime time) const;

private:
    bool strip_date(std::string_view& text, Stripped& stripped, bool before_prefix) const;

    CodecOptions options_;
    std::optional<DatePattern> date_;
};

template <class Interface, class Base>
class DecoratedCodec final : public Interface {
public:
    DecoratedCodec(const CodecOptions& options, std::optional<DatePattern> date)
        : base_(options), decoration_(options, std::move(date)) {}

    Result<Done> append(std::string& out, typename Base::Argument id, const TextContext& context)
        const override {
        const std::size_t before = out.size();
        std::string_view fault = decoration_.has_own_date() ? base_.fault_of(id) : "";
        if (fault.empty()) {
            const WallTime time = decoration_.has_own_date() ? base_.time_of(id) : context.now;
            fault = decoration_.append_before(out, time, context.group);
        }
        if (fault.empty()) {
            fault = base_.append(out, id);
        }
        if (!fault.empty()) {
            out.resize(before);
            return Error(Code::invalid_argument, Effect::none, fault);
        }
        decoration_.append_after(out);
        return Done();
    }

    Result<typename Base::Value> parse(std::string_view text) const override {
        auto stripped = decoration_.strip(text);
        if (!stripped.ok()) {
            return std::move(stripped).error();
        }
        auto id = base_.parse(stripped.value().number);
        if (id.ok() && decoration_.has_own_date() &&
            !decoration_.is_date_of(stripped.value().date, base_.time_of(id.value()))) {
            return Error(Code::invalid_argument, Effect::none, "the date is not that of the id");
        }
        return id;
    }

private:
    Base base_;
    Decoration decoration_;
};

}  // namespace holdfast
