// The main of a test program that was compiled with the broken variants: HOLDFAST_FAULT names the
// one that is on.

#include <holdfast/base/fault_switch.h>

#include <gtest/gtest.h>

#include <cstdlib>

int main(int count, char** words) {
    if (const char* name = std::getenv("HOLDFAST_FAULT"); name != nullptr) {
        holdfast::fault_on = name;
    }
    testing::InitGoogleTest(&count, words);
    return RUN_ALL_TESTS();
}
