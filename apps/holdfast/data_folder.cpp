#include "data_folder.h"

#include <holdfast/codec/base64url.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <variant>

namespace holdfast::app {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t token_bytes = 32;
constexpr std::size_t token_file_bytes_max = 1024;  // a token has at most 512 characters

std::optional<fs::path> from_environment(const char* name) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') {
        return std::nullopt;
    }
    return fs::path(value);
}

FolderProblem problem(const fs::path& path, const char* what, int error) {
    return {path.string() + ": " + what + ": " + std::strerror(error)};
}

std::variant<Token, FolderProblem> read_token(const fs::path& file) {
    struct stat status{};
    if (stat(file.c_str(), &status) != 0) {
        return problem(file, "cannot read the token", errno);
    }
    if ((status.st_mode & 077) != 0) {
        return FolderProblem{
            file.string() +
            ": others may read the token; chmod 600 it, or remove it to get a new one"
        };
    }
    std::ifstream in(file);
    std::string text(token_file_bytes_max, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (in.bad() || (!in.eof() && in.fail())) {
        return problem(file, "cannot read the token", errno);
    }
    text.resize(static_cast<std::size_t>(in.gcount()));
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) {
        text.pop_back();
    }
    if (text.empty()) {
        return FolderProblem{
            file.string() + ": the token is empty; remove the file to get a new one"
        };
    }
    return Token{Secret(std::move(text)), file, false};
}

// A name of its own first, then a link: the token's name never shows half a file, and the first of
// two starters wins.
std::optional<FolderProblem> write_token(const fs::path& file, const std::string& text) {
    std::string draft = file.string() + ".XXXXXX";
    const int descriptor = mkstemp(draft.data());  // mode 0600
    if (descriptor < 0) {
        return problem(file, "cannot make the token", errno);
    }
    const std::string line = text + "\n";
    const bool written =
        write(descriptor, line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
        fsync(descriptor) == 0;
    const int write_error = errno;
    close(descriptor);
    std::optional<FolderProblem> failed;
    if (!written) {
        failed = problem(file, "cannot write the token", write_error);
    } else if (link(draft.c_str(), file.c_str()) != 0 && errno != EEXIST) {
        failed = problem(file, "cannot make the token", errno);
    }
    unlink(draft.c_str());
    return failed;
}

}  // namespace

std::optional<fs::path> data_folder(const std::string& told) {
    if (!told.empty()) {
        return fs::path(told);
    }
    if (auto own = from_environment("HOLDFAST_DATA")) {
        return own;
    }
    if (auto data_home = from_environment("XDG_DATA_HOME")) {
        return *data_home / "holdfast";
    }
    if (auto home = from_environment("HOME")) {
        return *home / ".local" / "share" / "holdfast";
    }
    return std::nullopt;
}

std::optional<FolderProblem> make_folder(const fs::path& folder) {
    std::error_code error;
    if (fs::is_directory(folder, error)) {
        return std::nullopt;
    }
    if (folder.has_parent_path()) {
        fs::create_directories(folder.parent_path(), error);
    }
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
        return problem(folder, "cannot make the data folder", errno);
    }
    if (!fs::is_directory(folder, error)) {
        return problem(folder, "cannot use the data folder", ENOTDIR);
    }
    return std::nullopt;
}

std::variant<Token, FolderProblem> open_token(const fs::path& folder, Random& random) {
    const fs::path file = folder / "token";
    std::error_code error;
    bool fresh = false;
    if (!fs::exists(file, error)) {
        std::array<std::byte, token_bytes> bytes{};
        random.fill(bytes);
        if (auto failed = write_token(
                file, base64url({reinterpret_cast<const char*>(bytes.data()), bytes.size()})
            )) {
            return *failed;
        }
        fresh = true;
    }
    auto read = read_token(file);
    if (auto* token = std::get_if<Token>(&read)) {
        token->fresh = fresh;
    }
    return read;
}

}  // namespace holdfast::app
