// Products with A^-1 and A^-T, refined.
#pragma once

#include "norm_estimate.hpp"
#include "refinement.hpp"
#include "shared_scale.hpp"

#include "factor/unfilled.hpp"

#include <functional>
#include <memory>

namespace ddla::refine {

/// Columns of solves side by side, kept from some solves to the next: the system clears new memory,
/// which takes as long as a solve.
struct memory_of_solves {
    real_vector zeros = {};
    vector<dd_real> y{0}, r{0};
    /// In double: high words, and low words of one column at a time.  Solves write before they
    /// read.
    factor::unfilled<double> high_of_y, high_of_r, low_of_y, low_of_r;

    void hold(index_t n, index_t columns);
    /// In double, in place of the others.
    void hold_in_double(index_t n, index_t columns);
    void let_go() { *this = {}; }
};

/// Approximations of A^-1 and A^-T: one solve with factors each.
struct approximate_inverse {
    correction solve;
    correction solve_transposed;
    shared_scale column_scale;          ///< see refinement_limits
    double least_rate;                  ///< … likewise
    shared_scale row_scale;             ///< how large solutions of A^T y = c are; empty: all alike
    bool contracts_as_a_whole = false;  ///< see refinement_limits
    double work = 0;  ///< of one solve, in multiplications with a subtraction in double
    /// Whether one solve more is allowed (work_budget.hpp); empty: always.
    std::function<bool()> may_go_on = {};
    double rounding = 0x1p-106;  ///< of the numbers that `solve` takes a residual in
    /// The same solves for k n elements, of k systems one after the other, in less time, and each
    /// with the bits that it has by itself; r and d may be the same memory.  Empty: none.
    correction solve_several = {};
    correction solve_several_transposed = {};
    /// The same where they are by factors in double; else empty.
    correction_in_double several_in_double = {}, several_transposed_in_double = {};
    bool is_symmetric = false;  ///< solves of A^T are those of A
    /// Is told of solves that were done by `solve_several` in place of so many by `solve`.
    std::function<void(int solves)> charge = [](int) {};
    std::shared_ptr<memory_of_solves> memory = std::make_shared<memory_of_solves>();
};

/// y of A y = v, by `approximate.solve` and refinement in double-double until a correction is
/// below 2^-20 of y, rounded to double; nothing if that stalls, or may not go on.
template <scalar V>
std::optional<real_vector> refined_solve(const host_system<V>& system,
                                         const approximate_inverse& approximate, real_vector v);
/// The same for A^T y = v.
template <scalar V>
std::optional<real_vector> refined_solve_transposed(const host_system<V>& system,
                                                    const approximate_inverse& approximate,
                                                    real_vector v);

/// A product that is asked for together with others: A^-1 v, or A^-T v.
struct asked_product {
    real_vector v;
    bool by_transpose = false;
};
struct refined_product {
    std::optional<real_vector> y;  ///< nothing if that stalls
    int solves = 0;
};
/// Refined solves, each with the bits and as many steps as by itself, that go through the factors
/// together; y takes the memory of v.  `may_go_on` sees how many solves are next, in place of that
/// of `approximate`; nothing if it is false.  Requires approximate.solve_several.
template <scalar V>
std::optional<std::vector<refined_product>>
refined_solves(const host_system<V>& system, const approximate_inverse& approximate,
               std::vector<asked_product> asked, const std::function<bool(index_t)>& may_go_on);

/// Of the next one.
constexpr int solves_of_probe = 4;

/// How much of an error a correction leaves, probed: the largest || (I - B A) z || / || z || in the
/// norm of the scaled system, for two z of hashed numbers and for what becomes of them.  B is
/// `approximate.solve`.  Corrections that only converge in some components, because others never
/// show in the residual, have a rate of about 1.  A z is changed by as much as residuals are
/// rounded, each row for itself: rows that are multiples of one another would else be rounded
/// alike.  Cost: 4 products and 4 solves.
template <scalar V>
double probed_rate(const host_system<V>& system, const approximate_inverse& approximate);
/// The same in the norm max |z_i| / scale_i, for two z of hashed words; components whose scale is
/// 0 are left out.
template <scalar V>
double probed_rate(const host_system<V>& system, const approximate_inverse& approximate,
                   const shared_scale& scale);

}  // namespace ddla::refine
