"""Faults that other Redis clients have or had in reading replies, put back into ours: the test named after each must fail."""

import unittest

import faulty_copy

VALUES, AGGREGATES, LENGTHS = (
    f"src/wire/resp/{name}" for name in ("parser_values.cpp", "parser_aggregates.cpp", "length_line.cpp"))

DEPTH_CHECK = '    if (depth_ == resp_depth_max) {\n        return breaks("values are nested too deep");\n    }\n'

# Name of the test, file, and each change: what is right and what makes it wrong.
FAULTS = {
    "F2 an attribute is taken for the reply": (
        "HostileReplies.F2_*", VALUES,
        ("RespType::map, Kind::attribute)", "RespType::map, Kind::counted)")),
    "F3 a length without digits is zero": (
        "HostileReplies.F3_a_length_without_digits_is_refused", LENGTHS,
        ("    if (at == first) {\n", "    if (at == nullptr) {\n")),
    "F3 streamed strings nest without end": (
        "HostileReplies.F3_streamed_strings_do_not_nest", VALUES,
        ("    if (in_chunks_) {\n        return read_chunk", "    if (in_chunks_ && *cursor.at == ';') {\n        return read_chunk")),
    "F3 a length wraps": (
        "HostileReplies.F3_a_length_that_wraps_is_refused", LENGTHS,
        ("value > (max - digit) / 10 || digit > max", "digit > max")),
    "F3 the nulls of RESP2 are errors": (
        "HostileReplies.F3_the_nulls_of_RESP2_are_values", AGGREGATES,
        ("if (type != RespType::array) {", "if (type != RespType::map) {")),
    "F6 more than five levels are refused": (
        "HostileReplies.F6_*", AGGREGATES,
        (DEPTH_CHECK + "    const auto", DEPTH_CHECK.replace("resp_depth_max", "5") + "    const auto")),
    "39 memory is taken for what is announced": (
        "ParserCost.fault_39_*", AGGREGATES,
        ("        nodes_.push_back(node);\n", "        nodes_.reserve(nodes_.size() + children);\n        nodes_.push_back(node);\n")),
    "40 nesting has no limit": (
        "HostileReplies.fault_40_*", AGGREGATES,
        (DEPTH_CHECK + "    cursor.at", "    cursor.at"), (DEPTH_CHECK + "    const auto", "    const auto")),
    "43 lines above 512 KB are refused": (
        "HostileReplies.fault_43_*", VALUES,
        ("> resp_line_bytes_read_max", "> std::size_t{512} << 10")),
    "47 replies above 16 KiB in pieces never end": (
        "Borders.fault_47_*", VALUES,
        ("- cursor.begin) + size + 2);", "- cursor.begin) + size + 2 + (size > 16000 ? 1 : 0));")),
}


class RespFaults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.copy = faulty_copy.FaultyCopy("base;resp", "resp_test")
        cls.addClassCleanup(cls.copy.close)

    def test_without_a_fault_the_tests_pass(self):
        self.copy.build()
        status, output = self.copy.run(":".join(names for names, *_ in FAULTS.values()))
        self.assertEqual(status, 0, output)
        for names, *_ in FAULTS.values():
            self.assertIn(names.rstrip("*"), output)

    def test_each_fault_is_noticed_by_the_test_of_its_name(self):
        for fault, (names, file, *changes) in FAULTS.items():
            with self.subTest(fault):
                status, output = self.copy.with_fault(file, changes, names)
                self.assertIn("[ RUN      ]", output)
                self.assertNotEqual(status, 0, f"{names} did not notice: {fault}")


if __name__ == "__main__":
    unittest.main()
