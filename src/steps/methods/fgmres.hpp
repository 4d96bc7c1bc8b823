// FGMRES(m) (Saad 1993, algorithm 2.2): GMRES with a preconditioner from the right that may change
// from iteration to iteration, restarted; classical Gram-Schmidt, twice (Giraud, Langou, Rozloznik
// and van den Eshof 2005).  A program, written once for every backend and both precisions.
//
// An iteration of a cycle, j = 0, 1, ...; at its begin v = v_j is the last vector of the basis V:
//     z = K^-1 v, w = A z                            and z_j = z
//     h = V^T w, w -= V h; g = V^T w, w -= V g;      column j of H is h + g, and below it |w|
//     rotations make H triangular, and |r| known     v_j+1 = w / |w|
// Its end, after m iterations or when the solve ends: x += Z y with R y = rotated |r0| e1, and the
// residual is recomputed from x.  Without a preconditioner Z is V.
//
// Memory traffic of iteration j: A once, and 4 (j + 1) + 11 vectors; with Jacobi 13, with another
// preconditioner 15.  Of the end of a cycle: A once, and at most m + 10 vectors, 12 with Jacobi.
#pragma once

#include "fgmres_scalars.hpp"
#include "steps/precondition/applied.hpp"
#include "steps/precondition/jacobi.hpp"
#include "steps/program.hpp"
#include "steps/residual.hpp"
#include "steps/solver_step.hpp"

namespace ddla::steps::fgmres {

/// v: what the preconditioner is applied to; z: what A is applied to, v itself without one.
template <class T>
struct vectors {
    vec<const T> b;
    vec<T> x, v, z, w;
    multivector<T> basis, directions;
    cycle_memory<T> cycle;
};

/// A step within a cycle.
template <class T, class K, int Sums>
struct inner_step : solver_step<T, scalars<T>, vectors<T>, K, Sums> {
    DDLA_HD static bool stopped(const scalars<T>& q) { return q.is_idle(); }
};
/// A step of its end.
template <class T, int Sums>
struct closing_step : solver_step<T, scalars<T>, vectors<T>, identity<T>, Sums> {
    DDLA_HD static bool stopped(const scalars<T>& q) { return q.closing == 0; }
};

/// w = b - A x, where w is A x.  That of a new x begins the next cycle or ends the solve.
template <class T>
struct residual {
    DDLA_HD static vec<const T> product(const vectors<T>& w) { return w.w; }
    DDLA_HD static vec<T> kept(const vectors<T>& w) { return w.w; }
    DDLA_HD static void keep(const vectors<T>& w, index_t i, T r) { w.w.set(i, r); }
    DDLA_HD static void begin(scalars<T>& q, const vectors<T>& w, T r2) { q.open(r2, w.cycle); }
    DDLA_HD static void judge(scalars<T>& q, const vectors<T>& w, T r2) { q.judge(r2, w.cycle); }
};
template <class T>
using start = first_residual<T, residual<T>, inner_step<T, identity<T>, 2>>;
template <class T>
using restart = next_residual<T, residual<T>, closing_step<T, 1>>;

/// v_j = w / |w|; K: fused_or_none
template <class T, class K>
struct normalise : inner_step<T, K, 1> {
    using sum = void;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    static constexpr bool fuses = !K::is_identity;
    static constexpr int columns = fuses ? 2 : 1;  ///< v_j, and z_j if it is known
    struct element {
        T w;
        [[no_unique_address]] typename normalise::own_of_k k;
    };
    DDLA_HD auto reads() const { return fields<element>(this->all.w, this->precondition.reads()); }
    DDLA_HD vec<T> writes() const { return fuses ? this->all.z : this->all.v; }
    DDLA_HD void operator()(index_t i, const element& own, const scalars<T>& q) const
    {
        const vectors<T>& w = this->all;
        const T v = own.w * q.inverse;
        w.basis.vector(q.j).set(i, v);
        if constexpr (fuses) {
            const T z = this->precondition(own.k, v);
            w.z.set(i, z);
            w.directions.vector(q.j).set(i, z);
        } else {
            w.v.set(i, v);
        }
    }
};

/// (v_k, w) for k <= j, w times a power of two.
template <class T>
struct project {
    using scalar = T;
    scalars<T>* shared;
    multivector<T> basis;
    vec<const T> with;
    double power;
    T* results;
    DDLA_HD static bool stopped(const scalars<T>& q) { return q.is_idle(); }
    DDLA_HD static index_t count(const scalars<T>& q) { return q.j + 1; }
};

/// w - sum over k of coefficient_k v_k
template <class T>
struct subtract : inner_step<T, identity<T>, 1> {
    multivector<T> basis;
    const T* coefficient;
    DDLA_HD static index_t count(const scalars<T>& q) { return q.j + 1; }
    DDLA_HD static T next(const T& value, const T& c, const T& v) { return value - c * v; }
    DDLA_HD vec<T> writes() const { return this->all.w; }
};

/// The first time, from w = A z, scaled; z_j is kept.  K: whole_or_none
template <class T, class K>
struct subtract_first : subtract<T> {
    using sum = void;
    static constexpr abilities has = {.reads = true, .writes = true};
    static constexpr bool keeps = !K::is_identity;
    static constexpr int columns = keeps ? 1 : 0;
    using kept = std::conditional_t<keeps, vec<const T>, decltype(fields<nothing>())>;
    struct element {
        T w;
        [[no_unique_address]] std::conditional_t<keeps, T, nothing> z;
    };
    DDLA_HD auto reads() const
    {
        if constexpr (keeps)
            return fields<element>(this->all.w, this->all.z);
        else
            return fields<element>(this->all.w, fields<nothing>());
    }
    DDLA_HD T start(const element& own) const { return times_power_of_two(own.w, this->scale.a); }
    DDLA_HD void operator()(index_t i, const T& value, const element& own,
                            const scalars<T>& q) const
    {
        this->all.w.set(i, value);
        if constexpr (keeps) this->all.directions.vector(q.j).set(i, own.z);
    }
};

/// The second time; then the column of H is known.
template <class T>
struct subtract_again : subtract<T> {
    static constexpr abilities has = {.reads = true, .writes = true};
    DDLA_HD vec<const T> reads() const { return this->all.w; }
    DDLA_HD T start(const T& w) const { return w; }
    DDLA_HD sums<T, 1> operator()(index_t i, const T& value, const T&, const scalars<T>&) const
    {
        this->all.w.set(i, value);
        return {value * value};
    }
    DDLA_HD void finish(const sums<T, 1>& total, scalars<T>& q) const
    {
        q.rotate(total.value[0], this->all.cycle);
    }
};

/// R y = g, over one element.
template <class T>
struct solve_triangle : closing_step<T, 1> {
    using sum = void;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {};
    DDLA_HD void operator()(index_t, const scalars<T>& q) const { this->all.cycle.solve(q.j); }
};

/// x += Z y
template <class T>
struct update : closing_step<T, 1> {
    using sum = void;
    static constexpr abilities has = {.reads = true, .writes = true};
    multivector<T> basis;
    const T* coefficient;
    DDLA_HD static index_t count(const scalars<T>& q) { return q.j; }
    DDLA_HD static T next(const T& value, const T& c, const T& z) { return value + c * z; }
    DDLA_HD auto reads() const { return vec<const T>(this->all.x); }
    DDLA_HD vec<T> writes() const { return this->all.x; }
    DDLA_HD T start(const T&) const { return T(0); }
    DDLA_HD void operator()(index_t i, const T& change, const T& x, const scalars<T>&) const
    {
        this->all.x.set(i, x + times_power_of_two(change, this->scale.x));
    }
};

/// FGMRES as a program.  Memory: m + 2 vectors; 2 m + 2 with Jacobi, 2 m + 3 with another
/// preconditioner; m = min(restart, n, iteration limit).
template <class T, class K>
class solver {
public:
    static constexpr bool has_cycles = true;

