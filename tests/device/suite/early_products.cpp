// Kernels of products start while the preceding kernel is still running (programmatic dependent
// launch): what that writes they read after its end.
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

/// z = A y right behind a product that writes y, takes long, has few blocks, and triggers the next
/// kernel at once.
template <class T, class V>
class behind_slow_product {
public:
    /// y and z hold these before.
    behind_slow_product(device_site& at, const ddla::csr_matrix<V>& a, const ddla::vector<T>& old_y)
        : at_(at), a_(a),
          slow_(test::random_matrix<V>(a.columns(), a.columns(), 95, [](index_t) { return 256; })),
          old_y_(old_y), old_z_(a.rows(), T(std::nan(""))), z_(a.rows()),
          x_there_(at, test::random_vector<T>(a.columns(), 96, 0)), y_there_(at, old_y_),
          z_there_(at, old_z_), slow_there_(slow_.to(test::gpu))
    {
        ddla::vector<T> y(a.columns());
        ddla::spmv(T(1), slow_, x_there_.values(), T(0), y);
        ddla::spmv(T(1), a, y, T(0), z_);
        ddla::set_format(slow_there_, {.format = ddla::sparse_format::crs_scalar});
    }

    /// In every format.  The stream is held up until both products are on it, and held(y there);
    /// meanwhile() is called while they run.
    template <class Held, class Meanwhile>
    void check(const Held& held, const Meanwhile& meanwhile) const
    {
        for (const auto stored : test::formats_for(a_)) {
            INFO(to_string(stored)
                 << ", " << a_.rows() << " rows, " << a_.nonzeros() << " entries");
            auto there = a_.to(test::gpu);
            ddla::set_format(there, {.format = stored});
            multiply_twice(there);  // what the first call sets up may wait
            y_there_.put(old_y_);
            z_there_.put(old_z_);
            test::gate gate(at_.native());
            multiply_twice(there);
            held(y_there_.view());
            gate.open();
            meanwhile();
            at_.on().wait();
            CHECK(same_bits(z_there_.values(), z_));
            REQUIRE(gate.in_time());
        }
    }

private:
    void multiply_twice(const ddla::csr_matrix<V>& there) const
    {
        ddla::spmv(at_.on(), T(1), slow_there_.view(), x_there_.view(), T(0), y_there_.view());
        ddla::spmv(at_.on(), T(1), there.view(), y_there_.view(), T(0), z_there_.view());
    }

    device_site& at_;
    const ddla::csr_matrix<V>& a_;
    ddla::csr_matrix<V> slow_;
    ddla::vector<T> old_y_, old_z_, z_;
    numbers<T> x_there_, y_there_, z_there_;
    ddla::csr_matrix<V> slow_there_;
};

template <class T, class V>
void compare_behind_slow_product(device_site& at, const ddla::csr_matrix<V>& a)
{
    const ddla::vector<T> no_y(a.columns(), T(std::nan("")));
    behind_slow_product<T, V>(at, a, no_y).check([](const auto&) {}, [] {});
}

/// Each SM has the old values of y in L1.
template <class T, class V>
void compare_with_old_values_in_caches(device_site& at, const ddla::csr_matrix<V>& a)
{
    test::warm_caches high, low;
    int ended_beside_readers = 0;
    const auto wait_for = [](const test::warm_caches& c) {
        const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(5);
        while (c.begun() < c.warps() && std::chrono::steady_clock::now() < late)
            std::this_thread::yield();
        REQUIRE(c.begun() == c.warps());
    };
    const auto warm = [&](const ddla::vec<T>& y) {
        high.begin(y.word(0), static_cast<std::size_t>(y.size));
        low.begin(y.word(ddla::words_of<T> - 1), static_cast<std::size_t>(y.size));
        wait_for(high);
        wait_for(low);
    };
    // A kernel that needs another split of L1 and shared memory cannot begin on an SM before the
    // reader there has ended.
    const auto stop = [&] {
        const auto late = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
        bool busy = true;
        while (busy && std::chrono::steady_clock::now() < late)
            busy = cudaStreamQuery(at.native()) == cudaErrorNotReady;
        ended_beside_readers += !busy;
        high.stop();
        low.stop();
    };
    behind_slow_product<T, V>(at, a, test::random_vector<T>(a.columns(), 97, 0)).check(warm, stop);
    CHECK(ended_beside_readers > 0);
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
