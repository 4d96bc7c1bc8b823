// MINRES (Paige and Saunders, SIAM J. Numer. Anal. 12, 1975, section 6) for symmetric matrices,
// definite or not; with a symmetric positive definite preconditioner K as in Elman, Silvester and
// Wathen 2005, algorithm 6.1, where the residual is smallest in the norm of K^-1.  A program,
// written once for every backend and both precisions.
//
// An iteration; r1, r2 are the last two Lanczos vectors times beta, z = K^-1 r2, v = z / beta:
//     t = A v - (beta / beta') r1, alpha = (v, t), t -= (alpha / beta) r2;   r1 = r2, r2 = t
//     z = K^-1 r2, beta^2 = (r2, z);  a rotation gives gamma, delta, epsilon, phi
//     w = (v - epsilon w1 - delta w2) / gamma, x += phi w;   w1 = w2, w2 = w
// |r| is phibar without K.  With K that is another norm, so r itself is kept: r = s^2 r - phibar c
// r2 / beta.  A claim is checked: see claims.hpp.
//
// Memory traffic of an iteration: A once, and 19 vectors; with Jacobi 27, with another
// preconditioner 26.  Of a check: A once, and 10 vectors, with a preconditioner 16 or 15.
#pragma once

#include "minres_scalars.hpp"
#include "steps/program.hpp"
#include "steps/residual.hpp"

namespace ddla::steps::minres {

/// z is r2 itself without a preconditioner, and then there is no r.
template <class T>
struct vectors {
    vec<const T> b;
    vec<T> x, r, r1, r2, z, v, t, w1, w2;
};

template <class T, int Sums>
using step_of = working_step<T, scalars<T>, vectors<T>, Sums>;

/// r2 = b - A x, where t is A x; the other vectors are zero.
template <class T, class K>
struct residual {
    DDLA_HD static vec<const T> product(const vectors<T>& w) { return w.t; }
    DDLA_HD static auto kept(const vectors<T>& w)
    {
        if constexpr (K::is_identity)
            return fields<nothing>(w.r1, w.r2, w.w1, w.w2);
        else
            return fields<nothing>(w.r1, w.r2, w.w1, w.w2, w.r);
    }
    DDLA_HD static void keep(const vectors<T>& w, index_t i, T r)
    {
        w.r1.set(i, T(0));
        w.r2.set(i, r);
        w.w1.set(i, T(0));
        w.w2.set(i, T(0));
        if constexpr (!K::is_identity) w.r.set(i, r);
    }
    /// Without K the norm of r is beta.
    DDLA_HD static void begin(scalars<T>& q, const vectors<T>&, T r2)
    {
        q.begin(r2);
        if (K::is_identity && !q.control.stopped()) q.open(r2);
    }
    DDLA_HD static void judge(scalars<T>& q, const vectors<T>& w, T r2)
    {
        if (q.judge(r2)) begin(q, w, r2);
    }
};
template <class T, class K>
using start = first_residual<T, residual<T, K>, step_of<T, 2>>;
template <class T, class K>
using check = next_residual<T, residual<T, K>, checking_step<T, scalars<T>, vectors<T>, 1>>;

/// (r2, z) = beta^2, the first one or the next.
template <class T, bool IsFirst>
struct measure : step_of<T, 1> {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true, .only_reads = true};
    struct element {
        T r, z;
    };
    DDLA_HD auto reads() const { return fields<element>(this->all.r2, this->all.z); }
    DDLA_HD auto writes() const { return fields<nothing>(); }
    DDLA_HD sums<T, 1> operator()(index_t, const element& own, const scalars<T>&) const
    {
        return {own.r * own.z};
    }
    DDLA_HD void finish(const sums<T, 1>& total, scalars<T>& q) const
    {
        if (IsFirst)
            q.open(total.value[0]);
        else
            q.rotate(total.value[0]);
    }
};

/// v = z / beta, the first one.
template <class T>
struct normalise : step_of<T, 1> {
    using sum = void;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    DDLA_HD vec<const T> reads() const { return this->all.z; }
    DDLA_HD vec<T> writes() const { return this->all.v; }
    DDLA_HD void operator()(index_t i, const T& z, const scalars<T>& q) const
    {
        this->all.v.set(i, z * q.inverse_beta);
    }
};

/// t -= (beta / beta') r1, alpha = (v, t)
template <class T>
struct subtract_before : step_of<T, 1> {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    struct element {
        T t, r1, v;
    };
    DDLA_HD auto reads() const { return fields<element>(this->all.t, this->all.r1, this->all.v); }
    DDLA_HD vec<T> writes() const { return this->all.t; }
    DDLA_HD sums<T, 1> operator()(index_t i, const element& own, const scalars<T>& q) const
    {
        const T t = own.t - q.before * own.r1;
        this->all.t.set(i, t);
        return {own.v * t};
    }
    DDLA_HD void finish(const sums<T, 1>& total, scalars<T>& q) const
    {
        q.set_alpha(total.value[0]);
    }
};

