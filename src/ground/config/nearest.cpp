#include "nearest.h"

#include <algorithm>
#include <vector>

namespace holdfast {

std::size_t edit_distance(std::string_view left, std::string_view right) {
    const std::size_t width = right.size() + 1;
    std::vector<std::size_t> before(width);
    std::vector<std::size_t> above(width);
    std::vector<std::size_t> row(width);
    for (std::size_t j = 0; j < width; ++j) {
        above[j] = j;
    }
    for (std::size_t i = 1; i <= left.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j < width; ++j) {
            const bool same = left[i - 1] == right[j - 1];
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1]) {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
        }
        before.swap(above);
        above.swap(row);
    }
    return above.back();
}

std::size_t near_enough(std::size_t length) {
    return std::max<std::size_t>(2, length / 3);
}

}  // namespace holdfast
