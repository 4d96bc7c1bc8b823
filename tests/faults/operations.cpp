// Each allocation of operations on the host fails once: a clear exception, and ddla works as
// before.
#include "catch.hpp"
#include "operations/host_formats.hpp"
#include "support/failing.hpp"
#include "support/random.hpp"
#include "support/same_bits.hpp"

#include "ddla/blas.hpp"
#include "ddla/complex.hpp"
#include "ddla/generate.hpp"
#include "ddla/host_threads.hpp"
#include "ddla/matrix_info.hpp"
#include "ddla/solve.hpp"
#include "ddla/sparse_format.hpp"
#include "ddla/stream.hpp"
#include "ddla/tune.hpp"
#include "host/operations.hpp"

#include <new>

namespace {

using ddla::dd_real;
using test::fail_each_allocation;

const ddla::csr_matrix<double>& grid()
{
    static const auto a = ddla::generate::convection_diffusion(12, 11, 10);
    return a;
}

template <class T>
std::uint64_t solved(const ddla::csr_matrix<double>& a, ddla::method m, ddla::preconditioning p)
{
    const ddla::vector<T> b(a.rows(), T(1));
    ddla::vector<T> x(a.rows());
    const auto report = ddla::solve(
        a, b, x, {.method = m, .precond = p, .max_iterations = 5, .record_history = true});
    return report.solution_hash;
}

template <class V>
std::uint64_t hash_of_columns(const ddla::csr_matrix<V>& a)
{
    const auto view = a.view();
    std::uint64_t hash = 0;
    for (ddla::index_t k = 0; k < view.nonzeros(); ++k)
        hash = 31 * hash + static_cast<std::uint64_t>(view.column[k]);
    return hash;
}

}  // namespace

TEST_CASE("each allocation of a product fails once", "[faults]")
{
    ddla::set_host_threads(2);
    const ddla::vector<dd_real> x(grid().columns(), dd_real(1) / 3);
    fail_each_allocation("product", [&] {
        ddla::vector<dd_real> y(grid().rows());
        ddla::spmv(dd_real(1), grid(), x, dd_real(0), y);
        return ddla::hash_of(y);
    });
    fail_each_allocation("transposed product", [&] {
        ddla::vector<dd_real> y(grid().columns());
        ddla::spmv_transposed(dd_real(1), grid(), x, dd_real(0), y);
        return ddla::hash_of(y);
    });
    fail_each_allocation("dot",
                         [&] { return ddla::hash_of(ddla::vector<dd_real>(1, ddla::dot(x, x))); });
    fail_each_allocation("true residual", [&] {
        const ddla::vector<dd_real> b(grid().rows(), dd_real(1));
        const auto norms = ddla::true_residual(grid(), x, b);
        return ddla::hash_of(ddla::vector<double>(1, norms.relative));
    });
}

TEST_CASE("each allocation of a product with several vectors fails once", "[faults]")
{
    ddla::set_host_threads(2);
    const std::vector<ddla::vector<dd_real>> x(9, ddla::vector<dd_real>(grid().columns(), 0.3));
    for (const auto format :
         {ddla::sparse_format::csr, ddla::sparse_format::slices, ddla::sparse_format::patterns}) {
        auto a = grid();
        ddla::set_format<dd_real>(a, {.format = format});
        fail_each_allocation(std::string(to_string(format)), [&] {
            std::vector<ddla::vector<dd_real>> y(9, ddla::vector<dd_real>(a.rows()));
            ddla::spmv(dd_real(1), a, x, dd_real(0), y);
            std::uint64_t hash = 0;
            for (const auto& one : y) hash = 3 * hash + ddla::hash_of(one);
            return hash;
        });
    }
}

TEST_CASE("each allocation of a transpose that is made late fails once", "[faults]")
{
    ddla::set_host_threads(2);
    const ddla::vector<dd_real> x(grid().rows(), dd_real(1) / 3);
    fail_each_allocation("transposed product of a new matrix", [&] {
        const auto& g = grid().view();
        std::vector<ddla::index_t> begin(g.row_begin.wide(), g.row_begin.wide() + g.rows + 1);
        std::vector<ddla::column_t> column(g.column, g.column + g.nonzeros());
        const ddla::csr_matrix<double> a(g.rows, g.columns, std::move(begin), std::move(column),
                                         ddla::vector<double>(g.nonzeros(), 0.7));
        ddla::vector<dd_real> y(a.columns());
        ddla::spmv_transposed(dd_real(1), a, x, dd_real(0), y);
        const ddla::csr_matrix<double> copy = a;
        ddla::spmv_transposed(dd_real(1), copy, x, dd_real(1), y);
        return ddla::hash_of(y);
    });
}

