#include "cases.hpp"
#include "support/methods.hpp"

#include "support/operands.hpp"
#include "support/shapes.hpp"

#include "ddla/generate.hpp"
#include "ddla/stream.hpp"

using ddla::method;
using ddla::preconditioning;
using ddla::solve_options;

namespace golden {

namespace {

template <class T, class V>
void solve(recorder& out, const std::string& name, const ddla::csr_matrix<V>& matrix,
           const ddla::preconditioner<T>& k, const ddla::vector<T>& b, solve_options options)
{
    options.record_history = true;
    ddla::vector<T> x(b.size(), out.at);
    out.add("solve/" + std::string(to_string(options.method)) + "/" + name,
            hash_of_report(ddla::solve(matrix.to(out.at), k, b.to(out.at), x, options)));
}

/// A third of its argument and a tenth of each neighbour, on the host.
template <class T>
ddla::preconditioner<T> average(ddla::index_t n)
{
    return {"average", n, [n](ddla::vec<const T> r, ddla::vec<T> z) {
                for (ddla::index_t i = 0; i < n; ++i) {
                    const T below = i > 0 ? r.get(i - 1) : T(0);
                    const T above = i + 1 < n ? r.get(i + 1) : T(0);
                    z.set(i, r.get(i) / T(3) + (below + above) / T(10));
                }
            }};
}

template <class V>
struct matrices {
    ddla::csr_matrix<V> convection = test::with_values<V>(
        test::with_uneven_diagonal(ddla::generate::convection_diffusion(11, 12, 13)));
    ddla::csr_matrix<V> bus = test::with_values<V>(power_network());
    ddla::csr_matrix<V> arrow = test::with_values<V>(test::arrow_matrix(100001));
};

template <class T, class V>
void fgmres_systems(recorder& out, const std::string& of, const matrices<V>& all)
{
    const bool wide = ddla::words_of<T> == 2;
    const auto& [convection, bus, arrow] = all;
    for (const auto p : {preconditioning::none, preconditioning::jacobi}) {
        const std::string by = std::string(to_string(p)) + of;
        const auto some = [&](const std::string& name, const auto& a, int count, int restart) {
            solve<T>(out, by + name, a, {}, test::random_vector<T>(a.rows(), 131, 0),
                     {.method = method::fgmres,
                      .precond = p,
                      .tolerance = 0,
                      .max_iterations = count,
                      .restart = restart});
        };
        some("convection_diffusion/30_iterations/restart_11", convection, 30, 11);
        some("494_bus/30_iterations/restart_50", bus, 30, 50);
        some("arrow_100001/4_iterations/restart_3", arrow, 4, 3);
        solve<T>(out, by + "convection_diffusion/to_the_end", convection, {},
                 test::random_vector<T>(convection.rows(), 132, 0),
                 {.method = method::fgmres, .precond = p, .tolerance = wide ? 1e-24 : 1e-10});
    }
}

template <class T, class V>
void other_systems(recorder& out, const std::string& of, const matrices<V>& all)
{
    const auto& [convection, bus, arrow] = all;
    for (const method m : test::methods_tested_together())
        for (const auto p : {preconditioning::none, preconditioning::jacobi}) {
            if (test::takes_any_shape(m) && p != preconditioning::none) continue;
            const std::string by = std::string(to_string(p)) + of;
            const auto some = [&](const std::string& name, const auto& a, int count) {
                solve<T>(out, by + name, a, {}, test::random_vector<T>(a.rows(), 134, 0),
                         {.method = m,
                          .precond = p,
                          .tolerance = 0,
                          .max_iterations = count,
                          .l = 3,
                          .s = 5});
            };
            some("convection_diffusion/7_iterations", convection, 7);
            some("494_bus/12_iterations", bus, 12);
            some("arrow_100001/2_iterations", arrow, 2);
        }
}

template <class T, class V>
void systems(recorder& out)
{
    const std::string of = "/" + types<T, V>::name() + "/";
    const matrices<V> all;
    fgmres_systems<T>(out, of, all);
    other_systems<T>(out, of, all);
    for (const method m : {method::fgmres, method::bicgstab})
        solve<T>(out, "function" + of + "convection_diffusion/20_iterations", all.convection,
                 average<T>(all.convection.rows()),
                 test::random_vector<T>(all.convection.rows(), 133, 0),
                 {.method = m, .tolerance = 0, .max_iterations = 20, .restart = 8});
}

/// With preconditioners that are built from A; Chebyshev's polynomial also pins its bounds of
/// eigenvalues.
template <class T, class V>
void preconditioned(recorder& out)
{
    const auto convection = test::with_values<V>(
        test::with_uneven_diagonal(ddla::generate::convection_diffusion(11, 12, 13)));
    const auto bus = test::with_values<V>(power_network());
    const auto some = [&](const std::string& name, const auto& a, method m, preconditioning p,
                          int count) {
        solve<T>(out,
                 std::string(to_string(p)) + "/" + types<T, V>::name() + "/" + name + "/" +
                     std::to_string(count) + "_iterations",
                 a, {}, test::random_vector<T>(a.rows(), 135, 0),
                 {.method = m,
                  .precond = p,
                  .tolerance = 0,
                  .preconditioner = {.fill = 2,
                                     .polynomial = ddla::polynomial_kind::chebyshev,
                                     .degree = 5},
                  .max_iterations = count});
    };
    using enum preconditioning;
    for (const auto p : {ilu, ilut, block_jacobi, polynomial}) {
        some("convection_diffusion", convection, method::bicgstab, p, 6);
        some("494_bus", bus, method::fgmres, p, 8);
    }
    for (const auto p : {ic, polynomial}) some("494_bus", bus, method::cg, p, 12);
}

}  // namespace

void program_cases(recorder& out)
{
    for_all_types([&]<class T, class V>(types<T, V>) { systems<T, V>(out); });
    for_all_types([&]<class T, class V>(types<T, V>) { preconditioned<T, V>(out); });
}

}  // namespace golden
