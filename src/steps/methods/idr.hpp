// IDR(s) with bi-orthogonalisation (van Gijzen and Sonneveld, ACM Trans. Math. Softw. 38, 2011,
// algorithm 913), preconditioned from the right.  A program, written once for every backend and
// both precisions.
//
// An iteration; P is the shadow space, G = A U, M = P^T G lower triangular, phi = P^T r:
//     for k = 0, ..., s - 1:   M gamma = phi;  v = r - sum gamma_i g_i for i >= k
//                              u_k = omega K^-1 v + sum gamma_i u_i,  g = A u_k
//                              g_k = g - sum alpha_i g_i for i < k, so that P_i^T g_k = 0; u_k too
//                              r -= beta g_k, x += beta u_k, beta = phi_k / mu_kk
//     t = A K^-1 r, r -= omega t, x += omega K^-1 r, omega = (t, r) / (t, t), at least 0.7 |r| /
//     |t|
// The paper finds alpha one by one; here all P_i^T g are summed at once, and M is triangular.  P is
// an integer hash of index and column (random_bits.hpp).  A claim is checked: see claims.hpp.
//
// Memory traffic of an iteration: A s + 1 times, and 4 s^2 + 19 s + 10 vectors, 150 for s = 4;
// with Jacobi 3 s + 4 more, with another preconditioner 2 s + 3.  Of a check: A once, and 2 s + 5
// vectors.
#pragma once

#include "idr_scalars.hpp"
#include "steps/program.hpp"
#include "steps/random_bits.hpp"
#include "steps/residual.hpp"

