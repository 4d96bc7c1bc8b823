// Catch2 2 and 3 under one name.
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
