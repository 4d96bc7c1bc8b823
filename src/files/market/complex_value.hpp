// Complex values of a file: as numbers to the templates of the reader, and as entries of the real
// form.
#pragma once

#include "ddla/complex.hpp"
#include "malformed.hpp"

/// Its words: those of the real part, then those of the imaginary part.
template <class V>
struct ddla::number_traits<ddla::complex_number<V>> {
    static constexpr int words = 2 * number_traits<V>::words;
    static constexpr char name[] = "complex";
    static double word(const complex_number<V>& x, int k)
    {
        constexpr int half = number_traits<V>::words;
        return number_traits<V>::word(k < half ? x.real : x.imag, k % half);
    }
};

namespace ddla::text {

template <class V>
struct complex_parts {
    using type = void;
};
template <class V>
struct complex_parts<complex_number<V>> {
    using type = V;
};

/// The number that both parts of a complex number are.
template <class V>
using part_of = typename complex_parts<V>::type;
template <class V>
inline constexpr bool is_complex = !std::is_void_v<part_of<V>>;

template <class V>
bool is_zero(const V& value)
{
    if constexpr (is_complex<V>)
        return is_zero(value.real) && is_zero(value.imag);
    else
        return value == V(0);
}

template <class V>
bool is_real(const complex_number<V>& value)
{
    return is_zero(value.imag);
}

[[noreturn]] inline void fail_hermitian(const char* position, index_t row)
{
    const std::string i = std::to_string(row + 1);
    fail(position, "a hermitian matrix is real on its diagonal, but entry (" + i + ", " + i +
                       ") has an imaginary part");
}

}  // namespace ddla::text
