// Sparse LU factors as an object: made once, used by many solves.
//
//     const ddla::lu_factors<double> f(a);
//     ddla::vector<ddla::dd_real> x(a.rows());
//     ddla::solve_report report = ddla::solve(a, b, x, f);   // refined; says what is right
//     f.solve(b, x);                                         // as it is, not refined
#pragma once

#include "solve.hpp"

#include <memory>

namespace ddla {

namespace factor {
template <scalar F>
class factors;
template <scalar F>
class static_factors;
}  // namespace factor

/// P R A C Q = L U with powers of two R and C, values in F; docs/factorisation.md has the rules
/// that fix every bit.  Those of large systems are made by supernodes, on all cores, where
/// ddla::solve makes them so and no pivot is weak; else by columns.  They are on the host; large
/// ones by supernodes of an A at a device are made, kept and solved with there, for vectors on the
/// host.  Copies share the factors; const members may be called by several threads at a time.
template <scalar F>
class lu_factors {
public:
    /// Of a square matrix at any place.  Throws input_error if it is not square or has values that
    /// are not finite, resource_error if the factors would pass the limits.  options.factors is not
    /// looked at.  Cost: as about() counts.
    template <scalar V>
    explicit lu_factors(const csr_matrix<V>& a, const factorisation_options& options = {});
    ~lu_factors();
    lu_factors(const lu_factors&);
    lu_factors& operator=(const lu_factors&);

    const factorisation_report& about() const;

    /// x of A x = b, as the factors give it; computed in the wider of T and F.  b and x have k n
    /// elements, k systems one after the other, at the host; they may be the same vector.  Each
    /// system has the bits of its single solve.  Throws input_error for sizes and places,
    /// resource_error where a device that has the factors fails.
    /// Cost: two operations an entry of the factors and system.
    template <scalar T>
    void solve(const vector<T>& b, vector<T>& x) const;
    /// x of A^T x = b.
    template <scalar T>
    void solve_transposed(const vector<T>& b, vector<T>& x) const;

    /// Makes these the factors of new values on the same pattern, by the analysis that is there: by
    /// columns pivots and order are kept, by supernodes order, matched rows and scaling.  The bits
    /// are those of the values and the analysis.  Returns false, and leaves them as they were, if
    /// growth, or a pivot that is zero or too small, asks for another analysis, or an entry is new:
    /// then factor anew.  Copies made before keep the old factors.  The new ones are made, and are,
    /// where the constructor makes those of an A there.
    template <scalar V>
    bool refactor(const csr_matrix<V>& a);

    // For ddla's own use.
    struct parts;
    const parts& implementation() const { return *parts_; }
    const factor::factors<F>* by_columns() const;            ///< null: by supernodes
    const factor::static_factors<F>* by_supernodes() const;  ///< null: by columns

private:
    std::shared_ptr<const parts> parts_;
};

/// Solve A x = b with factors of A, or of a matrix near A (those of an earlier step of a
/// simulation, say), by refinement; the report is that of method::automatic, without its other
/// stages. options.method, precond and factorisation are not looked at.  The work is done on the
/// host, solves with the factors where they are.  Throws input_error as the other solve(), and
/// unless each column has a pivot.
template <scalar T, scalar V, scalar F>
requires acts_on<T, V> solve_report solve(const csr_matrix<V>& a, const vector<T>& b, vector<T>& x,
                                          const lu_factors<F>& factors,
                                          const solve_options& options = {});

}  // namespace ddla
