// No iteration of a solve on the host allocates.
#include "catch.hpp"
#include "support/same_bits.hpp"
#include "support/shapes.hpp"

#include "ddla/generate.hpp"
#include "ddla/host_threads.hpp"
#include "ddla/solve.hpp"
#include "ddla/sparse_format.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> allocations{0};

void* counted(std::size_t alignment, std::size_t bytes)
{
    ++allocations;
    void* p = nullptr;
    return ::posix_memalign(&p, std::max(alignment, sizeof(void*)), bytes) == 0 ? p : nullptr;
}

void* counted_or_throw(std::size_t alignment, std::size_t bytes)
{
    if (void* const p = counted(alignment, bytes)) return p;
    throw std::bad_alloc();
}

}  // namespace

// All of C++, and what arrays of ddla come from.
void* operator new(std::size_t bytes)
{
    return counted_or_throw(alignof(std::max_align_t), bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment)
{
    return counted_or_throw(static_cast<std::size_t>(alignment), bytes);
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept
{
    return counted(alignof(std::max_align_t), bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept
{
    return counted(static_cast<std::size_t>(alignment), bytes);
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
    return counted(alignment, bytes);
}

namespace {

struct counts {
    long by_iterations, in_all;
};

template <class T, class V>
counts allocations_of(const ddla::csr_matrix<V>& a, ddla::method m, ddla::preconditioner p)
{
    const ddla::vector<T> b(a.rows(), T(1));
    ddla::vector<T> x(a.rows());
    long first = -1, last = -1;
    const ddla::solve_options options{
        .method = m, .precond = p, .max_iterations = 6, .watch = [&](const auto&) {
            last = allocations;
            if (first < 0) first = last;
            return true;
        }};
    const long before = allocations;
    const auto report = ddla::solve(a, b, x, options);
    CHECK(report.iterations == 6);
    return {last - first, allocations - before};
}

}  // namespace

TEMPLATE_TEST_CASE("iterations allocate nothing", "[solvers]", test::double_double, test::dd_double,
                   test::dd_dd)
{
    using T = typename TestType::scalar;
    // Enough rows for the threads to share them.
    auto a = test::with_values<typename TestType::value>(ddla::generate::poisson2d(200, 200));
    const int threads = ddla::host_threads();
    for (const auto format : {ddla::sparse_format::csr, ddla::sparse_format::slices,
                              ddla::sparse_format::tiles, ddla::sparse_format::patterns})
        for (const int wanted : {1, 3}) {
            ddla::set_format(a, {.format = format});
            ddla::set_host_threads(wanted);
            for (const auto m : {ddla::method::bicgstab, ddla::method::cg})
                for (const auto p : {ddla::preconditioner::none, ddla::preconditioner::jacobi}) {
                    INFO(to_string(format) << ", threads: " << wanted << ", " << to_string(m)
                                           << ", " << to_string(p));
                    const counts n = allocations_of<T>(a, m, p);
                    CHECK(n.by_iterations == 0);
                    // Its vectors: what is counted is what allocates.
                    CHECK(n.in_all >= 4);
                }
        }
    ddla::set_host_threads(threads);
}
