#pragma once
// Stores with one wrong rule each: what the kit must notice.

#include <holdfast/store/store.h>

#include <memory>
#include <string_view>

namespace holdfast {

enum class Mutant : std::uint8_t {
    none,  // all rules right: what is caught below is caught for its rule alone
    expire_next_floor_is_floor,
    expire_next_floor_is_clock,
    floor_from_clock,
    release_off_by_one,
    release_unclamped,
    renew_any,
    renew_owner_only,
    release_any,
    release_owner_only,
    ceiling_not_monotone,
    steal_same_floor,
    reserve_in_two_steps,
    last_mutant = reserve_in_two_steps,
};
std::string_view name_of(Mutant mutant);

std::unique_ptr<Store> open_mutant_store(Mutant mutant, const Clock& clock);

}  // namespace holdfast
