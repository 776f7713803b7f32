#pragma once
// A command that is not in the other headers: of a module, or newer than they are.
//
//   raw("JSON.ARRLEN", words("doc", "$.list"), keys_at(0)).as(read_integers)

#include <holdfast/redis/command.h>
#include <holdfast/redis/owned_reply.h>
#include <holdfast/redis/words.h>

#include <cstddef>
#include <string_view>

namespace holdfast::redis {

// Which of the arguments are keys, counted from 0.
class KeysAt {
public:
    bool has(std::size_t argument) const;

private:
    friend KeysAt no_keys();
    friend KeysAt keys_at(std::size_t first, std::size_t count, std::size_t step);

    KeysAt(std::size_t first, std::size_t count, std::size_t step)
        : first_(first), count_(count), step_(step) {}
    std::size_t first_;
    std::size_t count_;
    std::size_t step_;
};

KeysAt no_keys();
KeysAt keys_at(std::size_t first, std::size_t count = 1, std::size_t step = 1);

// `name`: a literal, as that of AnyCommand ("MODULE|LOAD" for two words). It travels on the shared
// lane and is sent once unless the caller says otherwise: `.repeat(Repeat::read)`; change the lane
// on an AnyCommand of your own.
Command<OwnedReply> raw(std::string_view name, Words arguments, KeysAt keys);

}  // namespace holdfast::redis
