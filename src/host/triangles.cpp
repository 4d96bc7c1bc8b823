// Triangles of the host engine, level by level: the rows of a level need none of each other, so
// that threads share them and SIMD lanes sum several at a time, as in products.
#include "engine/triangles.hpp"

#include "context.hpp"
#include "operations.hpp"

#include "isa/isa.hpp"
#include "products/rows.hpp"
#include "steps/common_exponent.hpp"

#include <algorithm>
#include <atomic>
#include <memory>

namespace ddla::host_backend {

namespace {

/// f(begin, end) for all parts of n elements, shared among threads.
template <class F>
void in_parts(thread_pool& pool, index_t n, index_t part, const F& f)
{
    pool.run((n + part - 1) / part, [&](index_t c) { f(c * part, std::min(n, (c + 1) * part)); });
}

template <scalar T, scalar F>
class triangle_solver final : public bound_map<T> {
public:
    static constexpr std::size_t bytes_of_word = sizeof(double);

    template <class Context>
    triangle_solver(const Context& of, const triangle_list<F>& a)
        : shared_(of.shared()), a_(a), x_(std::make_unique_for_overwrite<double[]>(
                                           static_cast<std::size_t>(words_of<W> * a.unknowns)))
    {
    }
    void apply(vec<const T> r, double, vec<T> z) override
    {
        const std::shared_ptr<thread_pool> pool = current_pool();
        const int common = a_.scale_in || shared_ ? common_exponent(*pool, r) : 0;
        const vec<W> x = vec<W>::in_memory(x_.get(), a_.unknowns);
        in_parts(*pool, a_.n, tuning::elements_of_triangles,
                 [&](index_t begin, index_t end) { scatter(r, common, x, begin, end); });
        for (index_t l = 0; l < a_.levels; ++l) solve_level(*pool, x, l);
        in_parts(*pool, a_.n, tuning::elements_of_triangles,
                 [&](index_t begin, index_t end) { gather(x, common, z, begin, end); });
    }

private:
    using W = steps::wider<T, F>;

    int common_exponent(thread_pool& pool, vec<const T> r) const
    {
        std::atomic<index_t> most{steps::largest_exponent::none};
        in_parts(pool, a_.n, tuning::elements_of_triangles, [&](index_t begin, index_t end) {
            steps::largest_exponent mine;
            for (index_t i = begin; a_.scale_in && i < end; ++i)
                mine = mine + steps::exponent_of_scaled(r.get(i), a_.scale_in[i]);
            for (index_t found = most; found < mine.value;)
                if (most.compare_exchange_weak(found, mine.value)) break;
        });
        return steps::largest_exponent{shared_ ? shared_->largest(most) : most.load()}.or_zero();
    }
    void scatter(vec<const T> r, int common, vec<W> x, index_t begin, index_t end) const
    {
        for (index_t i = begin; i < end; ++i) {
            const W value = steps::rounded<W>(r.get(i));
            prefetch(x, a_.in, i);
            x.set(a_.in[i], a_.scale_in ? steps::scaled(value, a_.scale_in[i] - common) : value);
        }
    }
    void gather(vec<W> x, int common, vec<T> z, index_t begin, index_t end) const
    {
        for (index_t j = begin; j < end; ++j) {
            const W value = x.get(a_.out[j]);
            prefetch(x, a_.out, j);
            z.set(j, steps::rounded<T>(a_.scale_out ? steps::scaled(value, a_.scale_out[j] + common)
                                                    : value));
        }
    }

    /// What element i plus some needs.  Each level is a stream of its own through x: more of them
    /// than a processor follows by itself.
    [[gnu::always_inline]] void prefetch(vec<W> x, const column_t* of, index_t i) const
    {
        asm volatile("");  // or GCC takes the calls for calls without effects, and drops them
        if (i + tuning::triangle_elements_ahead >= a_.n) return;
        const index_t u = of[i + tuning::triangle_elements_ahead];
        for (int k = 0; k < words_of<W>; ++k) __builtin_prefetch(x.word(k) + u);
    }

    void solve_level(thread_pool& pool, vec<W> x, index_t l) const
    {
        const row_level level = a_.level[l];
        const index_t end = a_.level[l + 1].first, rows = end - level.first;
        csr<F> a{end, a_.unknowns, a_.row_begin, a_.column, a_.value.part(0, a_.row_begin[end])};
        // Sums read, and ignore, entries behind a row: none of later levels, whose unknowns other
        // threads write.
        const index_t work = rows + a_.row_begin[end] - a_.row_begin[level.first];
        const auto solve = [&](index_t from, index_t to) {
            solve_rows(a, x, level.divides != 0, level.first + from, level.first + to);
        };
        if (work < tuning::shared_work_of_triangles)
            for (index_t k = 0; k < rows; k += tile_size) solve(k, std::min(rows, k + tile_size));
        else
            in_parts(pool, rows, part_of(rows, pool), solve);
    }
    /// A multiple of eight, and at most a tile; two parts for each thread, if they are large
    /// enough.
    static index_t part_of(index_t rows, const thread_pool& pool)
    {
        const index_t even = rows / (2 * pool.threads()) / 8 * 8 + 8;
        return std::clamp<index_t>(even, tuning::least_rows_of_triangles, tile_size);
    }

    /// Rows begin, ..., end - 1, a tile at most.
    void solve_rows(const csr<F>& a, vec<W> x, bool divides, index_t begin, index_t end) const
    {
        lanes<W> sum;
        sum_rows<W, F>(a, x, begin, end, sum);
        in_current_isa(
            [&](index_t first, index_t last) { finish(sum, x, divides, first, last - first); },
            begin, end);
    }
    [[gnu::always_inline]] void finish(const lanes<W>& sum, vec<W> x, bool divides, index_t first,
                                       index_t rows) const
    {
        lanes<W> right;
        if (first >= a_.n)
            for (index_t i = 0; i < rows; ++i) right.set(i, x.get(a_.right[first + i]));
        const vec<W> own = x.part(first, rows);
        const vec<const F> pivot = a_.pivot.part(first, rows);
        if (first < a_.n)
            finish(own, sum, divides, pivot, own);
        else
            finish(right, sum, divides, pivot, own);
    }
    template <class Right>
    [[gnu::always_inline]] static void finish(const Right& right, const lanes<W>& sum, bool divides,
                                              vec<const F> pivot, vec<W> x)
    {
        const index_t rows = x.size;
        if (divides)
#pragma GCC ivdep
            for (index_t i = 0; i < rows; ++i) x.set(i, (right.get(i) - sum.get(i)) / pivot.get(i));
        else
#pragma GCC ivdep
            for (index_t i = 0; i < rows; ++i) x.set(i, right.get(i) - sum.get(i));
    }

    shared_sums* shared_;
    triangle_list<F> a_;
    std::unique_ptr<double[]> x_;
};

}  // namespace

template <scalar T>
triangle_operations<T>& triangles_on_host()
{
    static triangle_operations_on<context, triangle_solver, T> only{{}};
    return only;
}

template <scalar T>
std::unique_ptr<triangle_operations<T>> triangles_of_rank(const rank_context& on)
{
    return std::make_unique<triangle_operations_on<rank_context, triangle_solver, T>>(on);
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template triangle_operations<T>& triangles_on_host();                                          \
    template std::unique_ptr<triangle_operations<T>> triangles_of_rank(const rank_context&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::host_backend
