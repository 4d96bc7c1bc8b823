// Automatic solves: x, how it ended, and the stages that led there.
#include "cases.hpp"

#include "support/shapes.hpp"

#include "ddla/generate.hpp"

using ddla::factor_precision;
using ddla::solve_options;
using test::matrix_of;

namespace golden {

namespace {

template <class T>
void answer(recorder& out, const std::string& name, const ddla::csr_matrix<double>& a,
            solve_options options = {})
{
    options.record_history = true;
    const ddla::vector<T> b(a.rows(), T(1), out.at);
    ddla::vector<T> x(a.columns(), out.at);
    const auto report = ddla::solve(a.to(out.at), b, x, options);
    digest all;
    all.add(hash_of_report(report));
    for (const auto& stage : report.plan) all.add(stage.name);
    out.add("answer/" + types<T, double>::name() + "/" + name, all.hash());
}

/// t, t^2, t^3, t^4 of seconds since 1970, a minute apart: beyond condition 1e16 once columns are
/// scaled.
ddla::csr_matrix<double> powers_of_seconds()
{
    std::vector<std::vector<double>> rows;
    for (int i = 0; i < 20; ++i) {
        const double t = 1.7e9 + 60 * i;
        rows.push_back({t, t * t, t * t * t, t * t * t * t});
    }
    return matrix_of(rows);
}

template <class T>
void answers(recorder& out)
{
    answer<T>(out, "494_bus", power_network());
    answer<T>(out, "toeplitz_300", ddla::generate::toeplitz(300, 1.9));
    answer<T>(out, "hilbert_12", ddla::generate::hilbert_like<double>(12, 12));
    answer<T>(out, "convection_diffusion", ddla::generate::convection_diffusion(9, 8, 7));
    answer<T>(out, "zeros", matrix_of({{3, 1, 0.1}, {0.7, 0.3, 1}, {0, 1, 1}}));
    answer<T>(out, "singular", matrix_of({{1, 2, 0}, {0.5, 0, 3}, {1.5, 2, 3}}));
    // The shift is the smallest eigenvalue, but for its rounding.
    const auto hard = ddla::generate::convection_diffusion(8, 8, 8, 0, -0.36184427528454943);
    answer<T>(out, "nearly_singular", hard);
    answer<T>(out, "nearly_singular/factors_in_double", hard,
              {.factorisation = {.factors = factor_precision::in_double}});
    answer<T>(out, "least_squares/by_qr", powers_of_seconds());
    const solve_options no_factors{.factorisation = {.most_work = 1e-9}};
    answer<T>(out, "toeplitz_500/no_factors", ddla::generate::toeplitz(500, 1.7), no_factors);
}

}  // namespace

void answer_cases(recorder& out)
{
    answers<double>(out);
    answers<ddla::dd_real>(out);
}

}  // namespace golden
