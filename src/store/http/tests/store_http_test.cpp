#include <holdfast/store_http/answers.h>
#include <holdfast/store_http/requests.h>
#include <holdfast/store_http/words.h>

#include <gtest/gtest.h>

#include <limits>

namespace holdfast {
namespace {

StoreTime at(std::int64_t ms) {
    return StoreTime(Duration(ms));
}
Namespace space() {
    return Namespace::parse("shop").value();
}
OwnerKey owner() {
    return OwnerKey::parse("pod-1").value();
}
Incarnation incarnation() {
    return Incarnation::parse("abc").value();
}
SlotLease lease() {
    SlotLease made;
    made.slot = Slot(3);
    made.fence = Fence(7);
    made.expires_at = at(1030000);
    made.floor = at(1000000);
    made.ceiling = at(1031000);
    made.store_now = at(1000001);
    return made;
}

TEST(StoreHttpAnswers, a_range_is_two_plain_numbers) {
    std::string out;
    Range range;
    range.start = std::numeric_limits<std::int64_t>::max() - 1;
    range.end = std::numeric_limits<std::int64_t>::max();
    write_range(out, range);
    EXPECT_EQ(out, R"({"start":9223372036854775806,"end":9223372036854775807})");
}

TEST(StoreHttpAnswers, a_lease_has_the_fields_of_the_contract_in_its_order) {
    std::string acquired;
    Acquired grant;
    grant.lease = lease();
    grant.reason = AcquireReason::sticky;
    grant.duplicate_owner_key = true;
    write_acquired(acquired, space(), owner(), incarnation(), grant);
    EXPECT_EQ(
        acquired,
        R"({"namespace":"shop","slot":3,"ownerKey":"pod-1","incarnation":"abc","fence":7,"expiresAt":1030000,)"
        R"("floor":1000000,"ceiling":1031000,"storeNow":1000001,"reason":"sticky","duplicateOwnerKey":true})"
    );
    std::string renewed;
    write_renewed(renewed, LeaseKey(space(), Slot(3), owner(), incarnation(), Fence(7)), lease());
    EXPECT_EQ(
        renewed,
        R"({"namespace":"shop","slot":3,"ownerKey":"pod-1","incarnation":"abc","fence":7,"expiresAt":1030000,)"
        R"("floor":1000000,"ceiling":1031000,"storeNow":1000001})"
    );
}

TEST(StoreHttpAnswers, an_error_is_a_code_and_a_message_that_is_escaped) {
    std::string out;
    write_error(out, "bad_request", "a \"quoted\" word\n");
    EXPECT_EQ(out, R"({"code":"bad_request","message":"a \"quoted\" word\n"})");
    out.clear();
    SlotsExhausted exhausted;
    exhausted.earliest_expires_at = at(77);
    write_exhausted(out, exhausted);
    EXPECT_EQ(
        out, R"({"code":"slots_exhausted","message":"no slot is free","earliestExpiresAt":77})"
    );
}

TEST(StoreHttpWords, every_error_of_a_store_has_its_status_and_code) {
    const auto code_of = [](Code code) {
        return http_code_of(Error(code, Effect::unknown, "why"));
    };
    EXPECT_EQ(code_of(Code::invalid_argument), http_code::bad_request);
    EXPECT_EQ(code_of(Code::overloaded), http_code::busy);
    EXPECT_EQ(code_of(Code::closed), http_code::busy);
    EXPECT_EQ(code_of(Code::unreachable), http_code::store_unavailable);
    EXPECT_EQ(code_of(Code::moved), http_code::store_unavailable);
    EXPECT_EQ(code_of(Code::timed_out), http_code::store_timeout);
    for (Code code : {Code::denied, Code::corrupt, Code::unsupported, Code::internal}) {
        EXPECT_EQ(code_of(code), http_code::store_error);
    }
}

std::string problem_of(const Read<ReserveRequest>& read) {
    const auto* problem = std::get_if<FieldProblem>(&read);
    return problem == nullptr ? "" : std::string(problem->field) + "|" + problem->what;
}
Read<ReserveRequest> reserve(std::string_view body) {
    return read_reserve(body, RequestLimits());
}

TEST(StoreHttpRequests, a_reserve_is_read_up_to_the_ends_of_its_numbers) {
    const auto read = reserve(
        R"({"key":"a/b","size":1000000000000,"initialOffset":9223372036854775807,"more":[{}]})"
    );
    const auto& request = std::get<ReserveRequest>(read);
    EXPECT_EQ(request.key().text(), "a/b");
    EXPECT_EQ(request.size(), 1'000'000'000'000);
    EXPECT_EQ(request.initial_offset(), std::numeric_limits<std::int64_t>::max());
}

TEST(StoreHttpRequests, what_is_no_plain_number_in_range_is_refused_by_its_field) {
    for (const char* size :
         {"0",
          "-1",
          "1000000000001",
          "1.5",
          "\"10\"",
          "1e3",
          "9007199254740993",
          "99999999999999999999",
          "NaN",
          "null",
          "true",
          "[1]",
          "1.0",
          "-0"}) {
        const std::string body =
            std::string(R"({"key":"a","initialOffset":0,"size":)") + size + "}";
        EXPECT_NE(problem_of(reserve(body)), "") << body;
    }
    EXPECT_TRUE(problem_of(reserve(R"({"key":"a","initialOffset":0})")).starts_with("size|"));
    const auto read = reserve(R"({"key":"a","initialOffset":0,"size":0})");
    EXPECT_EQ(std::get<FieldProblem>(read).text(), "size: must be from 1 to 1000000000000");
    EXPECT_TRUE(problem_of(reserve(R"({"key":"a","size":1})")).starts_with("initialOffset|"));
    EXPECT_TRUE(problem_of(reserve(R"({"key":"a","size":1,"initialOffset":-1})"))
                    .starts_with("initialOffset|"));
    EXPECT_TRUE(problem_of(reserve(R"({"key":"a","size":1,"initialOffset":9223372036854775808})"))
                    .starts_with("initialOffset|"));
}

TEST(StoreHttpRequests, a_body_that_two_readers_could_read_differently_is_refused) {
    for (const char* body :
         {"",
          "[]",
          "1",
          R"({"key":"a","size":1,"initialOffset":0}x)",
          R"({"key":"a","key":"b","size":1,"initialOffset":0})",
          "\xef\xbb\xbf{\"key\":\"a\",\"size\":1,\"initialOffset\":0}",
          "{\"key\":\"\xff\",\"size\":1,\"initialOffset\":0}",
          R"({"key":"\ud800","size":1,"initialOffset":0})",
          R"({"key":"a","size":1,"initialOffset":0}{})"}) {
        EXPECT_TRUE(problem_of(reserve(body)).starts_with("|"))
            << body << " " << problem_of(reserve(body));
    }
}

TEST(StoreHttpRequests, a_key_that_could_leave_its_place_is_refused) {
    for (const char* key :
         {"",
          "a{b}",
          "a|b",
          "a\\r\\nSET x 1",
          "a b",
          "*",
          "\\u0000",
          "\u00e4",
          "/a",
          "a/",
          "a//b",
          "a/../b",
          "."}) {
        const std::string body =
            std::string(R"({"size":1,"initialOffset":0,"key":")") + key + "\"}";
        EXPECT_TRUE(problem_of(reserve(body)).starts_with("key|")) << body;
    }
}

TEST(StoreHttpRequests, an_acquire_is_refused_outside_the_services_limits_with_the_field_named) {
    const auto field_of = [](const std::string& values) -> std::string {
        const std::string body =
            R"({"namespace":"n","ownerKey":"o","incarnation":"i",)" + values + "}";
        const auto read = read_acquire(body, RequestLimits());
        const auto* problem = std::get_if<FieldProblem>(&read);
        return problem == nullptr ? "" : std::string(problem->field);
    };
    EXPECT_EQ(field_of(R"("limit":1,"ttlMs":100,"toleranceMs":0)"), "");
    EXPECT_EQ(
        field_of(R"("limit":65536,"ttlMs":3600000,"toleranceMs":60000,"preferredSlot":65535)"), ""
    );
    EXPECT_EQ(field_of(R"("limit":8,"ttlMs":100,"toleranceMs":0,"preferredSlot":null)"), "");
    for (const char* ttl : {"0", "99", "3600001", "-1", "1000000000000000000"}) {
        EXPECT_EQ(field_of(std::string(R"("limit":1,"toleranceMs":0,"ttlMs":)") + ttl), "ttlMs");
    }
    EXPECT_EQ(field_of(R"("limit":1,"ttlMs":100,"toleranceMs":60001)"), "toleranceMs");
    for (const char* limit : {"0", "65537", "2147483648"}) {
        EXPECT_EQ(
            field_of(std::string(R"("ttlMs":100,"toleranceMs":0,"limit":)") + limit), "limit"
        );
    }
    for (const char* slot : {"-1", "8", "1.0"}) {
        EXPECT_EQ(
            field_of(
                std::string(R"("limit":8,"ttlMs":100,"toleranceMs":0,"preferredSlot":)") + slot
            ),
            "preferredSlot"
        );
    }
}

TEST(StoreHttpRequests, a_lease_is_named_by_all_of_its_fields) {
    const std::string whole =
        R"("namespace":"n","slot":65535,"ownerKey":"o","incarnation":"i","fence":5)";
    const auto renew =
        read_renew("{" + whole + R"(,"ttlMs":100,"toleranceMs":1})", RequestLimits());
    EXPECT_EQ(std::get<RenewRequest>(renew).key().fence(), Fence(5));
    EXPECT_EQ(std::get<RenewRequest>(renew).tolerance(), Duration(1));
    const auto release = read_release("{" + whole + R"(,"lastIssued":-1})");
    EXPECT_EQ(std::get<ReleaseRequest>(release).last_issued(), at(-1));
    EXPECT_TRUE(std::holds_alternative<FieldProblem>(read_release("{" + whole + "}")));
    for (const char* missing : {"namespace", "slot", "ownerKey", "incarnation", "fence"}) {
        std::string body = "{" + whole + R"(,"lastIssued":1})";
        body.replace(body.find(missing), 1, "X");
        const auto read = read_release(body);
        ASSERT_TRUE(std::holds_alternative<FieldProblem>(read)) << body;
        EXPECT_EQ(std::get<FieldProblem>(read).field, missing);
    }
}

TEST(StoreHttpRequests, numbers_of_a_lease_that_no_store_could_hold_are_refused_by_name) {
    const std::string lease = R"({"namespace":"n","slot":0,"ownerKey":"o","incarnation":"i",)";
    const auto field_of = [](const auto& read) {
        const auto* problem = std::get_if<FieldProblem>(&read);
        return problem != nullptr ? std::string(problem->field) : "";
    };
    const auto release = [&](const std::string& fence, const std::string& last) {
        return field_of(read_release(lease + "\"fence\":" + fence + ",\"lastIssued\":" + last + "}")
        );
    };
    EXPECT_EQ(release("9007199254740991", "9007199254740991"), "");
    EXPECT_EQ(release("9007199254740992", "0"), "fence");
    EXPECT_EQ(release("0", "9007199254740992"), "lastIssued");
    EXPECT_EQ(release("0", "-2"), "lastIssued");
}

TEST(StoreHttpRequests, a_seal_needs_its_key) {
    EXPECT_EQ(std::get<RangeKey>(read_seal(R"({"key":"a"})")).text(), "a");
    EXPECT_EQ(std::get<FieldProblem>(read_seal("{}")).field, "key");
}

}  // namespace
}  // namespace holdfast
