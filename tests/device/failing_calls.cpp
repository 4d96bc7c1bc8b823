// Calls of CUDA fail, one at a time, and from one on: ddla says so in the sentence that it
// promises, leaks nothing, and has the right bits afterwards.
//
// A program of its own: it is linked so that all CUDA calls of ddla pass failing/wrapped.cpp.
#define CATCH_CONFIG_EXTERNAL_INTERFACES  // listeners
#include "catch.hpp"
#include "support/run_tests.hpp"

#include "failing/attempts.hpp"
#include "failing/first_use.hpp"

#include "ddla/devices.hpp"
#include "ddla/error.hpp"

#include <chrono>

namespace {

using namespace test;

/// The last device: with two of them another one is current, and ddla has to change that.
ddla::place gpu()
{
    static const auto count = static_cast<int>(ddla::devices().size());
    return ddla::device(count - 1);
}

/// The numbers of calls that are to fail: all, if they are no more than `most`; else every
/// so-many-th, and at each site, where that is wanted, the first one and the last.
std::vector<std::int64_t> some_of(const std::vector<calls::call>& all, std::size_t most,
                                  bool each_site)
{
    std::map<std::uint64_t, std::pair<std::size_t, std::size_t>> ends;
    for (std::size_t k = 0; k < all.size(); ++k)
        ends.try_emplace(all[k].site, k, k).first->second.second = k;
    std::set<std::size_t> chosen;
    const std::size_t stride = (all.size() + most - 1) / most;
    for (std::size_t k = 0; k < all.size(); k += stride) chosen.insert(k);
    if (each_site)
        for (const auto& [site, at] : ends) chosen.insert({at.first, at.second});
    std::vector<std::int64_t> numbers;
    for (const std::size_t k : chosen) numbers.push_back(static_cast<std::int64_t>(k) + 1);
    return numbers;
}

/// A scenario, what it made of no failure, and what came of the others.
class trial {
public:
    explicit trial(const scenario& s) : scenario_(s), expected_(s.run(ddla::host))
    {
        for (int time = 0; time < 2; ++time) CHECK(s.run(gpu()) == expected_);
        const std::int64_t before = s.kernels ? s.kernels() : 0;
        const outcome whole = run_with(s, gpu(), {}, seen_);
        INFO(whole.what);
        CHECK(whole.hash == expected_);
        if (s.kernels) CHECK(s.kernels() > before);
        live_ = calls::live_objects();
        REQUIRE(!seen_.all.empty());
    }
    ~trial() { report(); }
    trial(const trial&) = delete;
    trial& operator=(const trial&) = delete;

    void fail_each_call(std::size_t most, bool each_site)
    {
        for (const std::int64_t k : some_of(seen_.all, most, each_site)) {
            const calls::call& c = seen_.all[std::size_t(k - 1)];
            const bool launch = c.function.find("Launch") != std::string::npos;
            attempt(calls::once(k, launch ? cudaErrorLaunchOutOfResources : cudaErrorUnknown));
            if (c.gives_memory) {
                attempt(calls::once(k, cudaErrorMemoryAllocation));
                attempt(calls::out_of_memory(k));
            }
            if (c.needs_room) attempt(calls::once(k, cudaErrorCooperativeLaunchTooLarge));
        }
    }
    /// From a call on all fail, as after a kernel that went wrong; later the device works again.
    void fail_for_good(std::size_t most)
    {
        const std::size_t stride = seen_.all.size() / most + 1;
        for (std::size_t k = 1; k <= seen_.all.size(); k += stride)
            attempt(calls::for_good(std::int64_t(k), cudaErrorLaunchFailure));
    }

private:
    void attempt(const calls::failure& wanted)
    {
        calls::seen seen;
        const outcome o = run_with(scenario_, gpu(), wanted, seen);
        ++runs_;
        if (seen.failed.empty()) {
            ++not_reached_;  // where the clock decides how many calls there are
            return;
        }
        o.hash ? ++went_on_ : ++threw_;
        INFO(scenario_.name << ": " << seen.failed[0].function << ", call " << wanted.first
                            << (wanted.last > wanted.first ? " and later ones" : "") << ", "
                            << cudaGetErrorName(wanted.status) << (o.what.empty() ? "" : ", says: ")
                            << o.what);
        CHECK(complaint_about(o, scenario_, wanted, seen, expected_) == "");
        CHECK_FALSE(calls::error_is_left());
        CHECK(calls::live_objects() == live_);
        CHECK(scenario_.run(gpu()) == expected_);
        CHECK(calls::live_objects() == live_);
        calls::take_error(true);
    }
    void report() const
    {
        const std::chrono::duration<double> seconds = clock::now() - started_;
        std::set<std::string> functions;
        std::set<std::uint64_t> sites, paths;
        for (const calls::call& c : seen_.all) {
            functions.insert(c.function);
            sites.insert(c.site);
            paths.insert(c.path);
        }
        std::printf("%s: %zu calls of %zu functions at %zu sites, on %zu paths; %d runs with "
                    "failures: %d threw, %d did without, %d made fewer calls; %.1f s\n",
                    scenario_.name.c_str(), seen_.all.size(), functions.size(), sites.size(),
                    paths.size(), runs_, threw_, went_on_, not_reached_, seconds.count());
        totals& t = all_together();
        t.functions.merge(functions);
        t.sites.merge(sites);
        t.paths.merge(paths);
        t.runs += runs_, t.threw += threw_, t.went_on += went_on_, t.not_reached += not_reached_;
    }

