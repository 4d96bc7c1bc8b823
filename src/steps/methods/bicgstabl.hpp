// BiCGStab(l) (Sleijpen and Fokkema, ETNA 1, 1993, algorithm 3.1), preconditioned from the right: l
// steps of BiCG, then a polynomial of degree l in A K^-1 that makes the residual smallest.  A
// program, written once for every backend and both precisions.
//
// An iteration, with B = A K^-1; R = r_0 ... r_l, U = u_0 ... u_l:
//     for j = 0, ..., l - 1:   u_i = r_i - beta u_i for i <= j;    u_j+1 = B u_j
//                              r_i -= alpha u_i+1 for i <= j, y += alpha u_0;    r_j+1 = B r_j
//     r_1 ... r_l made orthogonal (modified Gram-Schmidt), gamma from them
//     y += gamma_1 r_0 + sum gamma''_j r_j,  u_0 -= sum gamma_j u_j,  r_0 -= sum gamma'_j r_j
// x + K^-1 y is formed where the recurrence claims an end, or where the solve ends; the residual is
// recomputed there, and the solve begins anew from it if the claim was false.
//
// Memory traffic of an iteration: A 2 l times, and (11 l^2 + 33 l) / 2 + 5 vectors, 60 for l = 2;
// with Jacobi 6 l more, with another preconditioner 4 l.  Of a check: A once, and 11 vectors, 14
// with Jacobi, 13 with another preconditioner.
#pragma once

#include "bicgstabl_scalars.hpp"
#include "steps/program.hpp"
#include "steps/residual.hpp"

namespace ddla::steps::bicgstabl {

/// y: the sum of all updates, before K^-1.  hat: K^-1 of what A is applied to.
template <class T>
struct vectors {
    vec<const T> b;
    vec<T> x, y, r0, hat;
    multivector<T> r, u;
    polynomial<T> p;
};

template <class T, int Sums>
using step_of = working_step<T, scalars<T>, vectors<T>, Sums>;
template <class T, int Sums>
using check_of = checking_step<T, scalars<T>, vectors<T>, Sums>;

/// r_0 = r0 = b - A x, where u_1 is A x; y = u_0 = 0.
template <class T>
struct residual {
    DDLA_HD static vec<const T> product(const vectors<T>& w) { return w.u.vector(1); }
    DDLA_HD static auto kept(const vectors<T>& w)
    {
        return fields<nothing>(w.r.vector(0), w.r0, w.u.vector(0), w.y);
    }
    DDLA_HD static void keep(const vectors<T>& w, index_t i, T r)
    {
        w.r.vector(0).set(i, r);
        w.r0.set(i, r);
        w.u.vector(0).set(i, T(0));
        w.y.set(i, T(0));
    }
    DDLA_HD static void begin(scalars<T>& q, const vectors<T>& w, T r2) { q.open(r2, w.p.l); }
    DDLA_HD static void judge(scalars<T>& q, const vectors<T>& w, T r2)
    {
        if (q.judge(r2)) q.open(r2, w.p.l);
    }
};
template <class T>
using start = first_residual<T, residual<T>, step_of<T, 2>>;
template <class T>
using check = next_residual<T, residual<T>, check_of<T, 1>>;

/// x += K^-1 y
template <class T>
struct complete : check_of<T, 1> {
    using sum = void;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    struct element {
        T x, hat;
    };
    DDLA_HD auto reads() const { return fields<element>(this->all.x, this->all.hat); }
    DDLA_HD vec<T> writes() const { return this->all.x; }
    DDLA_HD void operator()(index_t i, const element& own, const scalars<T>&) const
    {
        this->all.x.set(i, own.x + times_power_of_two(own.hat, this->scale.x));
    }
};

/// to = a - c v
template <class T>
struct subtract : step_of<T, 1> {
    using sum = void;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    factor c;
    vec<const T> a, v;
    vec<T> to;
    struct element {
        T a, v;
    };
    DDLA_HD auto reads() const { return fields<element>(a, v); }
    DDLA_HD vec<T> writes() const { return to; }
    DDLA_HD void operator()(index_t i, const element& own, const scalars<T>& q) const
    {
        to.set(i, own.a - q[c] * own.v);
    }
};

/// r_0 -= alpha u_1, y += alpha u_0
template <class T>
struct advance : step_of<T, 1> {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    struct element {
        T r, v, y, u;
    };
    DDLA_HD auto reads() const
    {
        const vectors<T>& w = this->all;
        return fields<element>(w.r.vector(0), w.u.vector(1), w.y, w.u.vector(0));
    }
    DDLA_HD auto writes() const { return fields<nothing>(this->all.r.vector(0), this->all.y); }
    DDLA_HD sums<T, 1> operator()(index_t i, const element& own, const scalars<T>& q) const
    {
        const T r = own.r - q.alpha * own.v;
        this->all.r.vector(0).set(i, r);
        this->all.y.set(i, own.y + q.alpha * own.u);
        return {r * r};
    }
    DDLA_HD void finish(const sums<T, 1>& total, scalars<T>& q) const
    {
        q.see_residual(total.value[0]);
    }
};

/// (v, w), from which alpha, beta or tau comes.
template <class T>
struct dot : step_of<T, 1> {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true, .only_reads = true};
    factor makes;
    vec<const T> v, w;
    index_t i = 0, j = 0;  ///< of tau
    struct element {
        T v, w;
    };
    DDLA_HD auto reads() const { return fields<element>(v, w); }
    DDLA_HD auto writes() const { return fields<nothing>(); }
    DDLA_HD sums<T, 1> operator()(index_t, const element& own, const scalars<T>&) const
    {
        return {own.v * own.w};
    }
    DDLA_HD void finish(const sums<T, 1>& total, scalars<T>& q) const
    {
        if (makes == factor::alpha) return q.set_alpha(total.value[0]);
        if (makes == factor::beta) {
            q.set_beta(total.value[0], q.alpha);
            return q.check_if_stopped();
        }
        const polynomial<T>& p = this->all.p;
        q.tau = p.tau[i + j * p.l] = p.projected(i, total.value[0]);
    }
};

