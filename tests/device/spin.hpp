// A thread that waits for what does not come.
#pragma once

#include <string>

namespace test {

/// What cudaDeviceSynchronize() returns after such a kernel, by name.
std::string wait_for_nobody();

}  // namespace test
