#include "failing.hpp"

#include "allocations.hpp"
#include "catch.hpp"

#include "ddla/error.hpp"

#include <cstring>
#include <optional>

namespace test {
namespace {

/// How a call ended one of whose allocations failed.
struct outcome {
    std::optional<std::uint64_t> result;
    bool failed = false;     ///< an allocation
    char message[256] = "";  ///< of an exception of ddla
    long left = 0;           ///< objects that are still there
};

/// Nothing here allocates, nor does what it calls itself.
outcome with_failure(const call& compute, long number, bool stays)
{
    outcome end;
    const long before = alive;
    has_failed = false;
    stays_without = stays;
    until_failure = number;
    try {
        end.result = compute();
    } catch (const std::bad_alloc&) {
    } catch (const ddla::resource_error& e) {
        std::strncpy(end.message, e.what(), sizeof end.message - 1);
    }
    until_failure = -1;
    stays_without = false;
    end.failed = has_failed;
    end.left = alive - before;
    return end;
}

/// From allocation `number` to the next one that is to fail.
long step_after([[maybe_unused]] long number)
{
#if defined(__SANITIZE_ADDRESS__)  // ten times as long: the first ones singly, then some of each
                                   // part
    return 1 + number / 32;
#else
    return 1;
#endif
}

void fail_each(const call& compute, std::uint64_t expected, bool stays)
{
    long number = 0, failures = 0;
    for (bool failed = true; failed; number += step_after(number)) {
        const outcome end = with_failure(compute, number, stays);
        INFO("allocation " << number + 1 << (stays ? " and all that follow" : ""));
        failed = end.failed;
        if (end.result)
            CHECK(*end.result == expected);  // the call did without
        else
            CHECK(end.failed);
        if (end.message[0] != '\0') CHECK_THAT(std::string(end.message), Catch::Contains("memory"));
        CHECK(end.left == 0);
        if (failed && failures++ % 16 == 0) CHECK(compute() == expected);
    }
    CHECK(number > 1);
}

}  // namespace

void fail_each_allocation(const std::string& what, const call& compute)
{
    INFO(what);
    const std::uint64_t expected = compute();
    fail_each(compute, expected, false);
#if !defined(__SANITIZE_ADDRESS__)  // six times as long: for leaks once is enough
    fail_each(compute, expected, true);
#endif
    CHECK(compute() == expected);
}

bool allocation_fails(long number, const std::function<void()>& f)
{
    return with_failure([&] { return f(), std::uint64_t{0}; }, number, false).failed;
}

}  // namespace test
