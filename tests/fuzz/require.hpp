// What a fuzzer checks: a violation says where, and aborts, for that is what libFuzzer records.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace fuzz {

/// `about` is printed beside the line that was violated.
inline void require(bool holds, std::string_view about = "", const char* file = __builtin_FILE(),
                    int line = __builtin_LINE())
{
    if (holds) return;
    std::fprintf(stderr, "%s:%d: violated: %.*s\n", file, line, static_cast<int>(about.size()),
                 about.data());
    std::abort();
}

}  // namespace fuzz
