// A file that may only be read. Root ignores modes, so the look is taken by a user without rights.
#include "held_file.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace holdfast {
namespace {

constexpr uid_t nobody = 65534;
constexpr int opened = 100;
constexpr int no_child = 101;

// Opens the store in a process of its own: the code of the refusal. This process has no threads.
int open_as(uid_t user, const std::string& path) {
    const pid_t pid = fork();
    if (pid == 0) {
        if (user != geteuid() && geteuid() == 0 && (setgid(user) != 0 || setuid(user) != 0)) {
            std::_Exit(no_child);
        }
        int code = opened;
        {
            auto runtime = std::move(open_runtime(RuntimeOptions().loops(1))).value();
            const Deadline deadline = Deadline::in(Duration(5'000), runtime->clock());
            auto store = open_sqlite_store(*runtime, SqliteStoreOptions(path), deadline);
            if (!store.ok()) {
                code = static_cast<int>(store.error().code());
            }
        }
        std::_Exit(code);
    }
    int status = 0;
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : no_child;
}

class ReadOnly : public ::testing::Test {
protected:
    ReadOnly() { EXPECT_EQ(open_as(geteuid(), path()), opened); }
    ~ReadOnly() override { chmod(folder_.path().c_str(), 0700); }
    std::string path() const { return (folder_ / "store.db").string(); }

    testing::TemporaryFolder folder_;
};

TEST_F(ReadOnly, a_file_that_may_only_be_read_is_denied) {
    ASSERT_EQ(chmod(path().c_str(), 0444), 0);
    ASSERT_EQ(chmod(folder_.path().c_str(), 0777), 0);
    EXPECT_EQ(open_as(nobody, path()), static_cast<int>(Code::denied));
}

TEST_F(ReadOnly, a_folder_that_may_only_be_read_is_denied) {
    ASSERT_EQ(chmod(path().c_str(), 0666), 0);
    ASSERT_EQ(chmod(folder_.path().c_str(), 0555), 0);
    EXPECT_EQ(open_as(nobody, path()), static_cast<int>(Code::denied));
}

}  // namespace
}  // namespace holdfast
