// The cases of formats on the device, and those that need many rows.
#include "support/near_rows.hpp"
#include "support/place.hpp"
#include "support/random.hpp"
#include "support/same_bits.hpp"
#include "support/shapes.hpp"

#include "ddla/blas.hpp"
#include "ddla/generate.hpp"
#include "ddla/sparse_format.hpp"
#include "ddla/stream.hpp"
#include "ddla/summation.hpp"
#include "formats/storage.hpp"

#include <cmath>
#include <utility>

using ddla::index_t;
using test::dd_dd;
using test::dd_double;
using test::double_double;

namespace {

/// y = A x in slices, or in another format, has the bits of compressed rows on the host, also for
/// the kernel that follows.
template <class T, class V>
void check_slices(const ddla::csr_matrix<V>& on_host,
                  ddla::sparse_format format = ddla::sparse_format::slices)
{
    const auto x = test::random_vector<T>(on_host.columns(), 91);
    ddla::vector<T> expected(on_host.rows());
    ddla::spmv(T(1), on_host, x, T(0), expected);
    auto a = on_host.to(ddla::device(0));
    const auto report = ddla::set_format(a, {.format = format});
    INFO(to_string(format) << ": " << report.reason);
    const auto there = x.to(a.where());
    ddla::vector<T> y(a.rows(), T(std::nan("")), a.where()), copy(a.rows(), a.where());
    ddla::stream on(a.where());
    ddla::spmv(on, T(1), a.view(), there.view(), T(0), y.view());
    ddla::copy(on, std::as_const(y).view(), copy.view());
    on.wait();
    CHECK(test::same_bits(y, expected));
    CHECK(test::same_bits(copy, expected));
}

}  // namespace

// A warp takes 1, 2, 4 or 8 slices, neighbours by turns with the warps beside it or its own.
TEMPLATE_TEST_CASE("slices of a million rows", "[device]", double_double, dd_double)
{
    using T = typename TestType::scalar;
    const auto check = [](index_t rows, index_t columns, auto length) {
        check_slices<T>(test::random_matrix<double>(rows, columns, 92, length));
    };
    const index_t n = 1100003, more = 2200003;
    check(n, 5000, [](index_t i) { return i % 7; });
    check(n, 5000, [](index_t i) { return 4 + i % 5; });
    check(n, 5000, [](index_t i) { return 8 + i % 5; });
    check(n, n, [](index_t) { return 2; });
    check(more, more, [](index_t) { return 1; });
    check(more, more, [](index_t) { return 3; });
    check(more, 5000, [](index_t i) { return i / 1000 % 2; });
    check_slices<T>(ddla::generate::poisson2d(1100, 1001));
    // Sums of long rows are added beside the short ones.
    check(n, n, [](index_t i) { return i % 4001 == 7 ? 257 + i % 5000 : i % 7; });
    check(70000, 5000, [](index_t i) { return i % 2 == 0 ? 300 : 5; });
}

// Where rows are many, one lane has up to 256 entries, which are many leaves.
TEMPLATE_TEST_CASE("slices of many rows of more than 64 entries", "[device]", double_double,
                   dd_double)
{
    using T = typename TestType::scalar;
    const index_t n = 65536;
    const auto uneven = [](index_t i) { return 100 + i % 31; };
    const auto even = [](index_t) { return 130; };
    check_slices<T>(test::random_matrix<double>(n, 400, 94, even));
    check_slices<T>(test::random_matrix<double>(n, 400, 95, uneven));
    check_slices<T>(test::random_matrix<double>(n, 3000000, 96, uneven));  // far columns
    check_slices<T>(test::random_matrix<double>(n, 3000000, 96, even));
    const auto any = test::random_matrix<double>(n, 400, 97, uneven);
    ddla::vector<double> two(any.nonzeros());
    for (index_t k = 0; k < two.size(); ++k)
        two.set(k, any.view().value.get(k) > 0 ? 1.0 / 3 : -7.0 / 9);
    check_slices<T>(test::with_same_pattern(any, two));
}

// Sums of tiles are folded by a thread, by a warp in up to eight groups, or by a block in levels,
// or by the warp that comes last; columns are few, or so many that lanes load entries by
// themselves.
TEMPLATE_TEST_CASE("rows of every number of tiles", "[device]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const auto check = [](index_t rows, index_t columns, auto length) {
        const auto a = test::random_matrix<V>(rows, columns, 98, length);
        INFO(rows << " x " << columns << ", " << a.nonzeros() << " entries");
        check_slices<T>(a);
        check_slices<T>(a, ddla::sparse_format::csr);
        check_slices<T>(a, ddla::sparse_format::evc_hyb);
    };
    constexpr index_t tile = ddla::tile_size;
    for (const index_t columns : {5000, 40000}) {
        check(1300, columns, [](index_t i) { return i * 17 % 1301 + i % 2 * 2000; });
        check(700, columns, [](index_t i) { return 257 + i; });  // none that is short
        check(90, columns, [](index_t i) { return i == 0 ? 3 : i * 1500 - i % 3 * 300; });
        for (const index_t tiles : {1, 8, 9, 256, 257, 2048, 2049, 4100})
            check(20, columns, [=](index_t i) {
                return i % 9 == 4 ? tiles * tile + i % 2 : i == 11 ? tiles * tile / 2 + 1 : i;
            });
    }
    // So many long rows that a block has several for each of its warps, some of them in groups, and
    // a warp has tiles of several rows and groups.
    check(34000, 3000, [](index_t i) {
        if (i == 999) return 70001;
        return i % 64 == 0   ? 5001
               : i % 16 == 0 ? 2400
               : i % 2 == 0  ? int(257 + i % 300)
                             : int(i % 5);
    });
    // Three levels.
    if (sizeof(T) > sizeof(V))
        check(2, 5000, [](index_t i) { return i == 1 ? tile * tile * tile + 257 : 3; });
}

