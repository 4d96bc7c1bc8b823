// What a sweep reads or writes at element i, as one list: of it come the elements themselves, what
// the host prefetches, and the traffic that is reported.
//
//     struct element { T r, v; };
//     auto reads() const { return fields<element>(r, v); }   // get(i) is {r.get(i), v.get(i)}
//     auto writes() const { return fields<nothing>(s); }
//
// A view of one vector is such a list, too, and lists may hold lists.
#pragma once

#include "ddla/views.hpp"

#include <type_traits>
#include <utility>

namespace ddla::steps {

/// Stands for what is not there.
struct nothing {};

template <int K, class Field>
struct numbered_field {
    Field field;
};

template <class Element, class Numbers, class... Fields>
class field_list;

/// get(i) loads all fields in their order.
template <class Element, int... K, class... Fields>
class field_list<Element, std::integer_sequence<int, K...>, Fields...>
    : numbered_field<K, Fields>... {
public:
    DDLA_HD explicit field_list(const Fields&... of) : numbered_field<K, Fields>{of}... {}

    DDLA_HD Element get([[maybe_unused]] index_t i) const
    {
        return Element{numbered_field<K, Fields>::field.get(i)...};
    }
    template <class F>
    void each([[maybe_unused]] const F& f) const
    {
        (f(numbered_field<K, Fields>::field), ...);
    }
};

/// A list whose get(i) is an Element.
template <class Element, class... Fields>
DDLA_HD auto fields(const Fields&... of)
{
    using numbers = std::make_integer_sequence<int, sizeof...(Fields)>;
    return field_list<Element, numbers, Fields...>(of...);
}

template <class List>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<vec<T>> = true;

template <class List>
inline constexpr bool is_field_list = is_vector<List>;
template <class Element, class Numbers, class... Fields>
inline constexpr bool
    is_field_list<field_list<Element, Numbers, Fields...>> = (is_field_list<Fields> && ...);

/// f(x) for each vector x of a list and of the lists in it; on the host.
template <class List, class F>
void each_vector(const List& list, const F& f)
{
    static_assert(is_field_list<List>);
    if constexpr (is_vector<List>)
        f(list);
    else
        list.each([&](const auto& field) { each_vector(field, f); });
}

}  // namespace ddla::steps
