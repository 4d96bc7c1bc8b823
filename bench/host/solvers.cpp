// Solvers and vector operations in double-double on the host beside Lis and QD: see README.md.
#include "solver_bench.hpp"

#include "support/program.hpp"

namespace {

int measure(const bench::solver_options& o, const std::string& json_file)
{
    bench::json results = bench::machine_with_lis();
    bench::write_results(json_file, results);  // or fail at once
    bench::print(results, {"ddla", "lis", "processor"});
    const int disagreements =
        bench::measure_solvers(o, results) + bench::measure_vectors(o, results);
    bench::write_results(json_file, results);
    return disagreements > 0;
}

void add_list(CLI::App& app, const std::string& name, std::vector<int>& list,
              const std::string& what)
{
    app.add_option(name, list, what)->allow_extra_args(false)->delimiter(',');
}

}  // namespace

int main(int argc, char** argv)
{
    bench::solver_options o;
    std::string json_file;
    CLI::App app("Solvers and vector operations of ddla on the host beside Lis and QD");
    add_list(app, "--cubes", o.cubes, "points a side of 7-point grids; 0 for none");
    add_list(app, "--sizes", o.sizes, "elements of vectors; 0 for none");
    add_list(app, "--threads", o.threads, "numbers of threads");
    app.add_option("--rounds", o.rounds, "turns of each contender")->check(CLI::PositiveNumber);
    app.add_option("--turn", o.turn, "seconds of a turn")->check(CLI::PositiveNumber);
    bench::add_json(app, json_file);
    return bench::run_program("bench_solvers", app, argc, argv, [&] {
        for (auto* list : {&o.cubes, &o.sizes})
            if (*list == std::vector<int>{0}) list->clear();
        return measure(o, json_file);
    });
}