/// (r_j, r_j) and (r_0, r_j); behind the last one the polynomial is known.
template <class T>
struct measure : step_of<T, 2> {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true, .only_reads = true};
    index_t j;
    struct element {
        T r, r_j;
    };
    DDLA_HD auto reads() const
    {
        return fields<element>(this->all.r.vector(0), this->all.r.vector(j));
    }
    DDLA_HD auto writes() const { return fields<nothing>(); }
    DDLA_HD sums<T, 2> operator()(index_t, const element& own, const scalars<T>&) const
    {
        return {own.r_j * own.r_j, own.r * own.r_j};
    }
    DDLA_HD void finish(const sums<T, 2>& total, scalars<T>& q) const
    {
        q.control.require_finite(total.value[0], named_scalar::omega);
        q.check_if_stopped();
        const polynomial<T>& p = this->all.p;
        p.measure(j - 1, total.value[0], total.value[1]);
        if (j == p.l) p.solve();
    }
};

/// to += or -= sum over l vectors of a basis
template <class T, int Sums>
struct combine_l : step_of<T, Sums> {
    multivector<T> basis;
    const T* coefficient;
    vec<T> to;
    DDLA_HD static index_t count(const scalars<T>& q) { return q.l; }
    DDLA_HD vec<const T> reads() const { return to; }
    DDLA_HD vec<T> writes() const { return to; }
    DDLA_HD T start(const T& own) const { return own; }
};

/// y += gamma_1 r_0 + sum gamma''_j r_j
template <class T>
struct add_to_solution : combine_l<T, 1> {
    using sum = void;
    static constexpr abilities has = {.reads = true, .writes = true};
    DDLA_HD static T next(const T& value, const T& c, const T& v) { return value + c * v; }
    DDLA_HD void operator()(index_t i, const T& value, const T&, const scalars<T>&) const
    {
        this->to.set(i, value);
    }
};

/// u_0 -= sum gamma_j u_j
template <class T>
struct take_from_direction : combine_l<T, 1> {
    using sum = void;
    static constexpr abilities has = {.reads = true, .writes = true};
    DDLA_HD static T next(const T& value, const T& c, const T& v) { return value - c * v; }
    DDLA_HD void operator()(index_t i, const T& value, const T&, const scalars<T>&) const
    {
        this->to.set(i, value);
    }
};

/// r_0 -= sum gamma'_j r_j
template <class T>
struct take_from_residual : step_of<T, 2> {
    static constexpr abilities has = {.reads = true, .writes = true};
    multivector<T> basis;
    const T* coefficient;
    struct element {
        T r, r0;
    };
    DDLA_HD static index_t count(const scalars<T>& q) { return q.l; }
    DDLA_HD auto reads() const { return fields<element>(this->all.r.vector(0), this->all.r0); }
    DDLA_HD vec<T> writes() const { return this->all.r.vector(0); }
    DDLA_HD T start(const element& own) const { return own.r; }
    DDLA_HD static T next(const T& value, const T& c, const T& v) { return value - c * v; }
    DDLA_HD sums<T, 2> operator()(index_t i, const T& r, const element& own,
                                  const scalars<T>&) const
    {
        this->all.r.vector(0).set(i, r);
        return {r * r, own.r0 * r};
    }
    DDLA_HD void finish(const sums<T, 2>& total, scalars<T>& q) const
    {
        const polynomial<T>& p = this->all.p;
        q.end_iteration(total.value[0], total.value[1], p.gamma[p.l - 1]);
    }
};

