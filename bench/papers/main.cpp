// The papers' measurements that need a device: see README.md.
#include "paper_bench.hpp"

#include "support/environment.hpp"
#include "support/program.hpp"

#include <iostream>
#include <regex>

namespace {

using namespace bench;

constexpr int time_over = 4;  // exit status

struct options {
    std::string part, json_file, only;
    paper_set set;
    double seconds = 1e9;
};

using measurement = json (*)(paper_bench&, const matrix_case&, const built_matrix&);

measurement measurement_of(const std::string& part)
{
    if (part == "crs") return measure_crs;
    if (part == "cg") return measure_cg;
    if (part == "counted") return measure_counted;
    return part == "evc" || part == "densities" ? measure_evc : measure_bicgstab;
}

std::vector<matrix_case> missing(const options& o, const record_file& results)
{
    std::vector<matrix_case> all = paper_matrices(o.set);
    const std::regex wanted(o.only);
    std::erase_if(all, [&](const matrix_case& c) {
        return results.has(c.name, c.kind) || !std::regex_search(c.name, wanted);
    });
    return all;
}

void measure_matrices(paper_bench& b, const options& o, record_file& results)
{
    const measurement measure = measurement_of(o.part);
    built_ahead ahead(missing(o, results), builders());
    while (!ahead.empty() && !b.out_of_time(results)) {
        const matrix_case what = ahead.front();
        try {
            const built_matrix built = ahead.pop();
            results.add(measure(b, what, built));
        } catch (const std::exception& e) {
            b.agreements.require(false, what.name + ": " + e.what());
            results.add({{"name", what.name}, {"kind", what.kind}, {"failed", e.what()}});
        }
    }
}

int measure(const options& o)
{
    record_file results(o.json_file, o.part, o.seconds);
    paper_bench b;
    b.copy = time_copy(b.native);
    results.set("environment", environment(b.rivals));
    results.set("copy", record_of(b.copy));
    std::cout << o.part << ": " << results.size() << " records are there, a copy at "
              << std::lround(b.copy.speed() / 1e3) << " GB/s" << std::endl;
    if (o.part == "evc") measure_memory(b, results);
    if (o.part == "vectors")
        measure_vectors(b, results, o.set.quick);
    else
        measure_matrices(b, o, results);
    results.add_disagreements(b.agreements.failures());
    if (results.disagreements() > 0)
        std::cout << results.disagreements() << " disagreements or failures" << std::endl;
    if (b.stopped) {
        std::cout << "the time is over: the same command goes on" << std::endl;
        return time_over;
    }
    results.complete();
    return results.disagreements() > 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv)
{
    options o;
    CLI::App app("The measurements of ddla's papers that need a device");
    app.add_option("part", o.part, "crs, cg, evc, densities, bicgstab, vectors or counted")
        ->required()
        ->check(CLI::IsMember({"crs", "cg", "evc", "densities", "bicgstab", "vectors", "counted"}));
    add_json(app, o.json_file);
    app.add_option("--matrices", o.set.folder, "folder of Matrix Market files")
        ->check(CLI::ExistingDirectory);
    app.add_option(
           "--entries", o.set.entries,
           "sizes of the files' matrices: 0 as they are, else replicated to so many entries")
        ->delimiter(',');
    app.add_option("--least-rows", o.set.least_rows, "of a file's matrix");
    app.add_option("--only", o.only, "regular expression that the names of matrices match");
    app.add_option("--seconds", o.seconds, "stop after so many, with exit status 4");
    app.add_flag("--generated", o.set.generated, "generated matrices, too");
    app.add_flag("--densities", o.set.densities, "random rows of 1 to 5 % of all columns, too");
    app.add_flag("--quick", o.set.quick, "small generated matrices and vectors");
    return run_program("bench_papers", app, argc, argv, [&] { return measure(o); });
}
