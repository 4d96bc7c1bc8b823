// BiCGStab (van der Vorst, SIAM J. Sci. Stat. Comput. 13, 1992), preconditioned from the right,
// written once for every backend and both precisions.
//
// Five sweeps an iteration; `finish` of each computes the next scalars where the data is.  Memory
// traffic of an iteration: A twice, and 19 vectors read or written (apply p 3, half step 3, apply s
// 2, full step 7, next direction 4); with Jacobi 25 (3, 5, 3, 8, 6).  Each step lists its vectors
// (fields.hpp); tests compare these lists, and the numbers above, with the accesses that steps
// make. The same method from BLAS calls takes about 29.  Where a product is a kernel of its own
// (step.hpp), v is read again, and so are t and s, unless the product leaves sums of tiles.
#pragma once

#include "steps/precondition/applied.hpp"
#include "steps/precondition/jacobi.hpp"
#include "steps/program.hpp"
#include "steps/solver_step.hpp"

namespace ddla::steps::bicgstab {

template <class T>
struct scalars {
    steps::control<T> control;
    T rho, alpha, omega, beta;
    T alpha_by_omega;

    /// rho of a new residual; beta is `weight` times what it became of the last one.
    DDLA_HD void weigh(T next, T weight)
    {
        control.require_finite(next, named_scalar::rho);
        control.require_nonzero(next, named_scalar::rho);
        beta = (next / rho) * weight;
        rho = next;
        control.respect_limit();
    }
};

/// p_hat = K^-1 p and s_hat = K^-1 s; without a preconditioner they are p and s themselves.
template <class T>
struct vectors {
    vec<const T> b;
    vec<T> x, r, r0, p, v, s, t, p_hat, s_hat;

