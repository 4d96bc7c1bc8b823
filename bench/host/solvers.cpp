// Solvers and vector operations in double-double on the host beside Lis and QD: see README.md.
#include "solver_bench.hpp"

#include "ddla/error.hpp"
#include "ddla/version.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <fstream>
#include <iostream>

namespace {

int measure(const bench::solver_options& o, const std::string& json_file)
{
    std::ofstream file;
    if (!json_file.empty()) file.open(json_file);
    if (!file) throw ddla::resource_error("cannot write " + json_file);
    bench::json results = bench::environment();
    std::printf("ddla %s, Lis %s, %s\n", DDLA_VERSION, bench::lis_version().c_str(),
                bench::processor().c_str());
    const int disagreements =
        bench::measure_solvers(o, results) + bench::measure_vectors(o, results);
    if (file.is_open()) file << results.dump(1) << std::endl;
    return disagreements > 0;
}

void add_list(CLI::App& app, const std::string& name, std::vector<int>& list,
              const std::string& what)
{
    app.add_option(name, list, what)->allow_extra_args(false)->delimiter(',');
}

}  // namespace

/// 0; 1 if results disagree; 2 for bad usage; 3 if something failed.
int main(int argc, char** argv)
{
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // each line when it is measured
    bench::solver_options o;
    std::string json_file;
    CLI::App app("Solvers and vector operations of ddla on the host beside Lis and QD");
    add_list(app, "--cubes", o.cubes, "points a side of 7-point grids; 0 for none");
    add_list(app, "--sizes", o.sizes, "elements of vectors; 0 for none");
    add_list(app, "--threads", o.threads, "numbers of threads");
    app.add_option("--rounds", o.rounds, "turns of each contender")->check(CLI::PositiveNumber);
    app.add_option("--turn", o.turn, "seconds of a turn")->check(CLI::PositiveNumber);
    app.add_option("--json", json_file, "file to write the results to");
    try {
        app.parse(argc, argv);
        for (auto* list : {&o.cubes, &o.sizes})
            if (*list == std::vector<int>{0}) list->clear();
        return measure(o, json_file);
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? 0 : 2;
    } catch (const std::exception& e) {
        std::cerr << "bench_solvers: " << e.what() << '\n';
        return 3;
    }
}
