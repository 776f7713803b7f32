// What readers make of answers: each with its values, and with what stands for "none".

#include <holdfast/redis/commands.h>
#include <holdfast/redis/read.h>
#include <holdfast/resp/parser.h>

#include <gtest/gtest.h>

#include <limits>

namespace holdfast::redis {
namespace {

// Line ends are written as blanks: "*2 $1 a :5".
std::string on_the_wire(std::string_view text) {
    std::string bytes;
    for (const char c : text) {
        bytes += c == ' ' ? "\r\n" : std::string(1, c);
    }
    return bytes + "\r\n";
}

template <class Reply>
Result<Reply> answer(const Command<Reply>& command, std::string_view text) {
    const std::string bytes = on_the_wire(text);
    RespParser parser;
    EXPECT_EQ(parser.parse(bytes), RespStatus::complete) << text;
    return command.read(parser.reply());
}

template <class Reply>
Reply value(const Command<Reply>& command, std::string_view text) {
    Result<Reply> result = answer(command, text);
    EXPECT_TRUE(result.ok()) << text;
    return std::move(result).value();
}

TEST(CommandValues, a_time_to_live_tells_no_key_never_and_a_time_apart) {
    EXPECT_EQ(value(ttl("k"), ":-2").state, KeyExpiry::no_key);
    EXPECT_EQ(value(ttl("k"), ":-1").state, KeyExpiry::never);
    EXPECT_EQ(value(ttl("k"), ":7").left, Duration(7000));
    EXPECT_EQ(value(pttl("k"), ":7").left, Duration(7));
    EXPECT_EQ(value(pttl("k"), ":0").state, KeyExpiry::set);
    EXPECT_EQ(value(expiretime("k"), ":9").at, WallTime(Duration(9000)));
    EXPECT_EQ(value(pexpiretime("k"), ":9").at, WallTime(Duration(9)));
    EXPECT_FALSE(answer(ttl("k"), ":-3").ok());
    EXPECT_EQ(value(object_idletime("k"), ":9").value(), std::chrono::seconds(9));
}

TEST(CommandValues, a_condition_that_did_not_hold_is_no_error) {
    EXPECT_FALSE(value(set("k", "v", SetOptions().if_absent()), "_"));
    EXPECT_TRUE(value(set("k", "v", SetOptions().if_absent()), "+OK"));
    EXPECT_FALSE(value(zadd_incr("k", "m", 1, ZaddOptions().if_less()), "$-1").has_value());
    EXPECT_FALSE(value(exec(), "*-1").has_value());
    EXPECT_EQ(value(exec(), "*1 :5")->view().size(), 1U);
}

TEST(CommandValues, what_was_popped_comes_with_its_key) {
    EXPECT_EQ(value(blpop("k", Duration(1)), "*2 $1 k $1 v").value(), (PoppedOne("k", "v")));
    EXPECT_FALSE(value(blpop("k", Duration(1)), "*-1").has_value());
    const auto many = value(lmpop("k", ListEnd::left, 2), "*2 $1 k *2 $1 a $1 b").value();
    EXPECT_EQ(many.key, "k");
    EXPECT_EQ(many.items, (std::vector<std::string>{"a", "b"}));
    const auto lowest = value(zmpop_lowest("k"), "*2 $1 k *1 *2 $1 a ,1.5").value();
    EXPECT_EQ(lowest.items, std::vector<ScoredMember>{ScoredMember("a", 1.5)});
    const auto one = value(bzpopmin("k", Duration(1)), "*3 $1 k $1 a $3 1.5").value();
    EXPECT_EQ(one.key + one.member, "ka");
    EXPECT_EQ(one.score, 1.5);
}

TEST(CommandValues, scores_come_flat_or_in_twos) {
    const std::vector<ScoredMember> expected{
        ScoredMember("a", 1), ScoredMember("b", -std::numeric_limits<double>::infinity())
    };
    const auto command = zrange_with_scores("k", ZRange::places(0, -1));
    EXPECT_EQ(value(command, "*4 $1 a $1 1 $1 b $4 -inf"), expected);
    EXPECT_EQ(value(command, "*2 *2 $1 a ,1 *2 $1 b ,-inf"), expected);
    EXPECT_EQ(value(zpopmin("k"), "*2 $1 a ,1"), std::vector<ScoredMember>{ScoredMember("a", 1)});
}

TEST(CommandValues, a_page_of_a_scan_has_the_cursor_of_the_next) {
    const auto page = value(scan(0), "*2 $20 18446744073709551615 *1 $1 a");
    EXPECT_EQ(page.cursor, std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(page.items, std::vector<std::string>{"a"});
    EXPECT_EQ(value(hscan("k", 0), "*2 $1 0 *2 $1 f $1 v").items.front().second, "v");
    EXPECT_FALSE(answer(scan(0), "*1 $1 0").ok());
    EXPECT_FALSE(answer(scan(0), "*2 $2 -1 *0").ok());
}

TEST(CommandValues, a_place_that_was_found_has_what_was_asked_for) {
    const GeoSearch search = GeoSearch::around_member("a").radius_m(5);
    const auto command = geosearch_with("k", search, GeoDetails().distance().hash().point());
    const auto found = value(command, "*2 *4 $1 a $3 1.5 :77 *2 $1 3 $2 -4 $1 b");
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].member, "a");
    EXPECT_EQ(found[0].distance_m, 1.5);
    EXPECT_EQ(found[0].hash, 77);
    EXPECT_EQ(found[0].point, GeoPoint(3, -4));
    EXPECT_EQ(found[1].member, "b");
    EXPECT_FALSE(found[1].distance_m.has_value());
    const auto points = value(geopos("k", words("a", "b")), "*2 *2 ,3 ,-4 *-1");
    EXPECT_EQ(points[0], GeoPoint(3, -4));
    EXPECT_FALSE(points[1].has_value());
}

TEST(CommandValues, common_texts_say_where_they_stand) {
    const auto found =
        value(lcs_matches("{k}1", "{k}2"), "*4 $7 matches *1 *3 *2 :4 :7 *2 :5 :8 :4 $3 len :6");
    ASSERT_EQ(found.matches.size(), 1U);
    EXPECT_EQ(found.matches[0].first, (std::pair<std::int64_t, std::int64_t>(4, 7)));
    EXPECT_EQ(found.matches[0].second, (std::pair<std::int64_t, std::int64_t>(5, 8)));
    EXPECT_EQ(found.matches[0].length, 4);
    EXPECT_EQ(found.length, 6);
}

TEST(CommandValues, entries_of_a_stream_have_ids_and_fields_in_order) {
    const auto entries = value(
        xrange("k", StreamBound::lowest(), StreamBound::highest()),
        "*2 *2 $3 1-2 *4 $1 b $1 1 $1 a $1 2 *2 $3 3-0 *-1"
    );
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].id, StreamId(1, 2));
    EXPECT_EQ(entries[0].fields[0].first, "b");
    EXPECT_FALSE(entries[0].deleted);
    EXPECT_TRUE(entries[1].deleted);
    const auto streams = value(xread(pairs("k", "0")), "%1 $1 k *1 *2 $3 1-2 *2 $1 f $1 v");
    EXPECT_EQ(streams.at(0).key, "k");
    EXPECT_EQ(streams.at(0).entries.at(0).fields.at(0).second, "v");
    EXPECT_TRUE(value(xread(pairs("k", "0")), "*-1").empty());
    EXPECT_FALSE(value(xadd("k", pairs("f", "v"), XaddOptions()), "$-1").has_value());
}

