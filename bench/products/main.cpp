// Products in every format beside cuSPARSE: see README.md.
#include "measure.hpp"

#include "support/matrix_options.hpp"

#include "ddla/error.hpp"

#include <chrono>

namespace {

using namespace bench;

struct options {
    matrix_options matrices;
    bool list = false, threads = false, permuted = false;
    std::string json_file;
    std::vector<std::string> formats{"auto"};
};

std::vector<ddla::sparse_format> formats_of(const options& o)
{
    using ddla::sparse_format;
    std::vector<sparse_format> formats;
    for (const std::string& name : o.formats) {
        const auto all = ddla::all_sparse_formats();
        if (name == "all") {
            formats.push_back(sparse_format::automatic);
            formats.insert(formats.end(), all.begin(), all.end());
        } else if (const auto one = ddla::sparse_format_named(name)) {
            formats.push_back(*one);
        } else {
            const std::string advice = ddla::advice_on_removed_format(name);
            throw usage_error("--formats: " +
                              (advice.empty() ? "there is no format " + name : advice));
        }
    }
    return formats;
}

int list(const options& o)
{
    std::printf("%-27s %-13s %9s %9s %9s %8s %8s %9s %9s\n", "", "kind", "rows", "columns",
                "entries", "shortest", "longest", "mean", "deviation");
    for (built_ahead ahead(o.matrices.cases(), builders()); !ahead.empty();) {
        const matrix_case what = ahead.front();
        const matrix_shape s = ahead.pop().shape;
        std::printf("%-27s %-13s %9ld %9ld %9ld %8ld %8ld %9.1f %9.1f  %s\n", what.name.c_str(),
                    what.kind.c_str(), static_cast<long>(s.rows), static_cast<long>(s.columns),
                    static_cast<long>(s.entries), static_cast<long>(s.shortest),
                    static_cast<long>(s.longest), s.mean, s.deviation, what.note.c_str());
    }
    return 0;
}

double seconds_since(std::chrono::steady_clock::time_point begin)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

json measure_next(product_bench& b, built_ahead& ahead)
{
    const matrix_case what = ahead.front();
    const auto begin = std::chrono::steady_clock::now();
    try {
        const built_matrix built = ahead.pop();
        const double waited = seconds_since(begin);
        json record = measure(b, what, built);
        record["seconds"] = {{"all", seconds_since(begin)}, {"waiting_for_the_matrix", waited}};
        return record;
    } catch (const std::exception& e) {
        b.agreements.require(false, what.name + ": " + e.what());
        return {{"name", what.name}, {"kind", what.kind}, {"failed", e.what()}};
    }
}

int measure_all(const options& o)
{
    const auto begin = std::chrono::steady_clock::now();
    const auto formats = formats_of(o);
    built_ahead ahead(o.matrices.cases(), builders());
    product_bench b{.formats = formats, .threads = o.threads, .permuted = o.permuted};
    b.copy = time_copy(b.native);
    json results = environment(b.rivals);
    results["quick"] = o.matrices.quick;
    results["copy"] = record_of(b.copy);
    results["matrices"] = json::array();
    std::cout << "ddla on " << results["device"]["name"].get<std::string>() << ", a copy at "
              << std::lround(b.copy.speed() / 1e3) << " GB/s" << std::endl;
    print_heading();
    while (!ahead.empty()) {
        results["matrices"].push_back(measure_next(b, ahead));
        results["seconds"] = seconds_since(begin);
        write_results(o.json_file, results);  // a run that is cut short leaves what it has
    }
    std::cout << results["matrices"].size() << " matrices in " << std::lround(seconds_since(begin))
              << " s" << std::endl;
    if (b.agreements.failures() == 0) return 0;
    std::cout << b.agreements.failures() << " disagreements or failures" << std::endl;
    return 1;
}

}  // namespace

int main(int argc, char** argv)
{
    options o;
    CLI::App app("Sparse products of ddla beside cuSPARSE");
    o.matrices.add_to(app);
    app.add_option("--formats", o.formats, "auto, names of formats, or all; auto by default")
        ->delimiter(',');
    app.add_flag("--threads", o.threads, "crs_vector with 1 to 32 threads a row, too");
    app.add_flag("--permuted", o.permuted, "evc_hyb with the result in permuted order, too");
    add_json(app, o.json_file);
    app.add_flag("--list", o.list, "build the matrices and print their shapes; needs no device");
    return run_program("bench_products", app, argc, argv,
                       [&] { return o.list ? list(o) : measure_all(o); });
}
