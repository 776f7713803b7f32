// Free slots are found without a row for each number, and damaged rows stay out of use.
#include "held_file.h"
#include "slot_queries.h"
#include "slot_rows.h"

namespace holdfast {
namespace {

class SlotRowsTest : public ::testing::Test {
protected:
    SlotRowsTest() {
        file_.open(file_.options()).reset();
        connection_ = file_.connect();
    }

    static SlotRow held_by_a() {
        SlotRow row;
        row.owner = "a";
        row.incarnation = "i";
        return row;
    }
    void write(std::uint32_t slot, const SlotRow& row) {
        ASSERT_TRUE(rows().write(Slot(slot), row).ok());
    }
    std::vector<std::uint32_t> free(std::uint32_t from, std::uint32_t limit, int count) {
        std::vector<std::uint32_t> numbers;
        auto found = rows().free_slots(Slot(from), limit, count);
        EXPECT_TRUE(found.ok());
        for (const SlotEntry& entry : found.value()) {
            numbers.push_back(entry.slot.value());
        }
        return numbers;
    }
    SlotRows rows() { return SlotRows(*connection_, name_); }
    std::int64_t noted() {
        return file_.number("SELECT coalesce(max(value), 0) FROM cosid_meta WHERE name = 'rows/n'");
    }

    using Numbers = std::vector<std::uint32_t>;
    HeldFile file_;
    Namespace name_ = Namespace::parse("n").value();
    std::unique_ptr<SqlConnection> connection_;
};

TEST_F(SlotRowsTest, numbers_without_a_row_are_free) {
    EXPECT_EQ(free(0, 65'536, 3), (Numbers{0, 1, 2}));
    EXPECT_EQ(free(65'534, 65'536, 7), (Numbers{65'534, 65'535}));
    EXPECT_EQ(file_.number("SELECT count(*) FROM cosid_slot"), 0);
}

TEST_F(SlotRowsTest, rows_without_an_owner_and_absent_ones_come_in_one_order) {
    write(0, held_by_a());
    write(1, SlotRow());
    write(3, held_by_a());
    write(5, SlotRow());
    EXPECT_EQ(free(0, 100, 5), (Numbers{1, 2, 4, 5, 6}));
    EXPECT_EQ(free(2, 6, 5), (Numbers{2, 4, 5}));
}

TEST_F(SlotRowsTest, a_gap_below_many_rows_is_found) {
    for (std::uint32_t slot = 1; slot < 300; ++slot) {
        write(slot, held_by_a());
    }
    EXPECT_EQ(free(0, 65'536, 2), (Numbers{0, 300}));
    EXPECT_EQ(noted(), 0);
}

TEST_F(SlotRowsTest, the_note_of_rows_follows_and_never_passes_a_gap) {
    for (std::uint32_t slot = 0; slot < 200; ++slot) {
        if (slot != 150) {
            write(slot, held_by_a());
        }
    }
    EXPECT_EQ(free(0, 1000, 2), (Numbers{150, 200}));
    EXPECT_EQ(noted(), 150);
    write(150, held_by_a());
    EXPECT_EQ(free(0, 1000, 1), (Numbers{200}));
    EXPECT_EQ(noted(), 200);
    EXPECT_EQ(free(0, 200, 1), Numbers());
}

TEST_F(SlotRowsTest, a_full_namespace_has_no_free_slot) {
    for (std::uint32_t slot = 0; slot < 64; ++slot) {
        write(slot, held_by_a());
    }
    EXPECT_EQ(free(0, 64, 7), Numbers());
    EXPECT_EQ(free(40, 64, 7), Numbers());
}

TEST_F(SlotRowsTest, a_row_is_read_as_it_was_written) {
    SlotRow row = held_by_a();
    row.last_owner = "b";
    row.fence = Fence((std::uint64_t{1} << 53) - 1);
    row.expires_at = StoreTime(Duration(1));
    row.floor = StoreTime(Duration(2));
    row.ceiling = StoreTime(limits::stored_time_max * Duration(1));
    row.next_floor = row.ceiling;
    write(7, row);
    EXPECT_EQ(rows().row(Slot(7)).value(), row);
    EXPECT_EQ(rows().row(Slot(8)).value(), SlotRow());
}

TEST_F(SlotRowsTest, a_row_that_no_rule_writes_is_corrupt_and_in_no_list) {
    for (const char* damage :
         {"fence = -1",
          "floor = 9007199254740992",
          "incarnation = ''",
          "owner_key = 'a b'",
          "ceiling = 'x'",
          "last_owner_key = '|'"}) {
        write(3, held_by_a());
        const std::string text = std::string("UPDATE cosid_slot SET ") + damage;
        ASSERT_TRUE(connection_->execute(text).ok());
        auto read = rows().row(Slot(3));
        ASSERT_FALSE(read.ok()) << damage;
        EXPECT_EQ(read.error().code(), Code::corrupt) << damage;
        EXPECT_TRUE(rows().held_by("a", 16).value().empty()) << damage;
        EXPECT_TRUE(rows().expired(StoreTime(Duration(9)), 16).value().empty()) << damage;
    }
}

TEST_F(SlotRowsTest, questions_go_through_an_index) {
    const auto plan = [&](std::string_view text) {
        SqlRun run(*connection_->prepare(std::string("EXPLAIN QUERY PLAN ").append(text)).value());
        std::string lines;
        while (run.step().value()) {
            lines.append(run.row().text(3)).append("\n");
        }
        return lines;
    };
    const auto expect = [&](std::string_view text, std::string_view index) {
        const std::string lines = plan(text);
        EXPECT_NE(lines.find(index), std::string::npos) << lines;
        EXPECT_EQ(lines.find("TEMP B-TREE"), std::string::npos) << lines;
    };
    expect(slot_queries::expired, "cosid_slot_expiry (namespace=? AND expires_at<?)");
    expect(slot_queries::earliest_expiry, "cosid_slot_expiry (namespace=?)");
    expect(
        slot_queries::of_owner,
        "cosid_slot_owner (namespace=? AND owner_key=? AND slot>? AND slot<?)"
    );
    expect(slot_queries::numbers, "PRIMARY KEY (namespace=? AND slot>? AND slot<?)");
}

}  // namespace
}  // namespace holdfast
