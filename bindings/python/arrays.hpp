// numpy's memory as vectors of ddla, and back.  A vector of T is an array of shape (words, n) whose
// row k has word k of all numbers; in double also (n).
#pragma once

#include "ddla/ddla.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ddla::python {

namespace nb = nanobind;

using words_in = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using words_out = nb::ndarray<nb::numpy, double, nb::c_contig>;

/// Numbers are in double-double if they have two rows.
inline bool is_dd(const words_in& x)
{
    return x.ndim() == 2;
}
inline index_t size_of(const words_in& x)
{
    return static_cast<index_t>(is_dd(x) ? x.shape(1) : x.shape(0));
}

/// A copy of the numbers; those in double become T exactly.
template <scalar T>
vector<T> vector_of(const words_in& x)
{
    const index_t n = size_of(x);
    if (is_dd(x) && (x.shape(0) != 2 || words_of<T> != 2))
        throw nb::type_error("the numbers are in double-double, the operation is in double");
    vector<T> v(n);
    std::copy_n(x.data(), n * (is_dd(x) ? 2 : 1), v.word(0).data());
    return v;
}

/// The same as so many vectors of one size, one after the other.
template <scalar T>
std::vector<vector<T>> columns_of(const words_in& x, index_t count)
{
    const vector<T> all = vector_of<T>(x);
    std::vector<vector<T>> columns;
    const index_t n = count > 0 ? all.size() / count : 0;
    for (index_t j = 0; j < count; ++j) {
        vector<T>& v = columns.emplace_back(n);
        for (int w = 0; w < words_of<T>; ++w)
            std::copy_n(all.word(w).data() + j * n, n, v.word(w).data());
    }
    return columns;
}

/// A new numpy array of shape (words, n); its memory is for the caller to fill.
inline words_out new_words(int words, index_t n)
{
    auto* const memory = new double[static_cast<std::size_t>(words * n) + 1];
    const nb::capsule owner(memory, [](void* p) noexcept { delete[] static_cast<double*>(p); });
    if (words == 1) return words_out(memory, {static_cast<std::size_t>(n)}, owner);
    return words_out(memory, {static_cast<std::size_t>(words), static_cast<std::size_t>(n)}, owner);
}

template <scalar T>
words_out words_of_view(vec<const T> x)
{
    words_out to = new_words(words_of<T>, x.size);
    for (int k = 0; k < words_of<T>; ++k) std::copy_n(x.word(k), x.size, to.data() + k * x.size);
    return to;
}
template <scalar T>
words_out words_of_vector(const vector<T>& x)
{
    return words_of_view<T>(x.view());
}

/// f.operator()<T>() for the T of "double" or "dd".
template <class F>
auto in_precision(const std::string& name, const F& f)
{
    if (name == number_traits<double>::name) return f.template operator()<double>();
    if (name == number_traits<dd_real>::name) return f.template operator()<dd_real>();
    throw nb::value_error(("precision is \"double\" or \"dd\", not \"" + name + "\"").c_str());
}

/// The name of a file, whose bytes need not be UTF-8.
inline std::string path_of(const nb::bytes& file)
{
    return {file.c_str(), file.size()};
}

void bind_numbers(nb::module_& m);
void bind_vectors(nb::module_& m);
void bind_matrices(nb::module_& m);
void bind_solves(nb::module_& m);
void bind_plans(nb::module_& m);
void bind_factors(nb::module_& m);
void bind_ranks(nb::module_& m);
void bind_device_arrays(nb::module_& m);
void bind_device_matrices(nb::module_& m);

}  // namespace ddla::python
