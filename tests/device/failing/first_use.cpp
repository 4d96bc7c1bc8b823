#include "first_use.hpp"

#include "attempts.hpp"
#include "catch.hpp"
#include "crash.hpp"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace test {

namespace {

scenario all_of_it()
{
    const auto run = [](ddla::place at) {
        const std::uint64_t first = without_conversions().run(at);
        return first * 31 + with_conversions().run(at);
    };
    return {"first use", run};
}

std::string text_of(const std::map<std::string, int>& live)
{
    std::string all;
    for (const auto& [kind, count] : live) all += kind + " " + std::to_string(count) + ", ";
    return all;
}

std::size_t usual_calls(const calls::seen& in, const std::set<std::uint64_t>& usual)
{
    const auto is_usual = [&](const calls::call& c) { return usual.count(c.path) > 0; };
    return std::size_t(std::count_if(in.all.begin(), in.all.end(), is_usual));
}

/// The calls of a first run that a second one does not make.
void print_cold_calls(ddla::place at)
{
    // Both runs from one place: it is part of each path.
    std::vector<calls::seen> seen(2);
    std::vector<outcome> ends;
    for (calls::seen& one : seen) ends.push_back(run_with(all_of_it(), at, {}, one));
    const calls::seen &cold = seen[0], &warm = seen[1];
    std::set<std::uint64_t> usual;
    for (const calls::call& c : warm.all) usual.insert(c.path);
    for (std::size_t k = 0; k < cold.all.size(); ++k)
        if (usual.count(cold.all[k].path) == 0)
            std::printf("cold: %zu %d %s\n", k + 1, int(cold.all[k].gives_memory),
                        cold.all[k].function.c_str());
    for (const outcome& end : ends)
        if (!end.hash) {
            std::printf("outcome: %s\n", end.what.c_str());
            return;
        }
    // Else all of them are called cold, and a process is started for each.
    const bool found_again = 2 * usual_calls(cold, usual) > cold.all.size();
    std::printf("outcome: %s\n", found_again ? "as promised" : "a second run has other paths");
}

/// CUB and the code that nvcc makes of <<<>>> ask some things once, and keep a failure for good.
/// Conversions then throw, and all else works.
std::string outcome_of_remembered(ddla::place at, const std::string& what)
{
    calls::seen seen;
    const outcome o = run_with(with_conversions(), at, {}, seen);
    if (what.find(" (cub::Device") == std::string::npos) return "wrong afterwards";
    const bool told = o.thrown != outcome::type::none && o.thrown != outcome::type::foreign &&
                      o.what.find(" (cub::Device") != std::string::npos;
    return told ? "remembered" : "remembered, and not told: " + o.what;
}

std::string outcome_with(const calls::failure& wanted, ddla::place at)
{
    const scenario s = all_of_it();
    const std::uint64_t expected = s.run(ddla::host);
    calls::seen seen;
    const outcome failed = run_with(s, at, wanted, seen);
    const std::string who = seen.failed.empty() ? "none" : seen.failed[0].function;
    if (seen.failed.empty()) return "the call was not made";
    const std::string complaint = complaint_about(failed, s, wanted, seen, expected);
    if (!complaint.empty()) return complaint + ": " + failed.what;
    if (calls::error_is_left()) return "an error is left";
    const std::uint64_t plain = without_conversions().run(ddla::host);
    calls::seen rest;
    if (run_with(without_conversions(), at, {}, rest).hash != plain) return "wrong afterwards";
    const outcome again = run_with(s, at, {}, rest);
    if (again.hash != expected) return outcome_of_remembered(at, failed.what);
    const auto live = calls::live_objects();
    run_with(s, at, {}, rest);
    return calls::live_objects() == live ? "as promised" : "memory grows";
}

/// A process of this program, and what it says.
class process {
public:
    explicit process(const std::string& which)
    {
        // This very program, whatever has become of its file.
        const std::string self = "/proc/" + std::to_string(::getpid()) + "/exe";
        // What never ends has failed: status 124.
        const std::string command =
            "DDLA_FIRST_USE='" + which + "' exec timeout 120 " + self + " 2>&1";
        from_ = ::popen(command.c_str(), "r");
    }
    ~process() { finish(); }
    process(const process&) = delete;
    process& operator=(const process&) = delete;

