// What an id says, without a store or a runtime: its time, its machine, its sequence, and how else
// it is written. A text that could be several kinds of id is shown as each.

#include <holdfast/base/time.h>
#include <holdfast/ids/parse.h>

#include <cstdio>
#include <string>
#include <vector>

namespace hf = holdfast;

// begin read
int read(const std::string& text) {
    const std::vector<hf::NamedLayout> layouts = hf::standard_layouts();
    const std::vector<hf::IdGuess> guesses = hf::guess_id(text, layouts);
    for (const hf::IdGuess& guess : guesses) {
        std::printf(
            "%s, as %s of %s\n", text.c_str(), guess.encoding.c_str(), guess.layout.c_str()
        );
        for (const hf::IdLine& line : hf::describe_id(guess.reading)) {
            std::printf("  %-10s %s\n", line.name.c_str(), line.value.c_str());
        }
    }
    return guesses.empty() ? 1 : 0;  // strict: no layout would have written it
}
// end read

int main(int count, char** words) {
    if (count == 1) {
        return read("797011712925503493");
    }
    int failed = 0;
    for (int i = 1; i < count; ++i) {
        failed += read(words[i]);
    }
    return failed == 0 ? 0 : 1;
}
