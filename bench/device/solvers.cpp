// An iteration of BiCGStab beside the same method from cuBLAS and cuSPARSE.
#include "support/rival_solvers.hpp"
#include "support/timing.hpp"
#include "workbench.hpp"

namespace bench {

using namespace ddla;

namespace {

/// So few that rounding has not yet led the solvers apart.
constexpr int compared_iterations = 16;
/// Their true residuals may then differ by this factor.
constexpr double agreement = 1.1;

struct problem {
    int size;
    int iterations;
    int samples;
    const csr_matrix<double>& a;
    const vector<double>& b;
};

struct solver_time {
    double microseconds;  ///< an iteration
    double residual;      ///< true and relative, after compared_iterations
};

/// The time is the report's: it counts the solve's own start, which the rivals' times leave out.
template <scalar T>
solver_time time_of_ddla(workbench& w, const problem& p, const vector<T>& b)
{
    const auto solve_for = [&](int iterations) {
        vector<T> x(b.size(), there);
        return solve(
            w.on, p.a.view(), b.view(), x.view(),
            {.method = ddla::method::bicgstab, .tolerance = 0, .max_iterations = iterations});
    };
    const double residual = solve_for(compared_iterations).true_relative_residual;
    const double us = median(p.samples, [&] {
        const solve_report report = solve_for(p.iterations);
        return report.seconds * 1e6 / static_cast<double>(report.iterations);
    });
    return {us, residual};
}

template <class Time>
void record(workbench& w, const problem& p, const char* who, const char* precision, const Time& t)
{
    w.results["bicgstab"].push_back({{"matrix", "7-point " + std::to_string(p.size) + "^3"},
                                     {"size", p.size},
                                     {"rows", p.a.rows()},
                                     {"iterations", p.iterations},
                                     {"who", who},
                                     {"precision", precision},
                                     {"microseconds", t.microseconds},
                                     {"compared_iterations", compared_iterations},
                                     {"residual", t.residual}});
}

void compare(workbench& w, const problem& p, const char* who, double residual, double reference)
{
    char text[160];
    std::snprintf(text, sizeof text,
                  "7-point %d^3, %d iterations: residual %.3e by %s, %.3e by ddla in double",
                  p.size, compared_iterations, residual, who, reference);
    w.agreements.require(residual <= agreement * reference && reference <= agreement * residual,
                         text);
}

void measure(workbench& w, const problem& p)
{
    vector<double> y(p.a.rows(), there);
    const product_times products =
        time_products(w.rivals, p.a, p.b.view().word(0), y.view().word(0));
    const cusparse_matrix a(w.rivals, p.a, product_algorithms[products.best]);
    const rival_solve theirs{a, p.a, p.b, p.iterations, p.samples, compared_iterations};
    const rival_time textbook = time_of_textbook(w.rivals, theirs);
    const rival_time graph = fastest(times_of_graphs(w.rivals, theirs));  // the faster counts
    const solver_time mine = time_of_ddla(w, p, p.b), mine_dd = time_of_ddla(w, p, widened(p.b));

    record(w, p, "cuBLAS + cuSPARSE, textbook", "double", textbook);
    record(w, p, "cuBLAS + cuSPARSE, graph", "double", graph);
    record(w, p, "ddla", "double", mine);
    record(w, p, "ddla", "double-double", mine_dd);
    compare(w, p, "the textbook's loop", textbook.residual, mine.residual);
    compare(w, p, "the graph", graph.residual, mine.residual);
    compare(w, p, "ddla in double-double", mine_dd.residual, mine.residual);
    std::printf("7-point %3d^3 | %9.2f %9.2f | %9.2f %7.2f %7.2f | %9.2f %7.2f %7.2f | %.1e\n",
                p.size, textbook.microseconds, graph.microseconds, mine.microseconds,
                mine.microseconds / textbook.microseconds, mine.microseconds / graph.microseconds,
                mine_dd.microseconds, mine_dd.microseconds / textbook.microseconds,
                mine_dd.microseconds / graph.microseconds, mine.residual);
}

}  // namespace

void measure_solvers(workbench& w)
{
    std::printf("BiCGStab: microseconds an iteration; time / (a), time / (b)\n"
                "(a) cuBLAS + cuSPARSE as in a textbook, (b) the same in a CUDA graph without "
                "waits, both in double\n"
                "%13s | %9s %9s | %25s | %25s | after %d\n",
                "", "(a)", "(b)", "ddla double", "ddla double-double", compared_iterations);
    for (const int size : {22, 32, 64, 128, 200}) {
        if (w.quick && size > 64) continue;
        const csr_matrix<double>& a = w.cubes(size);
        const auto b = random_vector<double>(a.rows(), 4);
        measure(w, {size, size > 64 ? 64 : 128, w.quick ? 3 : 7, a, b});
    }
    std::printf("\n");
}

}  // namespace bench
