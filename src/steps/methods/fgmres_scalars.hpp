// The scalars of FGMRES: the Hessenberg matrix of a cycle, made triangular by rotations column by
// column, and how a cycle and the solve end.
#pragma once

#include "claims.hpp"

namespace ddla::steps::fgmres {

/// Numbers of one cycle of m iterations, at the place; only `finish` functions and steps over one
/// element write them, but for `first` and `second`.
template <class T>
struct cycle_memory {
    index_t m;
    T *first, *second;  ///< the two parts of a column of H above its diagonal and on it; m each
    T* triangle;        ///< R, column by column; m (m + 1) / 2
    T *cosine, *sine;   ///< of the rotations; m each
    T* rotated;         ///< |r0| e1, rotated; m + 1
    T* y;               ///< m

    /// The j + 1 numbers of column j of R.
    DDLA_HD T* column(index_t j) const { return triangle + j * (j + 1) / 2; }

    /// R y = rotated, for the first j columns; sums in ascending order of columns.
    DDLA_HD void solve(index_t j) const
    {
        for (index_t k = j; k-- > 0;) {
            T sum = rotated[k];
            for (index_t l = k + 1; l < j; ++l) sum = sum - column(l)[k] * y[l];
            y[k] = sum / column(k)[k];
        }
    }
};

template <class T, class Memory>
cycle_memory<T> room_for_cycle(Memory& memory, index_t m)
{
    T* next = memory.template objects<T>(m * (m + 1) / 2 + 6 * m + 1);
    const auto take = [&](index_t count) {
        T* const mine = next;
        next += count;
        return mine;
    };
    return {m, take(m), take(m), take(m * (m + 1) / 2), take(m), take(m), take(m + 1), take(m)};
}

template <class T>
struct scalars {
    steps::control<T> control;
    T inverse;           ///< 1 over the norm of the next basis vector before it is normalised
    T residual2_before;  ///< |r|^2 where the cycle began
    index_t j;           ///< columns of R that are there; the basis has one vector more
    index_t closing;     ///< 1 where the cycle has ended and x does not have it yet, else 0
    // What was moved beside the fixed parts of iterations.
    index_t cycles, normalised, basis_vectors;

    DDLA_HD bool is_idle() const { return control.stopped() || closing != 0; }

    /// Begin a cycle with |r|^2, unless the solve has ended.
    DDLA_HD void open(T residual2, const cycle_memory<T>& c)
    {
        using std::sqrt;
        j = 0;
        closing = 0;
        if (control.stopped()) return;
        residual2_before = residual2;
        const T norm = sqrt(residual2);
        inverse = T(1) / norm;
        c.rotated[0] = norm;
        ++normalised;
    }
    /// End the cycle here, as x is wanted.
    DDLA_HD void close() { closing = j > 0; }

    /// Column j of H is first + second and below it the root of `below2`: make it triangular.
    DDLA_HD void rotate(T below2, const cycle_memory<T>& c)
    {
        using std::sqrt;
        basis_vectors += 4 * (j + 1);
        append_column(below2, c);
        closing = control.stopped() || j == c.m;
        normalised += closing == 0;
    }

    /// |r|^2 of the x that the cycle has led to.
    DDLA_HD void judge(T residual2, const cycle_memory<T>& c)
    {
        closing = 0;
        ++cycles;
        basis_vectors += j;
        if (goes_on(control, residual2, residual2_before)) open(residual2, c);
    }

private:
    DDLA_HD void append_column(T below2, const cycle_memory<T>& c)
    {
        using std::sqrt;
        T* const column = c.column(j);
        T last = c.first[0] + c.second[0];
        for (index_t i = 0; i < j; ++i) {
            const T next = c.first[i + 1] + c.second[i + 1];
            column[i] = c.cosine[i] * last + c.sine[i] * next;
            last = c.cosine[i] * next - c.sine[i] * last;
        }
        const T length = sqrt(last * last + below2), below = sqrt(below2);
        control.require_finite(length, named_scalar::h);
        control.require_nonzero(length, named_scalar::r_jj);
        if (control.stopped()) return;
        column[j] = length;
        c.cosine[j] = last / length;
        c.sine[j] = below / length;
        c.rotated[j + 1] = -(c.sine[j] * c.rotated[j]);
        c.rotated[j] = c.cosine[j] * c.rotated[j];
        // w = 0 means that x is in reach: then this is 0, and ends the solve.
        control.advance(c.rotated[j + 1] * c.rotated[j + 1]);
        control.respect_limit();
        inverse = T(1) / below;
        ++j;
    }
};

}  // namespace ddla::steps::fgmres
