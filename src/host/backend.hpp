// The host backend: a step is one loop over tiles, shared among threads.
#pragma once

#include "combinations.hpp"
#include "conversions.hpp"
#include "engine/shared_sums.hpp"
#include "host/products/cascade_rows.hpp"
#include "host/products/column_products.hpp"
#include "host/products/stored_rows.hpp"
#include "host/simd/full_tiles.hpp"
#include "host/tuning.hpp"
#include "isa/isa.hpp"
#include "loop_watch.hpp"
#include "rank_tiles.hpp"
#include "steps/after_product.hpp"
#include "steps/basis.hpp"
#include "thread_pool.hpp"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace ddla::host_backend {

class backend;
/// y = A x, compiled once for each pair of precisions: sweeps over rows are large, and few steps
/// need one of their own.
template <class T, class V>
void multiply(backend& on, const csr<V>& a, vec<const T> x, vec<T> y);

class backend : public conversions {
public:
    /// Sums are over the elements of this backend, or over those of all ranks: `shared` completes
    /// them.
    explicit backend(thread_pool& pool, shared_sums* shared = nullptr)
        : pool_(pool), shared_(shared)
    {
    }

    /// One sweep over n elements, then step.finish.
    template <steps::element_step Step>
    void run(const Step& step, index_t n)
    {
        sweep(step, n, n, no_rows{});
    }

    /// The same over one element that each rank has for itself.
    template <steps::element_step Step>
    void run_alone(const Step& step)
    {
        struct alone {
            shared_sums*& now;
            shared_sums* before = std::exchange(now, nullptr);
            ~alone() { now = before; }
        } const by_itself{shared_};
        run(step, 1);
    }

    /// run(step, n) of a step with a sum, in two parts: the first stores the sums of tiles, or of
    /// all n elements, ...
    template <steps::element_step Step>
    void run_tiles(const Step& step, index_t n, typename Step::sum* of_tile)
    {
        const auto q = steps::scalars_of(step);
        if (!Step::stopped(q)) sum_tiles(step, q, n, n, no_rows{}, of_tile);
    }
    template <steps::element_step Step>
    void run_sum(const Step& step, index_t n, typename Step::sum* total)
    {
        const auto q = steps::scalars_of(step);
        if (!Step::stopped(q)) *total = sum_of_sweep(step, q, n, n, no_rows{});
    }
    /// ... and the second passes the sum to the step.  Sums from elsewhere may be combined in
    /// between: see steps::combine.
    template <steps::element_step Step>
    void finish(const Step& step, const typename Step::sum* total)
    {
        if (!Step::stopped(steps::scalars_of(step))) steps::finish(step, *total);
    }

    /// One sweep over the rows of A, then step.finish.
    template <steps::row_step Step, class V>
    void run(const Step& step, const csr<V>& a)
    {
        using T = steps::operand_of_step<Step>;
        const index_t work = a.rows + a.nonzeros();
        const auto terms = steps::terms_of(step);
        if constexpr (Step::has.room) {
            multiply<T>(*this, a, step.operand, step.room());
            run(steps::after_product<Step>{step, step.room()}, a.rows);
        } else if constexpr (std::is_same_v<decltype(terms), const steps::products<T>> &&
                             has_simd_rows<T>) {
            if (a.storage && a.storage->patterns.count > 0)
                return sweep(step, a.rows, work, pattern_sums<T, V>(a, step.operand));
            if (a.storage && a.storage->has_rows())
                return sweep(step, a.rows, work, product_of(a, step.operand));
            sweep(step, a.rows, work, row_sums<T, V>(a, step.operand));
        } else if constexpr (words_of_cascade<steps::row_sum_of<Step>> > 0) {
            sweep(step, a.rows, work, cascade_row_sums(terms, a, step.operand));
        } else
            sweep(step, a.rows, work, other_row_sums(terms, a, step.operand));
    }

    /// Products with several vectors.  Returns those that are left to be run one by one.
    template <class T, class V>
    std::span<const steps::spmv<T>> run_together(std::span<const steps::spmv<T>> all,
                                                 const csr<V>& a)
    {
        if (!column_products::read_once(a)) return all;
        for (; all.size() > 1; all = all.subspan(std::min<std::size_t>(eight, all.size())))
            columns_.run(all.first(std::min<std::size_t>(eight, all.size())), a,
                         [&](index_t n, index_t work, const auto& f) { for_tiles(n, work, f); });
        return all;
    }

    /// The bytes of A that `count` products read.
    template <class T, class V>
    static std::size_t bytes_of_products(const csr<V>& a, std::size_t count)
    {
        return column_products::reads(a, count) * bytes_read_by_product<T>(a);
    }
    template <class V>
    static bool gains_in_lockstep(const csr<V>&)
    {
        return true;
    }

