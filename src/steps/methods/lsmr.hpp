// LSMR (Fong and Saunders, SIAM J. Sci. Comput. 33, 2011): least squares for any matrix, also
// rectangular or singular, by the bidiagonalisation of Golub and Kahan; |A^T r| never grows.  A
// program, written once for every backend and both precisions.
//
// An iteration; u has the rows of A, v, h, h_bar and x its columns:
//     u = A v - alpha u, beta = |u|, u /= beta;  v = A^T u - beta v, alpha = |v|, v /= alpha
//     h_bar = h - c1 h_bar, x += c2 h_bar, h = v - c3 h;  c1, c2, c3 from two rotations
// Claimed is |A^T r| <= tolerance |A| |r| or |r| <= tolerance |b|, by the recurrences; a claim is
// checked: r and A^T r are recomputed, and the solve begins anew from them if it was false.
//
// Memory traffic of an iteration: A once, A^T once, and 7 vectors of rows and 13 of columns.
#pragma once

#include "lsmr_scalars.hpp"
#include "steps/program.hpp"
#include "steps/residual.hpp"

namespace ddla::steps::lsmr {

/// of_rows: a product with A; of_columns: one with A^T.
template <class T>
struct vectors {
    vec<const T> b;
    vec<T> x, u, of_rows, v, h, h_bar, of_columns;
    double norm_a;  ///< of A as it is scaled
};

template <class T>
using step_of = working_step<T, scalars<T>, vectors<T>, 1>;
template <class T>
using check_of = checking_step<T, scalars<T>, vectors<T>, 1>;

/// u = b - A x, where of_rows is A x; residual2 keeps its square where |A^T r| is needed, too.
template <class T>
struct residual {
    DDLA_HD static vec<const T> product(const vectors<T>& w) { return w.of_rows; }
    DDLA_HD static vec<T> kept(const vectors<T>& w) { return w.u; }
    DDLA_HD static void keep(const vectors<T>& w, index_t i, T r) { w.u.set(i, r); }
    DDLA_HD static void begin(scalars<T>& q, const vectors<T>& w, T r2)
    {
        q.norm_a = T(w.norm_a);
        q.open(r2);
    }
    DDLA_HD static void judge(scalars<T>& q, const vectors<T>&, T r2) { q.residual2 = r2; }
};
template <class T>
using start = first_residual<T, residual<T>, working_step<T, scalars<T>, vectors<T>, 2>>;
template <class T>
using check = next_residual<T, residual<T>, check_of<T>>;

/// |A^T r|^2 of it, with which the solve begins anew or ends.
template <class T>
struct check_normal : check_of<T> {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true, .only_reads = true};
    index_t elements() const { return this->all.x.size; }
    DDLA_HD vec<const T> reads() const { return this->all.of_columns; }
    DDLA_HD auto writes() const { return fields<nothing>(); }
    DDLA_HD sums<T, 1> operator()(index_t, const T& own, const scalars<T>&) const
    {
        return {own * own};
    }
    DDLA_HD void finish(const sums<T, 1>& total, scalars<T>& q) const
    {
        if (q.judge_both(q.residual2, total.value[0])) q.open(q.residual2);
    }
};

/// u /= beta
template <class T>
struct normalise_u : step_of<T> {
    using sum = void;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    DDLA_HD vec<const T> reads() const { return this->all.u; }
    DDLA_HD vec<T> writes() const { return this->all.u; }
    DDLA_HD void operator()(index_t i, const T& u, const scalars<T>& q) const
    {
        this->all.u.set(i, u * q.inverse_beta);
    }
};

/// v = A^T u, alpha = |v|: the first one.
template <class T>
struct first_v : step_of<T> {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    index_t elements() const { return this->all.x.size; }
    DDLA_HD vec<const T> reads() const { return this->all.of_columns; }
    DDLA_HD vec<T> writes() const { return this->all.v; }
    DDLA_HD sums<T, 1> operator()(index_t i, const T& v, const scalars<T>&) const
    {
        this->all.v.set(i, v);
        return {v * v};
    }
    DDLA_HD void finish(const sums<T, 1>& total, scalars<T>& q) const
    {
        q.open_normal(total.value[0]);
    }
};

/// v /= alpha, h = v, h_bar = 0
template <class T>
struct first_directions : step_of<T> {
    using sum = void;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    index_t elements() const { return this->all.x.size; }
    DDLA_HD vec<const T> reads() const { return this->all.v; }
    DDLA_HD auto writes() const
    {
        return fields<nothing>(this->all.v, this->all.h, this->all.h_bar);
    }
    DDLA_HD void operator()(index_t i, const T& own, const scalars<T>& q) const
    {
        const T v = own * q.inverse_alpha;
        this->all.v.set(i, v);
        this->all.h.set(i, v);
        this->all.h_bar.set(i, T(0));
    }
};

