// The device backend beside cuBLAS and cuSPARSE: see README.md.
#include "workbench.hpp"

#include <CLI/CLI.hpp>

#include <fstream>
#include <iostream>

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
    std::ofstream file;
    if (!o.json_file.empty()) file.open(o.json_file);
    if (!file) throw ddla::resource_error("cannot write " + o.json_file);
    bench::workbench w{.quick = o.quick};
    w.results = bench::environment(w.rivals);
    w.results["quick"] = o.quick;
    std::cout << "ddla on " << w.results["device"]["name"].get<std::string>() << ", driver "
              << w.results["driver"].get<std::string>() << ", CUDA "
              << w.results["cuda"]["runtime"].get<std::string>() << std::endl;
    measure_copy(w);
    if (o.wants("vectors")) measure_vectors(w);
    if (o.wants("spmv")) measure_products(w);
    if (o.wants("bicgstab")) measure_solvers(w);
    if (file.is_open()) file << w.results.dump(1) << std::endl;
    if (!file) throw ddla::resource_error("cannot write " + o.json_file);
    if (w.agreements.failures() == 0) return 0;
    std::cout << w.agreements.failures() << " results of rivals disagree with ddla's" << std::endl;
    return 1;
}

}  // namespace

/// 0; 1 if a rival's result is not ddla's; 2 for bad usage; 3 if something failed.
int main(int argc, char** argv)
{
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // each line when it is measured
    options o;
    CLI::App app("The device backend of ddla beside cuBLAS and cuSPARSE");
    app.add_option("--only", o.only, "parts to measure: vectors,spmv,bicgstab")
        ->delimiter(',')
        ->check(CLI::IsMember({"vectors", "spmv", "bicgstab"}));
    app.add_option("--json", o.json_file, "file to write the results to");
    app.add_flag("--quick", o.quick, "small sizes only");
    try {
        app.parse(argc, argv);
        return measure(o);
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? 0 : 2;
    } catch (const std::exception& e) {
        std::cerr << "bench_device: " << e.what() << '\n';
        return 3;
    }
}
