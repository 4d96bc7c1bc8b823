// The conjugate gradient method (Hestenes and Stiefel 1952), preconditioned, for symmetric positive
// definite matrices; written once for every backend and both precisions.
//
// Three sweeps an iteration.  Memory traffic of an iteration: A once, and 11 vectors read or
// written (apply p 2, update 6, next direction 3); with Jacobi 13 (2, 7, 4).
#pragma once

#include "steps/precondition/jacobi.hpp"
#include "steps/program.hpp"
#include "steps/solver_step.hpp"

namespace ddla::steps::cg {

template <class T>
struct scalars {
    steps::control<T> control;
    T rho, alpha, beta;

    /// rho = (r, K^-1 r) of the start, ...
    DDLA_HD void begin(T first)
    {
        rho = first;
        control.require_finite(rho, named_scalar::rho);
        control.require_nonzero(rho, named_scalar::rho);
        control.respect_limit();
    }
    /// ... and of an iteration.
    DDLA_HD void advance(T next)
    {
        control.require_finite(next, named_scalar::rho);
        control.require_nonzero(next, named_scalar::rho);
        beta = next / rho;
        rho = next;
        control.respect_limit();
    }
};

template <class T>
struct vectors {
    vec<const T> b;
    vec<T> x, r, p, v;