    /// f(v, lasts) for each vector of an iteration; f may move it to other memory.  It lasts if the
    /// next iteration or the caller reads it.
    template <class K, class F>
    DDLA_HD void each_private(F& f)
    {
        f(x, true), f(r, true), f(r0, true), f(p, true), f(v, false), f(s, false), f(t, false);
        if constexpr (K::is_identity)
            p_hat = p, s_hat = s;
        else
            f(p_hat, true), f(s_hat, false);
    }
};

template <class T, class K, int Sums>
using shared_step = solver_step<T, scalars<T>, vectors<T>, K, Sums>;

// K of a step below is what the step asks of the preconditioner: fused_or_none, or any_or_none in
// full_step.

/// K^-1 v where it is a vector of its own; without a preconditioner it is v, and this nothing.
template <class K, class T>
DDLA_HD auto if_apart(vec<T> hat)
{
    if constexpr (K::is_identity)
        return fields<nothing>();
    else
        return hat;
}

/// Whether K^-1 v is written by the sweep that writes v.
template <class K>
inline constexpr bool in_sweep = !K::is_identity && K::fuses;
template <class K, class T>
DDLA_HD auto if_in_sweep(vec<T> hat)
{
    if constexpr (in_sweep<K>)
        return hat;
    else
        return fields<nothing>();
}

/// r = r0 = p = b - A x, scaled
template <class T, class K>
struct start : shared_step<T, K, 2> {
    static constexpr over sweeps = over::rows;
    static constexpr abilities has = {.reads = true, .room = true};
    vec<const T> operand;
    struct element {
        T b;
        [[no_unique_address]] typename start::own_of_k k;
    };
    DDLA_HD auto reads() const { return fields<element>(this->all.b, this->precondition.reads()); }
    DDLA_HD vec<T> room() const { return this->all.r; }
    DDLA_HD sums<T, 2> operator()(index_t i, T ax, const element& own, const scalars<T>&) const
    {
        const vectors<T>& w = this->all;
        const T b = times_power_of_two(own.b, this->scale.b);
        const T r = times_power_of_two(own.b - ax, this->scale.b);
        w.r.set(i, r);
        w.r0.set(i, r);
        w.p.set(i, r);
        if constexpr (in_sweep<K>) w.p_hat.set(i, this->precondition(own.k, r));
        return {r * r, b * b};
    }
    DDLA_HD void finish(const sums<T, 2>& total, scalars<T>& q) const
    {
        q.rho = total.value[0];
        q.control.begin(total.value[0], total.value[1]);
        q.control.respect_limit();
    }
};

/// v = A p_hat, alpha = rho / (r0, v)
template <class T>
struct apply_p : shared_step<T, identity<T>, 1> {
    static constexpr over sweeps = over::rows;
    static constexpr abilities has = {.reads = true, .writes = true, .product = true};
    vec<const T> operand;
    DDLA_HD vec<const T> reads() const { return this->all.r0; }
    DDLA_HD auto writes() const { return product_vector(); }
    DDLA_HD vec<T> product_vector() const { return this->all.v; }
    DDLA_HD double power() const { return this->scale.a; }
    DDLA_HD sums<T, 1> operator()(index_t i, T ap, T r0_i, const scalars<T>&) const
    {
        const T v = times_power_of_two(ap, power());
        product_vector().set(i, v);
        return dots_of_product<1>(v, r0_i);
    }
    DDLA_HD void finish(const sums<T, 1>& total, scalars<T>& q) const
    {
        const T r0_v = total.value[0];
        q.control.require_finite(r0_v, named_scalar::r0_v);
        q.control.require_nonzero(r0_v, named_scalar::r0_v);
        q.alpha = q.rho / r0_v;
        q.control.require_finite(q.alpha, named_scalar::alpha);
    }
};

/// s = r - alpha v
template <class T, class K>
struct half_step : shared_step<T, K, 1> {
    using sum = void;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    struct element {
        T r, v;
        [[no_unique_address]] typename half_step::own_of_k k;
    };
    DDLA_HD auto reads() const
    {
        return fields<element>(this->all.r, this->all.v, this->precondition.reads());
    }
    DDLA_HD auto writes() const
    {
        return fields<nothing>(this->all.s, if_in_sweep<K>(this->all.s_hat));
    }
    DDLA_HD void operator()(index_t i, const element& own, const scalars<T>& q) const
    {
        const vectors<T>& w = this->all;
        const T s = own.r - q.alpha * own.v;
        w.s.set(i, s);
        if constexpr (in_sweep<K>) w.s_hat.set(i, this->precondition(own.k, s));
    }
};

/// t = A s_hat, omega = (t, s) / (t, t)
template <class T>
struct apply_s : shared_step<T, identity<T>, 2> {
    static constexpr over sweeps = over::rows;
    static constexpr abilities has = {.reads = true, .writes = true, .product = true};
    vec<const T> operand;
    DDLA_HD vec<const T> reads() const { return this->all.s; }
    DDLA_HD auto writes() const { return product_vector(); }
    DDLA_HD vec<T> product_vector() const { return this->all.t; }
    DDLA_HD double power() const { return this->scale.a; }
    DDLA_HD sums<T, 2> operator()(index_t i, T as, T s_i, const scalars<T>&) const
    {
        const T t = times_power_of_two(as, power());
        product_vector().set(i, t);
        return dots_of_product<2>(t, s_i);
    }
    DDLA_HD void finish(const sums<T, 2>& total, scalars<T>& q) const
    {
        // t = 0: either s = 0 and x + alpha p_hat is the answer, or A is singular.  With omega = 0
        // the full step takes x there, and only then does omega = 0 end the solve.
        const bool vanished = total.value[1] == T(0);
        q.control.require_finite(total.value[1], named_scalar::omega);
        q.omega = vanished ? T(0) : total.value[0] / total.value[1];
        q.control.require_finite(q.omega, named_scalar::omega);
    }
};

/// x += alpha p_hat + omega s_hat, r = s - omega t, beta = (rho' / rho) (alpha / omega)
template <class T, class K>
struct full_step : shared_step<T, K, 2> {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true, .prepare = true};
    struct element {
        T p_hat, s, t, x, r0;
        [[no_unique_address]] std::conditional_t<K::is_identity, nothing, T> s_hat;
    };
    DDLA_HD auto reads() const
    {
        const vectors<T>& w = this->all;
        return fields<element>(w.p_hat, w.s, w.t, w.x, w.r0, if_apart<K>(w.s_hat));
    }
    DDLA_HD auto writes() const { return fields<nothing>(this->all.x, this->all.r); }
    DDLA_HD sums<T, 2> operator()(index_t i, const element& own, const scalars<T>& q) const
    {
        const vectors<T>& w = this->all;
        T s_hat = own.s;
        if constexpr (!K::is_identity) s_hat = own.s_hat;
        const T change = q.alpha * own.p_hat + q.omega * s_hat;
        const T r = own.s - q.omega * own.t;
        w.x.set(i, own.x + times_power_of_two(change, this->scale.x));
        w.r.set(i, r);
        return {own.r0 * r, r * r};
    }
    /// Before the sum is known: a division takes as long as half a sweep of a small system.
    DDLA_HD void prepare(scalars<T>& q) const { q.alpha_by_omega = q.alpha / q.omega; }
    DDLA_HD void finish(const sums<T, 2>& total, scalars<T>& q) const
    {
        q.control.advance(total.value[1]);
        q.control.require_nonzero(q.omega, named_scalar::omega);
        q.weigh(total.value[0], q.alpha_by_omega);
    }
};

