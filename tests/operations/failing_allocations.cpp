// Each allocation of the host fails once: a clear exception, and ddla works as before.
//
// The build with sanitizers finds what leaks then.
#include "catch.hpp"
#include "host_formats.hpp"
#include "support/allocations.hpp"
#include "support/random.hpp"
#include "support/same_bits.hpp"

#include "ddla/blas.hpp"
#include "ddla/error.hpp"
#include "ddla/generate.hpp"
#include "ddla/host_threads.hpp"
#include "ddla/matrix_info.hpp"
#include "ddla/matrix_market.hpp"
#include "ddla/solve.hpp"
#include "ddla/sparse_format.hpp"
#include "host/operations.hpp"

#include <filesystem>
#include <functional>
#include <unistd.h>

namespace {

using ddla::dd_real;
using test::until_failure;

/// What a call computes, as a hash.
using call = std::function<std::uint64_t()>;

/// Lets the first allocation of the call fail, then the second, and so on, until it has no more.
/// After each failure the call has its result again.
void fail_each_allocation(const std::string& what, const call& compute)
{
    INFO(what);
    const std::uint64_t expected = compute();
    int failures = 0;
    for (bool failed = true; failed; ++failures) {
        INFO("allocation " << failures + 1);
        failed = false;
        until_failure = failures;
        try {
            const std::uint64_t result = compute();
            failed = until_failure < 0;  // the call did without
            until_failure = -1;
            CHECK(result == expected);
        } catch (const std::bad_alloc&) {
            failed = true;
        } catch (const ddla::resource_error& e) {
            failed = true;
            CHECK_THAT(e.what(), Catch::Contains("memory"));
        }
        until_failure = -1;
        if (failed && failures % 16 == 0) CHECK(compute() == expected);
    }
    CHECK(failures > 1);
    CHECK(compute() == expected);
}

class temporary_file {
public:
    explicit temporary_file(const std::string& name)
        : path_(std::filesystem::temp_directory_path() /
                (std::to_string(std::hash<std::string>()(name) ^ std::uint64_t(::getpid())) + name))
    {
    }
    ~temporary_file() { std::filesystem::remove(path_); }
    temporary_file(const temporary_file&) = delete;
    temporary_file& operator=(const temporary_file&) = delete;
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

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

}  // namespace

TEST_CASE("each allocation of a solve fails once", "[faults]")
{
    ddla::set_host_threads(2);
    for (const auto m : {ddla::method::bicgstab, ddla::method::cg, ddla::method::fgmres,
                         ddla::method::bicgstabl, ddla::method::minres, ddla::method::idr})
        for (const auto p : {ddla::preconditioning::none, ddla::preconditioning::jacobi}) {
            fail_each_allocation("double", [=] { return solved<double>(grid(), m, p); });
            fail_each_allocation("double-double", [=] { return solved<dd_real>(grid(), m, p); });
        }
}

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
}

TEST_CASE("each allocation of reading and writing fails once", "[faults]")
{
    const temporary_file matrix("matrix.mtx"), packed("vector.mtx.gz");
    fail_each_allocation("matrix", [&] {
        ddla::write_matrix(matrix.path(), grid());
        const auto a = ddla::read_matrix<double>(matrix.path());
        return ddla::hash_of(ddla::diagonal(a)) + static_cast<std::uint64_t>(a.nonzeros());
    });
    const ddla::vector<dd_real> x(30, dd_real(1) / 3);
    fail_each_allocation("vector", [&] {
        ddla::write_vector(packed.path(), x);
        return ddla::hash_of(ddla::read_vector<dd_real>(packed.path()));
    });
}
