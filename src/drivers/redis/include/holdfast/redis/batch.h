#pragma once
// Several commands in one write, each with its own answer.

#include <holdfast/redis/command.h>
#include <holdfast/redis/errors.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::redis {

// Copies of replies, in memory that is kept for the next ones.
class Replies {
public:
    void clear() {
        nodes_.clear();
        texts_.clear();
        starts_.clear();
        places_.clear();
    }
    void add(RespView reply);
    // So many come, in any order.
    void expect(std::size_t count) { places_.assign(count, nowhere); }
    void add_at(std::size_t index, RespView reply) {
        places_[index] = starts_.size();
        add(reply);
    }
    bool has(std::size_t index) const {
        return places_.empty() ? index < starts_.size()
                               : index < places_.size() && places_[index] != nowhere;
    }
    std::size_t answered() const { return starts_.size(); }
    std::size_t size() const { return places_.empty() ? starts_.size() : places_.size(); }
    RespView operator[](std::size_t index) const;

private:
    static constexpr std::size_t nowhere = ~std::size_t{0};
    void settle() const;

    mutable std::vector<RespNode> nodes_;
    std::string texts_;
    std::vector<std::size_t> starts_;  // of each reply's first node
    std::vector<std::size_t> places_;  // of each reply among them; empty: they came in order
    mutable const char* settled_for_ = nullptr;  // where the nodes' texts are
};

// The place of one command's answer.
template <class Reply>
class Slot {
public:
    Slot(std::size_t index, typename Command<Reply>::Read reader) : index_(index), read_(reader) {}
    std::size_t index() const { return index_; }
    Result<Reply> read(RespView reply) const { return read_(reply); }

private:
    std::size_t index_;
    typename Command<Reply>::Read read_;
};

// One thread; stays where it is and as it is while it runs. May be run again, and keeps its memory
// when it is cleared.
class Batch {
public:
    template <class Reply>
    Slot<Reply> add(const Command<Reply>& command) {
        const std::size_t index = entries_.size();
        add_any(command.any());
        return Slot<Reply>(index, command.reader());
    }
    void add_any(const AnyCommand& command);
    void clear();
    std::size_t size() const { return entries_.size(); }
    bool empty() const { return entries_.empty(); }

    // After it has run. The answer that the command got; or an error: unknown if the batch failed
    // before it.
    template <class Reply>
    Result<Reply> get(const Slot<Reply>& slot) const {
        if (!replies_.has(slot.index())) {
            return missing(slot.index());
        }
        const RespView reply = replies_[slot.index()];
        if (reply.is_error()) {
            return error_at(slot.index(), reply);
        }
        return slot.read(reply);
    }
    const Replies& replies() const { return replies_; }
    std::string_view bytes() const { return bytes_; }
    Lane lane() const { return lane_; }
    // That all keys have; slot_of_many: they have different ones.
    std::int32_t slot() const;
    std::int32_t slot_at(std::size_t index) const;
    // After it has run: what is known of the effect of a command that has no answer, or an error
    // for one.
    Effect effect_at(std::size_t index) const;
    // What `reply`, an error, says about the command at this place.
    Error error_at(std::size_t index, RespView reply) const;

private:
    friend class BatchParts;
    friend class RunBatch;
    friend class BlockingClient;
    struct Entry {
        std::string_view name;
        std::size_t start;  // of its bytes
        std::size_t key_at;
        std::size_t key_size;
        std::int32_t slot;  // slot_of_first_key: of the key there
        OnError on_error;
        Repeat repeat;
    };

    std::string_view bytes_at(std::size_t index) const;
    // `before`: what is known of earlier attempts of the command, whose answers were lost.
    void answered(std::size_t index, Effect before) {
        if (before == Effect::unknown) {
            unsure_.resize(entries_.size());
            unsure_[index] = true;
        }
    }
    void forget_answers();
    Error missing(std::size_t index) const;
    std::uint32_t count() const { return static_cast<std::uint32_t>(entries_.size()); }

    std::string bytes_;
    std::vector<Entry> entries_;
    Replies replies_;
    std::vector<std::pair<std::uint32_t, Error>> errors_;  // of those that went elsewhere
    std::vector<bool> unsure_;  // of those that were answered at a later attempt; empty: none
    Repeat repeat_ = Repeat::read;
    Lane lane_ = Lane::shared;
    bool bulky_ = false;
};

}  // namespace holdfast::redis
