// Sparse products on the host beside Eigen and Lis: see README.md.
#include "rivals.hpp"
#include "workbench.hpp"

#include "ddla/blas.hpp"
#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"
#include "ddla/sparse_format.hpp"
#include "support/program.hpp"

#include <cmath>
#include <cstdio>

namespace {

using bench::json;
using ddla::dd_real;
using ddla::index_t;

struct options {
    std::vector<int> cubes{64, 128};
    std::vector<std::string> files;
    std::vector<int> threads{1, 2};
    int rounds = 15;
    double turn = 0.03;
    std::string json_file;
};

struct named_matrix {
    std::string name;
    ddla::csr_matrix<double> a;
};

/// Who multiplies, and what it must move and compute.
struct contender {
    std::string name;
    bool in_double_double;
    double bytes;
    std::function<void()> multiply;
    std::function<void(int)> set_threads;
};

/// Entries, row offsets, x and y: each once.
double bytes_of(const ddla::csr_matrix<double>& a, int words, double bytes_of_offset)
{
    const auto rows = static_cast<double>(a.rows()), columns = static_cast<double>(a.columns());
    return 12.0 * static_cast<double>(a.nonzeros()) + bytes_of_offset * (rows + 1) +
           8.0 * words * (rows + columns);
}

ddla::vector<double> high_words(const ddla::vector<dd_real>& x)
{
    ddla::vector<double> high(x.size());
    for (index_t i = 0; i < x.size(); ++i) high.set(i, x[i].hi);
    return high;
}

/// |a - b| / |b|
double difference(ddla::vector<dd_real> a, const ddla::vector<dd_real>& b)
{
    ddla::axpy(dd_real(-1), b, a);
    return (ddla::nrm2(a) / ddla::nrm2(b)).hi;
}

class measurement {
public:
    measurement(const named_matrix& m, const options& o)
        : matrix_(m), options_(o), x_dd_(bench::operand(m.a.columns())), x_(high_words(x_dd_)),
          y_dd_(m.a.rows()), y_(m.a.rows()), rivals_(bench::rivals_of(m.a, x_dd_))
    {
        const auto own = [](int threads) { ddla::set_host_threads(threads); };
        contenders_.push_back({"ddla double", false, bytes_of(m.a, 1, 8),
                               [this] { ddla::spmv(1.0, matrix_.a, x_, 0.0, y_); }, own});
        contenders_.push_back(
            {"ddla double-double", true, bytes_of(m.a, 2, 8),
             [this] { ddla::spmv(dd_real(1), matrix_.a, x_dd_, dd_real(0), y_dd_); }, own});
        for (const auto format : {ddla::sparse_format::slices, ddla::sparse_format::patterns})
            add_stored(format, own);
        for (const auto& r : rivals_)
            contenders_.push_back(
                {r->name, r->in_double_double, bytes_of(m.a, r->in_double_double ? 2 : 1, 4),
                 [&r = *r] { r.multiply(); }, [&r = *r](int threads) { r.set_threads(threads); }});
    }

    /// One line and one record a contender.  Returns how many results disagree.
    int run(int threads, double copy, json& results)
    {
        std::vector<std::function<void()>> turns;
        for (const contender& c : contenders_) {
            c.set_threads(threads);
            turns.push_back(c.multiply);
        }
        const auto seconds = bench::take_turns(turns, options_.rounds, options_.turn);
        std::printf("\n%s: %ld rows, %ld entries, threads: %d\n", matrix_.name.c_str(),
                    static_cast<long>(matrix_.a.rows()), static_cast<long>(matrix_.a.nonzeros()),
                    threads);
        std::printf("  %-20s %10s %10s %8s %7s  %s\n", "", "us", "least us", "MB", "of copy",
                    "its time / ddla's in the same precision");
        for (std::size_t c = 0; c < contenders_.size(); ++c)
            results.push_back(record(c, seconds, threads, copy));
        return disagreements();
    }

private:
    /// A stored in another way, if that holds it.
    void add_stored(ddla::sparse_format format, const std::function<void(int)>& set_threads)
    {
        auto stored = std::make_unique<ddla::csr_matrix<double>>(matrix_.a);
        try {
            ddla::set_format(*stored, {.format = format});
        } catch (const ddla::resource_error&) {
            return;
        }
        const std::string name(to_string(format));
        const auto bytes = [&](auto number) {
            return static_cast<double>(ddla::bytes_of_product<decltype(number)>(*stored));
        };
        const ddla::csr_matrix<double>& a = *stored;
        contenders_.push_back({"ddla double, " + name, false, bytes(0.0),
                               [this, &a] { ddla::spmv(1.0, a, x_, 0.0, y_); }, set_threads});
        contenders_.push_back({"ddla dd, " + name, true, bytes(dd_real()),
                               [this, &a] { ddla::spmv(dd_real(1), a, x_dd_, dd_real(0), y_dd_); },
                               set_threads});
        stored_.push_back(std::move(stored));
    }
    json record(std::size_t c, const std::vector<std::vector<double>>& seconds, int threads,
                double copy) const
    {
        const contender& who = contenders_[c];
        std::vector<double> ratios;
        for (std::size_t k = 0; k < seconds[c].size(); ++k)
            ratios.push_back(seconds[c][k] / seconds[who.in_double_double ? 1 : 0][k]);
        const double time = bench::median(seconds[c]), ratio = bench::median(ratios);
        const double least = *std::min_element(seconds[c].begin(), seconds[c].end());
        const double share = who.bytes / time / copy;
        std::printf("  %-20s %10.2f %10.2f %8.2f %7.2f  %.2f\n", who.name.c_str(), time * 1e6,
                    least * 1e6, who.bytes * 1e-6, share, ratio);
        return {{"matrix", matrix_.name},
                {"rows", matrix_.a.rows()},
                {"entries", matrix_.a.nonzeros()},
                {"threads", threads},
                {"who", who.name},
                {"microseconds", time * 1e6},
                {"least_microseconds", least * 1e6},
                {"bytes", who.bytes},
                {"share_of_copy", share},
                {"time_to_ddla", ratio}};
    }