TEST(CommandValues, ids_of_a_stream_are_two_numbers_of_64_bits) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(StreamId::parse("18446744073709551615-18446744073709551615"), StreamId(most, most));
    EXPECT_EQ(StreamId::parse("5"), StreamId(5, 0));
    EXPECT_EQ(StreamId(5, 7).word(), "5-7");
    EXPECT_LT(StreamId(5, 7), StreamId(6, 0));
    for (const std::string_view wrong :
         {"", "-", "5-", "-5", "5-7-9", "x", "5-x", "+5", "18446744073709551616"}) {
        EXPECT_FALSE(StreamId::parse(wrong).has_value()) << wrong;
    }
}

TEST(CommandValues, what_was_claimed_says_where_to_go_on_and_what_is_gone) {
    const auto command = xautoclaim("k", "g", "c", Duration(0), StreamId());
    const auto claimed = value(command, "*3 $3 7-1 *1 *2 $3 1-1 *2 $1 f $1 v *1 $3 2-0");
    EXPECT_EQ(claimed.next, StreamId(7, 1));
    EXPECT_EQ(claimed.claimed.at(0).id, StreamId(1, 1));
    EXPECT_EQ(claimed.deleted, std::vector<StreamId>{StreamId(2, 0)});
    EXPECT_TRUE(value(command, "*2 $3 0-0 *0").deleted.empty());  // a server before 7.0
}