/// u = A v - alpha u, beta = |u|
template <class T>
struct next_u : step_of<T> {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    struct element {
        T u, av;
    };
    DDLA_HD auto reads() const { return fields<element>(this->all.u, this->all.of_rows); }
    DDLA_HD vec<T> writes() const { return this->all.u; }
    DDLA_HD sums<T, 1> operator()(index_t i, const element& own, const scalars<T>& q) const
    {
        const T u = own.av - q.alpha * own.u;
        this->all.u.set(i, u);
        return {u * u};
    }
    DDLA_HD void finish(const sums<T, 1>& total, scalars<T>& q) const
    {
        q.next_beta(total.value[0]);
    }
};

/// v = A^T u - beta v, alpha = |v|
template <class T>
struct next_v : step_of<T> {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    struct element {
        T v, au;
    };
    index_t elements() const { return this->all.x.size; }
    DDLA_HD auto reads() const { return fields<element>(this->all.v, this->all.of_columns); }
    DDLA_HD vec<T> writes() const { return this->all.v; }
    DDLA_HD sums<T, 1> operator()(index_t i, const element& own, const scalars<T>& q) const
    {
        const T v = own.au - q.beta * own.v;
        this->all.v.set(i, v);
        return {v * v};
    }
    DDLA_HD void finish(const sums<T, 1>& total, scalars<T>& q) const
    {
        q.next_alpha(total.value[0]);
    }
};

/// h_bar, x and h
template <class T>
struct update : step_of<T> {
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    struct element {
        T v, h, h_bar, x;
    };
    index_t elements() const { return this->all.x.size; }
    DDLA_HD auto reads() const
    {
        const vectors<T>& w = this->all;
        return fields<element>(w.v, w.h, w.h_bar, w.x);
    }
    DDLA_HD auto writes() const
    {
        const vectors<T>& w = this->all;
        return fields<nothing>(w.v, w.h, w.h_bar, w.x);
    }
    DDLA_HD sums<T, 1> operator()(index_t i, const element& own, const scalars<T>& q) const
    {
        const vectors<T>& w = this->all;
        const T v = own.v * q.inverse_alpha, h_bar = own.h - q.of_h_bar * own.h_bar;
        w.v.set(i, v);
        w.h_bar.set(i, h_bar);
        w.x.set(i, own.x + times_power_of_two(q.of_x * h_bar, this->scale.x));
        w.h.set(i, v - q.of_h * own.h);
        return {T(0)};
    }
    DDLA_HD void finish(const sums<T, 1>&, scalars<T>& q) const { q.end_iteration(); }
};

/// LSMR as a program, without a preconditioner.  Memory: 2 vectors of rows, 4 of columns.
template <class T, class K>
class solver {
public:
    static constexpr bool has_cycles = true;

    template <class Memory>
    solver(Memory& memory, const problem<T>& p, K) : scale_(p.scale)
    {
        const index_t rows = p.b.size, columns = p.x.size;
        const auto room = [&](index_t n) { return memory.template room<T>(n); };
        shared = memory.template objects<scalars<T>>(1);
        w_ = {p.b,           p.x,           room(rows),    room(rows),          room(columns),
              room(columns), room(columns), room(columns), p.norm_a * p.scale.a};
    }

    scalars<T>* shared;

    index_t cycle() const { return endless_cycle; }
    auto start() const
    {
        return program_of(of_x(), lsmr::start<T>{{{{shared, w_, {}, scale_}}}}) + opening();
    }
    auto iteration() const
    {
        return program_of(apply<T>{linear::system, w_.v, w_.of_rows, scale_.a}, next_u<T>{step()},
                          normalise_u<T>{step()}, transposed(), next_v<T>{step()},
                          update<T>{step()});
    }
    auto closing() const
    {
        const check_of<T> base{{shared, w_, {}, scale_}};
        return program_of(of_x(), check<T>{{base}}, transposed(), check_normal<T>{base}) +
               opening();
    }
    /// What the iterations moved that led to q; its vectors count as vectors of rows.
    iteration_traffic moved(const scalars<T>& q) const
    {
        const auto one = traffic_of(iteration()), end = traffic_of(closing());
        const index_t times = std::max<index_t>(1, q.control.iterations);
        return {times * one.products + q.checks * end.products,
                times * one.vectors + q.checks * end.vectors, times};
    }

private:
    step_of<T> step() const { return {{shared, w_, {}, scale_}}; }
    apply<T> of_x() const { return {linear::system, w_.x, w_.of_rows}; }
    apply<T> transposed() const
    {
        return {linear::system_transposed, w_.u, w_.of_columns, scale_.a};
    }
    auto opening() const
    {
        return program_of(normalise_u<T>{step()}, transposed(), first_v<T>{step()},
                          first_directions<T>{step()});
    }

    system_scale scale_;
    vectors<T> w_;
};

}  // namespace ddla::steps::lsmr
