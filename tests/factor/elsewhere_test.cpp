// Factors that another maker than the host's threads makes, or has no room for.
#include "catch.hpp"
#include "definite_systems.hpp"
#include "symmetric_systems.hpp"

#include "factor/supernodal/definite.hpp"
#include "factor/supernodal/factor_operations.hpp"
#include "factor/supernodal/llt.hpp"
#include "factor/supernodal/static_factors.hpp"
#include "factor/supernodal/symmetric.hpp"
#include "factor/supernodal/two_triangles.hpp"

#include "ddla/generate.hpp"
#include "ddla/solve.hpp"
#include "support/same_bits.hpp"

using namespace ddla::factor;
using ddla::column_t;
using ddla::csr_matrix;
using ddla::dd_real;
using ddla::index_t;

namespace {

/// The host's solves behind the interface of factors that are elsewhere.
template <class F>
class stand_in_solves final : public placed_factors<F> {
public:
    using values = std::shared_ptr<const llt_values<F>>;

    stand_in_solves(const supernodes& s, values first, values second,
                    const exchanged_pivots* pivots, const block_diagonal<F>* between, int& count)
        : s_(s), first_(std::move(first)), second_(std::move(second)),
          rows_(pivots ? rows_by_pivots(s, *pivots) : s.row), between_(between), count_(count)
    {
        for (column_t k = 0; k < s.columns(); ++k) own_.push_back(k);
        none_.assign(own_.size(), 0);
    }
    int device() const override { return 0; }
    void solve(const placed_systems& of) override
    {
        count_ += static_cast<int>(of.systems);
        of.words == 1 ? solve_in<double>(of) : solve_in<dd_real>(of);
    }

private:
    template <class W>
    void solve_in(const placed_systems& of)
    {
        if constexpr (ddla::words_of<W> >= ddla::words_of<F>) {
            const index_t n = s_.columns(), size = n * ddla::words_of<W>;
            std::vector<double> numbers(as_size(size * of.systems));
            of.put(numbers.data());
            const column_t* const other = first_ == second_ ? rows_.data() : s_.row.data();
            const shared_sweeps alone{};
            const auto way = [&](const values& first, const values& second,
                                 const column_t* first_rows,
                                 const column_t* second_rows) -> two_triangles<F> {
                return {s_,   *first, *second, first_rows, second_rows, own_,
                        own_, none_,  none_,   alone,      between_};
            };
            const two_triangles<F> through = of.by_transpose
                                                 ? way(second_, first_, other, rows_.data())
                                                 : way(first_, second_, rows_.data(), other);
            for (index_t k = 0; k < of.systems; ++k) {
                const auto x = ddla::vec<W>::in_memory(numbers.data() + k * size, n);
                solve_through<F>(through, ddla::vec<const W>(x), x);
            }
            of.take(numbers.data());
        }
    }

    const supernodes& s_;
    const values first_, second_;
    const std::vector<column_t> rows_;
    const block_diagonal<F>* const between_;
    std::vector<column_t> own_;
    std::vector<int> none_;
    int& count_;
};

/// The host's makers behind the interface of a device.
template <class F>
class stand_in final : public factors_elsewhere<F> {
public:
    using typename factors_elsewhere<F>::placed;

    std::optional<column_t> make_llt(const supernodes& s, const sparse_columns<F>& lower,
                                     llt_values<F>& l, std::atomic<double>& done,
                                     placed& there) override
    {
        if (!has_room) return std::nullopt;
        const auto own = memory(s);
        const column_t failed = ddla::factor::make_llt(s, lower, *own, {}, done);
        leave(s, own, l);
        if (ends_late) return std::nullopt;
        there = solves(s, own, own, nullptr, nullptr);
        return failed;
    }
    std::optional<column_t> make_static_lu(const supernodes& s, const sparse_columns<F>& columns,
                                           const sparse_columns<F>& rows, const pivot_rule& rule,
                                           static_lu<F>& f, std::atomic<double>& done,
                                           placed& there) override
    {
        if (!has_room) return std::nullopt;
        static_lu<F> made(s);
        made.allocate();
        const column_t failed =
            ddla::factor::make_static_lu(s, columns, rows, rule, made, {}, done);
        static_cast<exchanged_pivots&>(f) = made;
        const auto l = std::make_shared<llt_values<F>>(std::move(made.l)),
                   u = std::make_shared<llt_values<F>>(std::move(made.u));
        leave(s, l, f.l);
        if (ends_late) return std::nullopt;
        leave(s, u, f.u);
        there = solves(s, l, u, &f, nullptr);
        return failed;
    }
    std::optional<column_t> make_ldlt(const supernodes& s, const sparse_columns<F>& lower,
                                      const pivot_rule& rule, ldlt_values<F>& f,
                                      std::atomic<double>& done, placed& there) override
    {
        if (!has_room) return std::nullopt;
        f.l.allocate();
        const column_t failed = ddla::factor::make_ldlt(s, lower, rule, f, {}, done);
        const auto own = std::make_shared<llt_values<F>>(std::move(f.l));
        f.l = llt_values<F>(s);
        leave(s, own, f.l);
        if (ends_late) return std::nullopt;
        there = solves(s, own, own, &f, &f.d);
        return failed;
    }