    /// The sums of a basis: of eight tiles of w those with all its vectors, then of the next ones.
    template <steps::basis_sums Step>
    void run(const Step& step, index_t n)
    {
        using sum = sums<typename Step::scalar, 1>;
        const auto q = steps::scalars_of(step);
        if (Step::stopped(q)) return;
        const index_t count = Step::count(q), each = parts_of_each(n);
        sum* const part = parts<sum>(step.basis.count * each);
        for_tiles(n, n * count, [&](index_t first, index_t last) {
            for (index_t t = first; t < last; t += eight)
                for (index_t k = 0; k < count; ++k)
                    tile_sums(steps::terms_of_sum(step, k), steps::no_scalars{}, n, t,
                              std::min<index_t>(t + eight, last), no_rows{}, part + k * each);
        });
        total_.clear();
        for (index_t k = 0; k < count; ++k) total_.push_back(as_bytes(part + k * each));
        combine_all<sum>(total_, n);
        for (index_t k = 0; k < count; ++k) step.results[k] = part[k * each].value[0];
    }

    /// Memory for that, so that no later run allocates.
    template <steps::basis_sums Step>
    void reserve(const Step& step, index_t n)
    {
        parts<sums<typename Step::scalar, 1>>(step.basis.count * parts_of_each(n));
        total_.reserve(static_cast<std::size_t>(step.basis.count));
    }

    /// A combination of a basis, then the step's own sweep, tile by tile.
    template <steps::combination Step>
    void run(const Step& step, index_t n)
    {
        const auto q = steps::scalars_of(step);
        if (Step::stopped(q)) return;
        const index_t count = Step::count(q);
        sweep(steps::combined{step}, n, n * (count + 1), combinations<Step>{step, count});
    }

    /// Iterations, each its steps in order, until the solve has ended.  A product of one may be
    /// ended: the scalars are then those of the last whole iteration, and who looks at them next
    /// ends the solve.
    template <class V, class... Steps>
    void run(const steps::sequence<Steps...>& iteration, const csr<V>& a, index_t times)
    try {
        const auto& first = std::get<0>(iteration.steps);
        for (index_t k = 0; k < times && !first.stopped(*first.shared); ++k)
            std::apply([&](const Steps&... step) { (run_on(step, a), ...); }, iteration.steps);
    } catch (const interrupted_error&) {
        if (work_has_ended()) throw;
    }
    /// Iterations between two polls of a solve, unless the caller sets it: on the host, polling is
    /// free.
    template <class V, class... Steps>
    static index_t usual_interval(const steps::sequence<Steps...>&, const csr<V>&)
    {
        return 1;
    }
    /// The bytes of A that each product of an iteration reads.
    template <class V, class... Steps>
    static std::size_t product_bytes(const steps::sequence<Steps...>&, const csr<V>& a)
    {
        return bytes_read_by_product<steps::operand_of<Steps...>>(a);
    }

    /// The shared scalars, after all preceding work.
    template <class State>
    State read(const State* shared) const
    {
        return *shared;
    }
    /// `count` of them from `shared` on.
    template <class State>
    std::vector<State> read(const State* shared, index_t count) const
    {
        return std::vector<State>(shared, shared + count);
    }
    template <class State>
    void write(State* shared, const std::type_identity_t<State>& q) const
    {
        *shared = q;
    }
    /// Memory for a few scalars, the same for all steps of a call.
    template <class State>
    State* small()
    {
        static_assert(sizeof(State) <= sizeof small_);
        return reinterpret_cast<State*>(small_);
    }
    /// The bytes that the backend itself has allocated.
    std::size_t scratch_bytes() const
    {
        return capacity_ + product_.size() * sizeof(double) + columns_.bytes();
    }

private:
    struct no_rows {};  ///< of a step over elements

    template <steps::step Step, class V>
    void run_on(const Step& step, const csr<V>& a)
    {
        if constexpr (steps::row_step<Step>) {
            const asked_loops products;  // x and r are those of the last iteration until they end
            run(step, a);
        } else
            run(step, a.rows);
    }

    /// f(first tile, end) for ranges that cover all tiles of n terms; on all threads if there is
    /// enough `work`.  Without Wide, compiled for one instruction set.
    template <bool Wide = true, class F>
    void for_tiles(index_t n, index_t work, const F& f)
    {
        const index_t all = tiles(n);
        const bool alone = work < tuning::worth_sharing || pool_.threads() == 1;
        loop_watch watch(work);
        const index_t usual =
            alone ? 1 : std::min(all, pool_.threads() * tuning::chunks_per_thread);
        const index_t chunks = watch.chunks(usual, all);
        pool_.run(chunks, [&](index_t c) {
            if (watch.has_ended()) return;
            const index_t begin = all * c / chunks, end = all * (c + 1) / chunks;
            if constexpr (Wide)
                in_current_isa(f, begin, end);
            else
                f(begin, end);
            watch.ask();
        });
        watch.finish();
    }

