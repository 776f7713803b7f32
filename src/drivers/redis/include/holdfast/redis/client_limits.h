#pragma once
// The bounds of clients and their connections, each with its reason.

#include <holdfast/base/time.h>

#include <cstddef>

namespace holdfast::redis {

// Little's law: 1000 calls in flight at 1 ms each are a million a second, more than one server
// does. More only wait.
inline constexpr std::size_t in_flight_max_default = 1000;
// Of commands that were not yet written. The server's own limit of a client's buffer is 1 GB.
inline constexpr std::size_t queue_bytes_max_default = std::size_t{64} << 20;
// Of either bound, in parts of a hundred: from here on it is told, once until it is emptier again.
inline constexpr std::size_t queue_warned_percent = 80;
// One write: the kernel's default buffer takes about as much.
inline constexpr std::size_t fill_bytes = std::size_t{256} * 1024;
// A larger buffer is given back when it is empty.
inline constexpr std::size_t out_bytes_kept = std::size_t{1} << 20;
// Free bytes that each read offers: with 4 KiB a batch ends at a hundred small replies.
inline constexpr std::size_t read_bytes = std::size_t{64} * 1024;
inline constexpr std::size_t read_bytes_kept = std::size_t{1} << 20;
// A server that owes an answer and sends nothing for so long is taken for dead. Its slowest
// commands keep it busy for a second or two.
inline constexpr Duration silent_max_default{5'000};
// An abandoned command that is still unanswered then will not be: its place in the order is not
// worth keeping.
inline constexpr Duration tombstone_age_max_default{10'000};
// One dial: name, TCP, TLS and the handshake together.
inline constexpr Duration dial_time_default{2'000};
// Pauses between dials: full jitter up to a bound that doubles from the first to the second.
inline constexpr Duration backoff_first{50};
inline constexpr Duration backoff_max{5'000};
// The round trip is the least of so many measured ones: one slow command must not make the rest be
// refused.
inline constexpr int round_trip_window = 16;
// Older than this it tells nothing, and nothing is refused for it.
inline constexpr Duration round_trip_age_max{1'000};
// The kernel drops a connection whose bytes were not acknowledged for so long.
inline constexpr Duration unacknowledged_max_default{10'000};

// A thread that waits writes itself after so long, if who leads waits for something slow: longer
// than a round trip in one building, so that usually one write carries all.
inline constexpr Duration follower_patience{1};

// A connection of a blocking client that was idle for longer is looked at before it is written to:
// servers close idle ones after whole seconds.
inline constexpr Duration idle_trusted_max{500};

// Of a subscription, taken from the connection and not from us. With more the connection is not
// read, and the server's own buffer of 32 MB fills.
inline constexpr std::size_t messages_max = 1'000;

// A node of a cluster or of a Sentinel's group that owes an answer for so long is suspected: it is
// asked who serves its keys. Longer than its slow commands usually take.
inline constexpr Duration suspect_after{500};
// A call follows MOVED and ASK so often: two are usual while slots move.
inline constexpr int redirects_max = 5;
// After TRYAGAIN, CLUSTERDOWN, LOADING, READONLY: from once to twice this, doubled four times.
inline constexpr Duration pause_first{8};
// Of a cluster: Redis itself is made for up to 1000 nodes.
inline constexpr std::size_t cluster_shards_max = 1'000;

// A replica that cannot serve, or is silent, is not read from for so long: the time in which one
// that loads or lost its primary is usually back.
inline constexpr Duration replica_left_out{2'000};
// How far nodes are is asked so often while somebody reads; a network changes more slowly.
inline constexpr Duration read_ping_pause{3'000};
// A node that takes longer for a PING is far from everybody.
inline constexpr Duration read_ping_time{1'000};
// Of a new measurement in the average: a single slow one is forgotten after ten, half a minute.
inline constexpr double round_trip_weight = 0.25;
// Another node is nearer if its round trip is shorter by this part: in one building they differ by
// a tenth from one minute to the next.
inline constexpr double nearer_by_part = 0.2;

// Connections that wait for BLPOP and its like, of one loop.
inline constexpr std::size_t blocking_connections_max_default = 64;
// Connections that callers hold, of one loop.
inline constexpr std::size_t leases_max_default = 16;
// Idle connections of both kinds that are kept open.
inline constexpr std::size_t idle_connections_max_default = 4;

// Nodes and sentinels that are asked who serves what.
//
// Without an answer for so long another one is asked as well: a hundred times the round trip of one
// building, and still no time that a person notices.
inline constexpr Duration ask_patience{200};
// One ask: a name, TCP, TLS, the greeting and the answer over a long way; who is slower helps
// nobody.
inline constexpr Duration ask_time{1'000};
// Asks at once of one refresh: the mute ones must be less than all of it, and the answer of a
// cluster of hundreds of nodes is tens of KB.
inline constexpr std::size_t asks_at_once_max = 4;
// Connections to nodes that are kept between refreshes. More only cost the cluster descriptors.
inline constexpr std::size_t asked_kept_max = 8;
// A suspicion ends after so many answers without news in a row: the first may come from a node that
// has not heard of the change yet.
inline constexpr int answers_without_news = 2;
// Sentinels that are asked: a group has three to seven, and each of them names all others.
inline constexpr std::size_t sentinels_max = 16;
// Sentinels whose pushes are heard: one may be paused, or go.
inline constexpr std::size_t sentinels_heard = 2;

// What nodes say of each other. A name of DNS has 253 bytes; the server keeps less.
inline constexpr std::size_t node_host_bytes_max = 255;
// Ids have 40.
inline constexpr std::size_t node_id_bytes_max = 64;
// Nodes that one answer may name: twice the thousand that Redis is made for.
inline constexpr std::size_t cluster_nodes_max = 2'000;
// Of CLUSTER NODES: a line of 200 bytes for each node and 8 for each slot are half a MB.
inline constexpr std::size_t cluster_nodes_text_max = std::size_t{2} << 20;
// So long the owner that MOVED named stands against answers that know no newer epoch: the default
// cluster-node-timeout. Who has not heard of it by then is cut off, and stops to serve by itself.
inline constexpr Duration moved_trusted{15'000};
// A node of another cluster (an address was given away) is not believed while nodes of ours
// answered within this time, two quiet rounds; later the whole deployment was replaced.
inline constexpr Duration foreign_cluster_after{60'000};
// Replicas of one primary that are listed. Each is fed by it; beyond a handful they are chained.
inline constexpr std::size_t sentinel_replicas_max = 256;
// What a sentinel said counts for so long when sentinels disagree: two quiet rounds.
inline constexpr Duration sentinel_said_kept{60'000};
// So long the switch that a sentinel announced stands against answers of the epoch before it.
// Sentinels tell each other every 2 s.
inline constexpr Duration switch_trusted{10'000};

// Refreshes of a topology. One a second is a hundredth of what a node answers, also when a thousand
// clients suspect something at once, and a failover takes seconds.
inline constexpr Duration refresh_pause_min{1'000};
// When all is well: what no error shows (a new replica, another address) is seen by then.
inline constexpr Duration refresh_pause_quiet{15'000};
// Clients that saw the same fault do not come in the same millisecond.
inline constexpr Duration refresh_spread{50};

}  // namespace holdfast::redis
