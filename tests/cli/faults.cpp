#include "faults.hpp"

#include "catch.hpp"
#include "failures.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <csignal>

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