    template <class Step, class Rows>
    void sweep(const Step& step, index_t n, index_t work, const Rows& rows)
    {
        const auto q = steps::scalars_of(step);
        if (Step::stopped(q)) return;
        if constexpr (std::is_void_v<typename Step::sum>) {
            for_tiles<!Step::has.counts>(n, work, [&](index_t first, index_t last) {
                for (index_t t = first; t < last; ++t) each(step, q, n, t, rows);
            });
        } else {
            steps::finish(step, sum_of_sweep(step, q, n, work, rows));
        }
    }
    template <class Step, class State, class Rows>
    typename Step::sum sum_of_sweep(const Step& step, const State& q, index_t n, index_t work,
                                    const Rows& rows)
    {
        using sum = typename Step::sum;
        if (n == 0 && !shared_) return {};
        sum* const part = parts<sum>(tiles(n) + tiles(tiles(n)) + 1);
        *part = {};
        sum_tiles(step, q, n, work, rows, part);
        std::byte* const only = as_bytes(part);
        combine_all<sum>({&only, 1}, n);
        return *part;
    }
    template <class Step, class State, class Rows>
    void sum_tiles(const Step& step, const State& q, index_t n, index_t work, const Rows& rows,
                   typename Step::sum* part)
    {
        for_tiles<!Step::has.counts>(n, work, [&](index_t first, index_t last) {
            tile_sums(step, q, n, first, last, rows, part);
        });
    }

    // Step and scalars by value: copies whose address is not taken stay in registers; references
    // would be reloaded after every store.
    template <class Step, class State, class Rows>
    static void each(const Step step, const State q, index_t n, index_t t, const Rows& rows)
    {
        const index_t begin = t * tile_size, end = std::min(n, begin + tile_size);
        if constexpr (std::is_same_v<Rows, no_rows>) {
#pragma GCC ivdep
            for (index_t i = begin; i < end; ++i) steps::at_element(step, i, q);
        } else {
            typename Rows::results ax;
            rows(begin, end, ax);
#pragma GCC ivdep
            for (index_t i = begin; i < end; ++i) steps::at_row(step, i, ax.get(i - begin), q);
        }
    }

    template <class Step, class State, class Rows>
    static void tile_sums(const Step& step, const State& q, index_t n, index_t first, index_t last,
                          const Rows& rows, typename Step::sum* part)
    {
        index_t t = first;
        if constexpr (requires { sizeof(full_tiles<typename Step::sum>); })
            for (; t + eight <= std::min(last, n / tile_size); t += eight)
                sum_full_tiles(step, q, t, rows, part + t);
        for (; t < last; ++t) part[t] = tile_sum(step, q, n, t, rows);
    }

    /// Prefetches what a sweep reads: behind long additions, the processor does not reach the loads
    /// early enough by itself.
    struct prefetch_ahead {
        index_t i;

        template <class Vector>
        [[gnu::always_inline]] void operator()(const Vector& x) const
        {
            // GCC takes a function that only prefetches for one without effects, and drops the
            // calls; the empty asm statement prevents that.
            asm volatile("");
            for (int k = 0; k < Vector::words; ++k)
                __builtin_prefetch(x.word(k) + i + tuning::elements_ahead);
        }
    };

    template <class Step, class State, class Rows>
    static void sum_full_tiles(const Step step, const State q, index_t t, const Rows& rows,
                               typename Step::sum* part)
    {
        full_tiles<typename Step::sum> tiles;
        for (int j = 0; j < eight; ++j) {
            const index_t begin = (t + j) * tile_size;
            if constexpr (std::is_same_v<Rows, no_rows>) {
                tiles.add_tile(
                    j,
                    [&](index_t i) __attribute__((always_inline)) {
                        return steps::at_element(step, begin + i, q);
                    },
                    [&](index_t i) __attribute__((always_inline)) {
                        if constexpr (Step::has.reads)
                            steps::each_vector(step.reads(), prefetch_ahead{begin + i});
                    });
            } else {
                typename Rows::results ax;
                rows(begin, begin + tile_size, ax);
                tiles.add_tile(
                    j,
                    [&](index_t i) __attribute__((always_inline)) {
                        return steps::at_row(step, begin + i, ax.get(i), q);
                    },
                    [](index_t) {});
            }
        }
        tiles.finish(part);
    }

