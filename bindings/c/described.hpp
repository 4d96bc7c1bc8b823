// Fields of reports as C has them, by the descriptions (ddla/describe.hpp): those of the same
// names.
#pragma once

#include "enums.hpp"
#include "structs.hpp"

#include "ddla/plan.hpp"

#include <cmath>
#include <type_traits>

namespace ddla::c {

inline double known(const std::optional<double>& x)
{
    return x.value_or(NAN);
}
inline double known(const std::optional<condition_number>& c)
{
    return c && c->is_known() ? c->value : NAN;
}
inline const char* text_or_null(const std::string& text)
{
    return text.empty() ? nullptr : text.c_str();
}

inline double of_c(const std::optional<double>& x)
{
    return known(x);
}
inline double of_c(const std::optional<condition_number>& x)
{
    return known(x);
}
/// 1, 0, or -1: not known.
inline int32_t of_c(const std::optional<bool>& x)
{
    return x ? int32_t{*x} : -1;
}
inline ddla_limit of_c(const std::optional<limit_kind>& x)
{
    return x ? limit_of(*x) : DDLA_NO_LIMIT;
}
inline int64_t of_c(const unsettled_components& u)
{
    return u.count;
}
inline const char* of_c(const std::string& x)
{
    return text_or_null(x);
}
inline ddla_place of_c(const place& x)
{
    return x.device_index;
}
template <class X>
const X* of_c(const std::vector<X>& all)
{
    return all.empty() ? nullptr : all.data();
}
template <class X>
requires std::is_arithmetic_v<X> X of_c(X x)
{
    return x;
}
template <class E>
requires std::is_enum_v<E> int32_t of_c(E x)
{
    return to_c(x);
}

/// Whether it is at most that is a field of its own.
inline double of_c(const planned_amount& a)
{
    return a.amount;
}

/// Thing k of a report, from 0.
template <class Things>
const auto& numbered(const Things& things, int32_t k, const char* what)
{
    if (k < 0 || static_cast<std::size_t>(k) >= things.size())
        throw input_error("there is no " + std::string(what) + " " + std::to_string(k) + " among " +
                          std::to_string(things.size()));
    return things[static_cast<std::size_t>(k)];
}

/// The fields of a report, into the fields of the same names.
template <class Report, class C>
void copy_fields(const Report& r, C& to)
{
    describe(
        described<Report>(),
        [](const about::field&, const auto& from, auto& field) {
            using To = std::remove_reference_t<decltype(field)>;
            if constexpr (std::is_array_v<To>)
                cut(from, field);
            else
                field = static_cast<To>(of_c(from));
        },
        r, to);
}

/// The same of a new struct, whose other fields are 0.
template <class C, class Report>
C fields_of(const Report& r)
{
    C to = {};
    copy_fields(r, to);
    return to;
}

}  // namespace ddla::c