TEST(CommandValues, pending_entries_are_counted_and_listed) {
    const auto summary = value(xpending("k", "g"), "*4 :2 $3 1-1 $3 2-0 *1 *2 $2 c1 $1 2");
    EXPECT_EQ(summary.count, 2U);
    EXPECT_EQ(summary.lowest, StreamId(1, 1));
    EXPECT_EQ(summary.highest, StreamId(2, 0));
    EXPECT_EQ(summary.consumers.at(0), (std::pair<std::string, std::uint64_t>("c1", 2)));
    EXPECT_FALSE(value(xpending("k", "g"), "*4 :0 $-1 $-1 *-1").lowest.has_value());
    const XpendingRange range(StreamBound::lowest(), StreamBound::highest(), 1);
    const auto entries = value(xpending("k", "g", range), "*1 *4 $3 1-1 $2 c1 :1500 :3");
    EXPECT_EQ(entries.at(0).consumer, "c1");
    EXPECT_EQ(entries.at(0).idle, Duration(1500));
    EXPECT_EQ(entries.at(0).deliveries, 3U);
}

TEST(CommandValues, a_full_stream_has_groups_with_consumers_with_what_they_hold) {
    const auto full = value(
        xinfo_stream_full("k"),
        "%9 $6 length :1 $15 radix-tree-keys :2 $16 radix-tree-nodes :3 $17 last-generated-id $3 "
        "9-0 "
        "$20 max-deleted-entry-id $3 4-0 $13 entries-added :6 $23 recorded-first-entry-id $3 5-0 "
        "$7 entries *1 *2 $3 9-0 *2 $1 f $1 v "
        "$6 groups *1 %7 $4 name $1 g $17 last-delivered-id $3 9-0 $12 entries-read :6 $3 lag _ "
        "$9 pel-count :1 $7 pending *1 *4 $3 9-0 $2 c1 :1700000000000 :4 "
        "$9 consumers *1 %5 $4 name $2 c1 $9 seen-time :1700000000001 $11 active-time "
        ":1700000000002 "
        "$9 pel-count :1 $7 pending *1 *3 $3 9-0 :1700000000000 :4"
    );
    EXPECT_EQ(full.stream.length, 1U);
    EXPECT_EQ(full.stream.radix_tree_keys, 2U);
    EXPECT_EQ(full.stream.radix_tree_nodes, 3U);
    EXPECT_EQ(full.stream.last_generated, StreamId(9, 0));
    EXPECT_EQ(full.stream.max_deleted, StreamId(4, 0));
    EXPECT_EQ(full.stream.entries_added, 6U);
    EXPECT_EQ(full.stream.recorded_first, StreamId(5, 0));
    EXPECT_EQ(full.entries.at(0).id, StreamId(9, 0));
    const FullGroup& group = full.groups.at(0);
    EXPECT_EQ(group.name, "g");
    EXPECT_EQ(group.entries_read, 6U);
    EXPECT_FALSE(group.lag.has_value());
    EXPECT_EQ(group.pending.at(0).consumer, "c1");
    EXPECT_EQ(group.pending.at(0).delivered, WallTime(Duration(1700000000000)));
    EXPECT_EQ(group.pending.at(0).deliveries, 4U);
    const FullConsumer& consumer = group.consumers.at(0);
    EXPECT_EQ(consumer.seen, WallTime(Duration(1700000000001)));
    EXPECT_EQ(consumer.active, WallTime(Duration(1700000000002)));
    EXPECT_EQ(consumer.pending.at(0).consumer, "c1");
}

