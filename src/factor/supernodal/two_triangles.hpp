// Solves through two triangles by supernodes.
#pragma once

#include "block_diagonal.hpp"
#include "kept_room.hpp"
#include "llt_values.hpp"
#include "place_of_factors.hpp"
#include "side_by_side.hpp"
#include "sweeps.hpp"

#include "ddla/error.hpp"

#include <array>
#include <atomic>
#include <memory>

namespace ddla::factor {

/// How threads share solves.
struct shared_sweeps {
    chunk_runner run;
    sweep_plan plan;
    std::shared_ptr<kept_room> room = std::make_shared<kept_room>();
};

/// x of first second^T x = b: L and L, L and U^T, or, with A^T, U^T and L; with D between them of
/// L D L^T.
template <scalar F>
struct two_triangles {
    const supernodes& parts;
    const llt_values<F>&first, &second;
    /// Rows below supernodes by pivots: those of parts, or exchanged within supernodes.
    const column_t *first_rows, *second_rows;
    const std::vector<column_t>&in, &out;  ///< elements of b and of x by pivots
    const std::vector<int>&scale_in, &scale_out;
    const shared_sweeps& sweeps;
    const block_diagonal<F>* between = nullptr;
    placed_factors<F>* there = nullptr;  ///< the same factors elsewhere: those are taken
    bool by_transpose = false;           ///< of L U: A^T x = b
};

namespace detail {

/// common_exponent(), by all threads.
template <scalar T>
int shared_exponent(const chunk_runner& run, vec<const T> b, const std::vector<int>& exponent)
{
    std::atomic<index_t> most = steps::largest_exponent::none;
    run.parts(b.size, [&](index_t begin, index_t end) {
        const index_t mine = largest_exponent_of(b, exponent, begin, end).value;
        index_t before = most;
        while (before < mine && !most.compare_exchange_weak(before, mine)) {
        }
    });
    return steps::largest_exponent{most}.or_zero();
}

/// With `words` of all systems an unknown.
template <scalar F>
sweeps both_ways(const two_triangles<F>& way, double* high, double* low, index_t words,
                 sweeps::loop forward, sweeps::loop backward)
{
    const supernodes& s = way.parts;
    const auto through = [&](const llt_values<F>& values, const column_t* rows) {
        return llt_sweep{
            values.data(), values.begins(), s.first.data(), s.row_begin.data(), rows, high, low};
    };
    return {s,
            way.sweeps.plan,
            way.sweeps.run,
            words,
            through(way.first, way.first_rows),
            forward,
            through(way.second, way.second_rows),
            backward};
}

/// By D, if there is one; unknown(k): the numbers of unknown k.
template <scalar W, scalar F, class Unknown>
void divide_between(const two_triangles<F>& way, const Unknown& unknown)
{
    if (!way.between) return;
    way.sweeps.run.parts(way.parts.columns(), [&](index_t begin, index_t end) {
        way.between->template divide<W>(begin, end, unknown);
    });
}

template <scalar F, scalar T>
void solve_one(const two_triangles<F>& way, vec<const T> b, vec<T> x)
{
    using W = wider<T, F>;
    const llt_sweeps<W, F>& kernels = current_kernels().template sweeps<W, F>();
    const chunk_runner& run = way.sweeps.run;
    const index_t n = way.parts.columns();
    const int common = shared_exponent(run, b, way.scale_in);
    unfilled<double> words = way.sweeps.room->take(as_size(n * words_of<W>));
    const auto y = vec<W>::in_memory(words.data(), n);
    run.parts(n, [&](index_t begin, index_t end) {
        gather<W>(b, way.in, way.scale_in, common, begin, end, y);
    });
    const sweeps all = both_ways(way, y.word(0), y.word(words_of<W> - 1), words_of<W>,
                                 kernels.forward, kernels.backward);
    all.down();
    divide_between<W>(way, [&](index_t k) { return y.part(k, 1); });
    all.up();
    run.parts(n, [&](index_t begin, index_t end) {
        scatter<W>(vec<const W>(y), n, way.out, way.scale_out, common, begin, end, x);
    });
    way.sweeps.room->give_back(std::move(words));
}

/// Some systems, systems_at_once at most, whose unknowns lie side by side.
template <scalar F, scalar T>
void solve_some(const two_triangles<F>& way, index_t systems, vec<const T> b, vec<T> x)
{
    using W = wider<T, F>;
    const llt_sweeps<W, F>& kernels = current_kernels().template sweeps<W, F>();
    const chunk_runner& run = way.sweeps.run;
    const index_t n = way.parts.columns();
    std::array<int, systems_at_once> common;
    for (index_t s = 0; s < systems; ++s)
        common[as_size(s)] = shared_exponent(run, b.part(s * n, n), way.scale_in);
    unfilled<double> y = way.sweeps.room->take(as_size(n * doubles_of_systems<W>));
    run.parts(n, [&](index_t begin, index_t end) {
        gather_systems<W>(b, way.in, way.scale_in, common.data(), systems, begin, end, y.data());
    });
    const sweeps all = both_ways(way, y.data(), nullptr, words_of<W> * systems,
                                 kernels.forward_systems, kernels.backward_systems);
    all.down();
    divide_between<W>(way, [&](index_t k) {
        return vec<W>::in_memory(y.data() + k * doubles_of_systems<W>, systems_at_once);
    });
    all.up();
    run.parts(n, [&](index_t begin, index_t end) {
        scatter_systems<W>(y.data(), way.out, way.scale_out, common.data(), systems, begin, end, x);
    });
    way.sweeps.room->give_back(std::move(y));
}

/// The same by factors that are elsewhere.
template <scalar F, scalar T>
void solve_there(const two_triangles<F>& way, index_t systems, vec<const T> b, vec<T> x)
{
    using W = wider<T, F>;
    const chunk_runner& run = way.sweeps.run;
    const index_t n = way.parts.columns();
    std::array<int, systems_at_once> common{};
    for (index_t s = 0; s < systems; ++s)
        common[as_size(s)] = shared_exponent(run, b.part(s * n, n), way.scale_in);
    const auto of_system = [&](double* numbers, index_t s) {
        return vec<W>::in_memory(numbers + s * words_of<W> * n, n);
    };
    const auto each = [&](const auto& f) {
        for (index_t s = 0; s < systems; ++s)
            run.parts(n, [&](index_t begin, index_t end) { f(s, begin, end); });
    };
    way.there->solve({way.by_transpose, words_of<W>, systems,
                      [&](double* numbers) {
                          each([&](index_t s, index_t begin, index_t end) {
                              gather<W>(b.part(s * n, n), way.in, way.scale_in, common[as_size(s)],
                                        begin, end, of_system(numbers, s));
                          });
                      },
                      [&](double* numbers) {
                          each([&](index_t s, index_t begin, index_t end) {
                              scatter<W>(vec<const W>(of_system(numbers, s)), n, way.out,
                                         way.scale_out, common[as_size(s)], begin, end,
                                         x.part(s * n, n));
                          });
                      }});
}

}  // namespace detail

/// Of k n elements, k systems one after the other, each with the bits of its single solve.  b is
/// scaled by powers of two inside; b and x may be the same memory.  Throws input_error for sizes
/// that do not fit.
template <scalar F, scalar T>
void solve_through(const two_triangles<F>& way, vec<const T> b, vec<T> x)
{
    const index_t n = way.parts.columns();
    if (b.size != x.size || (n == 0 ? b.size != 0 : b.size % n != 0))
        throw input_error("solve: b has " + std::to_string(b.size) + " elements, x " +
                          std::to_string(x.size) + ", and A " + std::to_string(n) + " rows");
    for (index_t first = 0; first < b.size; first += systems_at_once * n) {
        const index_t size = std::min(systems_at_once * n, b.size - first);
        const vec<const T> of_b = b.part(first, size);
        const vec<T> of_x = x.part(first, size);
        if (way.there)
            detail::solve_there(way, size / n, of_b, of_x);
        else if (size == n)
            detail::solve_one(way, of_b, of_x);
        else
            detail::solve_some(way, size / n, of_b, of_x);
    }
}

}  // namespace ddla::factor
