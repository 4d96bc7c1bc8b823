#include "cases.hpp"

#include "support/operands.hpp"
#include "support/shapes.hpp"

#include "ddla/generate.hpp"

using ddla::method;
using ddla::preconditioning;
using ddla::solve_options;
using test::matrix_of;

namespace golden {

namespace {

template <class T, class V>
void solve(recorder& out, const std::string& name, const ddla::csr_matrix<V>& matrix,
           const ddla::vector<T>& b, solve_options options)
{
    options.record_history = true;
    ddla::vector<T> x(b.size(), out.at);
    out.add(name, hash_of_report(ddla::solve(matrix.to(out.at), b.to(out.at), x, options)));
}

/// The start of the name, "solve/cg/jacobi/dd_double/".
template <class Types>
std::string solve_by(const solve_options& o)
{
    return "solve/" + std::string(to_string(o.method)) + "/" + std::string(to_string(o.precond)) +
           "/" + Types::name() + "/";
}

template <class T, class V>
void some_iterations(recorder& out, const std::string& name, const ddla::csr_matrix<V>& a,
                     std::int64_t count, preconditioning last = preconditioning::jacobi)
{
    const auto b = test::random_vector<T>(a.rows(), 121, 0);
    for (const method m : {method::bicgstab, method::cg})
        for (const preconditioning p : {preconditioning::none, preconditioning::jacobi}) {
            if (p > last) continue;
            const solve_options options{
                .method = m, .precond = p, .tolerance = 0, .max_iterations = count};
            const std::string steps = "/" + std::to_string(count) + "_iterations";
            solve<T, V>(out, solve_by<types<T, V>>(options) + name + steps, a, b, options);
        }
}

template <class T, class V>
void to_the_end(recorder& out, const std::string& name, const ddla::csr_matrix<V>& a, method m,
                double tolerance)
{
    const auto b = test::random_vector<T>(a.rows(), 122, 0);
    for (const preconditioning p : {preconditioning::none, preconditioning::jacobi}) {
        const solve_options options{.method = m, .precond = p, .tolerance = tolerance};
        solve<T, V>(out, solve_by<types<T, V>>(options) + name + "/to_the_end", a, b, options);
    }
}

template <class T, class V>
void systems(recorder& out)
{
    const auto convection = test::with_values<V>(
        test::with_uneven_diagonal(ddla::generate::convection_diffusion(11, 12, 13)));
    const auto poisson =
        test::with_values<V>(test::with_uneven_diagonal(ddla::generate::poisson2d(23, 19)));
    const auto bus = test::with_values<V>(power_network());
    some_iterations<T>(out, "convection_diffusion", convection, 30);
    some_iterations<T>(out, "poisson", poisson, 30);
    some_iterations<T>(out, "494_bus", bus, 30);
    some_iterations<T>(out, "arrow_100001", test::with_values<V>(test::arrow_matrix(100001)), 3);
    some_iterations<T>(out, "empty_rows", test::with_values<V>(test::with_empty_rows(65537)), 3,
                       preconditioning::none);

    const bool wide = ddla::words_of<T> == 2;
    to_the_end<T>(out, "convection_diffusion", convection, method::bicgstab, wide ? 1e-24 : 1e-10);
    to_the_end<T>(out, "poisson", poisson, method::cg, wide ? 1e-24 : 1e-10);
    to_the_end<T>(out, "494_bus", bus, method::cg, 1e-12);
    to_the_end<T>(out, "494_bus", bus, method::bicgstab, 1e-12);
}

/// Ends other than the usual ones, and systems that must be scaled.
template <class T>
void ends(recorder& out)
{
    const auto end = [&](const std::string& name, const ddla::csr_matrix<double>& a,
                         const ddla::vector<T>& b,
                         const solve_options& options = {.method = ddla::method::bicgstab}) {
        solve<T, double>(out, solve_by<types<T, double>>(options) + name, a, b, options);
    };
    const auto rotation = matrix_of({{0, 1}, {-1, 0}});
    end("breakdown_of_r0_v", rotation, {1, 0});
    end("breakdown_of_p_ap", rotation, {1, 1}, {.method = method::cg});
    end("breakdown_of_omega", matrix_of({{1, 1}, {1, 0}}), {1, 0});
    end("breakdown_of_rho", matrix_of({{1, 0, 0}, {1, 1, 0}, {0, 1, 1}}), {1, 0, 0});
    const auto grid = ddla::generate::convection_diffusion(6, 7, 8);
    end("b_of_zero", grid, ddla::vector<T>(grid.rows()));
    const auto b = test::random_vector<T>(grid.rows(), 123, 0);
    for (const int exponent : {-850, 1000})
        end("b_times_2^" + std::to_string(exponent), grid, test::scaled(b, exponent));
    end("near_the_ends_of_the_range", matrix_of({{1e200, 1}, {1, 1e-200}}), {1, 1});
}

}  // namespace

void solve_cases(recorder& out)
{
    for_all_types([&]<class T, class V>(types<T, V>) { systems<T, V>(out); });
    ends<double>(out);
    ends<ddla::dd_real>(out);
}

}  // namespace golden