TEST(CommandValues, functions_say_what_they_are_and_what_runs) {
    const auto libraries = value(
        function_list(FunctionListOptions().with_code()),
        "*1 %4 $12 library_name $3 lib $6 engine $3 LUA $9 functions *1 %3 $4 name $1 f "
        "$11 description _ $5 flags ~1 +no-writes $12 library_code $4 code"
    );
    EXPECT_EQ(libraries.at(0).name, "lib");
    EXPECT_EQ(libraries.at(0).functions.at(0).flags, std::vector<std::string>{"no-writes"});
    EXPECT_EQ(libraries.at(0).code, "code");
    const auto stats = value(
        function_stats(),
        "*4 $14 running_script *6 $4 name $1 f $7 command *2 $5 fcall $1 f $11 duration_ms :12 "
        "$7 engines *2 $3 LUA *4 $15 libraries_count :1 $15 functions_count :2"
    );
    ASSERT_TRUE(stats.running.has_value());
    EXPECT_EQ(stats.running->running, Duration(12));
    EXPECT_EQ(stats.running->command.size(), 2U);
    EXPECT_EQ(stats.engines.at(0).name, "LUA");
    EXPECT_EQ(stats.engines.at(0).functions, 2U);
}

TEST(CommandValues, a_server_says_what_part_it_plays) {
    const auto primary = value(role(), "*3 $6 master :99 *1 *3 $9 127.0.0.1 $4 9001 $2 98");
    EXPECT_EQ(primary.kind, ServerKind::primary);
    EXPECT_EQ(primary.offset, 99);
    EXPECT_EQ(primary.replicas.at(0).port, 9001);
    EXPECT_EQ(primary.replicas.at(0).offset, 98);
    const auto replica = value(role(), "*5 $5 slave $9 127.0.0.1 :9000 $9 connected :97");
    EXPECT_EQ(replica.kind, ServerKind::replica);
    EXPECT_EQ(replica.primary_host, "127.0.0.1");
    EXPECT_EQ(replica.primary_port, 9000);
    EXPECT_EQ(replica.link, "connected");
    EXPECT_EQ(replica.offset, 97);
    const auto sentinel = value(role(), "*2 $8 sentinel *1 $2 m1");
    EXPECT_EQ(sentinel.kind, ServerKind::sentinel);
    EXPECT_EQ(sentinel.monitored, std::vector<std::string>{"m1"});
    EXPECT_FALSE(answer(role(), "*2 $5 other *0").ok());
    EXPECT_FALSE(answer(role(), "*5 $5 slave $1 h :65536 $9 connected :97").ok());
}

TEST(CommandValues, times_have_microseconds_and_bounds) {
    const auto at = value(time(), "*2 $10 1700000000 $6 999999");
    EXPECT_EQ(at.time_since_epoch(), std::chrono::microseconds(1700000000999999));
    EXPECT_FALSE(answer(time(), "*2 $10 1700000000 $7 1000000").ok());
    EXPECT_FALSE(answer(time(), "*2 $19 9223372036854775807 $1 0").ok());
    EXPECT_EQ(value(lastsave(), ":5").time_since_epoch(), std::chrono::seconds(5));
    EXPECT_EQ(value(waitaof(true, 1, Duration(1)), "*2 :1 :3"), (Synced{true, 3}));
}