namespace ddla::steps::idr {

/// hat: K^-1 v.  t: a product.
template <class T>
struct vectors {
    vec<const T> b;
    vec<T> x, r, v, hat, t;
    multivector<T> p, g, u;
    shadow_products<T> m;
};

template <class T, int Sums>
using step_of = working_step<T, scalars<T>, vectors<T>, Sums>;
template <class T, int Sums>
using check_of = checking_step<T, scalars<T>, vectors<T>, Sums>;

/// Column k of the shadow space.
template <class T>
struct draw : step_of<T, 1> {
    using sum = void;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    index_t k;
    index_t first;  ///< the number of element 0
    DDLA_HD auto reads() const { return fields<nothing>(); }
    DDLA_HD vec<T> writes() const { return this->all.p.vector(k); }
    DDLA_HD void operator()(index_t i, const nothing&, const scalars<T>&) const
    {
        const auto column = static_cast<std::uint64_t>(k),
                   index = static_cast<std::uint64_t>(first + i);
        this->all.p.vector(k).set(i, T(random_number(column, index)));
    }
};

/// g_k = u_k = 0
template <class T, class Base>
struct clear : Base {
    using sum = void;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    index_t k;
    DDLA_HD auto reads() const { return fields<nothing>(); }
    DDLA_HD auto writes() const
    {
        return fields<nothing>(this->all.g.vector(k), this->all.u.vector(k));
    }
    DDLA_HD void operator()(index_t i, const nothing&, const scalars<T>&) const
    {
        this->all.g.vector(k).set(i, T(0));
        this->all.u.vector(k).set(i, T(0));
    }
};

/// r = b - A x, where t is A x.
template <class T>
struct residual {
    DDLA_HD static vec<const T> product(const vectors<T>& w) { return w.t; }
    DDLA_HD static vec<T> kept(const vectors<T>& w) { return w.r; }
    DDLA_HD static void keep(const vectors<T>& w, index_t i, T r) { w.r.set(i, r); }
    DDLA_HD static void begin(scalars<T>& q, const vectors<T>& w, T r2) { q.open(r2, w.m); }
    DDLA_HD static void judge(scalars<T>& q, const vectors<T>& w, T r2)
    {
        if (q.judge(r2)) q.open(r2, w.m);
    }
};
template <class T>
using start = first_residual<T, residual<T>, step_of<T, 2>>;
template <class T>
using check = next_residual<T, residual<T>, check_of<T, 1>>;

/// Work on scalars between two sweeps.
enum class task { solve, orthogonalise, set_beta };

template <class T>
struct work : step_of<T, 1> {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {};
    task what;
    index_t k;
    DDLA_HD sums<T, 1> operator()(index_t, const scalars<T>&) const { return {T(0)}; }
    DDLA_HD void finish(const sums<T, 1>&, scalars<T>& q) const
    {
        q.k = k;
        if (what == task::solve) return this->all.m.solve(k);
        if (what == task::orthogonalise) return this->all.m.orthogonalise(k);
        q.set_beta(this->all.m);
    }
};

/// P^T w
template <class T>
struct project {
    using scalar = T;
    scalars<T>* shared;
    multivector<T> basis;
    vec<const T> with;
    double power;
    T* results;
    DDLA_HD static bool stopped(const scalars<T>& q) { return q.is_idle(); }
    DDLA_HD static index_t count(const scalars<T>& q) { return q.s; }
};

/// A combination `to` = from + or - the vectors k, ..., s - 1 of a basis, or 0, ..., k - 1.
template <class T, bool IsBehind>
struct combine : step_of<T, 1> {
    using sum = void;
    static constexpr abilities has = {.reads = true, .writes = true};
    multivector<T> basis;
    const T* coefficient;
    vec<const T> from;
    vec<T> to;
    DDLA_HD static index_t count(const scalars<T>& q) { return IsBehind ? q.s - q.k : q.k; }
    DDLA_HD vec<const T> reads() const { return from; }
    DDLA_HD vec<T> writes() const { return to; }
    DDLA_HD T start(const T& own) const { return own; }
    DDLA_HD static T next(const T& value, const T& c, const T& v) { return value - c * v; }
    DDLA_HD void operator()(index_t i, const T& value, const T&, const scalars<T>&) const
    {
        to.set(i, value);
    }
};

/// u_k = omega hat + sum gamma_i u_i: the sum, then the rest.
template <class T>
struct direction : step_of<T, 1> {
    using sum = void;
    static constexpr abilities has = {.reads = true, .writes = true};
    multivector<T> basis;
    const T* coefficient;
    vec<T> to;
    DDLA_HD static index_t count(const scalars<T>& q) { return q.s - q.k; }
    DDLA_HD vec<const T> reads() const { return this->all.hat; }
    DDLA_HD vec<T> writes() const { return to; }
    DDLA_HD T start(const T&) const { return T(0); }
    DDLA_HD static T next(const T& value, const T& c, const T& v) { return value + c * v; }
    DDLA_HD void operator()(index_t i, const T& value, const T& hat, const scalars<T>& q) const
    {
        to.set(i, value + q.omega * hat);
    }
};

/// r -= c image, x += c direction; c is beta or omega.
template <class T, bool IsLast>
struct update : step_of<T, 1> {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    vec<const T> image, along;
    struct element {
        T r, x, image, along;
    };
    DDLA_HD auto reads() const { return fields<element>(this->all.r, this->all.x, image, along); }
    DDLA_HD auto writes() const { return fields<nothing>(this->all.r, this->all.x); }
    DDLA_HD sums<T, 1> operator()(index_t i, const element& own, const scalars<T>& q) const
    {
        const T c = IsLast ? q.omega : q.beta;
        const T r = own.r - c * own.image;
        this->all.r.set(i, r);
        this->all.x.set(i, own.x + times_power_of_two(c * own.along, this->scale.x));
        return {r * r};
    }
    DDLA_HD void finish(const sums<T, 1>& total, scalars<T>& q) const
    {
        if (IsLast)
            q.end_iteration(total.value[0]);
        else
            q.see_residual(total.value[0]);
    }
};

/// (t, t) and (t, r); (r, r) is known.
template <class T>
struct measure : step_of<T, 2> {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true, .only_reads = true};
    struct element {
        T t, r;
    };
    DDLA_HD auto reads() const { return fields<element>(this->all.t, this->all.r); }
    DDLA_HD auto writes() const { return fields<nothing>(); }
    DDLA_HD sums<T, 2> operator()(index_t, const element& own, const scalars<T>&) const
    {
        return {own.t * own.t, own.t * own.r};
    }
    DDLA_HD void finish(const sums<T, 2>& total, scalars<T>& q) const
    {
        q.set_omega(total.value[0], total.value[1]);
    }
};

/// IDR(s) as a program.  Memory: 3 s + 3 vectors, one more with a preconditioner; s at most the
/// rows.
template <class T, class K>
class solver {
public:
    static constexpr bool has_cycles = true;

