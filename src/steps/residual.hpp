// The residual of x, with which a program begins, begins anew or ends: steps that methods share.
//
// What a method does with it is a type of the method, all static:
//     product(all)            the vector that holds A x
//     kept(all)               the vectors that keep(all, i, r) writes
//     keep(all, i, r)         r = element i of b - A x, scaled
//     begin(q, all, r2)       the |r|^2 of the guess, which the control has
//     judge(q, all, r2)       the |r|^2 of a new x
#pragma once

#include "solver_step.hpp"

namespace ddla::steps {

template <class T, class Method, class Base>
struct residual_of : Base {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    struct element {
        T b, ax;
    };
    DDLA_HD auto reads() const { return fields<element>(this->all.b, Method::product(this->all)); }
    DDLA_HD auto writes() const { return Method::kept(this->all); }
    /// Keeps element i of the residual, and returns it.
    DDLA_HD T leave(index_t i, const element& own) const
    {
        const T r = times_power_of_two(own.b - own.ax, this->scale.b);
        Method::keep(this->all, i, r);
        return r;
    }
};

/// The residual of the guess.  Base has two sums.
template <class T, class Method, class Base>
struct first_residual : residual_of<T, Method, Base> {
    using element = typename first_residual::residual_of::element;
    template <class Scalars>
    DDLA_HD sums<T, 2> operator()(index_t i, const element& own, const Scalars&) const
    {
        const T r = this->leave(i, own), b = times_power_of_two(own.b, this->scale.b);
        return {r * r, b * b};
    }
    template <class Scalars>
    DDLA_HD void finish(const sums<T, 2>& total, Scalars& q) const
    {
        q.control.begin(total.value[0], total.value[1]);
        q.control.respect_limit();
        Method::begin(q, this->all, total.value[0]);
    }
};

/// The residual of a new x.  Base has one sum.
template <class T, class Method, class Base>
struct next_residual : residual_of<T, Method, Base> {
    using element = typename next_residual::residual_of::element;
    template <class Scalars>
    DDLA_HD sums<T, 1> operator()(index_t i, const element& own, const Scalars&) const
    {
        const T r = this->leave(i, own);
        return {r * r};
    }
    template <class Scalars>
    DDLA_HD void finish(const sums<T, 1>& total, Scalars& q) const
    {
        Method::judge(q, this->all, total.value[0]);
    }
};

}  // namespace ddla::steps