TEST(CommandValues, lines_of_texts_become_values_under_names) {
    const auto info_reply = answer(info(), "$44 #Server a:1  b:x:y  #Other c:  d:5 ");
    ASSERT_TRUE(info_reply.ok());
    EXPECT_EQ(info_reply.value().values.size(), 4U);
    EXPECT_EQ(info_reply.value().find("b"), "x:y");
    EXPECT_EQ(info_reply.value().find("c"), "");
    EXPECT_FALSE(info_reply.value().find("Server").has_value());
    EXPECT_EQ(info_reply.value().integer("d"), 5);
    EXPECT_FALSE(info_reply.value().integer("b").has_value());
    RespParser parser;
    ASSERT_EQ(parser.parse("$28\r\nid=3 name= addr=[::1]:6379\r\n\r\n"), RespStatus::complete);
    const auto clients = client_list().read(parser.reply());
    ASSERT_TRUE(clients.ok());
    EXPECT_EQ(clients.value().at(0).find("addr"), "[::1]:6379");
    EXPECT_EQ(clients.value().at(0).find("name"), "");
}

TEST(CommandValues, slow_moments_have_times) {
    const auto slow =
        value(slowlog_get(), "*1 *6 :7 :1700000000 :15000 *2 $3 GET $1 k $9 127.0.0.1 $2 me");
    EXPECT_EQ(slow.at(0).id, 7U);
    EXPECT_EQ(slow.at(0).took, std::chrono::milliseconds(15));
    EXPECT_EQ(slow.at(0).words.at(1), "k");
    EXPECT_EQ(slow.at(0).client_name, "me");
    const auto event = value(latency_latest(), "*1 *4 $7 command :1700000000 :20 :30").at(0);
    EXPECT_EQ(event.latest, Duration(20));
    EXPECT_EQ(event.longest, Duration(30));
    const auto history = value(latency_history("command"), "*2 *2 :1 :20 *2 :2 :30");
    EXPECT_EQ(history.at(1).second, Duration(30));
    const auto histogram =
        value(latency_histogram(), "%1 $3 get %2 $5 calls :3 $14 histogram_usec %2 :1 :2 :8 :3");
    EXPECT_EQ(histogram.at(0).command, "get");
    EXPECT_EQ(histogram.at(0).calls, 3U);
    EXPECT_EQ(
        histogram.at(0).calls_within_us.at(1), (std::pair<std::uint64_t, std::uint64_t>(8, 3))
    );
}

TEST(CommandValues, the_command_table_has_subcommands_and_gaps) {
    const auto table = value(
        command_info(words("object", "none")),
        "*2 *10 $6 object :-2 *1 +a :1 :2 :3 *1 +@slow *0 *0 "
        "*1 *10 $11 object|freq :3 *0 :2 :2 :1 *0 *0 *0 *0 *-1"
    );
    ASSERT_TRUE(table.at(0).has_value());
    EXPECT_EQ(table[0]->arity, -2);
    EXPECT_EQ(table[0]->first_key, 1);
    EXPECT_EQ(table[0]->last_key, 2);
    EXPECT_EQ(table[0]->key_step, 3);
    EXPECT_EQ(table[0]->categories, std::vector<std::string>{"@slow"});
    EXPECT_EQ(table[0]->subcommands.at(0).name, "object|freq");
    EXPECT_FALSE(table.at(1).has_value());
}

