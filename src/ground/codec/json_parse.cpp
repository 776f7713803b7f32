#include "json_builder.h"

#include <boost/json/basic_parser_impl.hpp>

#include <limits>

namespace holdfast {
namespace {

using boost::json::error_code;

std::string_view view(boost::json::string_view text) {
    return {text.data(), text.size()};
}

// Boost's parser checks the grammar and the encoding; what it finds goes to the builder.
class Handler {
public:
    static constexpr std::size_t max_object_size = std::numeric_limits<std::size_t>::max();
    static constexpr std::size_t max_array_size = std::numeric_limits<std::size_t>::max();
    static constexpr std::size_t max_key_size = std::numeric_limits<std::size_t>::max();
    static constexpr std::size_t max_string_size = std::numeric_limits<std::size_t>::max();

    explicit Handler(JsonBuilder& builder) : builder_(builder) {}

    bool on_document_begin(error_code&) { return true; }
    bool on_document_end(error_code&) { return true; }
    bool on_object_begin(error_code&) { return opened(JsonKind::object); }
    bool on_object_end(std::size_t, error_code& error) { return closed(error); }
    bool on_array_begin(error_code&) { return opened(JsonKind::array); }
    bool on_array_end(std::size_t, error_code& error) { return closed(error); }
    bool on_key_part(boost::json::string_view part, std::size_t, error_code&) {
        builder_.add_part(view(part));
        return true;
    }
    bool on_key(boost::json::string_view last, std::size_t, error_code&) {
        builder_.finish_name(view(last));
        return true;
    }
    bool on_string_part(boost::json::string_view part, std::size_t, error_code&) {
        builder_.add_part(view(part));
        return true;
    }
    bool on_string(boost::json::string_view last, std::size_t, error_code&) {
        builder_.finish_text(view(last));
        return true;
    }
    // The token lies in the text in one piece, whether or not the parser names its beginning first.
    bool on_number_part(boost::json::string_view part, error_code&) {
        number_at_ = number_at_ == nullptr ? part.data() : number_at_;
        return true;
    }
    bool on_int64(std::int64_t, boost::json::string_view last, error_code&) { return number(last); }
    bool on_uint64(std::uint64_t, boost::json::string_view last, error_code&) {
        return number(last);
    }
    bool on_double(double, boost::json::string_view last, error_code&) { return number(last); }
    bool on_bool(bool value, error_code&) {
        builder_.boolean(value);
        return true;
    }
    bool on_null(error_code&) {
        builder_.null();
        return true;
    }
    bool on_comment_part(boost::json::string_view, error_code&) { return false; }
    bool on_comment(boost::json::string_view, error_code&) { return false; }

private:
    bool opened(JsonKind kind) {
        builder_.open(kind);
        return true;
    }

    bool closed(error_code& error) {
        if (builder_.close()) {
            return true;
        }
        error = boost::json::error::syntax;
        return false;
    }

    bool number(boost::json::string_view last) {
        const char* const begin = number_at_ == nullptr ? last.data() : number_at_;
        builder_.number({begin, static_cast<std::size_t>(last.data() + last.size() - begin)});
        number_at_ = nullptr;
        return true;
    }

    JsonBuilder& builder_;
    const char* number_at_ = nullptr;
};

Error refused(std::string_view what) {
    return Error(Code::invalid_argument, Effect::none, what);
}

Error refused(const error_code& error) {
    if (error == boost::json::error::too_deep) {
        return refused("the JSON text is nested too deeply");
    }
    return refused("the text is not valid JSON");
}

}  // namespace

Result<JsonValue> JsonDocument::parse(std::string_view text) {
    if (text.size() > json_text_bytes_max) {
        return refused("the JSON text is too long");
    }
    boost::json::parse_options options;
    options.max_depth = json_depth_max;
    JsonBuilder builder(*this, text);
    boost::json::basic_parser<Handler> parser(options, builder);
    error_code error;
    const std::size_t used = parser.write_some(false, text.data(), text.size(), error);
    if (repeated_name_) {
        return refused("a JSON object has the same name twice");
    }
    if (error) {
        return refused(error);
    }
    if (used != text.size()) {
        return refused("bytes follow the JSON value");
    }
    return JsonValue(builder.root());
}

Result<JsonObject> JsonDocument::parse_object(std::string_view text) {
    Result<JsonValue> value = parse(text);
    if (!value.ok()) {
        return std::move(value).error();
    }
    const std::optional<JsonObject> object = value.value().object();
    if (!object) {
        return refused("the JSON text is not an object");
    }
    return *object;
}

}  // namespace holdfast
