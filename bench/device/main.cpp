// The device backend beside cuBLAS and cuSPARSE: see README.md.
#include "workbench.hpp"

#include "support/program.hpp"

namespace {

struct options {
    std::vector<std::string> only{"vectors", "spmv", "bicgstab"};
    std::string json_file;
    bool quick = false;

    bool wants(const char* part) const
    {
        return std::find(only.begin(), only.end(), part) != only.end();
    }
};

int measure(const options& o)
{
    bench::workbench w{.quick = o.quick};
    w.results = bench::environment(w.rivals);
    w.results["quick"] = o.quick;
    std::cout << "ddla on " << w.results["device"]["name"].get<std::string>() << ", driver "
              << w.results["driver"].get<std::string>() << ", CUDA "
              << w.results["cuda"]["runtime"].get<std::string>() << std::endl;
    bench::write_results(o.json_file, w.results);  // or fail at once
    measure_copy(w);
    if (o.wants("vectors")) measure_vectors(w);
    if (o.wants("spmv")) measure_products(w);
    if (o.wants("bicgstab")) measure_solvers(w);
    bench::write_results(o.json_file, w.results);
    if (w.agreements.failures() == 0) return 0;
    std::cout << w.agreements.failures() << " results of rivals disagree with ddla's" << std::endl;
    return 1;
}

}  // namespace

int main(int argc, char** argv)
{
    options o;
    CLI::App app("The device backend of ddla beside cuBLAS and cuSPARSE");
    app.add_option("--only", o.only, "parts to measure: vectors,spmv,bicgstab")
        ->delimiter(',')
        ->check(CLI::IsMember({"vectors", "spmv", "bicgstab"}));
    bench::add_json(app, o.json_file);
    app.add_flag("--quick", o.quick, "small sizes only");
    return bench::run_program("bench_device", app, argc, argv, [&] { return measure(o); });
}
