#include "described.hpp"
#include "handles.hpp"
#include "options.hpp"

using namespace ddla;
using namespace ddla::c;

extern "C" {

ddla_status ddla_factors_create(const ddla_matrix* a, ddla_precision factors,
                                const ddla_factor_options* options, ddla_factors** f)
{
    return guarded([&] {
        auto& to = required_handle(f, "f");
        const factorisation_options o = options_of(options);
        in_precision(factors, [&]<scalar F>() {
            with_matrix(a, "a", [&](const auto& m) { to = new ddla_factors{lu_factors<F>(m, o)}; });
        });
    });
}

ddla_status ddla_factors_about(const ddla_factors* f, ddla_factor_report* report)
{
    return guarded([&] {
        std::visit(
            [&](const auto& lu) {
                hand_over(fields_of<ddla_factor_report>(lu.about()), report, "report");
            },
            required(f, "f").lu);
    });
}

ddla_status ddla_factors_solve(const ddla_factors* f, const ddla_vector* b, ddla_vector* x)
{
    return guarded([&] {
        in_precision_of(b, "b", [&]<scalar T>() {
            std::visit([&](const auto& lu) { lu.solve(in<T>(b, "b"), in<T>(x, "x")); },
                       required(f, "f").lu);
        });
    });
}

ddla_status ddla_factors_solve_transposed(const ddla_factors* f, const ddla_vector* b,
                                          ddla_vector* x)
{
    return guarded([&] {
        in_precision_of(b, "b", [&]<scalar T>() {
            std::visit([&](const auto& lu) { lu.solve_transposed(in<T>(b, "b"), in<T>(x, "x")); },
                       required(f, "f").lu);
        });
    });
}

ddla_status ddla_factors_refactor(ddla_factors* f, const ddla_matrix* a, int32_t* done)
{
    return guarded([&] {
        auto& to = required(done, "done");
        std::visit(
            [&](auto& lu) { with_matrix(a, "a", [&](const auto& m) { to = lu.refactor(m); }); },
            required(f, "f").lu);
    });
}

void ddla_factors_destroy(ddla_factors* f)
{
    delete f;
}
}
