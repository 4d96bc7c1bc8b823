// What a step is, and what a backend makes of it.
//
// A step is one sweep over the data, written once for every backend and both precisions:
//
//     static constexpr over sweeps   over::elements, or over::rows of a matrix
//     using sum                      what it adds up; `void` for nothing
//     scalars                        see below
//     sum operator()(i, q)           update element i; return what it adds to the sum
//     sum operator()(i, own, q)      the same for a step that has
//     auto own(i)                    what it reads of element i: all of it comes before the first
//                                    write, which it might otherwise have to wait for; a backend
//                                    may read several elements at once, and before q is known
//                                    (then the step may turn out to be stopped)
//     sum operator()(i, ax, own, q)  for over::rows, ax = row i of A times `operand`
//     static bool stopped(q)         true: the whole step does nothing
//
// Scalars come in one of two ways.  Steps of a solver share them, where the data is:
//
//     state* shared
//     void finish(sum, state& q)     compute the next scalars from the sum
//     void prepare(state& q)         if there is one: before it, what needs no sum yet
//
// Others take what they need from their own members, and leave a result:
//
//     state scalars() const
//     void finish(sum)
//
// `q` is the backend's private copy of the scalars, so that element loops hold them in registers.
// A sweep may read and write element i of any vector; of other elements it reads only `operand`.
// A step over rows may have other `terms` than products in T: see terms_of.  A step that writes no
// vector says so by `only_reads`; one that hardly ever has anything to do, by `rare`.
//
// A step over rows that only writes the product, times a power of two, and adds up terms of it can
// be done in two sweeps, where a product by itself is faster: see sums_after_product, and
// summed_by_tiles if the first of them has summed tiles.
//
//     vec to() const; double power() const    to_i = power times row i of A times `operand`
//     vec beside() const                      own(i) is its element i; the product writes neither
//                                             it nor scalars
//                                             what it adds for v = to_i is dots_of_product
//
// Other steps over rows may name a vector that they write and nobody reads before: element i may
// hold row i of A times `operand` until then.
//
//     vec room() const
//
// A backend offers:  run(step, n), or its parts run_tiles, run_sum and finish;  run(step, a),
// run(sequence, a, times),  write(shared, value),  read(shared), the only wait;
// usual_interval(sequence, a), how many iterations go before one, and product_bytes(sequence, a),
// what it reads of A in each product.
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

/// The terms of a step whose product may be a sweep of its own: (w, v) for what is beside v, and
/// (v, v) if it has two sums.
template <int Sums, class T>
DDLA_HD sums<T, Sums> dots_of_product(T v, T w)
{
    static_assert(Sums == 1 || Sums == 2);
    if constexpr (Sums == 1)
        return {w * v};
    else
        return {w * v, v * v};
}

/// The second of two sweeps: the sums of a step whose products are written already.
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

/// What is left of such a step once its product has left the sums of tiles, too: a sweep over
/// these, of which there are tiles(n).
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

/// The sum of sums that are there, by the summation rule, as it were their elements': those of
/// tiles give the sum of all elements of these, of which all but the last one are full.
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
