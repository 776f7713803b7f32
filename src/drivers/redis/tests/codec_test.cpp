#include <holdfast/redis/codec.h>
#include <holdfast/resp/parser.h>

#include <gtest/gtest.h>

#include <limits>

namespace holdfast::redis {
namespace {

struct Order {
    static constexpr std::uint32_t schema = 3;
    std::string customer;
    std::int64_t cents = 0;

    void write_json(JsonWriter& writer) const {
        writer.open_object().field("customer", customer).field("cents", cents).close_object();
    }
    static Result<Order> read_json(JsonObject object) {
        const auto customer = object.text("customer");
        const auto cents = object.integer("cents");
        if (!customer.ok() || !cents.ok()) {
            return Error(Code::corrupt, Effect::none, "no order");
        }
        Order order;
        order.customer = std::string(customer.value());
        order.cents = cents.value();
        return order;
    }
    friend bool operator==(const Order&, const Order&) = default;
};

Order some_order() {
    Order order;
    order.customer = "Zoë \"Z\"";
    order.cents = 1999;
    return order;
}

TEST(RedisCodec, a_value_is_read_back_as_it_was_written) {
    EXPECT_EQ(JsonCodec<Order>::read(JsonCodec<Order>::write(some_order())).value(), some_order());
    const std::int64_t least = std::numeric_limits<std::int64_t>::min();
    EXPECT_EQ(IntegerCodec::read(IntegerCodec::write(least)).value(), least);
    const std::string bytes("a\0\r\nb", 5);
    EXPECT_EQ(TextCodec::read(TextCodec::write(bytes)).value(), bytes);
}

TEST(RedisCodec, json_stands_in_an_envelope_with_the_number_of_its_schema) {
    EXPECT_EQ(
        JsonCodec<Order>::write(some_order()),
        R"({"schema":3,"value":{"customer":"Zoë \"Z\"","cents":1999}})"
    );
}

TEST(RedisCodec, a_value_of_another_schema_is_told_apart_from_a_broken_one) {
    const auto read = [](std::string_view text) {
        return JsonCodec<Order>::read(text);
    };
    const auto other = read(R"({"schema":2,"value":{"name":"x"}})");
    ASSERT_FALSE(other.ok());
    EXPECT_EQ(other.error().code(), Code::unsupported);
    EXPECT_EQ(other.error().effect(), Effect::none);
    for (const std::string_view broken :
         {"",
          "{",
          "7",
          R"({"value":{"customer":"x","cents":1}})",
          R"({"schema":"3","value":{"customer":"x","cents":1}})",
          R"({"schema":3})",
          R"({"schema":3,"value":[]})",
          R"({"schema":3,"value":{"customer":"x"}})",
          R"({"schema":3,"value":{"customer":"x","cents":1}} x)"}) {
        const auto value = read(broken);
        ASSERT_FALSE(value.ok()) << broken;
        EXPECT_EQ(value.error().code(), Code::corrupt) << broken;
    }
    EXPECT_EQ(IntegerCodec::read("12 ").error().code(), Code::corrupt);
    EXPECT_EQ(IntegerCodec::read("").error().code(), Code::corrupt);
    EXPECT_EQ(IntegerCodec::read("9223372036854775808").error().code(), Code::corrupt);
}

TEST(RedisCodec, commands_carry_values_of_a_type) {
    const auto set = set_value<JsonCodec<Order>>("k", some_order(), SetOptions().if_absent());
    EXPECT_EQ(set.any().name(), "SET");
    EXPECT_NE(
        set.any().bytes().find(JsonCodec<Order>::write(some_order())), std::string_view::npos
    );
    EXPECT_EQ(set_value<IntegerCodec>("k", 7).any().bytes(), "$3\r\nSET\r\n$1\r\nk\r\n$1\r\n7\r\n");

    const auto get = get_value<JsonCodec<Order>>("k");
    const std::string text = JsonCodec<Order>::write(some_order());
    RespParser parser;
    const std::string found = "$" + std::to_string(text.size()) + "\r\n" + text + "\r\n";
    ASSERT_EQ(parser.parse(found), RespStatus::complete);
    EXPECT_EQ(get.read(parser.reply()).value(), some_order());
    RespParser other;
    ASSERT_EQ(other.parse("_\r\n"), RespStatus::complete);
    EXPECT_FALSE(get.read(other.reply()).value().has_value());
}

}  // namespace
}  // namespace holdfast::redis
