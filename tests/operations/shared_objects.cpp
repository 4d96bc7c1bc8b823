// Objects that several threads use at once: preconditioners, factors, and a matrix whose transpose
// is made when it is first asked for.
#include "catch.hpp"
#include "support/random.hpp"

#include "ddla/blas.hpp"
#include "ddla/factors.hpp"
#include "ddla/generate.hpp"
#include "ddla/host_threads.hpp"
#include "ddla/solve.hpp"

#include <atomic>
#include <functional>
#include <latch>
#include <thread>
#include <vector>

using dd = ddla::dd_real;
using ddla::index_t;
using ddla::method;

namespace {

constexpr int callers = 4;

/// What `work` gives for 0 … callers - 1, by a thread each, which begin at once; how many of them
/// differ from what it gives here.
int wrong_at_once(const std::function<std::uint64_t(int)>& work)
{
    std::atomic<int> wrong{0};
    std::uint64_t alone[callers];
    for (int c = 0; c < callers; ++c) alone[c] = work(c);
    std::latch begin(callers);
    std::vector<std::thread> threads;
    for (int c = 0; c < callers; ++c)
        threads.emplace_back([&, c] {
            begin.arrive_and_wait();
            for (int repeat = 0; repeat < 5; ++repeat)
                if (work(c) != alone[c]) ++wrong;
        });
    for (std::thread& thread : threads) thread.join();
    return wrong;
}

const ddla::csr_matrix<double>& grid()
{
    static const auto a = ddla::generate::poisson3d(9, 8, 7);
    return a;
}

/// The same matrix, whose transpose nobody has asked for.
ddla::csr_matrix<double> fresh(const ddla::csr_matrix<double>& a)
{
    const auto& from = a.view();
    ddla::vector<double> value(from.nonzeros());
    for (index_t k = 0; k < from.nonzeros(); ++k) value.set(k, from.value.get(k));
    std::vector<index_t> begin;
    for (index_t i = 0; i <= from.rows; ++i) begin.push_back(from.row_begin[i]);
    return {from.rows,
            from.columns,
            std::move(begin),
            {from.column, from.column + from.nonzeros()},
            std::move(value)};
}

ddla::vector<dd> right_hand_side(int caller)
{
    return ddla::vector<dd>(grid().rows(), dd(1 + caller) / 3);
}

}  // namespace

TEST_CASE("one preconditioner serves several threads at once", "[threads]")
{
    ddla::set_host_threads(2);
    using k = ddla::preconditioner<dd>;
    const ddla::lu_factors<double> factors(grid());
    for (const k& one :
         {k::jacobi(grid()), k::ilu(grid(), {.fill = 1}), k::ilut(grid()), k::ic(grid()),
          k::block_jacobi(grid()), k::polynomial(grid()), k::lu(factors)}) {
        INFO(one.name());
        CHECK(wrong_at_once([&](int caller) {
                  ddla::vector<dd> z(grid().rows()), x(grid().rows());
                  one.apply(right_hand_side(caller), z);
                  const auto report =
                      ddla::solve(grid(), one, right_hand_side(caller), x,
                                  {.method = caller % 2 == 0 ? method::bicgstab : method::fgmres,
                                   .max_iterations = 3});
                  return report.solution_hash + 3 * ddla::hash_of(z);
              }) == 0);
    }
    ddla::set_host_threads(1);
}

TEST_CASE("one set of factors serves several threads at once", "[threads]")
{
    ddla::set_host_threads(2);
    const ddla::lu_factors<double> factors(grid());
    const auto other = ddla::generate::convection_diffusion(9, 8, 7);
    CHECK(wrong_at_once([&](int caller) {
              const auto b = right_hand_side(caller);
              ddla::vector<dd> x(b.size()), y(b.size()), z(b.size());
              factors.solve(b, x);
              factors.solve_transposed(b, y);
              // A copy that takes new values leaves those of the others.
              if (caller == 0) ddla::lu_factors<double>(factors).refactor(other);
              const auto report = ddla::solve(grid(), b, z, factors);
              return ddla::hash_of(x) + 3 * ddla::hash_of(y) + 7 * report.solution_hash;
          }) == 0);
    ddla::set_host_threads(1);
}

TEST_CASE("threads that ask at once for a transpose share it", "[threads]")
{
    ddla::set_host_threads(2);
    const auto a = ddla::generate::convection_diffusion(9, 8, 7);
    const auto x = test::random_vector<dd>(a.rows(), 83);
    ddla::vector<dd> expected(a.columns());
    ddla::spmv_transposed(dd(1), a, x, dd(0), expected);
    for (int repeat = 0; repeat < 10; ++repeat) {
        const auto shared = fresh(a);
        std::atomic<int> wrong{0};
        std::latch begin(callers);
        std::vector<std::thread> threads;
        for (int c = 0; c < callers; ++c)
            threads.emplace_back([&, c] {
                begin.arrive_and_wait();
                const auto copy = shared;  // shares it, too
                ddla::vector<dd> y(a.columns());
                ddla::spmv_transposed(dd(1), c % 2 == 0 ? shared : copy, x, dd(0), y);
                if (ddla::hash_of(y) != ddla::hash_of(expected)) ++wrong;
            });
        for (std::thread& thread : threads) thread.join();
        CHECK(wrong == 0);
    }
    CHECK(wrong_at_once([&, all = fresh(a)](int caller) {  // LSMR wants the transpose
              ddla::vector<dd> y(a.columns());
              return ddla::solve(all, ddla::vector<dd>(a.rows(), dd(1 + caller)), y,
                                 {.method = method::lsmr, .max_iterations = 4})
                  .solution_hash;
          }) == 0);
    ddla::set_host_threads(1);
}
