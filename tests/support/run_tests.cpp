// Beside it all of Catch2: a program that has a main of its own need not compile that again.
#define CATCH_CONFIG_RUNNER
#include "run_tests.hpp"

#include "catch.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace test {
namespace {

/// ctest and tests/device/run call a program that ends with this skipped.
constexpr int exit_skipped = 4;

struct case_counts {
    std::size_t passed = 0, failed = 0;
    std::vector<std::string> skipped;  ///< names, with the reasons
};

case_counts& counted_cases()
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

void print_counts(const case_counts& counts)
{
    for (const std::string& name : counts.skipped) std::printf("skipped: %s\n", name.c_str());
    std::printf("test cases counted: %zu passed, %zu failed, %zu skipped\n", counts.passed,
                counts.failed, counts.skipped.size());
}

/// What no case can run without is missing: all are skipped.
int skip_all(const char* missing)
{
    const auto& all = Catch::getRegistryHub().getTestCaseRegistry().getAllTests();
    std::printf("skipped: %s\n", missing);
    std::printf("test cases counted: 0 passed, 0 failed, %zu skipped\n", all.size());
    return exit_skipped;
}

/// A test spec that names this case and no other.
std::string spec_of(const std::string& name)
{
    std::string spec = "\"";
    for (const char c : name) {
        if (c == ',' || c == '[' || c == '"' || c == '\\') spec += '\\';
        spec += c;
    }
    return spec + '"';
}

/// A case that no other process may run beside, for it takes all memory.
template <class Case>
bool is_alone(const Case& c)
{
#if defined(DDLA_CATCH2_V3)
    const auto& tags = c.getTestCaseInfo().tags;
    return std::any_of(tags.begin(), tags.end(),
                       [](const Catch::Tag& t) { return t.original == "alone"; });
#else
    return std::find(c.lcaseTags.begin(), c.lcaseTags.end(), "alone") != c.lcaseTags.end();
#endif
}

/// DDLA_TEST_PART=k/n: of all cases, but those with the tag [alone], only every n-th, from the
/// k-th, 1 <= k <= n.
bool take_part(const char* part, Catch::Session& session)
{
    std::size_t k = 0, n = 0;
    int end = 0;
    if (std::sscanf(part, "%zu/%zu%n", &k, &n, &end) != 2 || part[end] || k < 1 || k > n) {
        std::printf("DDLA_TEST_PART=%s is no part: 2/8 is the second of eight\n", part);
        return false;
    }
    const auto& all = Catch::getRegistryHub().getTestCaseRegistry().getAllTests();
    for (std::size_t i = k - 1; i < all.size(); i += n) {
        if (is_alone(all[i])) continue;
#if defined(DDLA_CATCH2_V3)
        session.configData().testsOrTags.push_back(spec_of(all[i].getTestCaseInfo().name));
#else
        session.configData().testsOrTags.push_back(spec_of(all[i].name));
#endif
        session.configData().testsOrTags.push_back(",");
    }
    return true;
}

CATCH_REGISTER_LISTENER(case_counter)

}  // namespace

int run_tests(int argc, char** argv)
{
    Catch::Session session;
    if (session.applyCommandLine(argc, argv) != 0) return 1;
    const char* part = std::getenv("DDLA_TEST_PART");
    if (part != nullptr && !take_part(part, session)) return 1;
    const int status = session.run();
    const case_counts& counts = counted_cases();
    const bool ran = counts.passed + counts.failed + counts.skipped.size() > 0;
    if (ran) print_counts(counts);
    if (status != 0) return 1;
    return ran && counts.passed == 0 ? exit_skipped : 0;
}

int run_tests(const char* missing, int argc, char** argv)
{
    return missing ? skip_all(missing) : run_tests(argc, argv);
}

}  // namespace test
