// Described structs (ddla/describe.hpp) as JSON: each field by its name there.
//
//     json matrix = fields_json(reported(a));
//
// Numbers that are not finite, or not known, are null, and so are empty texts.
#pragma once

#include "json_value.hpp"

#include "ddla/describe.hpp"
#include "ddla/error.hpp"
#include "ddla/error_estimates.hpp"
#include "ddla/place.hpp"

#include <cmath>
#include <cstdio>

namespace ddla::text {

using json = json_value;

inline json number_json(const std::optional<double>& x)
{
    return x && std::isfinite(*x) ? json(*x) : json();
}

inline json text_json(const std::string& text)
{
    return text.empty() ? json() : json(text);
}

/// 16 hexadecimal digits.
inline json hash_json(std::uint64_t hash)
{
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

inline json counted_from_one(std::vector<index_t> numbers)
{
    for (index_t& i : numbers) ++i;
    return numbers;
}

// ---- A value of a described field.

inline json json_of(const about::field&, const std::optional<double>& x)
{
    return number_json(x);
}
inline json json_of(const about::field&, double x)
{
    return number_json(x);
}
inline json json_of(const about::field&, const std::string& x)
{
    return text_json(x);
}
inline json json_of(const about::field&, const std::optional<bool>& x)
{
    return x ? json(*x) : json();
}
inline json json_of(const about::field&, const std::optional<limit_kind>& x)
{
    return x ? json(to_string(*x)) : json();
}
inline json json_of(const about::field&, const std::optional<condition_number>& c)
{
    if (!c || !c->is_known()) return {};
    return {{"value", number_json(c->value)}, {"at_least", c->at_least}};
}
inline json json_of(const about::field&, const place& x)
{
    return to_string(x);
}
inline json json_of(const about::field& field, const std::vector<index_t>& x)
{
    return field.counts ? counted_from_one(x) : json(x);
}
/// null where they are not known.
inline json json_of(const about::field&, const std::vector<double>& x)
{
    return x.empty() ? json() : json(x);
}
template <std::integral I>
json json_of(const about::field& field, I x)
{
    if constexpr (std::is_same_v<I, index_t>)
        if (field.counts) return x < 0 ? json() : json(x + 1);
    if constexpr (std::is_same_v<I, std::uint64_t>)
        if (field.is_hash) return hash_json(x);
    return x;
}
template <class E>
requires std::is_enum_v<E> json json_of(const about::field&, E x)
{
    return name_of(x);
}

// ---- All fields of a struct.

/// What a field stands in: `to`, or the object in it that the description names.
inline json& object_of(json& object, const about::field& field)
{
    return field.within.empty() ? object : object[field.within];
}

/// Those that the JSON of this kind ("solves", "products") has.
template <class Report>
void add_fields(json& object, const Report& r, std::string_view kind = {})
{
    describe(
        described<Report>(),
        [&](const about::field& field, const auto& x) {
            if (field.is_in_json_of(kind))
                object_of(object, field)[field.json_name()] = json_of(field, x);
        },
        r);
}

template <class Report>
json fields_json(const Report& r, std::string_view kind = {})
{
    json to;
    add_fields(to, r, kind);
    return to;
}

template <class Report>
json array_of_fields(const std::vector<Report>& all)
{
    json array = json::array();
    for (const Report& r : all) array.push_back(fields_json(r));
    return array;
}

/// A report as it is written.  A file name need not be UTF-8, but JSON is.
inline std::string text_of(const json& report)
{
    return report.text(2) + '\n';
}

}  // namespace ddla::text