/// r1 = r2, r2 = t - (alpha / beta) r2; without K, beta follows.
template <class T, class K>
struct subtract_last : step_of<T, 1> {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    struct element {
        T t, r2;
    };
    DDLA_HD auto reads() const { return fields<element>(this->all.t, this->all.r2); }
    DDLA_HD auto writes() const { return fields<nothing>(this->all.r1, this->all.r2); }
    DDLA_HD sums<T, 1> operator()(index_t i, const element& own, const scalars<T>& q) const
    {
        const T r = own.t - q.over_beta * own.r2;
        this->all.r1.set(i, own.r2);
        this->all.r2.set(i, r);
        return {r * r};
    }
    DDLA_HD void finish(const sums<T, 1>& total, scalars<T>& q) const
    {
        if (K::is_identity) q.rotate(total.value[0]);
    }
};

/// w, x and the next v; with K also r.
template <class T, class K>
struct update : step_of<T, 1> {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    struct with_k {
        T r, r2;
    };
    struct element {
        T v, w1, w2, x, z;
        [[no_unique_address]] std::conditional_t<K::is_identity, nothing, with_k> k;
    };
    DDLA_HD auto reads() const
    {
        const vectors<T>& w = this->all;
        if constexpr (K::is_identity)
            return fields<element>(w.v, w.w1, w.w2, w.x, w.z, fields<nothing>());
        else
            return fields<element>(w.v, w.w1, w.w2, w.x, w.z, fields<with_k>(w.r, w.r2));
    }
    DDLA_HD auto writes() const
    {
        const vectors<T>& w = this->all;
        if constexpr (K::is_identity)
            return fields<nothing>(w.v, w.w1, w.w2, w.x);
        else
            return fields<nothing>(w.v, w.w1, w.w2, w.x, w.r);
    }
    DDLA_HD sums<T, 1> operator()(index_t i, const element& own, const scalars<T>& q) const
    {
        const vectors<T>& to = this->all;
        const T w = (own.v - q.of_w1 * own.w1 - q.of_w2 * own.w2) * q.inverse_gamma;
        to.x.set(i, own.x + times_power_of_two(q.phi * w, this->scale.x));
        to.w1.set(i, own.w2);
        to.w2.set(i, w);
        to.v.set(i, own.z * q.inverse_beta);
        if constexpr (K::is_identity) {
            return {T(0)};
        } else {
            const T r = q.shrink * own.k.r - q.of_lanczos * own.k.r2;
            to.r.set(i, r);
            return {r * r};
        }
    }
    DDLA_HD void finish(const sums<T, 1>& total, scalars<T>& q) const
    {
        q.end_iteration(K::is_identity ? q.phibar * q.phibar : total.value[0]);
    }
};

/// MINRES as a program.  Memory: 6 vectors; 8 with a preconditioner.
template <class T, class K>
class solver {
public:
    static constexpr bool has_cycles = true;

    template <class Memory>
    solver(Memory& memory, const problem<T>& p, K k) : k_(k), scale_(p.scale)
    {
        const auto room = [&] { return memory.template room<T>(p.b.size); };
        shared = memory.template objects<scalars<T>>(1);
        w_ = {p.b, p.x, {}, room(), room(), {}, room(), room(), room(), room()};
        w_.r = K::is_identity ? w_.r2 : room();
        w_.z = K::is_identity ? w_.r2 : room();
    }

    scalars<T>* shared;

    index_t cycle() const { return endless_cycle; }
    auto start() const
    {
        return program_of(of_x(), minres::start<T, any>{{step<2>()}}) + opening();
    }
    auto iteration() const
    {
        return program_of(apply<T>{linear::system, w_.v, w_.t, scale_.a},
                          subtract_before<T>{step<1>()}, subtract_last<T, any>{step<1>()}) +
               next_beta<false>() + program_of(update<T, any>{step<1>()});
    }
    auto closing() const
    {
        return program_of(of_x(), check<T, any>{{{{shared, w_, {}, scale_}}}}) + opening();
    }
    /// What the iterations moved that led to q.
    iteration_traffic moved(const scalars<T>& q) const
    {
        const auto one = traffic_of(iteration()), end = traffic_of(closing());
        const index_t times = std::max<index_t>(1, q.control.iterations);
        return {times * one.products + q.checks * end.products,
                times * one.vectors + q.checks * end.vectors, times};
    }

private:
    using any = any_or_none<T, K>;  // all that steps ask of K

    template <int Sums>
    step_of<T, Sums> step() const
    {
        return {{shared, w_, {}, scale_}};
    }
    apply<T> of_x() const { return {linear::system, w_.x, w_.t}; }
    /// z = K^-1 r2, and beta
    template <bool IsFirst>
    auto next_beta() const
    {
        if constexpr (K::is_identity)
            return program_of();
        else
            return apart(k_, w_.r2, w_.z) + program_of(measure<T, IsFirst>{step<1>()});
    }
    auto opening() const { return next_beta<true>() + program_of(normalise<T>{step<1>()}); }

    K k_;
    system_scale scale_;
    vectors<T> w_;
};

}  // namespace ddla::steps::minres
