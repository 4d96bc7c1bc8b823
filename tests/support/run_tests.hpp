// The main of a test program: runs its cases, and says at the end how many passed, failed and were
// skipped, in a line that scripts/test and tests/device/run read.
#pragma once

#include "catch.hpp"

#include <cstdio>
#include <vector>

namespace test {

/// ctest and tests/device/run call a program that ends with this skipped.
inline constexpr int exit_skipped = 4;

struct case_counts {
    std::size_t passed = 0, failed = 0;
    std::vector<std::string> skipped;  ///< names, with the reasons
};

inline case_counts& counted_cases()
{
    static case_counts counts;
    return counts;
}

#if defined(DDLA_CATCH2_V3)
using listener_base = Catch::EventListenerBase;
#else
using listener_base = Catch::TestEventListenerBase;
#endif

class case_counter : public listener_base {
public:
    using listener_base::listener_base;
    void testCaseStarting(const Catch::TestCaseInfo& info) override
    {
        listener_base::testCaseStarting(info);
        name_ = info.name;
        reason_to_skip().clear();
    }
    void testCaseEnded(const Catch::TestCaseStats& stats) override
    {
        case_counts& counts = counted_cases();
        if (stats.totals.testCases.failed > 0)
            ++counts.failed;
        else if (reason_to_skip().empty())
            ++counts.passed;
        else
            counts.skipped.push_back(name_ + ": " + reason_to_skip());
        listener_base::testCaseEnded(stats);
    }

private:
    std::string name_;
};

inline void print_counts(const case_counts& counts)
{
    for (const std::string& name : counts.skipped) std::printf("skipped: %s\n", name.c_str());
    std::printf("test cases counted: %zu passed, %zu failed, %zu skipped\n", counts.passed,
                counts.failed, counts.skipped.size());
}

/// What no case can run without is missing: all are skipped.
inline int skip_all(const char* missing)
{
    const auto& all = Catch::getRegistryHub().getTestCaseRegistry().getAllTests();
    std::printf("skipped: %s\n", missing);
    std::printf("test cases counted: 0 passed, 0 failed, %zu skipped\n", all.size());
    return exit_skipped;
}

/// Ends with 0 if a case passed and none failed, with exit_skipped if all were skipped, else
/// with 1.
inline int run_tests(int argc, char** argv)
{
    const int status = Catch::Session().run(argc, argv);
    const case_counts& counts = counted_cases();
    const bool ran = counts.passed + counts.failed + counts.skipped.size() > 0;
    if (ran) print_counts(counts);
    if (status != 0) return 1;
    return ran && counts.passed == 0 ? exit_skipped : 0;
}

CATCH_REGISTER_LISTENER(case_counter)

}  // namespace test
