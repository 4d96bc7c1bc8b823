// What a step is, and what a backend makes of it.
//
// A step is one sweep over the data, written once for every backend and both precisions:
//
//     static constexpr over sweeps   over::elements, or over::rows of a matrix
//     using sum                      what it adds up; `void` for nothing
//     scalars                        see below
//     sum operator()(i, q)           update element i; return its terms of the sum
//     sum operator()(i, own, q)      the same for a step that has
//     auto own(i)                    what it reads of element i, all of it before the first store,
//                                    which might alias; a backend may read several elements at
//                                    once, and before q is known (then the step may turn out to
//                                    be stopped)
//     sum operator()(i, ax, own, q)  for over::rows, ax = row i of A times `operand`
//     static bool stopped(q)         true: the whole step does nothing
//
// Scalars come in one of two ways.  Steps of a solver share them, where the data is:
//
//     state* shared
//     void finish(sum, state& q)     compute the next scalars from the sum
//     void prepare(state& q)         optional: the part that needs no sum, called before finish
//
// Steps of single operations take scalars from their own members, and leave a result:
//
//     state scalars() const
//     void finish(sum)
//
// `q` is the backend's private copy of the scalars, so that element loops hold them in registers.
// A sweep may read and write element i of any vector; of other elements it reads only `operand`.  A
// step over rows may have other `terms` than products in T: see terms_of.  A step that writes no
// vector has `only_reads`; one that is mostly stopped has `rare`.
//
// A step over rows of an iteration can be split into a product kernel and a sweep for its sums, if
// it only writes the product, times a power of two, and sums terms of it.  See sums_after_product,
// and summed_by_tiles if the product kernel also sums tiles.  Such a step has
//
//     vec to() const; double power() const    to_i = power times row i of A times `operand`
//     vec beside() const                      w of its dot product (w, to); own(i) is w_i; the
//                                             product kernel writes neither w nor scalars;
//                                             its terms for v = to_i are dots_of_product
//
// Other steps over rows may name a vector that they write and do not read.  A backend may store A
// times `operand` there before the step:
//
//     vec room() const
//
// A backend offers:  run(step, n), or its parts run_tiles, run_sum and finish;  run(step, a),
// run(sequence, a, times),  write(shared, value),  read(shared), which alone waits;
// usual_interval(sequence, a), the iterations between two polls;  product_bytes(sequence, a), the
// bytes of A that each product reads.
#pragma once

#include "ddla/summation.hpp"

#include <tuple>

namespace ddla::steps {

enum class over { elements, rows };

struct no_scalars {};

/// A step without scalars that is never stopped.
struct always {
    DDLA_HD no_scalars scalars() const { return {}; }
    template <class State>
    DDLA_HD static bool stopped(const State&)
    {
        return false;
    }
};

/// The private copy of a step's scalars.
template <class Step>
DDLA_HD auto scalars_of(const Step& step)
{
    if constexpr (requires { step.shared; })
        return *step.shared;
    else
        return step.scalars();
}

/// A step over elements, of element i.
template <class Step, class State>
DDLA_HD auto at_element(const Step& step, index_t i, const State& q)
{
    if constexpr (requires { step.own(i); })
        return step(i, step.own(i), q);
    else
        return step(i, q);
}

/// What a backend does with the sum of a sweep.
template <class Step, class Sum>
DDLA_HD void finish(const Step& step, const Sum& total)
{
    if constexpr (requires { step.prepare(*step.shared); }) step.prepare(*step.shared);
    if constexpr (requires { step.shared; })
        step.finish(total, *step.shared);
    else
        step.finish(total);
}

/// The steps of one iteration, in order: a value that a backend can loop over, capture or fuse.
template <class... Steps>
struct sequence {
    std::tuple<Steps...> steps;
};
template <class... Steps>
sequence(Steps...) -> sequence<Steps...>;
template <class... Steps>
sequence<Steps...> in_order(Steps... steps)
{
    return {{steps...}};
}

/// The T of the vector that the first step of an iteration multiplies by A.
template <class... Steps>
using operand_of =
    typename decltype(std::tuple_element_t<0, std::tuple<Steps...>>::operand)::value_type;

/// The terms of a row of A x as the solvers sum them: products in T.
template <class T>
struct products {
    using value = T;
    template <class V>
    DDLA_HD T operator()(T x, V a) const
    {
        return x * a;
    }
    DDLA_HD static T none() { return T(0); }
};

/// The terms that a step over rows sums: its own `terms`, else products.
template <class Step>
auto terms_of(const Step& step)
{
    if constexpr (requires { step.terms; })
        return step.terms;
    else
        return products<typename decltype(Step::operand)::value_type>{};
}

/// The terms of a step that can be split: (w, v) for w = beside(), and (v, v) if it has two sums.
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
template <class Step>
struct sums_after_product : Step {
    static constexpr over sweeps = over::elements;
    static constexpr bool only_reads = true;
    static constexpr bool comes_after_product = true;  ///< see beside()
    template <class T, class Own>
    struct element {
        T product;
        Own own;
    };
    DDLA_HD auto own(index_t i) const { return element{this->to().get(i), Step::own(i)}; }
    template <class T, class Own, class State>
    DDLA_HD auto operator()(index_t, const element<T, Own>& at, const State&) const
    {
        return dots_of_product<Step::sum::count>(at.product, at.own);
    }
};
template <class Step>
sums_after_product(Step) -> sums_after_product<Step>;

/// The second half of such a step if the product kernel has summed tiles: a sweep over the sums of
/// tiles(n) tiles.
template <class Step>
struct summed_by_tiles : Step {
    static constexpr over sweeps = over::elements;
    static constexpr bool comes_after_product = true;  ///< see beside()
    const typename Step::sum* of_tile;
    DDLA_HD auto own(index_t tile) const { return of_tile[tile]; }
    template <class State>
    DDLA_HD auto operator()(index_t, const typename Step::sum& sum, const State&) const
    {
        return sum;
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
    static constexpr bool only_reads = true;
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
