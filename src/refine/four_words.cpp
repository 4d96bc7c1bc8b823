// Sums and residuals of four words.
#include "four_words.hpp"

#include "steps/blas.hpp"
#include "steps/cascade.hpp"

#include "ddla/watched_scope.hpp"

namespace ddla::refine {
namespace {

using steps::cascade;
using steps::times_power_of_two;

/// Nanoseconds an entry of A in a residual, about: see count_work().
constexpr std::int64_t time_of_entry_in_four_words = 300;
constexpr int words_of_residual = 2 * 4 + 1;
/// Of sums of two numbers of four words: what they lose is below all of them.
constexpr int words_of_sum = 8;

template <int K>
void add(cascade<K>& sum, dd_real x)
{
    sum.add(x.lo);
    sum.add(x.hi);
}

template <int K>
void add_element(cascade<K>& sum, const_solution_view x, index_t i, double sign)
{
    const auto signed_pair = [&](dd_real pair) { return dd_real(sign * pair.hi, sign * pair.lo); };
    if (x.low.size > 0) add(sum, signed_pair(x.low.get(i)));
    add(sum, signed_pair(x.high.get(i)));
}

/// The exact products of the words of x and a, the smallest first.
template <int K, scalar V>
void add_product(cascade<K>& sum, dd_real x, V a)
{
    for (int i = 1; i >= 0; --i)
        for (int j = words_of<V> - 1; j >= 0; --j)
            sum.add_product(number_traits<dd_real>::word(x, i), number_traits<V>::word(a, j));
}

void set_rounded(solution_view x, index_t i, cascade<words_of_sum>& sum)
{
    const dd_real high = sum.rounded();
    x.high.set(i, high);
    add(sum, -high);
    x.low.set(i, sum.rounded());
}

template <scalar V>
cascade<words_of_residual> wide_product(const csr<V>& a, index_t i, const_solution_view x,
                                        double scale)
{
    using sum = cascade<words_of_residual>;
    running_sum<sum> row;
    for (index_t e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e) {
        const auto column = static_cast<index_t>(a.column[e]);
        sum term = sum::zero();
        add_product(term, times_power_of_two(x.low.get(column), scale), a.value.get(e));
        add_product(term, times_power_of_two(x.high.get(column), scale), a.value.get(e));
        row.add(term);
    }
    return row.sum(sum::zero());
}

}  // namespace

void add_to(solution_view x, vec<const dd_real> d)
{
    for (index_t i = 0; i < x.size(); ++i) {
        if (x.words() == 2) {
            x.high.set(i, x.high.get(i) + d.get(i));
            continue;
        }
        auto sum = cascade<words_of_sum>::zero();
        add(sum, d.get(i));
        add_element(sum, x, i, 1);
        set_rounded(x, i, sum);
    }
}

std::int64_t time_of_wide_residual(index_t rows, index_t entries)
{
    return time_of_entry_in_four_words * (rows + entries);
}

dd_real difference(const_solution_view x, const_solution_view y, index_t i)
{
    auto sum = cascade<words_of_sum>::zero();
    add_element(sum, x, i, 1);
    add_element(sum, y, i, -1);
    return sum.rounded();
}

template <scalar V>
void wide_residual(const csr<V>& a, const_solution_view x, vec<const dd_real> b, double scale,
                   vec<dd_real> r)
{
    const bool is_watched = !work_has_ended();
    for (index_t i = 0; i < a.rows; ++i) {
        if (is_watched) count_work(time_of_wide_residual(1, a.row_length(i)));
        auto rest = wide_product(a, i, x, scale);
        for (double& w : rest.word) w = -w;
        add(rest, times_power_of_two(b.get(i), scale));
        r.set(i, rest.rounded());
    }
}

template void wide_residual(const csr<double>&, const_solution_view, vec<const dd_real>, double,
                            vec<dd_real>);
template void wide_residual(const csr<dd_real>&, const_solution_view, vec<const dd_real>, double,
                            vec<dd_real>);

}  // namespace ddla::refine
