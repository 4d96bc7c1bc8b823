// Calls whose allocations fail, one after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace test {

/// What a call computes, as a hash.
using call = std::function<std::uint64_t()>;

/// Lets the first allocation of the call fail, then the second, and so on, until it has no more:
/// each of them alone, and then with all that follow.  The call throws, or does without; it leaves
/// nothing behind, and has its result again.
void fail_each_allocation(const std::string& what, const call& compute);

/// Calls f, where the allocation of this number, from 0, fails; whether there was one.
bool allocation_fails(long number, const std::function<void()>& f);

}  // namespace test