    /// As in BiCGStab.
    template <class K, class F>
    DDLA_HD void each_private(F& f)
    {
        f(x, true), f(r, true), f(p, true), f(v, false);
    }
};

template <class T, class K, int Sums>
using shared_step = solver_step<T, scalars<T>, vectors<T>, K, Sums>;

/// r = b - A x, scaled; p = K^-1 r, rho = (r, K^-1 r)
template <class T, class K>
struct start : shared_step<T, K, 3> {
    static constexpr over sweeps = over::rows;
    static constexpr abilities has = {.reads = true, .room = true};
    vec<const T> operand;
    struct element {
        T b;
        [[no_unique_address]] typename start::own_of_k k;
    };
    DDLA_HD auto reads() const { return fields<element>(this->all.b, this->precondition.reads()); }
    DDLA_HD vec<T> room() const { return this->all.r; }
    DDLA_HD sums<T, 3> operator()(index_t i, T ax, const element& own, const scalars<T>&) const
    {
        const vectors<T>& w = this->all;
        const T b = times_power_of_two(own.b, this->scale.b);
        const T r = times_power_of_two(own.b - ax, this->scale.b);
        const T z = this->precondition(own.k, r);
        w.r.set(i, r);
        w.p.set(i, z);
        return {r * z, r * r, b * b};
    }
    DDLA_HD void finish(const sums<T, 3>& total, scalars<T>& q) const
    {
        q.control.begin(total.value[1], total.value[2]);
        q.begin(total.value[0]);
    }
};

/// v = A p, alpha = rho / (p, v)
template <class T>
struct apply_p : shared_step<T, identity<T>, 1> {
    static constexpr over sweeps = over::rows;
    static constexpr abilities has = {.reads = true, .writes = true, .product = true};
    vec<const T> operand;
    DDLA_HD vec<const T> reads() const { return this->all.p; }
    DDLA_HD auto writes() const { return product_vector(); }
    DDLA_HD vec<T> product_vector() const { return this->all.v; }
    DDLA_HD double power() const { return 1; }
    DDLA_HD sums<T, 1> operator()(index_t i, T ap, T p_i, const scalars<T>&) const
    {
        product_vector().set(i, ap);
        return dots_of_product<1>(ap, p_i);
    }
    DDLA_HD void finish(const sums<T, 1>& total, scalars<T>& q) const
    {
        const T p_ap = total.value[0];
        q.control.require_finite(p_ap, named_scalar::p_ap);
        q.control.require_nonzero(p_ap, named_scalar::p_ap);
        q.alpha = q.rho / p_ap;
        q.control.require_finite(q.alpha, named_scalar::alpha);
    }
};

/// x += alpha p, r -= alpha v, beta = rho' / rho; rho = (r, K^-1 r) is |r|^2 without a
/// preconditioner
template <class T, class K>
struct update : shared_step<T, K, K::is_identity ? 1 : 2> {
    using sum = typename update::solver_step::sum;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    struct element {
        T x, p, v, r;
        [[no_unique_address]] typename update::own_of_k k;
    };
    DDLA_HD auto reads() const
    {
        const vectors<T>& w = this->all;
        return fields<element>(w.x, w.p, w.v, w.r, this->precondition.reads());
    }
    DDLA_HD auto writes() const { return fields<nothing>(this->all.x, this->all.r); }
    DDLA_HD sum operator()(index_t i, const element& own, const scalars<T>& q) const
    {
        const vectors<T>& w = this->all;
        const T r = own.r - q.alpha * own.v;
        w.x.set(i, own.x + times_power_of_two(q.alpha * own.p, this->scale.x));
        w.r.set(i, r);
        if constexpr (K::is_identity)
            return {r * r};
        else
            return {r * this->precondition(own.k, r), r * r};
    }
    DDLA_HD void finish(const sum& total, scalars<T>& q) const
    {
        q.control.advance(total.value[sum::count - 1]);
        q.advance(total.value[0]);
    }
};

/// p = K^-1 r + beta p
template <class T, class K>
struct next_direction : shared_step<T, K, 1> {
    using sum = void;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    struct element {
        T r, p;
        [[no_unique_address]] typename next_direction::own_of_k k;
    };
    DDLA_HD auto reads() const
    {
        return fields<element>(this->all.r, this->all.p, this->precondition.reads());
    }
    DDLA_HD auto writes() const { return this->all.p; }
    DDLA_HD void operator()(index_t i, const element& own, const scalars<T>& q) const
    {
        this->all.p.set(i, this->precondition(own.k, own.r) + q.beta * own.p);
    }
};

template <class T, class K>
start<T, K> starting(scalars<T>* shared, const vectors<T>& w, K k, system_scale scale)
{
    return {{shared, w, k, scale}, w.x};
}

template <class T, class K>
auto iteration(scalars<T>* shared, const vectors<T>& w, K k, system_scale scale)
{
    return in_order(apply_p<T>{{shared, w, {}, scale}, w.p}, update<T, K>{{shared, w, k, scale}},
                    next_direction<T, K>{{shared, w, k, scale}});
}

// With a preconditioner that is applied to whole vectors, z = K^-1 r is a part of its own between
// the residual and (r, z).

template <class T, int Sums>
using plain_step = shared_step<T, identity<T>, Sums>;

/// r = b - A x, scaled, where r is A x
template <class T>
struct start_residual : plain_step<T, 2> {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    struct element {
        T b, ax;
    };
    DDLA_HD auto reads() const { return fields<element>(this->all.b, this->all.r); }
    DDLA_HD vec<T> writes() const { return this->all.r; }
    DDLA_HD sums<T, 2> operator()(index_t i, const element& own, const scalars<T>&) const
    {
        const T b = times_power_of_two(own.b, this->scale.b);
        const T r = times_power_of_two(own.b - own.ax, this->scale.b);
        this->all.r.set(i, r);
        return {r * r, b * b};
    }
    DDLA_HD void finish(const sums<T, 2>& total, scalars<T>& q) const
    {
        q.control.begin(total.value[0], total.value[1]);
    }
};

/// p = z, rho = (r, z)
template <class T>
struct first_direction : plain_step<T, 1> {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    vec<const T> z;
    struct element {
        T r, z;
    };
    DDLA_HD auto reads() const { return fields<element>(this->all.r, z); }
    DDLA_HD vec<T> writes() const { return this->all.p; }
    DDLA_HD sums<T, 1> operator()(index_t i, const element& own, const scalars<T>&) const
    {
        this->all.p.set(i, own.z);
        return {own.r * own.z};
    }
    DDLA_HD void finish(const sums<T, 1>& total, scalars<T>& q) const { q.begin(total.value[0]); }
};

/// x += alpha p, r -= alpha v
template <class T>
struct update_residual : update<T, identity<T>> {
    DDLA_HD void finish(const sums<T, 1>& total, scalars<T>& q) const
    {
        q.control.advance(total.value[0]);
    }
};

/// Another r; the search goes on.
template <class T>
struct renew : plain_step<T, 1> {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    DDLA_HD auto reads() const { return this->all.r; }
    DDLA_HD auto writes() const { return fields<nothing>(); }
    DDLA_HD sums<T, 1> operator()(index_t, T r, const scalars<T>&) const { return {r * r}; }
    DDLA_HD void finish(const sums<T, 1>& total, scalars<T>& q) const
    {
        q.control.renew(total.value[0]);
        q.control.respect_limit();
    }
};

/// beta = rho' / rho, rho = (r, z)
template <class T>
struct weigh : plain_step<T, 1> {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    vec<const T> z;
    struct element {
        T r, z;
    };
    DDLA_HD auto reads() const { return fields<element>(this->all.r, z); }
    DDLA_HD auto writes() const { return fields<nothing>(); }
    DDLA_HD sums<T, 1> operator()(index_t, const element& own, const scalars<T>&) const
    {
        return {own.r * own.z};
    }
    DDLA_HD void finish(const sums<T, 1>& total, scalars<T>& q) const { q.advance(total.value[0]); }
};

/// p = z + beta p
template <class T>
struct direction_of : plain_step<T, 1> {
    using sum = void;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    vec<const T> z;
    struct element {
        T z, p;
    };
    DDLA_HD auto reads() const { return fields<element>(z, this->all.p); }
    DDLA_HD vec<T> writes() const { return this->all.p; }
    DDLA_HD void operator()(index_t i, const element& own, const scalars<T>& q) const
    {
        this->all.p.set(i, own.z + q.beta * own.p);
    }
};

/// CG as a program, for maps that are no matrix, and for all preconditioners.
template <class T, class K>
class solver {
public:
    static constexpr bool has_cycles = false;
    template <class Memory>
    solver(Memory& memory, const problem<T>& p, K k) : k_(k), scale_(p.scale)
    {
        const auto room = [&] { return memory.template room<T>(p.b.size); };
        w_ = {p.b, p.x, room(), room(), room()};
        if (!K::fuses) z_ = room();
        shared = memory.template objects<scalars<T>>(1);
    }

