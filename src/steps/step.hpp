// What a step is, and what a backend makes of it.
//
// A step is one sweep over the data, written once for every backend and all precisions.  The
// concept `step` (below) checks what is said here:
//
//     static constexpr over sweeps     over::elements, or over::rows of a matrix
//     static constexpr abilities has   what it has of all that is optional
//     using sum                        what it adds up; `void` for nothing
//     scalars                          see below
//     sum operator()(i, q)             update element i; return what it adds to the sum
//     sum operator()(i, own, q)        the same with what it reads of element i, reads().get(i):
//                                      all of it comes before the first write, which it might
//                                      otherwise have to wait for; a backend may read several
//                                      elements at once, and before q is known (then the step may
//                                      turn out to be stopped)
//     sum operator()(i, ax, own, q)    for over::rows, ax = row i of A times `operand`; without own
//                                      if there is no reads()
//     static bool stopped(q)           true: the whole step does nothing
//
// Scalars come in one of two ways.  Steps of a solver share them, where the data is:
//
//     state* shared
//     void finish(sum, state& q)       compute the next scalars from the sum
//
// Steps of single operations take scalars from their own members, and leave a result:
//
//     state scalars() const
//     void finish(sum)
//
// `q` is the backend's private copy of the scalars, so that element loops hold them in registers.
// A sweep may read and write element i of any vector; of other elements it reads only `operand`.
//
// A step over rows of an iteration can be split into a product kernel and a sweep for its sums, if
// it only writes the product, times a power of two, and sums terms of it: see abilities::product,
// sums_after_product, and summed_by_tiles if the product kernel also sums tiles.
//
// A backend offers:  run(step, n), or its parts run_tiles, run_sum and finish;  run_alone(step), of
// one element that belongs to no vector;  run(step, a),
// run(span of spmv steps, a), which may read A once for several of them,  run(sequence, a, times),
// write(shared, value),  read(shared), which alone waits;  usual_interval(sequence, a), the
// iterations between two polls;  product_bytes(sequence, a), the bytes of A that each product
// reads;  bytes_of_products(a, count), those that several together read;  gains_in_lockstep(a).
#pragma once

#include "abilities.hpp"

#include <tuple>

namespace ddla::steps {

/// A step over elements, of element i.
template <step Step, class State>
DDLA_HD auto at_element(const Step& step, index_t i, const State& q)
{
    if constexpr (Step::has.reads)
        return step(i, own(step, i), q);
    else
        return step(i, q);
}

/// A step over rows, of row i, which is ax and has read `own`.
template <step Step, class Sum, class State>
DDLA_HD auto at_row(const Step& step, index_t i, const Sum& ax, const own_of<Step>& own,
                    const State& q)
{
    if constexpr (Step::has.reads)
        return step(i, ax, own, q);
    else
        return step(i, ax, q);
}
template <step Step, class Sum, class State>
DDLA_HD auto at_row(const Step& step, index_t i, const Sum& ax, const State& q)
{
    return at_row(step, i, ax, own(step, i), q);
}

/// What a backend does with the sum of a sweep.
template <step Step, class Sum>
DDLA_HD void finish(const Step& step, const Sum& total)
{
    if constexpr (Step::has.prepare) step.prepare(*step.shared);
    if constexpr (shares_scalars<Step>)
        step.finish(total, *step.shared);
    else
        step.finish(total);
}

/// The steps of one iteration, in order: a value that a backend can loop over, capture or fuse.
template <step... Steps>
struct sequence {
    std::tuple<Steps...> steps;
};
template <class... Steps>
sequence(Steps...) -> sequence<Steps...>;
template <step... Steps>
sequence<Steps...> in_order(Steps... steps)
{
    return {{steps...}};
}

/// The T of the vector that the first step of an iteration multiplies by A.
template <class... Steps>
using operand_of =
    typename decltype(std::tuple_element_t<0, std::tuple<Steps...>>::operand)::value_type;

/// The preconditioner of an iteration: that of its last step, which makes the next direction. Other
/// steps may know less of it.
template <class... Steps>
using preconditioner_of =
    decltype(std::tuple_element_t<sizeof...(Steps) - 1, std::tuple<Steps...>>::precondition);

/// The terms of a step that can be split: (w, v) for w = reads(), and (v, v) if it has two sums.
template <int Sums, class T>
DDLA_HD sums<T, Sums> dots_of_product(T v, T w)
{
    static_assert(Sums == 1 || Sums == 2);
    if constexpr (Sums == 1)
        return {w * v};
    else
        return {w * v, v * v};
}

/// The second half of a step that is split: the sums, once the product is written.
template <row_step Step>
struct sums_after_product : Step {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = Step::has.after_product();
    struct element {
        decltype(std::declval<Step>().product_vector().get(0)) product;
        own_of<Step> own;
    };
    /// What the terms are made of beside the product.
    DDLA_HD auto beside() const { return Step::reads(); }
    DDLA_HD auto reads() const { return fields<element>(this->product_vector(), beside()); }
    DDLA_HD auto writes() const { return fields<nothing>(); }
    template <class State>
    DDLA_HD auto operator()(index_t, const element& own, const State&) const
    {
        return dots_of_product<Step::sum::count>(own.product, own.own);
    }
};
template <class Step>
sums_after_product(Step) -> sums_after_product<Step>;

/// The second half of such a step if the product kernel has summed tiles: a sweep over the sums of
/// tiles(n) tiles.
template <row_step Step>
struct summed_by_tiles : Step {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = Step::has.after_product_with_sums();
    const typename Step::sum* of_tile;
    struct sums_of_tiles {
        const typename Step::sum* at;
        DDLA_HD auto get(index_t tile) const { return at[tile]; }
    };
    DDLA_HD auto reads() const { return sums_of_tiles{of_tile}; }
    DDLA_HD auto writes() const { return fields<nothing>(); }
    template <class State>
    DDLA_HD auto operator()(index_t, const typename Step::sum& own, const State&) const
    {
        return own;
    }
};
template <class Step>
summed_by_tiles(Step, const typename Step::sum*) -> summed_by_tiles<Step>;

/// The sum of existing sums, by the summation rule.  From sums of tiles, all of which but the last
/// are full, it is the sum of all their elements.
template <class Sum>
struct combine : always {
    using sum = Sum;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.only_reads = true};
    const Sum* part;
    Sum* total;
    DDLA_HD Sum operator()(index_t i, no_scalars) const { return part[i]; }
    DDLA_HD void finish(const Sum& s) const { *total = s; }
};

/// The larger of two magnitudes; a NaN wins.  As a "sum" its order cannot matter.
struct largest {
    double value = 0;
    DDLA_HD friend largest operator+(largest a, largest b)
    {
        return a.value >= b.value || a.value != a.value ? a : b;
    }
};

/// The smallest of some indices.
struct first_index {
    static constexpr index_t none = INT64_MAX;
    index_t value = none;
    DDLA_HD friend first_index operator+(first_index a, first_index b)
    {
        return a.value <= b.value ? a : b;
    }
};

}  // namespace ddla::steps
