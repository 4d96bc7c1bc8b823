// Catch2 2 and 3 under one name, and what Catch2 2 has not: test cases that are skipped.
#pragma once

#if defined(DDLA_CATCH2_V3)
#include <catch2/catch_all.hpp>
using Catch::Approx;
namespace Catch {
/// Version 2 calls the matcher of substrings Contains.
inline auto Contains(const std::string& part)
{
    return Matchers::ContainsSubstring(part);
}
}  // namespace Catch
#else
#include <catch2/catch.hpp>
#endif

#include <string>

namespace test {

/// Why the running test case is skipped; empty if it is not.
inline std::string& reason_to_skip()
{
    static std::string reason;
    return reason;
}

}  // namespace test

/// In the body of a test case that lacks what it needs: ends it.  It counts as skipped
/// (support/run_tests.hpp) unless one of its checks has failed before.
#define SKIP_CASE(reason)                                                                          \
    do {                                                                                           \
        ::test::reason_to_skip() = reason;                                                         \
        return;                                                                                    \
    } while (false)
