#pragma once
// A command is a value: its words, where its keys are, what repeating it does, where it may travel,
// and how to read the answer. Every verb of the client takes every command.

#include <holdfast/base/result.h>
#include <holdfast/redis/words.h>
#include <holdfast/resp/reply.h>
#include <holdfast/resp/writer.h>

#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast::redis {

// What sending it again does after the first answer was lost.
enum class Repeat : std::uint8_t {
    read,        // changes nothing: sent again freely
    idempotent,  // has the same effect twice as once: sent again while the deadline lasts
    once,        // never sent again once it may have been written
};

// Which kind of connection it travels on.
enum class Lane : std::uint8_t {
    shared,    // multiplexed with everyone's
    blocking,  // keeps its connection busy until it answers: one of a pool
    lease,     // changes the state of its connection: only on one that the caller holds
    push,      // changes what the connection is told unasked
};

// What an error reply says about the effect.
enum class OnError : std::uint8_t {
    nothing_done,  // a single command: the server refused it as a whole
    maybe_done,    // a script, EXEC: something before the error may have been done
};

inline constexpr std::int32_t slot_of_no_key = -1;
inline constexpr std::int32_t slot_of_many = -2;       // the keys have different slots
inline constexpr std::int32_t slot_of_first_key = -3;  // not worked out yet
// CRC16 (XMODEM) of the key, or of what stands in its first {..}, modulo 16384.
std::int32_t key_slot(std::string_view key);

// Bytes of the words, encoded as they travel; short ones without an allocation.
class CommandBytes {
public:
    static constexpr std::size_t inline_bytes = 112;

    void append_bulk(std::string_view word) {
        const std::size_t need = size_ + word.size() + resp_line_bytes_max + 2;
        if (heap_.empty() && need <= inline_bytes) {
            size_ = static_cast<std::size_t>(
                write_resp_bulk(inline_.data() + size_, word) - inline_.data()
            );
            return;
        }
        if (heap_.empty()) {
            heap_.reserve(need * 2);
            heap_.assign(inline_.data(), size_);
        }
        append_resp_bulk(heap_, word);
        size_ = heap_.size();
    }
    std::string_view view() const {
        return heap_.empty() ? std::string_view(inline_.data(), size_) : std::string_view(heap_);
    }

private:
    std::array<char, inline_bytes>
        inline_;  // NOLINT(cppcoreguidelines-pro-type-member-init): size_ says what is set
    std::size_t size_ = 0;
    std::string heap_;
};

// All of a command but the type of its answer. Move it, or copy it to use it again.
class AnyCommand {
public:
    // `name`: a literal, as in COMMAND LIST but in capitals ("CLIENT|SETNAME" for what has two
    // words: both are added).
    explicit AnyCommand(std::string_view name, Repeat repeat = Repeat::once)
        : name_(name), repeat_(repeat) {
        const std::size_t bar = name.find('|');
        add(name.substr(0, bar));
        if (bar != std::string_view::npos) {
            add(name.substr(bar + 1));
        }
    }

    AnyCommand& add(std::string_view word) {
        bytes_.append_bulk(word);
        ++words_;
        return *this;
    }
    // In decimal.
    template <std::integral Number>
        requires(!std::same_as<Number, bool> && !std::same_as<Number, char>)
    AnyCommand& add(Number number) {
        std::array<char, 24> text;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled here
        return add(std::string_view(
            text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr
        ));
    }
    AnyCommand& add(double number);  // the shortest text that reads back as the same
    AnyCommand& add_words(Words words) {
        for (std::size_t i = 0; i < words.size(); ++i) {
            add(words[i]);
        }
        return *this;
    }
    AnyCommand& add_key(std::string_view key) {
        if (keys_ != 0) {
            return add_further_key(key);
        }
        keys_ = 1;
        first_key_ = words_;
        slot_ = slot_of_first_key;
        add(key);
        key_size_ = key.size();
        key_end_ = bytes_.view().size() - 2;
        return *this;
    }
    AnyCommand& add_keys(Words keys) {
        for (std::size_t i = 0; i < keys.size(); ++i) {
            add_key(keys[i]);
        }
        return *this;
    }

