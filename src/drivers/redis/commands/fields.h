#pragma once
// Reads a record: a map, or in RESP2 a flat array of names and values.

#include <holdfast/redis/read.h>

#include <optional>
#include <string_view>

namespace holdfast::redis {

class Fields {
public:
    explicit Fields(RespView reply)
        : reply_(reply), ok_(reply.type() == RespType::map ||
                             (reply.type() == RespType::array && reply.size() % 2 == 0)) {}

    bool ok() const { return ok_; }

    std::optional<RespView> find(std::string_view name) const {
        if (!ok_) {
            return std::nullopt;
        }
        for (auto at = reply_.begin(); at != reply_.end(); ++at) {
            const RespView key = *at;
            ++at;
            if (!key.is_aggregate() && key.text() == name) {
                return *at;
            }
        }
        return std::nullopt;
    }

    // Must be there.
    template <class T>
    Fields& take(std::string_view name, T& into, Result<T> (*read)(RespView)) {
        ok_ = ok_ && find(name).has_value();
        return take_if_there(name, into, read);
    }
    // Other versions of the server may not send it.
    template <class T>
    Fields& take_if_there(std::string_view name, T& into, Result<T> (*read)(RespView)) {
        const std::optional<RespView> value = find(name);
        if (!ok_ || !value) {
            return *this;
        }
        Result<T> got = read(*value);
        ok_ = got.ok();
        if (ok_) {
            into = std::move(got).value();
        }
        return *this;
    }

    template <class Record>
    Result<Record> give(Record& record) const {
        if (!ok_) {
            return wrong_shape();
        }
        return std::move(record);
    }

private:
    RespView reply_;
    bool ok_;
};

// Reads a record that is sent as an array of fixed places.
class Places {
public:
    Places(RespView reply, std::size_t least)
        : at_(reply.begin()), left_(reply.size()), ok_(is_list(reply) && reply.size() >= least) {}

    bool ok() const { return ok_; }
    bool more() const { return ok_ && left_ > 0; }

    template <class T>
    Places& take(T& into, Result<T> (*read)(RespView)) {
        ok_ = more();
        if (!ok_) {
            return *this;
        }
        Result<T> got = read(*at_);
        ok_ = got.ok();
        if (ok_) {
            into = std::move(got).value();
        }
        return skip();
    }
    Places& skip() {
        if (more()) {
            ++at_;
            --left_;
        }
        return *this;
    }
    RespView here() const { return *at_; }

    template <class Record>
    Result<Record> give(Record& record) const {
        if (!ok_) {
            return wrong_shape();
        }
        return std::move(record);
    }

private:
    RespView::Iterator at_;
    std::size_t left_;
    bool ok_;
};

}  // namespace holdfast::redis
