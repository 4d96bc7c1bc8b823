// Factors at the device applied to vectors there, and made again.
#include "catch.hpp"
#include "everywhere.hpp"

#include "ddla/factors.hpp"
#include "ddla/generate.hpp"
#include "ddla/solve.hpp"
#include "ddla/watched_scope.hpp"
#include "factor/supernodal/static_factors.hpp"

using ddla::csr_matrix;
using ddla::dd_real;
using ddla::index_t;
using ddla::vector;
using test::gpu;

namespace {

/// Looks of a watch at what work() does.  Vectors that go by the host are looked at there.
template <class Work>
int looks_at(const Work& work)
{
    int looks = 0;
    const ddla::watched_scope scope([&] { return ++looks > 0; });
    work();
    return looks;
}

/// A preconditioner of factors that stay at the device, applied to vectors there: as one of the
/// host's, alone and in solves.
template <class T, class F>
void check_preconditioner(const csr_matrix<double>& a)
{
    CAPTURE(ddla::words_of<T>, ddla::words_of<F>);
    const auto there_a = a.to(gpu);
    const ddla::lu_factors<F> here(a), there(there_a);
    const auto at_host = ddla::preconditioner<T>::lu(here, ddla::host),
               at_gpu = ddla::preconditioner<T>::lu(there, gpu);
    const auto b = test::random_vector<T>(a.rows(), 8);
    const auto b_there = b.to(gpu);
    vector<T> z(a.rows()), z_there(a.rows(), gpu);
    const std::int64_t before = ddla::device_backend::solves_with_factors();
    at_host.apply(b, z);
    CHECK(ddla::device_backend::solves_with_factors() == before);
    CHECK(looks_at([&] { at_gpu.apply(b_there, z_there); }) == 0);
    CHECK(ddla::device_backend::solves_with_factors() == before + 1);
    CHECK(test::same_bits(z_there.to(ddla::host), z));
    // For vectors at the host they do.
    const auto copying = ddla::preconditioner<T>::lu(there, ddla::host);
    CHECK(looks_at([&] { copying.apply(b, z); }) > 0);
    for (const auto m : {ddla::method::bicgstab, ddla::method::fgmres, ddla::method::refinement}) {
        const ddla::solve_options o{.method = m, .tolerance = 1e-30, .max_iterations = 3};
        vector<T> x(a.rows()), x_there(a.rows(), gpu);
        const auto one = ddla::solve(a, at_host, b, x, o),
                   other = ddla::solve(there_a, at_gpu, b_there, x_there, o);
        CHECK(other.solution_hash == one.solution_hash);
        CHECK(other.iterations == one.iterations);
    }
}

}  // namespace

TEST_CASE("preconditioners apply factors at the device to vectors there", "[device][factors]")
{
    const auto a = ddla::generate::convection_diffusion(26, 26, 26);
    check_preconditioner<double, double>(a);
    check_preconditioner<dd_real, double>(a);
    check_preconditioner<double, dd_real>(a);
    check_preconditioner<dd_real, dd_real>(a);
}

TEST_CASE("factors at the device are made again there", "[device][factors]")
{
    const auto a = ddla::generate::convection_diffusion(26, 26, 26);
    vector<double> values(a.nonzeros());
    for (index_t k = 0; k < a.nonzeros(); ++k)
        values.set(k, a.view().value.get(k) * (1 + 0x1p-9 * static_cast<double>(k % 7)));
    const auto view = a.view();
    std::vector<index_t> begin;
    for (index_t i = 0; i <= a.rows(); ++i) begin.push_back(view.row_begin[i]);
    const csr_matrix<double> changed(a.rows(), a.columns(), begin,
                                     {view.column, view.column + a.nonzeros()}, std::move(values));
    ddla::lu_factors<double> here(a), there(a.to(gpu));
    REQUIRE(there.by_supernodes()->device() == 0);
    REQUIRE(here.refactor(changed));
    REQUIRE(there.refactor(changed.to(gpu)));
    CHECK(there.by_supernodes()->device() == 0);
    const auto b = test::random_vector<dd_real>(a.rows(), 8);
    vector<dd_real> x(a.rows()), x_there(a.rows());
    here.solve(b, x);
    there.solve(b, x_there);
    CHECK(test::same_bits(x, x_there));
    REQUIRE(there.refactor(changed));
    CHECK(there.by_supernodes()->device() == -1);
}
