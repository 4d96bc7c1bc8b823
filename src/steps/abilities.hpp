// The parts of a step, required and optional, as a concept.
//
// A step declares, in one line, which optional members it has.  The concept compares that with the
// members: one with a wrong name or a wrong type does not compile.  (A backend that only looked for
// members would never use it, and say nothing.)
//
//     static constexpr abilities has = {.reads = true, .room = true};
#pragma once

#include "ddla/summation.hpp"
#include "fields.hpp"

#include <concepts>

namespace ddla::steps {

enum class over { elements, rows };

/// What a step may have or be beside what each must have.
struct abilities {
    bool reads = false;    ///< reads(): fields that it reads at element i, beside `operand`
    bool writes = false;   ///< writes(): those that it writes
    bool prepare = false;  ///< void prepare(state& q): before finish(), what needs no sum yet
    /// `terms`: what a step over rows sums, if not products in T: see products.
    bool terms = false;
    /// vec product_vector(), double power(): what it writes is power times A times `operand`.
    /// reads() is one vector, and what the step adds for v, element i of the product, is
    /// dots_of_product.  The product writes neither that vector nor scalars.
    bool product = false;
    /// vec room(): a vector that a step over rows writes and nobody reads before: element i may
    /// hold row i of A times `operand` until then.
    bool room = false;
    bool only_reads = false;           ///< it writes no vector
    bool rare = false;                 ///< it hardly ever has anything to do
    bool comes_after_product = false;  ///< it is the second of two sweeps: see `product`
    bool adds_up_tiles = false;        ///< its elements are the sums of tiles
    bool counts = false;  ///< it counts, compares and moves: wider vectors are no use to it