    // One without keys that is meant for the node that has this slot.
    AnyCommand& route_to(std::int32_t slot) {
        slot_ = slot;
        return *this;
    }
    AnyCommand& set_repeat(Repeat repeat) {
        repeat_ = repeat;
        return *this;
    }
    AnyCommand& set_lane(Lane lane) {
        lane_ = lane;
        return *this;
    }
    AnyCommand& set_on_error(OnError on_error) {
        on_error_ = on_error;
        return *this;
    }
    // The answer may be larger than 256 KB: it travels where it keeps nobody waiting. Commands that
    // list the whole keyspace, all clients or all commands say so themselves; of those that read
    // one value (HGETALL, LRANGE, SMEMBERS, ..) only the caller knows how large it is.
    AnyCommand& set_bulky(bool bulky = true) {
        bulky_ = bulky;
        return *this;
    }

    std::string_view name() const { return name_; }
    std::uint32_t words() const { return words_; }
    std::string_view bytes() const { return bytes_.view(); }  // of all words, without their count
    // Worked out when it is asked for: one server does not need it.
    std::int32_t slot() const {
        return slot_ == slot_of_first_key ? key_slot(first_key_text()) : slot_;
    }
    // As it was told or found, without working anything out: slot_of_first_key for most.
    std::int32_t told_slot() const { return slot_; }
    std::string_view first_key_text() const {
        return bytes_.view().substr(first_key_at(), key_size_);
    }
    std::size_t first_key_at() const { return key_end_ - key_size_; }  // among the bytes
    std::uint32_t keys() const { return keys_; }
    std::uint32_t first_key() const { return first_key_; }  // the number of its word, from 0
    // From one key's word to the next; 0: they are not evenly apart.
    std::uint32_t key_step() const { return key_step_; }
    Repeat repeat() const { return repeat_; }
    Lane lane() const { return lane_; }
    OnError on_error() const { return on_error_; }
    bool bulky() const { return bulky_; }

private:
    AnyCommand& add_further_key(std::string_view key);

    CommandBytes bytes_;
    std::string_view name_;
    std::size_t key_size_ = 0;  // of the first key, and where it ends among the bytes
    std::size_t key_end_ = 0;
    std::int32_t slot_ = slot_of_no_key;
    std::uint32_t words_ = 0;
    std::uint32_t keys_ = 0;
    std::uint32_t first_key_ = 0;
    std::uint32_t key_step_ = 1;
    Repeat repeat_;
    Lane lane_ = Lane::shared;
    OnError on_error_ = OnError::nothing_done;
    bool bulky_ = false;
};

// `read` turns an answer that is no error into the value; corrupt, unknown: it has another shape.
// It copies what it keeps.
template <class Reply>
class Command {
public:
    using value_type = Reply;
    using Read = Result<Reply> (*)(RespView);
    Command(AnyCommand any, Read how) : any_(std::move(any)), read_(how) {}

    const AnyCommand& any() const { return any_; }
    Result<Reply> read(RespView reply) const { return read_(reply); }
    Read reader() const { return read_; }
    // The caller knows that repeating this one is harmless: it sets the same value, or carries a
    // token.
    Command repeat(Repeat repeat) && {
        any_.set_repeat(repeat);
        return std::move(*this);
    }
    // The caller knows that the answer is large.
    Command bulky() && {
        any_.set_bulky();
        return std::move(*this);
    }
    // The same command whose answer is read otherwise: `get("visits").as(read_integer)`.
    template <class Other>
    Command<Other> as(Result<Other> (*how)(RespView)) && {
        return Command<Other>(std::move(any_), how);
    }

private:
    AnyCommand any_;
    Read read_;
};

}  // namespace holdfast::redis
