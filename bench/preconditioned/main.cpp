// Solves with incomplete factors: ddla at the host and a device, cuSPARSE, Lis.  README.md says
// how.
#include "measure.hpp"
#include "systems.hpp"

#include "ddla/devices.hpp"
#include "ddla/error.hpp"
#include "ddla/host_threads.hpp"
#include "ddla/matrix_info.hpp"
#include "support/program.hpp"

#include <regex>
#include <set>

namespace {

using namespace bench;

struct options {
    std::string json_file, folder, only;
    std::vector<std::string> places{"host", "device"};
    std::vector<int> threads;
    bool quick = false, processor_time = false;
    ddla::index_t least_entries = 100'000;
    measure_options measure;

    bool has(const char* place) const
    {
        return std::find(places.begin(), places.end(), place) != places.end();
    }
};

void add_options(CLI::App& app, options& o)
{
    add_json(app, o.json_file);
    app.add_option("--places", o.places, "host,device: where; both by default")
        ->delimiter(',')
        ->check(CLI::IsMember({"host", "device"}));
    app.add_option("--threads", o.threads, "numbers of threads at the host; 1 and all by default")
        ->delimiter(',')
        ->check(CLI::Range(1, 1024));
    app.add_option("--matrices", o.folder, "folder of Matrix Market files to take large ones of")
        ->check(CLI::ExistingDirectory);
    app.add_option("--least-entries", o.least_entries, "of a file that is taken; 100000 by default")
        ->check(CLI::Range(ddla::index_t{1}, ddla::index_t{1} << 31));
    app.add_option("--only", o.only, "regular expression that the names of systems match");
    app.add_option("--limit", o.measure.most_seconds, "seconds of a solve; 60 by default")
        ->check(CLI::PositiveNumber);
    app.add_option("--max-iterations", o.measure.most_iterations, "of a solve; 10000 by default")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
    app.add_flag("--fgmres", o.measure.fgmres, "ddla's FGMRES with ILU(0), too");
    app.add_flag("--processor-time", o.processor_time,
                 "of one thread at the host, instead of wall-clock time: for a busy machine");
    app.add_flag("--quick", o.quick, "small grids, to try the program");
}

std::vector<contender_maker> contenders(const options& o)
{
    std::vector<contender_maker> all;
    const auto add = [&](std::vector<contender_maker> more) {
        all.insert(all.end(), std::make_move_iterator(more.begin()),
                   std::make_move_iterator(more.end()));
    };
    if (o.has("device")) {
        add(cusparse());
        add(ddla_at(ddla::device(0), ddla::host_threads()));
    }
    std::set<int> threads(o.threads.begin(), o.threads.end());
    if (threads.empty()) threads = {1, ddla::host_threads()};
    for (const int t : threads)
        if (o.has("host")) {
            add(lis(t));
            add(ddla_at(ddla::host, t));
        }
    return all;
}

json measure_system(const system_case& s, const std::vector<contender_maker>& all,
                    const measure_options& o)
{
    const ddla::csr_matrix<double> a = s.build();
    const ddla::matrix_info info = ddla::inspect(a);
    json record = {{"name", s.name},
                   {"kind", s.kind},
                   {"rows", a.rows()},
                   {"entries", a.nonzeros()},
                   {"symmetric", info.symmetric},
                   {"contenders", json::array()}};
    std::printf("%s: %ld rows, %ld entries%s\n", s.name.c_str(), static_cast<long>(a.rows()),
                static_cast<long>(a.nonzeros()), info.symmetric ? ", symmetric" : "");
    for (const contender_maker& maker : all) {
        record["contenders"].push_back(measure_contender(maker, a, info.symmetric, o));
        print(record["contenders"].back());
    }
    return record;
}

json heading(const options& o)
{
    json results = environment_of_rivals(o.has("device"));
    results["quick"] = o.quick;
    results["processor_time"] = o.processor_time;
    results["limit_seconds"] = o.measure.most_seconds;
    results["max_iterations"] = o.measure.most_iterations;
    results["missing"] = json::array();
    if (cusparse().empty()) results["missing"].push_back("cuSPARSE and ddla at a device");
    if (lis(1).empty()) results["missing"].push_back("Lis");
    results["systems"] = json::array();
    return results;
}

std::regex regex_of(const std::string& only)
try {
    return std::regex(only);
} catch (const std::regex_error& e) {
    throw usage_error("--only " + only + ": " + e.what());
}

int measure(options& o)
{
    if (o.processor_time &&
        (o.places != std::vector<std::string>{"host"} || o.threads != std::vector<int>{1}))
        throw usage_error("--processor-time needs --places host --threads 1");
    bench_clock::of_processor = o.processor_time;
    if (cusparse().empty()) std::erase(o.places, "device");
    if (o.has("device") && ddla::devices().empty())
        throw ddla::resource_error(ddla::why_no_device() + "; --places host measures the host");
    json results = heading(o);
    write_results(o.json_file, results);  // or fail at once
    const std::regex wanted = regex_of(o.only);
    const std::vector<contender_maker> all = contenders(o);
    for (const system_case& s : preconditioned_systems(o.quick, o.folder, o.least_entries)) {
        if (!std::regex_search(s.name, wanted)) continue;
        results["systems"].push_back(measure_system(s, all, o.measure));
        write_results(o.json_file, results);  // a run that is cut short leaves what it has
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv)
{
    options o;
    CLI::App app("Solves with incomplete factors by ddla, cuSPARSE and Lis");
    add_options(app, o);
    return run_program("bench_preconditioned", app, argc, argv, [&] { return measure(o); });
}
