#pragma once
// All families of commands. One that is missing here (of a module, or newer than 7.2): raw.h.

#include <holdfast/redis/commands/acl.h>
#include <holdfast/redis/commands/bitmaps.h>
#include <holdfast/redis/commands/clients.h>
#include <holdfast/redis/commands/cluster.h>
#include <holdfast/redis/commands/command_table.h>
#include <holdfast/redis/commands/connection.h>
#include <holdfast/redis/commands/diagnostics.h>
#include <holdfast/redis/commands/functions.h>
#include <holdfast/redis/commands/geo.h>
#include <holdfast/redis/commands/hashes.h>
#include <holdfast/redis/commands/hyperloglog.h>
#include <holdfast/redis/commands/keys.h>
#include <holdfast/redis/commands/lists.h>
#include <holdfast/redis/commands/pubsub.h>
#include <holdfast/redis/commands/raw.h>
#include <holdfast/redis/commands/scripts.h>
#include <holdfast/redis/commands/server.h>
#include <holdfast/redis/commands/sets.h>
#include <holdfast/redis/commands/sorted_sets.h>
#include <holdfast/redis/commands/streams.h>
#include <holdfast/redis/commands/strings.h>
#include <holdfast/redis/commands/transactions.h>
