#pragma once
// The words and the answer of the SCAN family.

#include "fields.h"

#include <holdfast/redis/command.h>
#include <holdfast/redis/commands/scan.h>

namespace holdfast::redis {

inline void put_scan(AnyCommand& to, const ScanOptions& options) {
    if (options.match()) {
        to.add("MATCH").add(*options.match());
    }
    if (options.count()) {
        to.add("COUNT").add(*options.count());
    }
    if (options.type()) {
        to.add("TYPE").add(*options.type());
    }
}

// `Items` reads the second half.
template <auto Items>
auto read_scan_page(RespView reply) -> Result<ScanPage<typename ReadValue<Items>::value_type>> {
    ScanPage<typename ReadValue<Items>::value_type> page;
    return Places(reply, 2).take(page.cursor, read_unsigned).take(page.items, Items).give(page);
}

}  // namespace holdfast::redis