    template <class Memory>
    solver(Memory& memory, const problem<T>& p, K k) : k_(k), scale_(p.scale), first_(p.first)
    {
        const index_t n = p.b.size, s = std::clamp<index_t>(p.size(), 1, p.s);
        const auto room = [&] { return memory.template room<T>(n); };
        const auto basis = [&] { return room_for_vectors<T>(memory, n, s); };
        shared = memory.template objects<scalars<T>>(1);
        w_.b = p.b, w_.x = p.x, w_.r = room(), w_.v = room(), w_.t = room();
        w_.hat = K::is_identity ? w_.v : room();
        w_.p = basis(), w_.g = basis(), w_.u = basis();
        w_.m = room_for_products<T>(memory, s);
    }

    scalars<T>* shared;

    index_t cycle() const { return endless_cycle; }
    auto start() const
    {
        return program_of(for_each(0, s(),
                                   [&](index_t k) {
                                       return program_of(draw<T>{step<1>(), k, first_});
                                   }),
                          of_x(), idr::start<T>{{step<2>()}}, cleared(step<1>()));
    }
    auto iteration() const
    {
        const vec<T> hat = K::is_identity ? w_.r : w_.hat;
        return program_of(project<T>{shared, w_.p, w_.r, 1, w_.m.phi},
                          for_each(0, s(), [&](index_t k) { return one_direction(k); })) +
               apart(k_, w_.r, hat) +
               program_of(apply<T>{linear::system, hat, w_.t, scale_.a}, measure<T>{step<2>()},
                          update<T, true>{step<1>(), w_.t, hat});
    }
    auto closing() const
    {
        const check_of<T, 1> base{{shared, w_, {}, scale_}};
        return program_of(of_x(), cleared(base), check<T>{{base}});
    }
    /// What the iterations moved that led to q.
    iteration_traffic moved(const scalars<T>& q) const
    {
        const auto one = traffic_of(iteration()), end = traffic_of(closing());
        const index_t times = std::max<index_t>(1, q.control.iterations);
        // P 2 s + 1 times, G and U, each in two parts.
        const index_t of_bases = (2 * s() + 1) * s() + 2 * s() * s();
        return {times * one.products + q.checks * end.products,
                times * (one.vectors + of_bases) + q.checks * end.vectors, times};
    }

private:
    index_t s() const { return w_.m.s; }
    template <int Sums>
    step_of<T, Sums> step() const
    {
        return {{shared, w_, {}, scale_}};
    }
    apply<T> of_x() const { return {linear::system, w_.x, w_.t}; }
    template <class Base>
    auto cleared(const Base& base) const
    {
        return for_each(0, s(), [&](index_t k) { return program_of(clear<T, Base>{base, k}); });
    }
    once<work<T>> scalars_by(task what, index_t k) const { return {{step<1>(), what, k}}; }
    static multivector<T> from(const multivector<T>& all, index_t k)
    {
        return {all.vector(k).word(0), all.size, all.count - k, all.apart};
    }
    auto one_direction(index_t k) const
    {
        const vec<T> u = w_.u.vector(k), g = w_.g.vector(k);
        const T* const gamma = w_.m.gamma + k;
        return program_of(scalars_by(task::solve, k),
                          combine<T, true>{step<1>(), from(w_.g, k), gamma, w_.r, w_.v}) +
               apart(k_, w_.v, w_.hat) +
               program_of(direction<T>{step<1>(), from(w_.u, k), gamma, u},
                          apply<T>{linear::system, u, w_.t, scale_.a},
                          project<T>{shared, w_.p, w_.t, 1, w_.m.image},
                          scalars_by(task::orthogonalise, k),
                          combine<T, false>{step<1>(), w_.g, w_.m.image, w_.t, g},
                          combine<T, false>{step<1>(), w_.u, w_.m.image, u, u},
                          project<T>{shared, w_.p, g, 1, w_.m.column(k)},
                          scalars_by(task::set_beta, k), update<T, false>{step<1>(), g, u});
    }

    K k_;
    system_scale scale_;
    index_t first_;
    vectors<T> w_;
};

}  // namespace ddla::steps::idr
