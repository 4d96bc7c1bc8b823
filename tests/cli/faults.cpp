#include "faults.hpp"
#include "support/json.hpp"

#include "catch.hpp"
#include "failures.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <sstream>

namespace cli_test {
namespace {

const std::string old = "as it was before\n";

bool ends_with(const std::string& text, const std::string& end)
{
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// The number of elements that the head of a Matrix Market file promises are there.
bool is_whole_market(const std::string& text)
{
    std::istringstream in(text);
    std::string line;
    do std::getline(in, line);
    while (in && line[0] == '%');
    std::istringstream sizes(line);
    long last = 0, rows = 0;
    sizes >> rows;
    const bool is_array = text.find(" array ") < text.find('\n');
    for (long n = 0; sizes >> n;) last = n;
    const long lines = static_cast<long>(std::count(text.begin(), text.end(), '\n')),
               comments = static_cast<long>(std::count(text.begin(), text.end(), '%')) - 1;
    return ends_with(text, "\n") && lines == comments + 1 + (is_array ? rows : last);
}

void check_full_disk(const std::string& program, const scratch& folder, const result& r,
                     const std::vector<std::string>& outputs)
{
    check_failure_of(program, {r.exit_status, "", r.err}, 3,
                     {folder.path().string(), "No space left on device"});
    for (const std::string& name : outputs) {
        INFO(name);
        const std::string text = read_file(folder / name);
        CHECK((text == old || is_whole(folder / name)));
    }
}

}  // namespace

small_programs::small_programs()
{
    set("DDLA_NUM_THREADS", "1");
    ::getrlimit(RLIMIT_DATA, &memory_before_);
#if !defined(DDLA_SANITIZED)  // they need more themselves
    rlimit little = memory_before_;
    little.rlim_cur = std::min<rlim_t>(little.rlim_cur, 64 << 20);
    ::setrlimit(RLIMIT_DATA, &little);
#endif
}

small_programs::~small_programs()
{
    ::setrlimit(RLIMIT_DATA, &memory_before_);
    for (auto i = before_.rbegin(); i != before_.rend(); ++i)
        if (i->second)
            ::setenv(i->first.c_str(), i->second->c_str(), 1);
        else
            ::unsetenv(i->first.c_str());
}

void small_programs::set(const std::string& name, const std::string& value)
{
    const char* const old = std::getenv(name.c_str());
    before_.emplace_back(name, old ? std::optional<std::string>(old) : std::nullopt);
    ::setenv(name.c_str(), value.c_str(), 1);
}

fault::fault(const std::string& call, const std::string& action, int from,
             const std::filesystem::path& under)
{
    set("LD_PRELOAD", DDLA_FAULT_SHIM);
    set("DDLA_FAULT", call + ' ' + action + ' ' + std::to_string(from));
    set("DDLA_FAULT_UNDER", under.string());
    set("DDLA_FAULT_COUNT", (folder_ / "count").string());
    // Address sanitizer wants to be the first library.
    const char* const options = std::getenv("ASAN_OPTIONS");
    set("ASAN_OPTIONS",
        std::string(options == nullptr ? "" : options) + ":verify_asan_link_order=0");
}

int fault::calls() const
{
    std::istringstream lines(read_file(folder_ / "count"));
    int most = 0;
    for (int n = 0; lines >> n;) most = std::max(most, n);
    return most;
}

int calls_of(const arguments& options, const std::string& call, const std::filesystem::path& under)
{
    const fault none(call, "none", 1, under);
    run(options);
    return none.calls();
}

bool is_whole(const std::filesystem::path& file)
{
    const std::string text = read_file(file), kind = file.extension();
    if (kind == ".json") return nlohmann::json::accept(text) && ends_with(text, "\n");
    if (kind == ".html") return ends_with(text, "</html>\n");
    if (kind == ".mtx") return is_whole_market(text);
    return ends_with(text, "\n");
}

void check_full_disks(const std::string& program, const scratch& folder, const arguments& options,
                      const std::vector<std::string>& outputs)
{
    const std::size_t files = folder.files() + outputs.size();
    for (const char* call : {"open", "write", "fsync", "close", "rename"}) {
        const int calls = calls_of(options, call, folder.path());
        int failures = 0;
        for (int k = 1; k <= calls; ++k) {
            INFO(options.front() << ": " << call << ' ' << k << " of " << calls);
            for (const std::string& name : outputs) folder.write(name, old);
            const fault full(call, "ENOSPC", k, folder.path());
            const result r = run(options);
            CHECK(folder.files() == files);
            if (r.exit_status == 3) {
                check_full_disk(program, folder, r, outputs);
                ++failures;
            } else {  // a file that was read was closed
                CHECK(std::string(call) == "close");
                CHECK(r.exit_status <= 1);
                for (const std::string& name : outputs) CHECK(is_whole(folder / name));
            }
        }
        CHECK(failures >= static_cast<int>(outputs.size()));
    }
}

void check_lack_of_memory(const std::string& program, const scratch& folder,
                          const arguments& options, const std::vector<std::string>& outputs)
{
    const std::size_t files = folder.files();
    const int calls = calls_of(options, "allocate");
    int failures = 0;
    // The first ones singly, then so many that each part of the work has some.
    for (int k = 1; k <= calls; k += 1 + k / 10) {
        INFO(options.front() << ": allocation " << k << " of " << calls);
        for (const std::string& name : outputs) std::filesystem::remove(folder / name);
        const fault out_of_memory("allocate", "ENOMEM", k);
        const result r = run(options);
        std::size_t there = files;
        for (const std::string& name : outputs) {
            if (!std::filesystem::exists(folder / name)) continue;
            ++there;
            CHECK(is_whole(folder / name));
        }
        CHECK(folder.files() == there);
        if (r.exit_status == 0) continue;  // it did without
        check_failure_of(program, {r.exit_status, "", r.err}, 3, {"memory"});
        ++failures;
    }
    CHECK(failures > 20);
    for (const std::string& name : outputs) std::filesystem::remove(folder / name);
}

void check_interrupts(const scratch& folder, const interrupted_run& r, int moments)
{
    const std::size_t files = folder.files();
    // Few while the program starts: there it is a matter of the system.
    const int starting = moments / 10, working = moments - starting;
    const int all_calls = calls_of(r.options, "any"), calls = calls_of(r.options, "work");
    int interrupted = 0, unborn = 0;
    for (int i = 0; i < moments; ++i) {
        for (const std::string& name : r.outputs) std::filesystem::remove(folder / name);
        const bool starts = i < starting;
        // Dense at the beginning: most calls allocate for the reports.
        const double part =
            starts ? double(i) / starting : std::pow(double(i - starting) / (working - 3), 3);
        const int k = 1 + static_cast<int>((starts ? all_calls - calls : calls) * part);
        INFO(r.options.front() << ": call " << k << " of " << (starts ? all_calls : calls));
        const fault one(starts ? "any" : "work", "SIGINT", k);
        const result now = run(r.options);
        INFO(now.out << now.err);
        std::size_t there = files;
        for (const std::string& name : r.outputs) {
            if (!std::filesystem::exists(folder / name)) continue;
            ++there;
            CHECK(is_whole(folder / name));
        }
        CHECK(folder.files() == there);
        if (now.exit_status == -SIGINT) {
            ++unborn;
            CHECK(now.out + now.err == "");
            CHECK(there == files);
            continue;
        }
        const bool ended = (now.out + now.err).find("nterrupted") != std::string::npos ||
                           now.out.find("INTERRUPTED") != std::string::npos;
        interrupted += ended;
        CHECK(now.exit_status == (ended ? 1 : r.finished));
        if (!ended) CHECK(there == files + r.outputs.size());
        if (!ended) CHECK(now.err == "");
    }
    INFO(interrupted << " interrupted, " << unborn << " ended by the signal");
    CHECK(5 * interrupted >= moments);
    CHECK(unborn <= starting);
    CHECK(interrupted + unborn < moments);
}

}  // namespace cli_test
