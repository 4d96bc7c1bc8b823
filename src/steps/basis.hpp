// Steps over a basis, of which the scalars know how many vectors are there.
//
// Sums of a basis: (v_k, w) for all its vectors v_k at once, which reads w once for eight of them.
// Each sum has the bits of dot(v_k, w).
//
//     state* shared
//     multivector<T> basis
//     vec<const T> with, double power     w is `with` times a power of two
//     T* results                          sum k goes to results[k], at the place
//     static bool stopped(q)
//     static index_t count(q)             the vectors that are there; at most basis.count
//
// A combination: a step over elements whose value i is start(own) and, added to it in ascending
// order, coefficient k times element i of v_k.
//
//     multivector<T> basis
//     const T* coefficient                at the place
//     static index_t count(q)
//     T start(own) const                  from what the step reads of element i
//     static T next(T value, T c, T v)    value - c v, for example
//     sum operator()(i, value, own, q)    as of a step over rows
#pragma once

#include "blas.hpp"
#include "multivector.hpp"

namespace ddla::steps {

/// How many sums share one reading of w.
inline constexpr int sums_at_once = 8;

// clang-format off
template <class Step>
concept basis_sums = std::is_trivially_copyable_v<Step> && shares_scalars<Step> &&
    requires(const Step& step, const state_of<Step>& q)
{
    { Step::stopped(q) } -> std::same_as<bool>;
    { Step::count(q) } -> std::same_as<index_t>;
    { step.basis.vector(0) } -> std::same_as<vec<typename Step::scalar>>;
    { step.with } -> std::convertible_to<vec<const typename Step::scalar>>;
    { step.power } -> std::convertible_to<double>;
    { step.results } -> std::convertible_to<typename Step::scalar*>;
};

template <class Step>
concept combination = std::is_trivially_copyable_v<Step> && shares_scalars<Step> &&
    requires { Step::has; &Step::coefficient; } && !requires { Step::sweeps; } &&
    requires(const Step& step, index_t i, typename Step::scalar value, const own_of<Step>& own,
             const state_of<Step>& q)
{
    { Step::count(q) } -> std::same_as<index_t>;
    { step.basis.vector(0) } -> std::same_as<vec<typename Step::scalar>>;
    { step.coefficient } -> std::convertible_to<const typename Step::scalar*>;
    { step.start(own) } -> std::same_as<typename Step::scalar>;
    { Step::next(value, value, value) } -> std::same_as<typename Step::scalar>;
    { step(i, value, own, q) } -> std::same_as<typename Step::sum>;
};
// clang-format on

/// The terms of sum k.
template <class T>
struct basis_terms : always {
    using sum = sums<T, 1>;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .only_reads = true};
    vec<const T> v, w;
    double scale;
    struct element {
        T v, w;
    };
    DDLA_HD auto reads() const { return fields<element>(v, w); }
    template <class State>
    DDLA_HD sum operator()(index_t, const element& own, const State&) const
    {
        return {own.v * times_power_of_two(own.w, scale)};
    }
    DDLA_HD void finish(const sum&) const {}
};
template <basis_sums Step, class T = typename Step::scalar>
DDLA_HD basis_terms<T> terms_of_sum(const Step& step, index_t k)
{
    return {{}, step.basis.vector(k), step.with, step.power};
}

/// A combination as a step over elements: what a backend does that has no loop of its own for it.
template <combination Step>
struct combined : Step {
    using typename Step::scalar;
    using typename Step::sum;
    static constexpr over sweeps = over::elements;
    using Step::operator();

    template <class State>
    DDLA_HD sum operator()(index_t i, const own_of<Step>& own, const State& q) const
    {
        scalar value = Step::start(own);
        const index_t count = Step::count(q);
#ifdef __CUDA_ARCH__
#pragma unroll 4
#endif
        for (index_t k = 0; k < count; ++k)
            value = Step::next(value, this->coefficient[k], this->basis.vector(k).get(i));
        return Step::operator()(i, value, own, q);
    }
};
template <class Step>
combined(Step) -> combined<Step>;

}  // namespace ddla::steps