    using clock = std::chrono::steady_clock;
    clock::time_point started_ = clock::now();
    scenario scenario_;
    std::uint64_t expected_;
    calls::seen seen_;
    std::map<std::string, int> live_;
    int runs_ = 0, threw_ = 0, went_on_ = 0, not_reached_ = 0;
};

void fail_in(const scenario& s, std::size_t most, bool each_site = true)
{
    INFO(s.name);
    trial of(s);
    of.fail_each_call(most, each_site);
    of.fail_for_good(most / 8 + 1);
    CHECK(calls::wrong_uses() == std::vector<std::string>());
}

#if defined(DDLA_CATCH2_V3)
using listener_base = Catch::EventListenerBase;
#else
using listener_base = Catch::TestEventListenerBase;
#endif

class totals_printer : public listener_base {
public:
    using listener_base::listener_base;
    void testRunEnded(const Catch::TestRunStats& stats) override
    {
        const totals& t = all_together();
        std::printf("failing calls: %zu functions, %zu sites, %zu paths; %lld runs with failures: "
                    "%lld threw, %lld did without, %lld made fewer calls; %lld first uses, of "
                    "which CUB or nvcc's code remembers %lld\n",
                    t.functions.size(), t.sites.size(), t.paths.size(), (long long)t.runs,
                    (long long)t.threw, (long long)t.went_on, (long long)t.not_reached,
                    (long long)t.first_uses, (long long)t.remembered);
        listener_base::testRunEnded(stats);
    }
};

CATCH_REGISTER_LISTENER(totals_printer)

}  // namespace

// Before all others: nothing has used the device.
TEST_CASE("each call that is made once in a process fails", "[faults][first]")
{
    test::fail_each_first_use(gpu().device_index);
}

TEST_CASE("each call of vectors fails", "[faults]")
{
    fail_in(test::vectors(), 400);
}

TEST_CASE("each call of streams fails", "[faults]")
{
    for (const auto& s : test::streams()) fail_in(s, 400);
}

TEST_CASE("each call of conversions and products fails", "[faults]")
{
    for (const auto& s : test::conversions()) fail_in(s, 150);
}

TEST_CASE("each call of solves fails", "[faults]")
{
    for (const auto& s : test::solves()) fail_in(s, 200);
}

TEST_CASE("calls of tune fail", "[faults]")
{
    fail_in(test::measurements(), 200);
    fail_in(test::tuning(), 8, false);  // it copies a gigabyte each time
}

TEST_CASE("calls that tell of devices fail", "[faults]")
{
    const int last = gpu().device_index;
    ddla::release_kept_memory(last);
    const std::size_t all = ddla::devices().size();
    bool reached = true;
    std::int64_t k = 0;
    while (reached) {
        calls::begin(calls::once(++k, cudaErrorUnknown));
        std::size_t seen = 0;
        std::string problems;
        try {
            const std::string why = ddla::why_no_device();
            const ddla::device_state state = ddla::state_of_device(last);
            problems = why + state.problem;
            ddla::release_kept_memory(last);
            seen = ddla::devices().size();
        } catch (const ddla::resource_error& e) {
            problems = e.what();
        }
        const calls::seen s = calls::end();
        reached = !s.failed.empty();
        INFO("call " << k << ": " << (reached ? s.failed[0].function : "none") << ": " << problems);
        if (reached && problems.empty() && seen == all)
            CHECK(may_go_on_without(s.failed[0], cudaErrorUnknown));
        if (!problems.empty()) CHECK_THAT(problems, Catch::Contains("gives no reason"));
        CHECK_FALSE(calls::error_is_left());
        CHECK(ddla::devices().size() == all);
        CHECK(ddla::state_of_device(last).usable());
    }
    CHECK(k > 5);
}

int main(int argc, char** argv)
{
    if (const char* const which = std::getenv("DDLA_FIRST_USE")) return test::run_first_use(which);
    return test::run_tests(ddla::devices().empty() ? "no CUDA device" : nullptr, argc, argv);
}
