// Promises of connections to unix sockets.
#include <holdfast/io/runtime.h>
#include <holdfast/io/tcp.h>
#include <holdfast/io/virtual_runtime.h>

#include <gtest/gtest.h>
#include <support/temporary_folder.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <string>

namespace holdfast {
namespace {

// A listening socket in a folder of its own.
class UnixListener {
public:
    explicit UnixListener(const std::string& path) : fd_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path, path.data(), path.size());
        EXPECT_EQ(::bind(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
        EXPECT_EQ(::listen(fd_, 4), 0);
    }
    ~UnixListener() { ::close(fd_); }
    UnixListener(const UnixListener&) = delete;
    UnixListener& operator=(const UnixListener&) = delete;

    int accept() const { return ::accept(fd_, nullptr, nullptr); }

private:
    int fd_;
};

class Unix : public ::testing::Test {
protected:
    Result<std::unique_ptr<Stream>> connect(std::string path) {
        return wait(
            *runtime,
            connect_unix(std::move(path), Deadline::in(Duration{10'000}, runtime->clock()))
        );
    }

    testing::TemporaryFolder folder;
    std::unique_ptr<Runtime> runtime = open_runtime(RuntimeOptions().loops(1)).value();
};

Task<std::string> echo(Stream& stream, Deadline deadline) {
    auto sent = co_await write_all(stream, "ping", deadline);
    if (!sent.ok()) {
        co_return std::move(sent).error();
    }
    std::array<std::byte, 16> space;
    auto got = co_await stream.read_some(space);
    if (!got.ok()) {
        co_return std::move(got).error();
    }
    co_return std::string(reinterpret_cast<const char*>(space.data()), got.value());
}

TEST_F(Unix, bytes_go_both_ways) {
    const std::string path = (folder.path() / "s").string();
    const UnixListener listener(path);
    auto stream = connect(path);
    ASSERT_TRUE(stream.ok()) << stream.error().what();
    const int peer = listener.accept();
    ASSERT_EQ(::send(peer, "pong", 4, MSG_NOSIGNAL), 4);
    auto answer =
        wait(*runtime, echo(*stream.value(), Deadline::in(Duration{10'000}, runtime->clock())));
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ(answer.value(), "pong");
    std::array<char, 8> heard{};
    EXPECT_EQ(::recv(peer, heard.data(), heard.size(), 0), 4);
    EXPECT_EQ(std::string(heard.data(), 4), "ping");
    ::close(peer);
    stream.value().reset();
}

TEST_F(Unix, a_path_nobody_listens_on_is_unreachable) {
    auto stream = connect((folder.path() / "none").string());
    ASSERT_FALSE(stream.ok());
    EXPECT_EQ(stream.error().code(), Code::unreachable);
    EXPECT_EQ(stream.error().effect(), Effect::none);
}

TEST_F(Unix, the_length_of_a_path_is_bounded_by_the_system) {
    for (const std::string& path : {std::string(), std::string(108, 'p')}) {
        auto stream = connect(path);
        ASSERT_FALSE(stream.ok());
        EXPECT_EQ(stream.error().code(), Code::invalid_argument);
    }
    auto longest = connect("/" + std::string(106, 'p'));
    ASSERT_FALSE(longest.ok());
    EXPECT_EQ(longest.error().code(), Code::unreachable);
}

TEST(UnixOfVirtualTime, there_are_none) {
    auto runtime = open_virtual_runtime(VirtualOptions());
    auto stream =
        wait(*runtime, connect_unix("/tmp/s", Deadline::in(Duration{10}, runtime->clock())));
    ASSERT_FALSE(stream.ok());
    EXPECT_EQ(stream.error().code(), Code::unsupported);
}

}  // namespace
}  // namespace holdfast