    /// ends_late: its room ends when some numbers have been left.
    bool has_room = true, keeps = true, ends_late = false;
    int solved = 0, fetched = 0;  ///< systems, and triangles that came to the host

protected:
    std::unique_ptr<placed_solver<double>> solver_of(const placed&, const placed_order&,
                                                     double) override
    {
        return nullptr;  // there are no vectors elsewhere
    }
    std::unique_ptr<placed_solver<dd_real>> solver_of(const placed&, const placed_order&,
                                                      dd_real) override
    {
        return nullptr;
    }

private:
    using values = std::shared_ptr<llt_values<F>>;

    static values memory(const supernodes& s)
    {
        auto v = std::make_shared<llt_values<F>>(s);
        v->allocate();
        return v;
    }
    void leave(const supernodes& s, const values& own, llt_values<F>& to)
    {
        const index_t doubles = own->begins()[s.size()];
        numbers_elsewhere there{[this, own, doubles](double* host) {
                                    ++fetched;
                                    std::copy_n(own->data(), doubles, host);
                                },
                                {},
                                own->largest()};
        for (column_t q = 0; q < s.size(); ++q)
            for (column_t j = 0; j < s.width(q); ++j)
                there.diagonal.push_back(own->pivot_size(s, q, j));
        to.leave(std::move(there));
        if (!keeps) to.settle();
    }
    placed solves(const supernodes& s, const values& first, const values& second,
                  const exchanged_pivots* pivots, const block_diagonal<F>* between)
    {
        if (!keeps) return nullptr;
        return std::make_shared<stand_in_solves<F>>(s, first, second, pivots, between, solved);
    }
};

class stand_ins final : public factor_operations {
public:
    stand_ins(bool has_room, bool keeps)
    {
        double_.has_room = dd_.has_room = has_room;
        double_.keeps = dd_.keeps = keeps;
    }
    void end_late() { double_.ends_late = dd_.ends_late = true; }
    int solved() const { return double_.solved + dd_.solved; }
    int fetched() const { return double_.fetched + dd_.fetched; }

private:
    factors_elsewhere<double>& for_numbers(double) override { return double_; }
    factors_elsewhere<dd_real>& for_numbers(dd_real) override { return dd_; }

    stand_in<double> double_;
    stand_in<dd_real> dd_;
};

/// The solutions of some systems at a time, in T, also with A^T.
template <class T, class Factors>
bool solve_alike(const Factors& here, const Factors& there, index_t n, index_t systems)
{
    const auto b = test::random_vector<T>(n * systems, 1);
    ddla::vector<T> x(b.size()), y(b.size());
    here.solve(b.view(), x.view());
    there.solve(b.view(), y.view());
    if (!test::same_bits(x, y)) return false;
    if constexpr (requires { here.solve_transposed(b.view(), x.view()); }) {
        here.solve_transposed(b.view(), x.view());
        there.solve_transposed(b.view(), y.view());
    }
    return test::same_bits(x, y);
}

bool same_report(const ddla::factorisation_report& a, const ddla::factorisation_report& b)
{
    return a.smallest_pivot == b.smallest_pivot && a.growth == b.growth &&
           a.smallest_pivot_row == b.smallest_pivot_row;
}

/// Factors are the host's where room ends late.
template <class F, class Factors, class Options>
void check_late_end(const csr_matrix<dd_real>& a, const Factors& here)
{
    stand_ins others(true, true);
    others.end_late();
    Options o;
    o.at = [&](double) { return &others; };
    const Factors there = Factors::make(a.view(), o);
    CHECK(there.about().maker == factor_maker_is::host_for_room);
    CHECK(same_report(there.about(), here.about()));
    const supernodes& s = here.parts();
    int wrong = 0;
    for (column_t q = 0; q < s.size(); ++q)
        for (column_t k = 0; k < s.below(q); ++k) {
            const column_t i = s.rows(q)[k], j = s.first[as_size(q)];
            wrong += there.entry(i, j) == here.entry(i, j) ? 0 : 1;
        }
    CHECK(wrong == 0);
    CHECK(solve_alike<F>(here, there, a.rows(), 1));
    CHECK(others.fetched() + others.solved() == 0);
}

/// Whoever makes and keeps them is told, is asked for their work, and changes no bit of a solve.
template <class F, class Factors, class Options>
void check_makers(const csr_matrix<dd_real>& a)
{
    const Factors here = Factors::make(a.view(), Options{});
    REQUIRE(here.about().end == factor_end::complete);
    CHECK(here.about().maker == factor_maker_is::host);
    for (const auto& [has_room, keeps] :
         std::vector<std::pair<bool, bool>>{{true, true}, {true, false}, {false, false}}) {
        stand_ins others(has_room, keeps);
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
        for (const index_t systems : {1, 3, 6}) {
            CHECK(solve_alike<double>(here, there, a.rows(), systems));
            CHECK(solve_alike<dd_real>(here, there, a.rows(), systems));
        }
        const int triangles = std::is_same_v<Factors, static_factors<F>> ? 2 : 1;
        CHECK(others.solved() == (keeps ? 2 * 10 * triangles : 0));
        CHECK(others.fetched() == (has_room && !keeps ? triangles : 0));
        CHECK(same_report(there.about(), here.about()));
        // Whoever wants numbers gets them.
        for (int k = 0; k < 2; ++k) {
            const column_t row = here.parts().rows(0)[0];
            CHECK(there.entry(row, 0) == here.entry(row, 0));
            CHECK(there.entry(row, row) == here.entry(row, row));
            if (triangles == 2) CHECK(there.entry(0, row) == here.entry(0, row));
        }
        CHECK(others.fetched() == (has_room ? triangles : 0));
    }
    check_late_end<F, Factors, Options>(a, here);
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
