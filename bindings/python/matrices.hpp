// The matrix of ddla._core.
#pragma once

#include "arrays.hpp"

#include <memory>
#include <variant>
#include <vector>

namespace ddla::python {

/// Values in double or double-double, on the host; never changed once it is made.
struct matrix {
    std::variant<std::shared_ptr<const csr_matrix<double>>,
                 std::shared_ptr<const csr_matrix<dd_real>>>
        rows;
};

/// Rows sorted by column, duplicates summed in stored order: the bits depend on the entries alone.
template <scalar V>
matrix matrix_of_rows(index_t rows, index_t columns, std::vector<index_t> begin,
                      std::vector<column_t> column, vector<V> value);

/// f.operator()<T>(a) for a csr_matrix that acts on vectors of T.
template <scalar T, class F>
auto with_rows(const matrix& a, const F& f)
{
    using result = decltype(f(std::declval<const csr_matrix<double>&>()));
    return std::visit(
        [&]<scalar V>(const std::shared_ptr<const csr_matrix<V>>& m) -> result {
            if constexpr (acts_on<T, V>)
                return f(*m);
            else
                throw nb::type_error("A has values in double-double, the work is in double");
        },
        a.rows);
}

/// A function of Python as a map: takes an array of words, returns one.
template <scalar T>
host_function<T> host_code(nb::object function)
{
    // The last copy may go where the GIL is not held.
    const std::shared_ptr<nb::object> kept(new nb::object(std::move(function)), [](nb::object* p) {
        const nb::gil_scoped_acquire held;
        delete p;
    });
    return [kept](vec<const T> x, vec<T> y) {
        const nb::gil_scoped_acquire held;
        const auto given = nb::cast<words_in>((*kept)(words_of_view<T>(x)));
        const vector<T> result = vector_of<T>(given);
        if (result.size() != y.size)
            throw nb::value_error(("the function returned " + std::to_string(result.size()) +
                                   " numbers, " + std::to_string(y.size) + " are needed")
                                      .c_str());
        for (int k = 0; k < words_of<T>; ++k) std::copy_n(result.word(k).data(), y.size, y.word(k));
    };
}

}  // namespace ddla::python