    template <class Step, class State, class Rows>
    static auto tile_sum(const Step step, const State q, index_t n, index_t t, const Rows& rows)
    {
        const index_t begin = t * tile_size, end = std::min(n, begin + tile_size);
        tile<typename Step::sum> term;
        if constexpr (std::is_same_v<Rows, no_rows>) {
#pragma GCC ivdep
            for (index_t i = begin; i < end; ++i)
                term.set(i - begin, steps::at_element(step, i, q));
        } else {
            typename Rows::results ax;
            rows(begin, end, ax);
#pragma GCC ivdep
            for (index_t i = begin; i < end; ++i)
                term.set(i - begin, steps::at_row(step, i, ax.get(i - begin), q));
        }
        return term.fold(static_cast<int>(end - begin));
    }

    template <class Sum>
    static std::byte* as_bytes(Sum* part)
    {
        return reinterpret_cast<std::byte*>(part);
    }
    /// Of sums of the tiles of n elements each: their sum goes to the beginning.
    template <class Sum>
    void combine_all(std::span<std::byte* const> each, index_t n)
    {
        if (shared_) {
            const summand of{sizeof(Sum), fold_terms<Sum>};
            rank_tiles_on_host mine(each, of);
            return shared_->complete(mine, n, of);
        }
        for (std::byte* const part : each) {
            auto* const sums = reinterpret_cast<Sum*>(part);
            if (n > 0) *sums = combine(sums, tiles(n));
        }
    }
    template <class Sum>
    static void fold_terms(const std::byte* term, int count, std::byte* sum)
    {
        tile<Sum> all;
        const auto* const terms = reinterpret_cast<const Sum*>(term);
        for (int i = 0; i < count; ++i) all.set(i, terms[i]);
        *reinterpret_cast<Sum*>(sum) = all.fold(count);
    }
    /// The sum of m > 0 tile sums, level by level; each level is stored after the previous one.
    template <class Sum>
    Sum combine(Sum* part, index_t m)
    {
        while (m > 1) {
            Sum* const next = part + m;
            for_tiles(m, m, [&](index_t first, index_t last) {
                for (index_t t = first; t < last; ++t) {
                    const index_t begin = t * tile_size, end = std::min(m, begin + tile_size);
                    tile<Sum> term;
                    for (index_t i = begin; i < end; ++i) term.set(i - begin, part[i]);
                    next[t] = term.fold(static_cast<int>(end - begin));
                }
            });
            part = next;
            m = tiles(m);
        }
        return *part;
    }

    /// A x from a format whose rows are summed before the step (stored_rows.hpp).
    template <class T, class V>
    known_sums<T> product_of(const csr<V>& a, vec<const T> x)
    {
        // Allocated here: threads may not throw.
        const index_t tiles_of_long = stored_rows<T, V>::tiles_of_long_rows(a);
        product_.resize(static_cast<std::size_t>(a.rows + tiles_of_long) * words_of<T>);
        const auto ax = vec<T>::in_memory(product_.data(), a.rows);
        const auto of_tile =
            vec<T>::in_memory(product_.data() + a.rows * words_of<T>, tiles_of_long);
        const stored_rows<T, V> rows(a, x, of_tile);
        for_tiles(rows.pieces() * tile_size, a.rows + a.nonzeros(),
                  [&](index_t first, index_t last) {
                      for (index_t k = first; k < last; ++k) rows.sum_piece(k, ax);
                  });
        return {ax};
    }

    /// Sums of all levels, for n terms.
    static index_t parts_of_each(index_t n)
    {
        return tiles(n) + 2 * tiles(tiles(n)) + 2;
    }

    /// Memory for m sums, kept between sweeps.
    template <class Sum>
    Sum* parts(index_t m)
    {
        const std::size_t bytes = static_cast<std::size_t>(2 * m + 64) * sizeof(Sum);
        if (bytes > capacity_) {
            memory_ = std::make_unique<std::byte[]>(bytes);
            capacity_ = bytes;
        }
        return reinterpret_cast<Sum*>(memory_.get());
    }

    thread_pool& pool_;
    shared_sums* shared_;
    std::vector<std::byte*> total_;  ///< of the sums of a basis
    alignas(64) std::byte small_[64];
    std::unique_ptr<std::byte[]> memory_;
    std::size_t capacity_ = 0;
    std::vector<double> product_;
    column_products columns_;
};

template <class T, class V>
void multiply(backend& on, const csr<V>& a, vec<const T> x, vec<T> y)
{
    on.run(steps::spmv<T>{{}, x, y, T(1), T(0), true}, a);
}
extern template void multiply(backend&, const csr<double>&, vec<const double>, vec<double>);
extern template void multiply(backend&, const csr<double>&, vec<const dd_real>, vec<dd_real>);
extern template void multiply(backend&, const csr<dd_real>&, vec<const dd_real>, vec<dd_real>);

}  // namespace ddla::host_backend