    /// Results that differ from ddla's in double-double by more than rounding.
    int disagreements() const
    {
        int count = 0;
        const auto check = [&](const std::string& who, const ddla::vector<dd_real>& y,
                               double bound) {
            const double by = difference(y, y_dd_);
            if (by <= bound) return;
            std::printf("DISAGREEMENT: %s on %s differs by %.1e\n", who.c_str(),
                        matrix_.name.c_str(), by);
            ++count;
        };
        ddla::vector<dd_real> y(y_.size());
        for (index_t i = 0; i < y.size(); ++i) y.set(i, y_[i]);
        check("ddla double", y, 1e-12);
        for (const auto& r : rivals_)
            check(r->name, r->result(), r->in_double_double ? 1e-28 : 1e-12);
        return count;
    }

    const named_matrix& matrix_;
    const options& options_;
    ddla::vector<dd_real> x_dd_;
    ddla::vector<double> x_;
    ddla::vector<dd_real> y_dd_;
    ddla::vector<double> y_;
    std::vector<std::unique_ptr<ddla::csr_matrix<double>>> stored_;
    std::vector<std::unique_ptr<bench::rival>> rivals_;
    std::vector<contender> contenders_;
};

std::string name_of(const std::string& file)
{
    const std::string name = std::filesystem::path(file).filename().string();
    return name.substr(0, name.find(".mtx"));
}

int measure(const options& o)
{
    json results = bench::machine_with_lis();
    results["eigen"] = bench::eigen_version();
    bench::write_results(o.json_file, results);  // or fail at once
    bench::print(results, {"ddla", "eigen", "lis", "processor"});
    std::vector<double> copy;
    for (const int threads : o.threads) {
        copy.push_back(bench::copy_speed(threads));
        std::printf("copy, threads: %d: %.1f GB/s\n", threads, copy.back() * 1e-9);
        results["copy"].push_back({{"threads", threads}, {"bytes_a_second", copy.back()}});
    }
    int disagreements = 0;
    const auto measure_matrix = [&](const named_matrix& m) {
        measurement of_it(m, o);
        for (std::size_t k = 0; k < o.threads.size(); ++k)
            disagreements += of_it.run(o.threads[k], copy[k], results["spmv"]);
    };
    for (const int n : o.cubes)
        measure_matrix(
            {"7-point " + std::to_string(n) + "^3", ddla::generate::convection_diffusion(n, n, n)});
    for (const std::string& f : o.files) measure_matrix({name_of(f), ddla::read_matrix<double>(f)});
    bench::write_results(o.json_file, results);
    return disagreements > 0;
}

}  // namespace

int main(int argc, char** argv)
{
    options o;
    CLI::App app("Sparse products of ddla on the host beside Eigen and Lis");
    app.add_option("matrices", o.files, "Matrix Market files, square");
    app.add_option("--cubes", o.cubes, "sizes of 7-point grids; 0 for none")
        ->allow_extra_args(false)
        ->delimiter(',');
    app.add_option("--threads", o.threads, "numbers of threads")
        ->allow_extra_args(false)
        ->delimiter(',');
    app.add_option("--rounds", o.rounds, "turns of each contender")->check(CLI::PositiveNumber);
    app.add_option("--turn", o.turn, "seconds of a turn")->check(CLI::PositiveNumber);
    bench::add_json(app, o.json_file);
    return bench::run_program("bench_spmv", app, argc, argv, [&] {
        if (o.cubes == std::vector<int>{0}) o.cubes.clear();
        return measure(o);
    });
}
