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

// The code of the refusal, in a process of its own.
int open_as_nobody(const std::string& path) {
    const pid_t pid = fork();
    if (pid == 0) {
        if (geteuid() == 0 && (setgid(nobody) != 0 || setuid(nobody) != 0)) {
            std::_Exit(opened + 1);
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
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}

class ReadOnly : public ::testing::Test {
protected:
    ReadOnly() {
        file_.open(file_.options()).reset();
        folder_ = file_.path().substr(0, file_.path().rfind('/'));
    }
    ~ReadOnly() override { chmod(folder_.c_str(), 0700); }

    HeldFile file_;
    std::string folder_;
};

TEST_F(ReadOnly, a_file_that_may_only_be_read_is_denied) {
    ASSERT_EQ(chmod(file_.path().c_str(), 0444), 0);
    ASSERT_EQ(chmod(folder_.c_str(), 0777), 0);
    EXPECT_EQ(open_as_nobody(file_.path()), static_cast<int>(Code::denied));
}

TEST_F(ReadOnly, a_folder_that_may_only_be_read_is_denied) {
    ASSERT_EQ(chmod(file_.path().c_str(), 0666), 0);
    ASSERT_EQ(chmod(folder_.c_str(), 0555), 0);
    EXPECT_EQ(open_as_nobody(file_.path()), static_cast<int>(Code::denied));
}

}  // namespace
}  // namespace holdfast