    constexpr abilities after_product() const
    {
        abilities all = *this;
        all.reads = all.writes = all.only_reads = all.comes_after_product = true;
        return all;
    }
    constexpr abilities after_product_with_sums() const
    {
        abilities all = *this;
        all.reads = all.writes = all.comes_after_product = all.adds_up_tiles = true;
        return all;
    }
};

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

template <class Step>
concept shares_scalars = requires(const Step& step)
{
    *step.shared;
};

/// The private copy of a step's scalars.
template <class Step>
DDLA_HD auto scalars_of(const Step& step)
{
    if constexpr (shares_scalars<Step>)
        return *step.shared;
    else
        return step.scalars();
}
template <class Step>
using state_of = decltype(scalars_of(std::declval<const Step&>()));

/// What a step reads of element i.
template <class Step>
DDLA_HD auto own(const Step& step, [[maybe_unused]] index_t i)
{
    if constexpr (Step::has.reads)
        return step.reads().get(i);
    else
        return nothing{};
}
template <class Step>
using own_of = decltype(own(std::declval<const Step&>(), index_t{}));

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

/// The T of the vector that a step over rows multiplies by A.
template <class Step>
using operand_of_step = typename decltype(Step::operand)::value_type;

/// The terms that a step over rows sums: its own `terms`, else products.
template <class Step>
auto terms_of(const Step& step)
{
    if constexpr (Step::has.terms)
        return step.terms;
    else
        return products<operand_of_step<Step>>{};
}

/// What a step over rows gets of a row.
template <class Step>
using row_sum_of = typename decltype(terms_of(std::declval<const Step&>()))::value;

/// Whether a step has a member of this name, of whatever type.
namespace names {

// clang-format off
template <class Step> inline constexpr bool reads = requires { &Step::reads; };
template <class Step> inline constexpr bool writes = requires { &Step::writes; };
template <class Step> inline constexpr bool prepare = requires { &Step::prepare; };
template <class Step> inline constexpr bool terms = requires { &Step::terms; };
template <class Step> inline constexpr bool product_vector = requires { &Step::product_vector; };
template <class Step> inline constexpr bool power = requires { &Step::power; };
template <class Step> inline constexpr bool room = requires { &Step::room; };
template <class Step> inline constexpr bool finish = requires { &Step::finish; };
// clang-format on

}  // namespace names

// clang-format off
/// What each step must have, but for the functions that the next concepts ask for.
template <class Step>
concept has_kind = std::is_trivially_copyable_v<Step> && requires(const Step& step)
{
    typename Step::sum;
    { Step::sweeps } -> std::convertible_to<over>;
    { Step::has } -> std::convertible_to<abilities>;
} && (Step::sweeps == over::elements || requires { typename operand_of_step<Step>; });

template <class Step>
concept has_scalars = (shares_scalars<Step> || requires(const Step& step) { step.scalars(); }) &&
    requires(const state_of<Step>& q) { { Step::stopped(q) } -> std::same_as<bool>; };

/// What is declared is there, and what is there is declared.
template <class Step>
concept has_what_it_says =
    Step::has.reads == names::reads<Step> && Step::has.writes == names::writes<Step> &&
    Step::has.prepare == names::prepare<Step> && Step::has.terms == names::terms<Step> &&
    Step::has.product == names::power<Step> && Step::has.room == names::room<Step> &&
    (Step::sweeps == over::elements || Step::has.product == names::product_vector<Step>);

template <class Step>
concept reads_fields =
    !Step::has.reads || requires(const Step& step, index_t i) { step.reads().get(i); };

template <class Step>
concept writes_fields =
    !Step::has.writes || is_field_list<decltype(std::declval<const Step&>().writes())>;

template <class Step>
concept prepares = !Step::has.prepare || requires(const Step& step, state_of<Step>& q)
{
    requires shares_scalars<Step>;
    { step.prepare(q) } -> std::same_as<void>;
};

template <class Step>
concept has_terms = !Step::has.terms || requires(const Step& step)
{
    { step.terms.none() } -> std::same_as<row_sum_of<Step>>;
};

/// Also of the sweep behind a product, which may read more.
template <class Step>
concept has_product = !Step::has.product || requires(const Step& step)
{
    requires !Step::has.terms && (Step::sum::count <= 2);
    { step.product_vector() } -> std::same_as<vec<operand_of_step<Step>>>;
    { step.power() } -> std::same_as<double>;
    requires Step::sweeps == over::elements ||
        std::same_as<decltype(std::declval<const Step&>().reads()),
                     vec<const operand_of_step<Step>>>;
};

template <class Step>
concept has_room = !Step::has.room || requires(const Step& step)
{
    { step.room() } -> std::same_as<vec<operand_of_step<Step>>>;
};

template <class Step>
concept finishes = (std::is_void_v<typename Step::sum> && !names::finish<Step>) ||
    requires(const Step& step, const typename Step::sum& total, state_of<Step>& q)
{
    requires !shares_scalars<Step> || requires { { step.finish(total, q) } -> std::same_as<void>; };
    requires shares_scalars<Step> || requires { { step.finish(total) } -> std::same_as<void>; };
};

/// operator() takes what the step reads, and the row if there is one, and returns what it sums.
template <class Step>
concept updates_elements = Step::sweeps == over::elements &&
    requires(const Step& step, index_t i, const own_of<Step>& own, const state_of<Step>& q)
{
    requires !Step::has.reads || requires { { step(i, own, q) } -> std::same_as<typename Step::sum>; };
    requires Step::has.reads || requires { { step(i, q) } -> std::same_as<typename Step::sum>; };
};

template <class Step>
concept updates_rows = Step::sweeps == over::rows &&
    requires(const Step& step, index_t i, const row_sum_of<Step>& ax,
             const own_of<Step>& own, const state_of<Step>& q)
{
    requires !Step::has.reads || requires { { step(i, ax, own, q) } -> std::same_as<typename Step::sum>; };
    requires Step::has.reads || requires { { step(i, ax, q) } -> std::same_as<typename Step::sum>; };
};
// clang-format on

template <class Step>
concept step = has_kind<Step> && has_scalars<Step> && has_what_it_says<Step> &&
    reads_fields<Step> && writes_fields<Step> && prepares<Step> && has_terms<Step> &&
    has_product<Step> && has_room<Step> && finishes<Step> &&
    (updates_elements<Step> || updates_rows<Step>);

template <class Step>
concept element_step = step<Step> && Step::sweeps == over::elements;
template <class Step>
concept row_step = step<Step> && Step::sweeps == over::rows;

}  // namespace ddla::steps
