#pragma once
// Files that were built into the program (cmake/EmbedFiles.cmake).

#include <string_view>

namespace holdfast {

// Empty: no such file was built in. It lasts as long as the program.
std::string_view embedded_file(std::string_view name);

}  // namespace holdfast
