// Which engine a call runs on, and whether its arguments fit together.
#pragma once

#include "ddla/error.hpp"
#include "ddla/factorisation.hpp"
#include "engine/engine.hpp"
#include "in_range.hpp"

#include <string>
#include <utility>

namespace ddla::api {

/// The engine at a place.  Throws resource_error if there is none.
inline engine& engine_at(place where)
{
    return where.is_host() ? host_engine() : device_engine(where.device_index);
}

/// Throws input_error, naming both, unless the two live at one place.
inline void require_same_place(const char* call, const char* first, place a, const char* second,
                               place b)
{
    if (a != b)
        throw input_error(std::string(call) + ": " + first + " lives at " + to_string(a) + ", " +
                          second + " at " + to_string(b));
}

/// Throws input_error, naming both sizes, unless they are equal.
inline void require_same_size(const char* call, const char* first, index_t a, const char* second,
                              index_t b)
{
    if (a != b)
        throw input_error(std::string(call) + ": " + first + " has " + std::to_string(a) +
                          " elements, " + second + " " + std::to_string(b));
}

/// Throws input_error unless a vector is as long as A has `what`, rows or columns.
inline void require_fit(const char* call, const char* name, index_t n, const char* what,
                        index_t wanted)
{
    if (n != wanted)
        throw input_error(std::string(call) + ": " + name + " has " + std::to_string(n) +
                          " elements, A has " + std::to_string(wanted) + " " + what);
}

/// Throws input_error if a product would read what it wrote.
inline void require_apart(const char* call, const char* x_name, const double* x, const char* y_name,
                          const double* y)
{
    if (x && x == y)
        throw input_error(std::string(call) + ": " + x_name + " and " + y_name +
                          " are the same vector, the product would read what it wrote");
}

/// Throws input_error, naming both numbers, unless there are as many vectors of both kinds.
inline void require_as_many(const char* call, const char* first, std::size_t a, const char* second,
                            std::size_t b)
{
    if (a != b)
        throw input_error(std::string(call) + ": " + std::to_string(a) + " vectors " + first +
                          ", but " + std::to_string(b) + " vectors " + second);
}

/// Throws input_error if products would read what they wrote: different vectors have memory of
/// their own.
template <scalar T>
void require_all_apart(const char* call, const char* x_name, const std::vector<vector<T>>& x,
                       const char* y_name, const std::vector<vector<T>>& y)
{
    if (!x.empty() && &x == &y)
        require_apart(call, x_name, x[0].view().word(0), y_name, y[0].view().word(0));
}

inline void require_square(const char* call, index_t rows, index_t columns)
{
    if (rows != columns)
        throw input_error(std::string(call) + ": the matrix is " + std::to_string(rows) + " x " +
                          std::to_string(columns) + ", not square");
}

/// Throws input_error, naming the element, unless all are finite.
template <class X>
void require_finite(engine& here, const char* call, const char* name, vec<X> x)
{
    const index_t i = here.vectors<typename vec<X>::value_type>().first_not_finite(x);
    if (i != steps::first_index::none)
        throw input_error(std::string(call) + ": element " + std::to_string(i) + " of " + name +
                          " is Inf or NaN");
}

/// Throws input_error for digits that x cannot hold, and for options of factors out of range.
inline void check_limits(const char* call, int digits, int most_digits,
                         const factorisation_options& f)
{
    if (digits < 0 || digits > most_digits)
        throw input_error(std::string(call) + ": the digits must be between 0 and " +
                          std::to_string(most_digits) + ", what x can hold, not " +
                          std::to_string(digits));
    require_in_range(call, f);
}

template <scalar T>
engine& engine_for(const char* call, const vector<T>& x, const vector<T>& y)
{
    require_same_size(call, "x", x.size(), "y", y.size());
    require_same_place(call, "x", x.where(), "y", y.where());
    return engine_at(x.where());
}

/// For y = A x with x and y under these names.
template <scalar T, scalar V>
engine& engine_for(const char* call, const csr_matrix<V>& a, const char* x_name, const vector<T>& x,
                   const char* y_name, const vector<T>& y)
{
    require_fit(call, x_name, x.size(), "columns", a.columns());
    require_fit(call, y_name, y.size(), "rows", a.rows());
    require_same_place(call, "A", a.where(), x_name, x.where());
    require_same_place(call, "A", a.where(), y_name, y.where());
    return engine_at(a.where());
}

/// Leaves with a matrix what its solves need to know of its values; once, for they never change.
template <scalar V>
void look_at_values(engine& here, const csr_matrix<V>& a)
{
    const csr<V> view = a.view();
    if (view.largest_value >= 0) return;
    vector_operations<V>& values = here.vectors<V>();
    if (values.first_not_finite(view.value) == steps::first_index::none)
        a.remember_largest_value(values.largest_magnitude(view.value));
}

}  // namespace ddla::api