/// BiCGStab(l) as a program.  Memory: 2 l + 4 vectors; one more with a preconditioner.
template <class T, class K>
class solver {
public:
    static constexpr bool has_cycles = true;

    template <class Memory>
    solver(Memory& memory, const problem<T>& p, K k) : k_(k), scale_(p.scale)
    {
        const index_t n = p.b.size;
        const auto room = [&] { return memory.template room<T>(n); };
        shared = memory.template objects<scalars<T>>(1);
        w_.b = p.b, w_.x = p.x, w_.y = room(), w_.r0 = room();
        w_.hat = K::is_identity ? w_.y : room();
        w_.r = room_for_vectors<T>(memory, n, p.l + 1);
        w_.u = room_for_vectors<T>(memory, n, p.l + 1);
        w_.p = room_for_polynomial<T>(memory, p.l);
    }

    scalars<T>* shared;

    index_t cycle() const { return endless_cycle; }
    auto start() const { return program_of(of_x(), bicgstabl::start<T>{{step<2>()}}); }
    auto iteration() const
    {
        return program_of(for_each(0, l(), [&](index_t j) { return bicg_step(j); }),
                          for_each(1, l() + 1, [&](index_t j) { return orthogonal(j); }),
                          add_to_solution<T>{{step<1>(), w_.r, w_.p.of_solution, w_.y}},
                          take_from_direction<T>{{step<1>(), behind_first(w_.u), w_.p.gamma, u(0)}},
                          take_from_residual<T>{step<2>(), behind_first(w_.r), w_.p.least});
    }
    auto closing() const
    {
        return apart(k_, w_.y, w_.hat) +
               program_of(complete<T>{check_base()}, of_x(), check<T>{{check_base()}});
    }
    /// What the iterations moved that led to q.
    iteration_traffic moved(const scalars<T>& q) const
    {
        const auto one = traffic_of(iteration()), end = traffic_of(closing());
        const index_t of_bases = 3 * l(), times = std::max<index_t>(1, q.control.iterations);
        return {times * one.products + q.checks * end.products,
                times * (one.vectors + of_bases) + q.checks * end.vectors, times};
    }

private:
    index_t l() const { return w_.p.l; }
    vec<T> r(index_t i) const { return w_.r.vector(i); }
    vec<T> u(index_t i) const { return w_.u.vector(i); }
    multivector<T> behind_first(const multivector<T>& all) const
    {
        return {all.vector(1).word(0), all.size, all.count - 1, all.apart};
    }
    template <int Sums>
    step_of<T, Sums> step() const
    {
        return {{shared, w_, {}, scale_}};
    }
    check_of<T, 1> check_base() const { return {{shared, w_, {}, scale_}}; }
    apply<T> of_x() const { return {linear::system, w_.x, u(1)}; }
    /// out = A K^-1 in
    auto product(vec<T> in, vec<T> out) const
    {
        return apart(k_, in, w_.hat) +
               program_of(apply<T>{linear::system, K::is_identity ? in : w_.hat, out, scale_.a});
    }
    auto minus(vec<const T> a, factor c, vec<const T> v, vec<T> to) const
    {
        return program_of(subtract<T>{step<1>(), c, a, v, to});
    }
    auto bicg_step(index_t j) const
    {
        const auto direction = [&](index_t i) { return minus(r(i), factor::beta, u(i), u(i)); };
        const auto residual = [&](index_t i) { return minus(r(i), factor::alpha, u(i + 1), r(i)); };
        const auto next_beta = [&](index_t i) {
            return program_of(dot<T>{step<1>(), factor::beta, r(i), w_.r0});
        };
        return program_of(for_each(0, j + 1, direction)) + product(u(j), u(j + 1)) +
               program_of(dot<T>{step<1>(), factor::alpha, u(j + 1), w_.r0}, advance<T>{step<1>()},
                          for_each(1, j + 1, residual)) +
               product(r(j), r(j + 1)) +
               program_of(for_each(j + 1, std::min(j + 2, l()), next_beta));
    }
    auto orthogonal(index_t j) const
    {
        const auto to = [&](index_t i) {
            return program_of(dot<T>{step<1>(), factor::tau, r(j), r(i), i - 1, j - 1}) +
                   minus(r(j), factor::tau, r(i), r(j));
        };
        return program_of(for_each(1, j, to), measure<T>{step<2>(), j});
    }

    K k_;
    system_scale scale_;
    vectors<T> w_;
};

}  // namespace ddla::steps::bicgstabl