    std::string finish()
    {
        if (!from_) return text_;
        char part[4096];
        while (const std::size_t n = std::fread(part, 1, sizeof part, from_)) text_.append(part, n);
        const int status = ::pclose(from_);
        from_ = nullptr;
        if (status != 0) text_ += "\nended: " + end_of(status) + "\n";
        return text_;
    }

private:
    static std::string end_of(int status)
    {
        if (WIFSIGNALED(status)) return "by signal " + std::to_string(WTERMSIG(status));
        return "with status " + std::to_string(WEXITSTATUS(status));
    }

    std::FILE* from_ = nullptr;
    std::string text_;
};

/// What follows "NAME: " in the last line that begins so.
std::string line_of(const std::string& text, const std::string& name)
{
    std::istringstream lines(text);
    std::string found;
    for (std::string line; std::getline(lines, line);)
        if (line.rfind(name + ": ", 0) == 0) found = line.substr(name.size() + 2);
    return found;
}

struct cold_call {
    std::int64_t number;
    bool gives_memory;
    std::string function;
};

std::vector<cold_call> cold_calls_in(const std::string& text)
{
    std::vector<cold_call> all;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name;
        cold_call c{};
        if (words >> name >> c.number >> c.gives_memory >> c.function && name == "cold:")
            all.push_back(c);
    }
    return all;
}

std::string which_of(const cold_call& c, int device)
{
    const bool launch = c.function.find("Launch") != std::string::npos;
    const int status = c.gives_memory ? cudaErrorMemoryAllocation
                       : launch       ? cudaErrorLaunchOutOfResources
                                      : cudaErrorUnknown;
    return std::to_string(c.number) + " " + std::to_string(status) + " " + std::to_string(device);
}

void check_process(const cold_call& c, const std::string& text, const std::string& live)
{
    const std::string outcome = line_of(text, "outcome");
    INFO("first use of " << c.function << ", call " << c.number << ":\n" << text);
    totals& t = all_together();
    ++t.first_uses;
    CHECK(line_of(text, "ended") == "");
    if (outcome == "remembered") {
        ++t.remembered;
        return;
    }
    CHECK(outcome == "as promised");
    CHECK(line_of(text, "live") == live);
}

}  // namespace

void fail_each_first_use(int device)
{
    const std::string whole = process("0 0 " + std::to_string(device)).finish();
    INFO(whole);
    REQUIRE(line_of(whole, "ended") == "");
    REQUIRE(line_of(whole, "outcome") == "as promised");
    const std::vector<cold_call> all = cold_calls_in(whole);
    REQUIRE(all.size() > 10);
    constexpr std::size_t at_once = 8;
    for (std::size_t k = 0; k < all.size(); k += at_once) {
        std::vector<std::unique_ptr<process>> running;
        const std::size_t end = std::min(all.size(), k + at_once);
        for (std::size_t i = k; i < end; ++i)
            running.push_back(std::make_unique<process>(which_of(all[i], device)));
        for (std::size_t i = k; i < end; ++i)
            check_process(all[i], running[i - k]->finish(), line_of(whole, "live"));
    }
    std::printf("first use: %zu calls, each in a process of its own\n", all.size());
}

int run_first_use(const std::string& which)
{
    report_crashes();
    std::istringstream words(which);
    std::int64_t number = 0;
    int status = 0, device = 0;
    words >> number >> status >> device;
    const ddla::place at = ddla::device(device);
    if (number == 0)
        print_cold_calls(at);
    else
        std::printf("outcome: %s\n",
                    outcome_with(calls::once(number, cudaError_t(status)), at).c_str());
    for (const std::string& wrong : calls::wrong_uses())
        std::printf("outcome: %s\n", wrong.c_str());
    std::printf("live: %s\n", text_of(calls::live_objects()).c_str());
    return 0;
}

}  // namespace test
