// Each allocation of the host fails once: a clear exception, and ddla works as before.
//
// The build with sanitizers finds what leaks then.
#include "catch.hpp"
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

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <new>
#include <unistd.h>

namespace {

/// How many allocations succeed before one fails; below 0 none fails.
std::atomic<long> until_failure{-1};

void* allocated(std::size_t alignment, std::size_t bytes)
{
    if (until_failure.load(std::memory_order_relaxed) >= 0 && until_failure.fetch_sub(1) == 0)
        return nullptr;
    void* p = nullptr;
    return ::posix_memalign(&p, std::max(alignment, sizeof(void*)), bytes) == 0 ? p : nullptr;
}

void* allocated_or_throw(std::size_t alignment, std::size_t bytes)
{
    if (void* const p = allocated(alignment, bytes)) return p;
    throw std::bad_alloc();
}

}  // namespace

// All of C++, and what arrays of ddla come from.
void* operator new(std::size_t bytes)
{
    return allocated_or_throw(alignof(std::max_align_t), bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment)
{
    return allocated_or_throw(static_cast<std::size_t>(alignment), bytes);
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept
{
    return allocated(alignof(std::max_align_t), bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept
{
    return allocated(static_cast<std::size_t>(alignment), bytes);
}
void operator delete(void* p) noexcept
{
    std::free(p);
}
void operator delete(void* p, std::size_t) noexcept
{
    std::free(p);
}
void operator delete(void* p, std::align_val_t) noexcept
{
    std::free(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept
{
    std::free(p);
}
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept
{
    return allocated(alignment, bytes);
}

namespace {

using ddla::dd_real;

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
std::uint64_t solved(const ddla::csr_matrix<double>& a, ddla::method m, ddla::preconditioner p)
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
    for (const auto m : {ddla::method::bicgstab, ddla::method::cg})
        for (const auto p : {ddla::preconditioner::none, ddla::preconditioner::jacobi}) {
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
    // Enough work for all threads, and rows of more than a tile.
    auto uneven = test::random_matrix<double>(
        3000, 1000, 3, [](ddla::index_t i) { return i % 10 == 0 ? 300 : 20; });
    ddla::set_format(uneven, {.format = ddla::sparse_format::slices});
    const ddla::vector<dd_real> z(uneven.columns(), dd_real(1) / 3);
    fail_each_allocation("product of long rows", [&] {
        ddla::vector<dd_real> y(uneven.rows());
        ddla::spmv(dd_real(1), uneven, z, dd_real(0), y);
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

TEST_CASE("each allocation of a conversion fails once", "[faults]")
{
    for (const auto format : {ddla::sparse_format::automatic, ddla::sparse_format::slices,
                              ddla::sparse_format::tiles, ddla::sparse_format::patterns}) {
        fail_each_allocation(std::string(to_string(format)), [=] {
            auto a = grid();
            ddla::set_format(a, {.format = format});
            return solved<double>(a, ddla::method::bicgstab, ddla::preconditioner::none);
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
