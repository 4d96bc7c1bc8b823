// Factors that another maker than the host's threads makes, or has no room for.
#include "catch.hpp"
#include "definite_systems.hpp"
#include "symmetric_systems.hpp"

#include "factor/supernodal/definite.hpp"
#include "factor/supernodal/factor_operations.hpp"
#include "factor/supernodal/llt.hpp"
#include "factor/supernodal/static_factors.hpp"
#include "factor/supernodal/symmetric.hpp"

#include "ddla/generate.hpp"
#include "ddla/solve.hpp"
#include "support/same_bits.hpp"

using namespace ddla::factor;
using ddla::column_t;
using ddla::csr_matrix;
using ddla::dd_real;

namespace {

/// The host's makers behind the interface of a device.
template <class F>
class stand_in final : public factors_elsewhere<F> {
public:
    std::optional<column_t> make_llt(const supernodes& s, const sparse_columns<F>& lower,
                                     llt_values<F>& l, std::atomic<double>& done) override
    {
        if (!has_room) return std::nullopt;
        return ddla::factor::make_llt(s, lower, l, {}, done);
    }
    std::optional<column_t> make_static_lu(const supernodes& s, const sparse_columns<F>& columns,
                                           const sparse_columns<F>& rows, const pivot_rule& rule,
                                           static_lu<F>& f, std::atomic<double>& done) override
    {
        if (!has_room) return std::nullopt;
        return ddla::factor::make_static_lu(s, columns, rows, rule, f, {}, done);
    }
    std::optional<column_t> make_ldlt(const supernodes& s, const sparse_columns<F>& lower,
                                      const pivot_rule& rule, ldlt_values<F>& f,
                                      std::atomic<double>& done) override
    {
        if (!has_room) return std::nullopt;
        return ddla::factor::make_ldlt(s, lower, rule, f, {}, done);
    }

    bool has_room = true;
};

class stand_ins final : public factor_operations {
public:
    explicit stand_ins(bool has_room) { double_.has_room = dd_.has_room = has_room; }

private:
    factors_elsewhere<double>& for_numbers(double) override { return double_; }
    factors_elsewhere<dd_real>& for_numbers(dd_real) override { return dd_; }

    stand_in<double> double_;
    stand_in<dd_real> dd_;
};

/// Whoever makes them is told, is asked for their work, and changes no bit of a solve.
template <class F, class Factors, class Options>
void check_makers(const csr_matrix<dd_real>& a)
{
    const auto b = test::random_vector<F>(a.rows(), 1);
    ddla::vector<F> x(a.rows()), y(a.rows());
    const Factors here = Factors::make(a.view(), Options{});
    REQUIRE(here.about().end == factor_end::complete);
    CHECK(here.about().maker == factor_maker_is::host);
    here.solve(b.view(), x.view());
    for (const bool has_room : {true, false}) {
        stand_ins others(has_room);
        double work = 0;
        Options o;
        o.at = [&](double w) {
            work = w;
            return &others;
        };
        const Factors there = Factors::make(a.view(), o);
        CHECK(there.about().maker ==
              (has_room ? factor_maker_is::device : factor_maker_is::host_for_room));
        CHECK(work == here.about().operations * (ddla::words_of<F> == 1 ? 1 : 12));
        there.solve(b.view(), y.view());
        CHECK(test::same_bits(x, y));
    }
    Options o;
    o.at = [](double) { return static_cast<factor_operations*>(nullptr); };
    CHECK(Factors::make(a.view(), o).about().maker == factor_maker_is::host);
}

}  // namespace

TEST_CASE("a solve asks where factors of much work are made", "[factor][elsewhere]")
{
    std::vector<double> asked;
    const auto solve = [&](const csr_matrix<double>& a) {
        asked.clear();
        const ddla::vector<dd_real> b(a.rows(), dd_real(1));
        ddla::vector<dd_real> x(a.rows());
        ddla::solve(a, b, x, {.place_of_factors = [&](double work) {
                        asked.push_back(work);
                        return ddla::host;
                    }});
    };
    const auto large = ddla::generate::convection_diffusion(24, 24, 24);
    solve(large);
    CHECK(asked == std::vector{static_factors<double>::count(large.view(), {}).operations});
    const auto definite = ddla::generate::poisson3d(30, 30, 30);
    solve(definite);
    CHECK(asked == std::vector{definite_factors<double>::count(definite.view(), {}).operations});
    solve(ddla::generate::convection_diffusion(12, 12, 12));
    CHECK(asked.empty());
}

TEST_CASE("who makes factors is told, and changes no bit", "[factor][elsewhere]")
{
    const auto definite = test::definite_on(ddla::test::grid(7, 6, 5), 1);
    const auto symmetric = test::symmetric_on(ddla::test::grid(7, 6, 5), 2);
    check_makers<double, definite_factors<double>, definite_options>(definite);
    check_makers<dd_real, definite_factors<dd_real>, definite_options>(definite);
    check_makers<double, symmetric_factors<double>, symmetric_options>(symmetric);
    check_makers<dd_real, symmetric_factors<dd_real>, symmetric_options>(symmetric);
    check_makers<double, static_factors<double>, static_options>(definite);
    check_makers<dd_real, static_factors<dd_real>, static_options>(definite);
}
