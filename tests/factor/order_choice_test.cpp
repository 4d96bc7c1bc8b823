// The choice between AMD and nested dissection, and factors in that order.
#include "catch.hpp"
#include "factor/lu/factors.hpp"
#include "factor/order/column_counts.hpp"
#include "factor/supernodal/static_order.hpp"
#include "factor/supernodal/symmetric.hpp"
#include "graphs.hpp"

#include "ddla/generate.hpp"

#include <set>

using namespace ddla::factor;
using ddla::column_t;
using ddla::csr_matrix;
using ddla::index_t;

namespace {

struct chosen {
    elimination_order order;
    double amd = 0, operations = 0;  ///< counted
};

chosen choose(const csr_matrix<double>& matrix, double work_of_operation)
{
    const auto columns = columns_of(matrix.view());
    const pattern p = pattern_of(columns);
    const adjacency graph(p.begin, p.row);
    chosen c;
    c.order = order_by_counts(p, {}, {.work_of_operation = work_of_operation});
    c.amd = count_elimination(graph, order_columns(p, ordering::amd, {}).column).operations;
    c.operations = count_elimination(graph, c.order.column).operations;
    return c;
}

/// The largest error of x for A x = A 1.
template <class Factors>
double error_of(const Factors& f, const csr_matrix<double>& a)
{
    const auto rows = a.view();
    ddla::vector<double> b(a.rows()), x(a.rows());
    for (index_t i = 0; i < a.rows(); ++i) {
        double sum = 0;
        for (index_t e = rows.row_begin[i]; e < rows.row_begin[i + 1]; ++e)
            sum += rows.value.word(0)[e];
        b[i] = sum;
    }
    f.template solve<double>(std::as_const(b).view(), x.view());
    double most = 0;
    for (index_t i = 0; i < a.rows(); ++i) most = std::max(most, std::fabs(x[i] - 1));
    return most;
}

}  // namespace

TEST_CASE("small systems have the order of AMD, large grids that of dissection", "[factor]")
{
    const chosen small = choose(ddla::generate::poisson3d(8, 8, 8), 2);
    CHECK(small.order.used == ordering::amd);
    CHECK(small.operations == small.amd);
    const chosen plane = choose(ddla::generate::poisson2d(60, 60), 1);
    CHECK(plane.order.used == ordering::amd);
    const chosen cube = choose(ddla::generate::poisson3d(24, 24, 24), 1);
    CHECK(cube.order.used == ordering::dissection);
    CHECK(cube.operations < 0.6 * cube.amd);
    CHECK(ddla::test::is_permutation_of(cube.order.column, 24 * 24 * 24));
    CHECK(cube.order.preferred.size() == 24 * 24 * 24);
    // What saves nothing where an operation is cheap does where it is dear.
    const chosen cheap = choose(ddla::generate::poisson2d(120, 120), 1),
                 dear = choose(ddla::generate::poisson2d(120, 120), 100);
    CHECK(cheap.order.used == ordering::amd);
    CHECK(dear.order.used == ordering::dissection);
    CHECK(dear.operations < cheap.operations);
}

TEST_CASE("a tree keeps the order of AMD, however dear operations are", "[factor]")
{
    ddla::coordinates<double> c{.rows = 5000, .columns = 5000};
    for (index_t k = 0; k < 5000; ++k) {
        c.add(k, k, 3);
        if (k > 0) c.add(k, (k - 1) / 2, -1), c.add((k - 1) / 2, k, -1);
    }
    const chosen tree = choose(csr_matrix<double>(c), 1e6);
    CHECK(tree.order.used == ordering::amd);
    CHECK(tree.operations == 4999);
}

TEST_CASE("factors in the order of dissection solve", "[factor]")
{
    const csr_matrix<double> a = ddla::generate::convection_diffusion(20, 21, 22),
                             s = ddla::generate::poisson3d(20, 21, 22);
    options o;
    o.order = ordering::dissection;
    const auto asked = factors<double>::make(a.view(), o),
               chosen = factors<double>::make(a.view(), {});
    CHECK(asked.about().ordering == ordering::dissection);
    CHECK(chosen.about().ordering == ordering::dissection);
    CHECK(chosen.column_of() == asked.column_of());
    CHECK(error_of(asked, a) < 1e-12);
    o.order = ordering::amd;
    const auto amd = factors<double>::make(a.view(), o);
    CHECK(amd.about().ordering == ordering::amd);
    CHECK(asked.about().operations < 0.6 * amd.about().operations);
    const auto with = symmetric_factors<double>::make(s.view(), {.order = ordering::dissection}),
               without = symmetric_factors<double>::make(s.view(), {.order = ordering::amd}),
               automatic = symmetric_factors<double>::make(s.view(), {});
    CHECK(with.row_of() == automatic.row_of());
    CHECK(with.row_of() != without.row_of());
    CHECK(with.about().operations < 0.6 * without.about().operations);
    CHECK(error_of(with, s) < 1e-12);
}

TEST_CASE("supernodes of counted orders are those of the orders", "[factor]")
{
    std::set<ordering> used;
    for (const auto& a : {ddla::generate::poisson2d(120, 120), ddla::generate::poisson3d(7, 8, 9),
                          ddla::generate::convection_diffusion(20, 20, 20)}) {
        const auto columns = columns_of(a.view());
        std::vector<column_t> shifted(as_size(a.rows()));
        for (std::size_t j = 0; j < shifted.size(); ++j)
            shifted[j] = static_cast<column_t>((j + 1) % shifted.size());
        for (const auto& diagonal : {std::vector<column_t>{}, shifted})
            for (const double work : {1e-3, 100.0}) {
                const elimination_order order =
                    order_by_counts(pattern_of(columns), diagonal, {work});
                used.insert(order.used);
                REQUIRE(order.counted.counts);
                elimination_order plain = order;
                plain.counted = {};
                const supernodes known = supernodes_on_diagonal(columns, order),
                                 anew = supernodes_on_diagonal(columns, plain);
                CHECK(known.order == anew.order);
                CHECK(known.first == anew.first);
                CHECK(known.row == anew.row);
                CHECK(known.row_begin == anew.row_begin);
                CHECK(known.exact_operations == anew.exact_operations);
            }
    }
    CHECK(used.size() == 2);
}

TEST_CASE("orders that are known change no choice", "[factor]")
{
    known_orders known;
    std::set<ordering> used;
    const csr_matrix<double> plane = ddla::generate::poisson2d(120, 120);
    // Of one size, with another pattern; one with another diagonal.
    const csr_matrix<double> other = ddla::generate::poisson2d(144, 100);
    const auto columns = columns_of(plane.view()), of_other = columns_of(other.view());
    std::vector<column_t> reversed(as_size(plane.rows()));
    for (std::size_t j = 0; j < reversed.size(); ++j)
        reversed[j] = static_cast<column_t>(j % 2 == 0 ? j + 1 : j - 1);
    std::vector<column_t> own;
    for (const auto* a : {&columns, &of_other, &columns})
        for (const auto* diagonal : {&own, &reversed})
            for (const double work : {1.0, 100.0, 1.0, 1e4, 1e-3, 2.0}) {
                const auto first = order_by_counts(pattern_of(*a), *diagonal, {work});
                const auto again = order_by_counts(pattern_of(*a), *diagonal, {work, {}, &known});
                CHECK(again.used == first.used);
                CHECK(again.column == first.column);
                CHECK(again.preferred == first.preferred);
                CHECK(again.operations == first.operations);
                used.insert(first.used);
            }
    CHECK(used.size() == 2);
}