TEST_CASE("each allocation of operations on a stream fails once", "[faults]")
{
    ddla::set_host_threads(2);
    const auto x = test::random_vector<dd_real>(70000, 3);
    fail_each_allocation("sums and a product", [&] {
        ddla::stream on(ddla::host);
        auto y = x;
        ddla::vector<dd_real> z(grid().rows()), sums(2);
        ddla::axpy(on, ddla::dot(on, x.view(), x.view()), x.view(), y.view());
        sums.set(0, ddla::nrm2(on, std::as_const(y).view()));
        sums.set(1, ddla::asum(on, std::as_const(y).view()));
        ddla::spmv(on, dd_real(1), grid().view(), x.view().part(0, grid().columns()), dd_real(0),
                   z.view());
        std::vector<ddla::dd_pair> pairs(70000);
        ddla::interleave(on, x.view(), std::span(pairs));
        ddla::split(on, std::span<const ddla::dd_pair>(pairs), y.view());
        return ddla::hash_of(sums) + 3 * ddla::hash_of(z) + 7 * ddla::hash_of(y);
    });
}

// Long rows stored as a device has them; enough work for all threads, where nothing may throw.
TEST_CASE("each allocation of a product of long rows fails once", "[faults]")
{
    ddla::set_host_threads(2);
    const auto uneven = test::random_matrix<double>(
        3000, 1000, 3, [](ddla::index_t i) { return i % 10 == 0 ? 300 : 20; });
    const auto storage =
        test::stored_in_slices(uneven, {.window = ddla::tile_size, .long_rows = true});
    REQUIRE(storage.slices.of_long > 0);
    auto a = uneven.view();
    a.storage = &storage;
    const ddla::vector<double> x(a.columns, 0.1);
    fail_each_allocation("double", [&] {
        ddla::vector<double> y(a.rows);
        ddla::host_backend::matrices_on_host<double, double>().spmv(1.0, a, x.view(), 0.0,
                                                                    y.view());
        return ddla::hash_of(y);
    });
}

TEST_CASE("each allocation of a conversion fails once", "[faults]")
{
    for (const auto format : {ddla::sparse_format::automatic, ddla::sparse_format::slices,
                              ddla::sparse_format::tiles, ddla::sparse_format::patterns}) {
        fail_each_allocation(std::string(to_string(format)), [=] {
            auto a = grid();
            ddla::set_format(a, {.format = format});
            return solved<double>(a, ddla::method::bicgstab, ddla::preconditioning::none);
        });
    }
    fail_each_allocation("coordinates", [] {
        ddla::coordinates<double> c{.rows = 500, .columns = 500};
        for (ddla::index_t i = 0; i < 500; ++i) c.add(i, 499 - i, double(i)), c.add(i, i, 2);
        const ddla::csr_matrix<double> a(c);
        return static_cast<std::uint64_t>(ddla::inspect(a).rows) + ddla::hash_of(ddla::diagonal(a));
    });
    fail_each_allocation("real form", [] {
        const auto real = ddla::generate::poisson2d(6, 5), imag = ddla::generate::toeplitz(30, 1.5);
        const auto a = ddla::real_form(real, imag);
        const auto b = ddla::real_form(ddla::vector<dd_real>(30, 1.0), ddla::vector<dd_real>(30));
        const auto x = ddla::complex_form(b);
        return ddla::hash_of(ddla::diagonal(a)) + ddla::hash_of(b) + 3 * ddla::hash_of(x.imag);
    });
}

TEST_CASE("each allocation of generators fails once", "[faults]")
{
    fail_each_allocation("generators", [] {
        std::uint64_t hash = 0;
        for (const auto& a :
             {ddla::generate::poisson3d(4, 3, 2), ddla::generate::toeplitz(30, 1.5),
              ddla::generate::random(40, 5, 0.1, 3), ddla::generate::skewed(40, 5, 1, 4)})
            hash = 3 * hash + hash_of_columns(a);
        return hash + hash_of_columns(ddla::generate::hilbert_like<dd_real>(30, 4));
    });
}

TEST_CASE("each allocation of choosing a format by time fails once", "[faults]")
{
    ddla::set_host_threads(1);
    fail_each_allocation("measured", [] {
        auto a = ddla::generate::convection_diffusion(5, 4, 3);
        const ddla::vector<dd_real> x(a.columns(), 0.3);
        ddla::vector<dd_real> y(a.rows());
        std::uint64_t hash = 0;
        for (const auto format : {ddla::sparse_format::csr, ddla::sparse_format::slices}) {
            const auto measured =
                ddla::measure_format(a, {.format = format}, x, y, {.seconds = 0, .repeats = 1});
            if (!measured.was_measured()) throw std::bad_alloc();  // `refused` says so
            hash += measured.hash;
        }
        return hash;
    });
}
