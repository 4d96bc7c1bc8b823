// One line and exit code 1 if this translation unit's compile flags broke the arithmetic.
// broken_flags.cmake compiles it with flags good and bad; with ddla's own it is a test as well.
#include <ddla/self_test.hpp>

#include <cstdio>

int main()
{
    try {
        ddla::require_exact_arithmetic();
    } catch (const ddla::internal_error& e) {
        std::puts(e.what());
        return 1;
    }
    std::puts("exact");
}
