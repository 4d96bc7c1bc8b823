// Kernels of products begin while the work before them is still going on: what that writes, they
// read after its end.
#include "cuda_streams.hpp"
#include "everywhere.hpp"
#include "support/kinds_of_rows.hpp"
#include "support/shapes.hpp"
#include "warm_caches.hpp"

#include "ddla/generate.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

using ddla::index_t;
using test::dd_dd;
using test::dd_double;
using test::device_site;
using test::double_double;
using test::numbers;
using test::same_bits;
using test::with_values;

namespace {

/// The product with A, in every format, right behind one that takes long, has few blocks, and lets
/// in the next kernel at once.  The stream is held up until both are on it.
template <class T, class V>
void compare_behind_slow_product(device_site& at, const ddla::csr_matrix<V>& a)
{
    INFO(a.rows() << " rows, " << a.nonzeros() << " entries");
    const index_t m = a.columns();
    const auto slow = test::random_matrix<V>(m, m, 95, [](index_t) { return 256; });
    const auto x = test::random_vector<T>(m, 96, 0);
    ddla::vector<T> y(m), z(a.rows());
    ddla::spmv(T(1), slow, x, T(0), y);
    ddla::spmv(T(1), a, y, T(0), z);

    const ddla::vector<T> no_y(m, T(std::nan(""))), no_z(a.rows(), T(std::nan("")));
    const numbers<T> x_there(at, x), y_there(at, no_y), z_there(at, no_z);
    auto slow_there = slow.to(test::gpu);
    ddla::set_format(slow_there, {.format = ddla::sparse_format::crs_scalar});
    for (const auto stored : test::formats_for(a)) {
        INFO(to_string(stored));
        auto there = a.to(test::gpu);
        ddla::set_format(there, {.format = stored});
        const auto multiply_twice = [&] {
            ddla::spmv(at.on(), T(1), slow_there.view(), x_there.view(), T(0), y_there.view());
            ddla::spmv(at.on(), T(1), there.view(), y_there.view(), T(0), z_there.view());
        };
        multiply_twice();  // what the first call sets up may wait
        y_there.put(no_y);
        z_there.put(no_z);
        test::gate held(at.native());
        multiply_twice();
        held.open();
        CHECK(same_bits(z_there.values(), z));
        REQUIRE(held.in_time());
    }
}

/// The product with A, in every format, right behind a slow one that writes its operand, of which
/// each multiprocessor has the old values in L1.
template <class T, class V>
void compare_with_old_values_in_caches(device_site& at, const ddla::csr_matrix<V>& a)
{
    const index_t m = a.columns();
    const auto slow = test::random_matrix<V>(m, m, 95, [](index_t) { return 256; });
    const auto x = test::random_vector<T>(m, 96, 0), old = test::random_vector<T>(m, 97, 0);
    ddla::vector<T> y(m), z(a.rows());
    ddla::spmv(T(1), slow, x, T(0), y);
    ddla::spmv(T(1), a, y, T(0), z);

    const numbers<T> x_there(at, x), y_there(at, old);
    const numbers<T> z_there(at, ddla::vector<T>(a.rows()));
    auto slow_there = slow.to(test::gpu);
    ddla::set_format(slow_there, {.format = ddla::sparse_format::crs_scalar});
    test::warm_caches high, low;
    for (const auto stored : test::formats_for(a)) {
        INFO(to_string(stored));
        auto there = a.to(test::gpu);
        ddla::set_format(there, {.format = stored});
        const auto multiply_twice = [&] {
            ddla::spmv(at.on(), T(1), slow_there.view(), x_there.view(), T(0), y_there.view());
            ddla::spmv(at.on(), T(1), there.view(), y_there.view(), T(0), z_there.view());
        };
        multiply_twice();
        y_there.put(old);
        test::gate held(at.native());
        multiply_twice();
        const auto words = y_there.view();
        high.begin(words.word(0), static_cast<std::size_t>(m));
        low.begin(words.word(ddla::words_of<T> - 1), static_cast<std::size_t>(m));
        const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(5);
        const auto has_begun = [](const test::warm_caches& c) { return c.begun() == c.warps(); };
        while (!(has_begun(high) && has_begun(low)) && std::chrono::steady_clock::now() < late)
            std::this_thread::yield();
        REQUIRE((has_begun(high) && has_begun(low)));
        held.open();
        at.on().wait();
        high.stop();
        low.stop();
        CHECK(same_bits(z_there.values(), z));
        REQUIRE(held.in_time());
    }
}

}  // namespace

TEMPLATE_TEST_CASE("products do not read what caches held before", "[device][streams]",
                   double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    device_site at("a non-blocking stream");
    // Long rows and short ones; all of x fits L1.
    compare_with_old_values_in_caches<T>(at, test::random_matrix<V>(1500, 1500, 98, [](index_t i) {
                                             return i % 100 == 9 ? 300 + i * 7 % 1100 : 3 + i % 9;
                                         }));
    compare_with_old_values_in_caches<T>(
        at, test::random_matrix<V>(700, 1500, 99, [](index_t i) { return 257 + i; }));
}

TEMPLATE_TEST_CASE("products begin early and read late", "[device][streams]", double_double,
                   dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    device_site at("a non-blocking stream");
    // Rows of one leaf, of several, and tiles of long rows; all columns fit a list.  Single
    // entries, and patterns of several leaves, with their values and with these beside.
    compare_behind_slow_product<T>(
        at, with_values<V>(ddla::generate::convection_diffusion(17, 18, 16)));
    for (const bool of_values : {true, false})
        compare_behind_slow_product<T>(at, test::few_kinds<V>(1500, 40, 300, of_values));
    for (const index_t length : {1, 30, 200})
        compare_behind_slow_product<T>(at, test::random_matrix<V>(1500, 1500, 97, [=](index_t i) {
                                           return std::max<index_t>(length - i % 7, 1);
                                       }));
    compare_behind_slow_product<T>(at, test::random_matrix<V>(1500, 1500, 98, [](index_t i) {
                                       return i % 100 == 9 ? 300 + i * 7 % 2700 : 3 + i % 9;
                                   }));
}
