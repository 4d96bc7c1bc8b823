// Incomplete factors under every instruction set and number of threads.
#include "incomplete_cases.hpp"

#include "catch.hpp"
#include "support/everywhere.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

#include <optional>

using namespace ddla::factor;
using ddla::csr_matrix;

namespace {

template <class F>
bool same_factors(const incomplete_factors<F>& x, const incomplete_factors<F>& y)
{
    const incomplete_report &r = x.about(), &q = y.about();
    if (r.end != q.end || r.operations != q.operations || r.bytes != q.bytes ||
        r.entries != q.entries || r.shifts != q.shifts || r.bad_row != q.bad_row ||
        r.diagonal_shift != q.diagonal_shift || r.smallest_pivot != q.smallest_pivot)
        return false;
    if (r.end != incomplete_end::complete) return true;
    const factors<F>&f = x.triangles(), &g = y.triangles();
    return test::same_triangle(f.part(factor_part::lower), g.part(factor_part::lower)) &&
           test::same_triangle(f.part(factor_part::upper), g.part(factor_part::upper));
}

template <class F>
void check_everywhere(const csr_matrix<double>& a, incomplete_options o, incomplete_end end)
{
    const auto make = [&] { return incomplete_factors<F>::make(a.view(), o); };
    const auto check = [&] {
        std::optional<incomplete_factors<F>> first;
        test::on_threads(ddla::host_backend::isa::baseline, 1, [&] { first = make(); });
        test::everywhere([&] { CHECK(same_factors(make(), *first)); });
        return first->about();
    };
    const incomplete_report whole = check();
    CHECK(whole.end == end);
    if (end != incomplete_end::complete) return;
    o.most_operations = whole.operations / 2;
    CHECK(check().end == incomplete_end::over_work);
}

}  // namespace

TEST_CASE("incomplete factors are the same everywhere", "[factor]")
{
    const auto check_both = [](const csr_matrix<double>& a, const incomplete_options& o,
                               incomplete_end end) {
        check_everywhere<double>(a, o, end);
        check_everywhere<ddla::dd_real>(a, o, end);
    };
    const auto bus = ddla::read_matrix<double>(DDLA_EXAMPLES "/494_bus.mtx");
    const auto grid = ddla::generate::convection_diffusion(9, 8, 7);
    const auto without_diagonal = test::scattered<double>(200, 9, 3);
    for (const incomplete_kind kind : {incomplete_kind::ilu, incomplete_kind::ilut})
        for (const int fill : {0, 1, 3}) {
            INFO("kind " << static_cast<int>(kind) << ", fill " << fill);
            incomplete_options o;
            o.kind = kind;
            o.fill = fill;
            check_both(bus, o, incomplete_end::complete);
            check_both(grid, o, incomplete_end::complete);
            o.match = match_rows::none;
            check_both(without_diagonal, o, incomplete_end::complete);
            o.tiny = 0x1p-3;
            o.pivots = bad_pivots::refuse;
            check_both(without_diagonal, o, incomplete_end::bad_pivot);
        }
    incomplete_options o;
    o.kind = incomplete_kind::ic;
    check_both(bus, o, incomplete_end::complete);
    check_both(ddla::generate::poisson3d(9, 8, 7), o, incomplete_end::complete);
}
