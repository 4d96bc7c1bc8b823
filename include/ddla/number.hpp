// What a number is made of and what it is called: the one place that knows the precisions.
//
//     static_assert(ddla::words_of<ddla::dd_real> == 2);
//     double low = ddla::word<1>(ddla::dd_real(1) / 3);
//
// A number is a sum of doubles, its words, the largest first.  For one more precision T specialise
// number_traits<T> and name T in DDLA_FOR_PRECISIONS; T{w0, w1, …} must make a T of its words.
#pragma once

#include "dd_real.hpp"

#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

namespace ddla {

/// `words` doubles make a T; word(x, k) is number k of them.
template <class T>
struct number_traits;

template <>
struct number_traits<double> {
    static constexpr int words = 1;
    static constexpr char name[] = "double";          ///< in options, reports and files
    static constexpr char name_in_text[] = "double";  ///< in sentences
    using limits = std::numeric_limits<double>;
    DDLA_HD static constexpr double word(double x, int) { return x; }
};

template <>
struct number_traits<dd_real> {
    static constexpr int words = 2;
    static constexpr char name[] = "dd";
    static constexpr char name_in_text[] = "double-double";
    using limits = std::numeric_limits<dd_real>;
    DDLA_HD static constexpr double word(const dd_real& x, int k) { return k == 0 ? x.hi : x.lo; }
};

template <class T>
concept scalar = requires(const T& x)
{
    // clang-format off
    { number_traits<T>::words } -> std::convertible_to<int>;
    { number_traits<T>::word(x, 0) } -> std::same_as<double>;
    // clang-format on
};

/// The number of doubles in a T.
template <scalar T>
inline constexpr int words_of = number_traits<T>::words;

/// A V has no more words than a T.
template <class V, class T>
concept no_wider_than = words_of<V>
<= words_of<T>;

/// A matrix with values V acts on vectors of T.
template <class T, class V>
concept acts_on = scalar<T> && scalar<V> && no_wider_than<V, T>;

/// Word K of a number.
template <int K, scalar T>
DDLA_HD constexpr double word(const T& x)
{
    return number_traits<T>::word(x, K);
}

/// K as a value of which functions may make a constant; std::integral_constant is for the host.
template <int K>
struct word_number {
    DDLA_HD constexpr operator int() const { return K; }
};

namespace detail {

template <class T, class F, int... K>
DDLA_HD constexpr T from_words(const F& f, std::integer_sequence<int, K...>)
{
    return T{f(word_number<K>{})...};
}
template <class T, class F, int... K>
DDLA_HD constexpr void each_word(const T& x, const F& f, std::integer_sequence<int, K...>)
{
    (f(word_number<K>{}, word<K>(x)), ...);
}

}  // namespace detail

/// Which of its words are there, as a type that functions can expand.
template <scalar T>
using word_numbers = std::make_integer_sequence<int, words_of<T>>;

/// The number whose word k is f(k).
template <scalar T, class F>
DDLA_HD constexpr T from_words(const F& f)
{
    return detail::from_words<T>(f, word_numbers<T>{});
}
/// f(k, word k of x) for all of them.
template <scalar T, class F>
DDLA_HD constexpr void each_word(const T& x, const F& f)
{
    detail::each_word(x, f, word_numbers<T>{});
}

/// A list of types.
template <class... T>
struct type_list {
};

/// f.operator()<T>() for each type of a list, in order.
template <class F, class... T>
constexpr void for_each_type(type_list<T...>, const F& f)
{
    (f.template operator()<T>(), ...);
}

/// All precisions, the narrowest first: USE(T) for each, where functions are instantiated.
#define DDLA_FOR_PRECISIONS(USE) USE(double) USE(dd_real)
/// USE(T, V) for all vectors of T that a matrix with values V acts on.
#define DDLA_FOR_PRODUCTS(USE) USE(double, double) USE(dd_real, double) USE(dd_real, dd_real)

namespace detail {

template <class... T>
type_list<T...> behind_first(type_list<void, T...>);
template <class... T>
constexpr int count_of(type_list<T...>)
{
    return sizeof...(T);
}

}  // namespace detail

/// The same as a type.
#define DDLA_AND(T) , T
using precisions =
    decltype(detail::behind_first(std::declval<type_list<void DDLA_FOR_PRECISIONS(DDLA_AND)>>()));
#undef DDLA_AND

#define DDLA_AND_ONE(T, V) +1
static_assert(0 DDLA_FOR_PRODUCTS(DDLA_AND_ONE) ==
              detail::count_of(precisions{}) * (detail::count_of(precisions{}) + 1) / 2);
#undef DDLA_AND_ONE

}  // namespace ddla
