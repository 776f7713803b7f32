#pragma once
// All samples of all families.

#include "tests/commands_samples_cluster.h"
#include "tests/commands_samples_collections.h"
#include "tests/commands_samples_keys.h"
#include "tests/commands_samples_scripts.h"
#include "tests/commands_samples_server.h"
#include "tests/commands_samples_sorted.h"
#include "tests/commands_samples_streams.h"
#include "tests/commands_samples_strings.h"

namespace holdfast::redis::testing {

inline Samples all_samples() {
    Samples samples;
    add_key_samples(samples);
    add_string_samples(samples);
    add_bitmap_samples(samples);
    add_hash_samples(samples);
    add_list_samples(samples);
    add_set_samples(samples);
    add_sorted_set_samples(samples);
    add_sorted_sets_samples(samples);
    add_geo_samples(samples);
    add_stream_samples(samples);
    add_stream_group_samples(samples);
    add_script_samples(samples);
    add_message_samples(samples);
    add_transaction_samples(samples);
    add_connection_samples(samples);
    add_client_samples(samples);
    add_server_samples(samples);
    add_diagnostics_samples(samples);
    add_table_samples(samples);
    add_acl_samples(samples);
    add_cluster_samples(samples);
    return samples;
}

}  // namespace holdfast::redis::testing
