#pragma once
// Names the calling thread, for debuggers and top: "hf-loop-0".

#include <pthread.h>

#include <algorithm>
#include <string>

namespace holdfast {

inline void name_this_thread(const char* kind, std::size_t number) {
    std::string name = std::string(kind) + std::to_string(number);
    name.resize(std::min<std::size_t>(name.size(), 15));  // the kernel keeps no more
    (void)pthread_setname_np(pthread_self(), name.c_str());
}

}  // namespace holdfast