    scalars<T>* shared;

    auto start() const
    {
        const apply<T> product{linear::system, w_.x, w_.r};
        if constexpr (K::fuses)
            return program_of(
                product, after_product<cg::start<T, K>>{starting(shared, w_, k_, scale_), w_.r});
        else
            return program_of(product, start_residual<T>{plain<2>()}) +
                   preconditioned<K>(w_.r, z_) + program_of(first_direction<T>{plain<1>(), z_});
    }
    auto iteration() const
    {
        if constexpr (K::fuses) {
            const auto [v, x, p] = cg::iteration(shared, w_, k_, scale_).steps;
            return product_and_sums(v) + program_of(x, p);
        } else {
            const auto v = std::get<0>(cg::iteration(shared, w_, identity<T>{}, scale_).steps);
            return product_and_sums(v) + program_of(update_residual<T>{{plain<1>()}}) +
                   to_next_direction();
        }
    }
    iteration_traffic moved(const scalars<T>&) const { return traffic_of(iteration()); }

    vec<T> residual() const { return w_.r; }
    double scale_of_residual() const { return scale_.b; }
    /// From another residual to the next direction.
    auto renewed() const requires(!K::fuses)
    {
        return program_of(renew<T>{plain<1>()}) + to_next_direction();
    }

private:
    auto to_next_direction() const
    {
        return preconditioned<K>(w_.r, z_) +
               program_of(weigh<T>{plain<1>(), z_}, direction_of<T>{plain<1>(), z_});
    }
    template <int Sums>
    plain_step<T, Sums> plain() const
    {
        return {shared, w_, {}, scale_};
    }

    K k_;
    system_scale scale_;
    vectors<T> w_;
    vec<T> z_;
};

}  // namespace ddla::steps::cg
