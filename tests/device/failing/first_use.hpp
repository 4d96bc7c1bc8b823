// What ddla, CUB and nvcc's code do once in a process, and keep: each such call fails in a process
// of its own.
#pragma once

#include <string>

namespace test {

/// Starts this program again for each of them; checks what the processes say.
void fail_each_first_use(int device);

/// What such a process does instead of main(): `which` is the number of the call, 0 for none, the
/// status it returns, and the device.
int run_first_use(const std::string& which);

}  // namespace test
