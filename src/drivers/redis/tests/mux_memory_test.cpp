// What happens to a command when there is no memory for its bytes.
#ifdef __has_feature
#if __has_feature(thread_sanitizer)  // brings its own operator new, in the program itself
#define HOLDFAST_OWN_NEW 0
#endif
#endif
#ifndef HOLDFAST_OWN_NEW
#define HOLDFAST_OWN_NEW 1
#endif
#if HOLDFAST_OWN_NEW

#include "mux_scene.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> refused_from = SIZE_MAX;  // allocations of so many bytes fail

}  // namespace

// For the whole program: a test says when memory ends.
void* operator new(std::size_t bytes) {
    if (bytes >= refused_from) {
        throw std::bad_alloc();
    }
    if (void* memory = std::malloc(bytes == 0 ? 1 : bytes); memory != nullptr) {
        return memory;
    }
    throw std::bad_alloc();
}
void* operator new[](std::size_t bytes) {
    return operator new(bytes);
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return bytes >= refused_from ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
    return operator new(bytes, std::nothrow);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);  // NOLINT(clang-analyzer-cplusplus.NewDelete): the operator itself
}

namespace holdfast::redis {
namespace {

// Faults 3, 4 and 6: a command is bytes before it is queued, so what fails while it is made never
// reaches the connection. Fault 8: what fails while it is written leaves no half command.
TEST(Mux, fault_08_no_memory_for_one_command_ends_that_one_and_leaves_no_half_of_it) {
    Scene scene;
    Call before = Call::get("a");
    Call large = Call::get(std::string(1'000'000, 'x'));
    Call after = Call::get("b");
    EXPECT_FALSE(before.submit(scene));
    EXPECT_FALSE(large.submit(scene));
    EXPECT_FALSE(after.submit(scene));
    refused_from = 500'000;
    const std::string out = scene.write();
    refused_from = SIZE_MAX;
    EXPECT_EQ(out, frame({"GET", "a"}) + frame({"GET", "b"}));
    ASSERT_TRUE(large.error.has_value());
    EXPECT_EQ(large.error->code(), Code::overloaded);
    EXPECT_EQ(large.error->effect(), Effect::none);
    EXPECT_TRUE(scene.read(bulk("of a") + bulk("of b")));
    EXPECT_EQ(before.said(), "of a");
    EXPECT_EQ(after.said(), "of b");
}

TEST(Mux, fault_06_no_memory_while_a_command_is_made_touches_no_other) {
    Scene scene;
    Call before = Call::get("a");
    EXPECT_FALSE(before.submit(scene));
    const std::string value(1'000'000, 'x');
    refused_from = 500'000;
    EXPECT_THROW((void)Call::get(value), std::bad_alloc);
    refused_from = SIZE_MAX;
    EXPECT_EQ(scene.write(), frame({"GET", "a"}));
    EXPECT_TRUE(scene.read(bulk("of a")));
    EXPECT_EQ(before.said(), "of a");
}

}  // namespace
}  // namespace holdfast::redis

#endif
