// Each allocation of making and applying a preconditioner fails once.
#include "catch.hpp"
#include "support/failing.hpp"

#include "ddla/factors.hpp"
#include "ddla/generate.hpp"
#include "ddla/host_threads.hpp"
#include "ddla/solve.hpp"

using ddla::dd_real;
using ddla::method;
using ddla::preconditioning;
using test::fail_each_allocation;

namespace {

/// Two blocks of 256 rows and a rest; symmetric, for IC.
const ddla::csr_matrix<double>& grid()
{
    static const auto a = ddla::generate::poisson3d(9, 8, 8);
    return a;
}

/// A matrix whose large entries are off the diagonal, where a matching brings them to it.
const ddla::csr_matrix<double>& shifted()
{
    static const auto a = [] {
        ddla::coordinates<double> c{.rows = 60, .columns = 60};
        for (ddla::index_t i = 0; i < 60; ++i) {
            c.add(i, (i + 1) % 60, 4);
            c.add(i, i, 0x1p-20);
            c.add(i, (i * 7) % 60, -1);
        }
        return ddla::csr_matrix<double>(c);
    }();
    return a;
}

template <class T>
std::uint64_t applied(const ddla::csr_matrix<double>& a, const ddla::preconditioner<T>& k)
{
    const ddla::vector<T> r(a.rows(), T(1));
    ddla::vector<T> z(a.rows());
    k.apply(r, z);
    return ddla::hash_of(z);
}

struct named_options {
    std::string name;
    ddla::preconditioner_options options;
};

std::vector<named_options> every_option()
{
    std::vector<named_options> all;
    for (const auto f :
         {ddla::factor_precision::in_double, ddla::factor_precision::in_double_double})
        for (const auto o : {ddla::column_ordering::natural, ddla::column_ordering::amd,
                             ddla::column_ordering::colamd, ddla::column_ordering::rcm,
                             ddla::column_ordering::multicolour, ddla::column_ordering::dissection})
            all.push_back(
                {"factors " + std::to_string(int(f)) + ", ordering " + std::to_string(int(o)),
                 {.fill = 2, .block_rows = 256, .factors = f, .ordering = o}});
    return all;
}

}  // namespace

TEST_CASE("each allocation of incomplete factors fails once", "[faults]")
{
    ddla::set_host_threads(2);
    for (const auto& [name, options] : every_option()) {
        const auto o = options;
        const auto& a = ddla::generate::poisson2d(9, 8);
        using k = ddla::preconditioner<dd_real>;
        fail_each_allocation("ILU, " + name, [=] { return applied(a, k::ilu(a, o)); });
        fail_each_allocation("ILUT, " + name, [=] { return applied(a, k::ilut(a, o)); });
        fail_each_allocation("IC, " + name, [=] { return applied(a, k::ic(a, o)); });
    }
}

TEST_CASE("each allocation of incomplete factors with a matching fails once", "[faults]")
{
    for (const auto order : {ddla::column_ordering::natural, ddla::column_ordering::amd}) {
        const ddla::preconditioner_options o{.fill = 1, .ordering = order};
        using k = ddla::preconditioner<double>;
        fail_each_allocation("ILU", [=] { return applied(shifted(), k::ilu(shifted(), o)); });
        fail_each_allocation("ILUT", [=] { return applied(shifted(), k::ilut(shifted(), o)); });
    }
}

TEST_CASE("each allocation of blocks and polynomials fails once", "[faults]")
{
    ddla::set_host_threads(2);
    using k = ddla::preconditioner<dd_real>;
    fail_each_allocation("Jacobi", [] { return applied(grid(), k::jacobi(grid())); });
    for (const auto kind : {ddla::polynomial_kind::neumann, ddla::polynomial_kind::chebyshev})
        fail_each_allocation("polynomial", [=] {
            return applied(grid(), k::polynomial(grid(), {.polynomial = kind, .degree = 3}));
        });
    const auto& small = ddla::generate::poisson2d(9, 8);
    const ddla::preconditioner_options given{.blocks = {0, 20, 30, 72}};
    fail_each_allocation("given blocks",
                         [=] { return applied(small, k::block_jacobi(small, given)); });
}

TEST_CASE("each allocation of solves with a preconditioner fails once", "[faults]")
{
    ddla::set_host_threads(2);
    const auto& a = ddla::generate::poisson2d(20, 18);
    const ddla::vector<dd_real> b(a.rows(), dd_real(1));
    for (const auto p :
         {preconditioning::ilu, preconditioning::ilut, preconditioning::ic,
          preconditioning::block_jacobi, preconditioning::polynomial, preconditioning::lu})
        for (const method m : {method::bicgstab, method::cg, method::fgmres}) {
            const ddla::solve_options o{.method = m, .precond = p, .max_iterations = 4};
            const std::string name = std::string(to_string(m)) + ", " + std::string(to_string(p));
            fail_each_allocation(name, [&] {
                ddla::vector<dd_real> x(a.rows());
                return ddla::solve(a, b, x, o).solution_hash;
            });
            if (m == method::bicgstab)
                fail_each_allocation(name + ", two systems", [&] {
                    const std::vector<ddla::vector<dd_real>> two{b, b};
                    std::vector<ddla::vector<dd_real>> x(2, ddla::vector<dd_real>(a.rows()));
                    return ddla::solve(a, two, x, o)[1].solution_hash;
                });
        }
}

TEST_CASE("each allocation of LU as a preconditioner fails once", "[faults]")
{
    const auto& a = shifted();
    const ddla::lu_factors<double> f(a);
    fail_each_allocation("kept factors",
                         [&] { return applied(a, ddla::preconditioner<dd_real>::lu(f)); });
}