/// p = r + beta (p - omega v)
template <class T, class K>
struct next_direction : shared_step<T, K, 1> {
    using sum = void;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    struct element {
        T r, p, v;
        [[no_unique_address]] typename next_direction::own_of_k k;
    };
    DDLA_HD auto reads() const
    {
        const vectors<T>& w = this->all;
        return fields<element>(w.r, w.p, w.v, this->precondition.reads());
    }
    DDLA_HD auto writes() const
    {
        return fields<nothing>(this->all.p, if_in_sweep<K>(this->all.p_hat));
    }
    DDLA_HD void operator()(index_t i, const element& own, const scalars<T>& q) const
    {
        const vectors<T>& w = this->all;
        const T p = own.r + q.beta * (own.p - q.omega * own.v);
        w.p.set(i, p);
        if constexpr (in_sweep<K>) w.p_hat.set(i, this->precondition(own.k, p));
    }
};

/// rho and beta of another r: the search goes on (Sleijpen and van der Vorst, Computing 56, 1996).
template <class T>
struct renew : shared_step<T, identity<T>, 2> {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    struct element {
        T r, r0;
    };
    DDLA_HD auto reads() const { return fields<element>(this->all.r, this->all.r0); }
    DDLA_HD auto writes() const { return fields<nothing>(); }
    DDLA_HD sums<T, 2> operator()(index_t, const element& own, const scalars<T>&) const
    {
        return {own.r0 * own.r, own.r * own.r};
    }
    DDLA_HD void finish(const sums<T, 2>& total, scalars<T>& q) const
    {
        q.control.renew(total.value[1]);
        q.weigh(total.value[0], q.beta);
    }
};

template <class T, class K>
auto starting(scalars<T>* shared, const vectors<T>& w, K k, system_scale scale)
{
    return start<T, fused_or_none<T, K>>{{shared, w, if_fused<T>(k), scale}, w.x};
}

template <class T, class K>
auto iteration(scalars<T>* shared, const vectors<T>& w, K k, system_scale scale)
{
    using fused = fused_or_none<T, K>;
    const fused f = if_fused<T>(k);
    return in_order(apply_p<T>{{shared, w, {}, scale}, w.p_hat},
                    half_step<T, fused>{{shared, w, f, scale}},
                    apply_s<T>{{shared, w, {}, scale}, w.s_hat},
                    full_step<T, any_or_none<T, K>>{{shared, w, {}, scale}},
                    next_direction<T, fused>{{shared, w, f, scale}});
}

/// BiCGStab as a program, for maps that are no matrix: the same steps, a sweep each.
template <class T, class K>
class solver {
public:
    static constexpr bool has_cycles = false;
    template <class Memory>
    solver(Memory& memory, const problem<T>& p, K k) : k_(k), scale_(p.scale)
    {
        const auto room = [&] { return memory.template room<T>(p.b.size); };
        w_ = {p.b, p.x, room(), room(), room(), room(), room(), room(), {}, {}};
        w_.p_hat = K::is_identity ? w_.p : room();
        w_.s_hat = K::is_identity ? w_.s : room();
        shared = memory.template objects<scalars<T>>(1);
    }

    scalars<T>* shared;

    auto start() const
    {
        return program_of(apply<T>{linear::system, w_.x, w_.r},
                          after_product{starting(shared, w_, k_, scale_), w_.r}) +
               preconditioned<K>(w_.p, w_.p_hat);
    }
    auto iteration() const
    {
        const auto [v, s, t, x, p] = bicgstab::iteration(shared, w_, k_, scale_).steps;
        return product_and_sums(v) + program_of(s) + preconditioned<K>(w_.s, w_.s_hat) +
               product_and_sums(t) + program_of(x, p) + preconditioned<K>(w_.p, w_.p_hat);
    }
    iteration_traffic moved(const scalars<T>&) const { return traffic_of(iteration()); }

    vec<T> residual() const { return w_.r; }
    double scale_of_residual() const { return scale_.b; }
    /// From another residual to the next direction.
    auto renewed() const requires(!K::fuses)
    {
        return program_of(renew<T>{{shared, w_, {}, scale_}},
                          next_direction<T, identity<T>>{{shared, w_, {}, scale_}}) +
               preconditioned<K>(w_.p, w_.p_hat);
    }

private:
    K k_;
    system_scale scale_;
    vectors<T> w_;
};

}  // namespace ddla::steps::bicgstab
