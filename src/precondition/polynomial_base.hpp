// What a polynomial in D^-1 A is made of; D is the diagonal of A.
#pragma once

#include "engine/linear_map.hpp"

#include "ddla/preconditioner.hpp"
#include "ddla/summation.hpp"

#include <cmath>
#include <functional>
#include <memory>

namespace ddla::api {

/// The sum of a row of |D^-1 A|; no eigenvalue of D^-1 A passes the largest of all rows.
class scaled_row_sum {
public:
    void add(double a, bool is_diagonal)
    {
        sum_.add(std::fabs(a));
        if (is_diagonal) diagonal_ += a;
    }
    /// Call once.
    double value() { return sum_.sum(0.0) / std::fabs(diagonal_); }

private:
    running_sum<double> sum_;
    double diagonal_ = 0;
};

template <scalar T>
struct polynomial_base {
    index_t rows;
    place where;
    std::function<std::unique_ptr<bound_map<T>>(engine&)> product;  ///< with A
    bool is_recordable = true;                                      ///< that product
    std::shared_ptr<const vector<T>> inverted_diagonal;
    double largest_inverse;  ///< of that diagonal, by magnitude
    std::function<double()> largest_row_sum;
};

/// The polynomial that the options ask for; `seconds`: what making the base took.
template <scalar T>
preconditioner<T> polynomial_of(const polynomial_base<T>& of, const preconditioner_options& options,
                                double seconds, typename preconditioner<T>::double_maker in_double);

}  // namespace ddla::api