    template <class Memory>
    solver(Memory& memory, const problem<T>& p, K k) : k_(k), scale_(p.scale)
    {
        const index_t n = p.b.size, m = cycle_of(p);
        shared = memory.template objects<scalars<T>>(1);
        const auto room = [&] { return memory.template room<T>(n); };
        w_.b = p.b, w_.x = p.x, w_.w = room(), w_.z = room();
        w_.v = K::is_identity || K::fuses ? w_.z : room();
        w_.basis = room_for_vectors<T>(memory, n, m);
        w_.directions = K::is_identity ? w_.basis : room_for_vectors<T>(memory, n, m);
        w_.cycle = room_for_cycle<T>(memory, m);
    }

    scalars<T>* shared;

    /// Iterations of a cycle.
    index_t cycle() const { return w_.basis.count; }
    auto start() const { return program_of(product(w_.x), fgmres::start<T>{{inner<2>()}}, next()); }
    auto iteration() const
    {
        return preconditioned<K>(w_.v, w_.z) +
               program_of(
                   product(w_.z), project<T>{shared, w_.basis, w_.w, scale_.a, w_.cycle.first},
                   subtract_first<T, whole_or_none<T, K>>{{inner<1>(), w_.basis, w_.cycle.first}},
                   project<T>{shared, w_.basis, w_.w, 1, w_.cycle.second},
                   subtract_again<T>{{inner<1>(), w_.basis, w_.cycle.second}}, next());
    }
    auto closing() const
    {
        return program_of(once{solve_triangle<T>{closing_base()}},
                          update<T>{closing_base(), w_.directions, w_.cycle.y}, product(w_.x),
                          restart<T>{{closing_base()}}, next());
    }
    /// What the iterations moved that led to q.
    iteration_traffic moved(const scalars<T>& q) const
    {
        const auto fixed = traffic_of(iteration()), end = traffic_of(closing());
        const index_t of_next = traffic_of(program_of(next())).vectors;
        if (q.control.iterations == 0) return {1, fixed.vectors + 4, 1};
        return {q.control.iterations * fixed.products + q.cycles * end.products,
                q.control.iterations * (fixed.vectors - of_next) +
                    q.cycles * (end.vectors - of_next) + (q.normalised - 1) * of_next +
                    q.basis_vectors,
                q.control.iterations};
    }

private:
    static index_t cycle_of(const problem<T>& p)
    {
        const index_t longest = std::max<index_t>(1, std::min(p.size(), p.max_iterations));
        return std::clamp<index_t>(p.restart, 1, longest);
    }
    template <int Sums>
    inner_step<T, identity<T>, Sums> inner() const
    {
        return {{shared, w_, {}, scale_}};
    }
    closing_step<T, 1> closing_base() const { return {{shared, w_, {}, scale_}}; }
    apply<T> product(vec<const T> in) const { return {linear::system, in, w_.w}; }
    normalise<T, fused_or_none<T, K>> next() const
    {
        return {{{shared, w_, if_fused<T>(k_), scale_}}};
    }

    K k_;
    system_scale scale_;
    vectors<T> w_;
};

}  // namespace ddla::steps::fgmres