TEST(CommandValues, a_user_has_rules_and_selectors_of_both_server_generations) {
    const auto user = value(
        acl_getuser("app"),
        "%6 $5 flags ~1 $2 on $9 passwords *1 $4 hash $8 commands $5 +@all $4 keys $2 ~* "
        "$8 channels $2 &* $9 selectors *1 %3 $8 commands $4 +get $4 keys $3 ~x* $8 channels $0 "
    );
    ASSERT_TRUE(user.has_value());
    EXPECT_EQ(user->flags, std::vector<std::string>{"on"});
    EXPECT_EQ(user->password_hashes, std::vector<std::string>{"hash"});
    EXPECT_EQ(user->root.keys, "~*");
    EXPECT_EQ(user->selectors.at(0).commands, "+get");
    const auto older = value(
        acl_getuser("app"),
        "*8 $5 flags *0 $9 passwords *0 $8 commands $5 +@all $4 keys *2 $1 a $1 b"
    );
    EXPECT_EQ(older->root.keys, "a b");
    EXPECT_FALSE(value(acl_getuser("none"), "_").has_value());
}

TEST(CommandValues, slots_have_owners_whose_host_may_be_unknown) {
    const auto slots = value(
        cluster_slots(),
        "*2 *4 :0 :100 *4 $9 127.0.0.1 :7000 $2 n1 %1 $8 hostname $1 h *4 $0  :7001 $2 n2 *0 "
        "*3 :101 :16383 *3 $-1 :7002 $2 n3"
    );
    EXPECT_EQ(slots.at(0).slots, SlotRange(0, 100));
    EXPECT_EQ(slots.at(0).nodes.at(0).host, "127.0.0.1");
    EXPECT_EQ(slots.at(0).nodes.at(0).metadata.at(0).second, "h");
    EXPECT_EQ(slots.at(0).nodes.at(1).host, "");
    EXPECT_EQ(slots.at(0).nodes.at(1).id, "n2");
    EXPECT_FALSE(slots.at(1).nodes.at(0).host.has_value());
    EXPECT_FALSE(answer(cluster_slots(), "*1 *3 :0 :16384 *2 $1 h :7000").ok());
    EXPECT_FALSE(answer(cluster_slots(), "*1 *3 :0 :5 *2 $1 h :70000").ok());
}

TEST(CommandValues, shards_have_ranges_and_nodes) {
    const auto shards = value(
        cluster_shards(),
        "*1 %2 $5 slots *4 :0 :5 :7 :9 $5 nodes *1 %7 $2 id $2 n1 $8 tls-port :7000 $2 ip $1 i "
        "$8 endpoint $1 ? $4 role $6 master $18 replication-offset :5 $6 health $6 online"
    );
    EXPECT_EQ(shards.at(0).slots, (std::vector<SlotRange>{{0, 5}, {7, 9}}));
    const ShardNode& node = shards.at(0).nodes.at(0);
    EXPECT_EQ(node.tls_port, 7000);
    EXPECT_FALSE(node.port.has_value());
    EXPECT_EQ(node.endpoint, "?");
    EXPECT_EQ(node.health, "online");
    EXPECT_EQ(node.replication_offset, 5);
}

TEST(CommandValues, a_greeting_and_a_pong_are_read_from_both_protocols) {
    const auto greeting = value(
        hello(3),
        "%6 $6 server $5 redis $7 version $6 7.0.15 $5 proto :3 $2 id :7 $4 mode $10 standalone "
        "$4 role $6 master"
    );
    EXPECT_EQ(greeting.version, "7.0.15");
    EXPECT_EQ(greeting.protocol, 3);
    EXPECT_EQ(greeting.client_id, 7);
    EXPECT_TRUE(answer(ping(), "+PONG").ok());
    EXPECT_TRUE(answer(ping(), "*2 $4 pong $0 ").ok());
    EXPECT_EQ(value(subscribe("a"), ">3 $9 subscribe $1 a :1").channel, "a");
    EXPECT_FALSE(value(unsubscribe(), "*3 $11 unsubscribe $-1 :0").channel.has_value());
}

}  // namespace
}  // namespace holdfast::redis
