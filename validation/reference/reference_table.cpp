// The table of docs/reference.md: conditions of the real systems with b = ones, and the errors of x
// of ddla and of sparse LU in double, against the reference answers.
//
//     reference_table ANSWERS [MATRICES]
//
// MATRICES is the folder of the real matrices; default: DDLA_TEST_MATRICES.  Writes Markdown.  Exit
// code 1 if a matrix is not there or not the one that was solved.
#include "double_lu.hpp"

#include "support/reference_errors.hpp"

#include "ddla/solve.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace reference {
namespace {

using ddla::index_t;

struct run_options {
    const char* title;
    bool in_dd;
    double tolerance;
};
constexpr run_options runs[] = {
    {"double 1e-12", false, 1e-12}, {"DD 1e-12", true, 1e-12}, {"DD 1e-20", true, 1e-20}};
constexpr std::int64_t most_iterations = 10000;

/// Of the converged solves of one column.
struct summary {
    int converged = 0;
    double worst_error = 0;  ///< normwise
};
struct summaries {
    int systems = 0;
    int beyond_double = 0;  ///< x rounded to double has a residual above 1e-12
    summary of_run[std::size(runs)];
};

const char* letter(ddla::solve_status status)
{
    switch (status) {
    case ddla::solve_status::converged:
        return "c";
    case ddla::solve_status::iteration_limit:
        return "l";
    case ddla::solve_status::breakdown:
        return "b";
    case ddla::solve_status::stagnated:
        return "s";
    case ddla::solve_status::not_finite:
        return "n";
    }
    return "?";
}

std::string scientific(double x)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1e", x);
    return text;
}

/// Normwise and componentwise.
std::string both(const errors& e)
{
    return scientific(e.normwise) + " / " + scientific(e.componentwise);
}

struct problem {
    const ddla::csr_matrix<double>& a;
    const answer& one;
    mpfr_vector truth;

    errors of(const mpfr_vector& x) const { return errors_of(a, one.b, truth, x); }
};

template <class T>
std::string solved(const problem& system, double tolerance, summary& all)
{
    const index_t n = system.a.rows();
    ddla::vector<T> b(n), x(n);
    for (index_t i = 0; i < n; ++i) b.set(i, T(system.one.b[static_cast<std::size_t>(i)]));
    const auto report = ddla::solve(system.a, b, x,
                                    {.method = ddla::method::bicgstab,
                                     .tolerance = tolerance,
                                     .max_iterations = most_iterations});
    const std::string ended = std::string(" ") + letter(report.status);
    if (report.status == ddla::solve_status::not_finite) return "-" + ended;
    const errors e = system.of(widened(x));
    if (report.status == ddla::solve_status::converged) {
        ++all.converged;
        all.worst_error = std::max(all.worst_error, e.normwise);
    }
    return both(e) + ended;
}

std::string factored(const problem& system, const double_lu& lu)
{
    std::vector<double> values;
    if (!lu.solve(system.a, system.one.b, values)) return "singular";
    ddla::vector<double> x(system.a.rows());
    for (index_t i = 0; i < x.size(); ++i) x.set(i, values[static_cast<std::size_t>(i)]);
    return both(system.of(widened(x)));
}

std::string text_of(const condition& c)
{
    return (c.exact ? "" : "> ") + scientific(c.value);
}

void print_head()
{
    std::string titles = "| matrix | n | label | kappa_1 | cond(A, x) | ";
    for (const run_options& run : runs) titles += std::string(run.title) + " | ";
    for (const double_lu& lu : double_lus()) titles += lu.name + " | ";
    titles += "residual of x in double | in DD |";
    std::printf("%s\n|", titles.c_str());
    for (auto left = std::count(titles.begin(), titles.end(), '|') - 1; left > 0; --left)
        std::printf("---|");
    std::printf("\n");
}

void print_row(const answers& stored, const problem& system, summaries& all)
{
    std::printf("| %s | %lld | %s | %s | %s |", stored.matrix.c_str(),
                static_cast<long long>(stored.rows), system.one.exact ? "exact" : "agreed",
                text_of(stored.kappa1).c_str(), text_of(system.one.skeel).c_str());
    for (std::size_t k = 0; k < std::size(runs); ++k) {
        const auto run = runs[k].in_dd ? solved<ddla::dd_real> : solved<double>;
        std::printf(" %s |", run(system, runs[k].tolerance, all.of_run[k]).c_str());
    }
    for (const double_lu& lu : double_lus()) std::printf(" %s |", factored(system, lu).c_str());
    const double in_double = system.of(rounded(system.truth, 1)).residual;
    const double in_dd = system.of(rounded(system.truth, 2)).residual;
    std::printf(" %s | %s |\n", scientific(in_double).c_str(), scientific(in_dd).c_str());
    std::fflush(stdout);
    ++all.systems;
    all.beyond_double += in_double > 1e-12;
}

void print_summaries(const summaries& all)
{
    std::printf("\n%d systems.  x rounded to double misses a residual of 1e-12 on %d.\n\n"
                "| solve | converged | largest normwise error of these |\n|---|---|---|\n",
                all.systems, all.beyond_double);
    for (std::size_t k = 0; k < std::size(runs); ++k)
        std::printf("| %s | %d | %s |\n", runs[k].title, all.of_run[k].converged,
                    scientific(all.of_run[k].worst_error).c_str());
}

std::vector<answers> real_answers(const std::filesystem::path& folder)
{
    std::vector<answers> all;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        if (!file.path().string().ends_with(".txt.gz")) continue;
        answers stored = read_answers(file.path());
        if (!is_generated(stored.matrix)) all.push_back(std::move(stored));
    }
    std::sort(all.begin(), all.end(), [](const answers& x, const answers& y) {
        return std::pair(x.rows, x.matrix) < std::pair(y.rows, y.matrix);
    });
    return all;
}

void run(const std::filesystem::path& folder, const std::filesystem::path& matrices)
{
    const auto all = real_answers(folder);
    summaries done;
    print_head();
    for (std::size_t k = 0; k < all.size(); ++k) {
        std::fprintf(stderr, "%zu/%zu %s\n", k + 1, all.size(), all[k].matrix.c_str());
        const auto a = matrix_of(all[k], matrices);
        if (!a) throw ddla::input_error("no " + all[k].matrix + " in " + matrices.string());
        for (const answer& one : all[k].all)
            if (one.rhs == "ones") print_row(all[k], {*a, one, solution_of(one)}, done);
    }
    print_summaries(done);
}

}  // namespace
}  // namespace reference

int main(int argc, char** argv)
{
    const char* const set = std::getenv("DDLA_TEST_MATRICES");
    if (argc < 2 || argc > 3 || (argc == 2 && !set)) {
        std::fprintf(stderr, "usage: %s ANSWERS MATRICES\n", argv[0]);
        return 2;
    }
    try {
        reference::run(argv[1], argc > 2 ? argv[2] : set);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