// More blocks than are at work at once, lists of 256 and of 512 rows; lists as long as they may be,
// and with them all shared memory that a block can have.
TEMPLATE_TEST_CASE("tiles of many rows", "[device]", double_double, dd_double)
{
    using T = typename TestType::scalar;
    const auto check = [](const ddla::csr_matrix<double>& a) {
        check_slices<T>(a, ddla::sparse_format::tiles);
    };
    const index_t n = 1100003;
    check(test::random_matrix<double>(n, 3200, 92, [](index_t i) { return i % 7; }));
    check(ddla::generate::poisson2d(1100, 1001));
    check(test::random_matrix<double>(100000, 3200, 93, [](index_t i) { return i % 90; }));
    check(test::random_matrix<double>(70000, 3200, 94, [](index_t i) { return 100 + i % 157; }));
    check(test::random_matrix<double>(70000, 3000, 95,
                                      [](index_t i) { return i < 600 ? 250 : i % 3; }));
    const auto any = test::random_matrix<double>(70000, 400, 97, [](index_t i) { return i % 80; });
    ddla::vector<double> two(any.nonzeros());
    for (index_t k = 0; k < two.size(); ++k)
        two.set(k, any.view().value.get(k) > 0 ? 1.0 / 3 : -7.0 / 9);
    check(test::with_same_pattern(any, two));
}

// More blocks than are at work at once, one to eight turns each; rows of one leaf, of a few and of
// many, neighbours of one kind and of others.
TEMPLATE_TEST_CASE("patterns of many rows", "[device]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const auto check = [](const ddla::csr_matrix<double>& a) {
        check_slices<T>(test::with_values<V>(a), ddla::sparse_format::patterns);
        const auto any = test::random_vector<V>(a.nonzeros(), 5);
        check_slices<T>(test::with_same_pattern(a, any), ddla::sparse_format::patterns);
    };
    for (const index_t line : {499, 2111, 3001}) check(ddla::generate::poisson2d(line, 1500));
    check(ddla::generate::convection_diffusion(100, 101, 102));
    for (const index_t length : {8, 27, 100}) {
        // Neighbours have different numbers of entries, up to `length`.
        ddla::coordinates<double> c{.rows = 100003, .columns = 100500};
        for (index_t i = 0; i < c.rows; ++i)
            for (index_t k = 0; k < (i / 50 * i) % 250 * (length + 1) / 250; ++k)
                c.add(i, i + 2 * k, 1.0 / double(k + 3));
        check(ddla::csr_matrix<double>(c));
    }
    // 600 rows of one kind, of 0 to 8 entries: all of a warp, and two turns, are alike, or not.
    ddla::coordinates<double> runs{.rows = 800003, .columns = 800100};
    for (index_t i = 0; i < runs.rows; ++i)
        for (index_t k = 0; k < i / 600 % 9; ++k) runs.add(i, i + 5 * k, double(k) - 2.5);
    check(ddla::csr_matrix<double>(runs));
}

TEST_CASE("auto takes patterns where rows repeat", "[device]")
{
    auto a = ddla::generate::poisson3d(60, 60, 60).to(ddla::device(0));
    const auto report = ddla::set_format(a);
    CHECK(report.format == ddla::sparse_format::patterns);
    CHECK(report.reason == "rows have 27 patterns, one byte a row");
    CHECK(report.slots == a.nonzeros());
    CHECK(report.product_bytes == 60 * 60 * 60 + 27 * (4 + 96));
}

// The rule is tested on the host: tests/operations/auto_format.cpp.
TEST_CASE("auto takes tiles where rows share columns", "[device]")
{
    const auto block = test::near_rows(70000, [](index_t) { return 54; });
    auto a = block.to(ddla::device(0));
    const auto report = ddla::set_format(a);
    CHECK(report.format == ddla::sparse_format::tiles);
    CHECK_THAT(report.reason, Catch::Contains("adjacent rows share columns"));
    CHECK(ddla::set_format<double>(a).format == ddla::sparse_format::slices);
    auto apart = test::random_matrix<double>(70000, 70000, 99, [](index_t) {
                     return 9;
                 }).to(ddla::device(0));
    CHECK(ddla::set_format(apart).format == ddla::sparse_format::slices);
}
