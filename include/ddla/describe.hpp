// How options and reports are described: once, beside their fields.  The command with its help,
// completions and manual page, the structs of C, the keywords of Python, JSON and refusals visit
// the descriptions.
//
//     ddla::solve_options o;
//     describe(ddla::described<ddla::solve_options>(),
//              [](const auto& about, auto&) { std::cout << about.name << '\n'; }, o);
//
// Structs whose fields have the same names are visited together: that of C beside that of C++.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ddla {

/// Whose description describe() is asked for.
template <class Struct>
struct described {
};

template <class E>
struct named {
    std::string_view name;
    E value;
};

/// The name of an enumerator, from the list beside its enumeration.
template <class E>
requires requires
{
    names_of(E());
}
constexpr std::string_view name_of(E value)
{
    for (const auto& [name, its] : names_of(value))
        if (its == value) return name;
    return "unknown";
}

/// The words of descriptions.
namespace about {

// ---- What values an option takes.  text() ends "… must be".

struct whole_numbers {
    std::int64_t least = 0;
    std::int64_t most = std::numeric_limits<std::int64_t>::max();
    std::int64_t multiple_of = 1;
    bool bytes = false;  ///< the command reads 8G, too

    bool holds(std::int64_t x) const { return x >= least && x <= most && x % multiple_of == 0; }
    std::string text() const
    {
        if (multiple_of != 1) return "a multiple of " + std::to_string(multiple_of);
        if (most == std::numeric_limits<std::int64_t>::max())
            return "at least " + std::to_string(least);
        return "from " + std::to_string(least) + " to " + std::to_string(most);
    }
};

/// Bounds are whole numbers, or infinite.
struct numbers {
    double least = 0;
    bool above_least = false;  ///< the least itself is not taken
    double most = std::numeric_limits<double>::infinity();
    bool below_most = false;

    bool holds(double x) const
    {
        return (above_least ? x > least : x >= least) && (below_most ? x < most : x <= most);
    }
    std::string text() const
    {
        const auto whole = [](double x) { return std::to_string(static_cast<std::int64_t>(x)); };
        const bool ends = most <= std::numeric_limits<double>::max();
        if (above_least)
            return "above " + whole(least) + (ends ? " and below " + whole(most) : std::string());
        if (!ends) return "at least " + whole(least);
        return "from " + whole(least) + (below_most ? " to below " : " to ") + whole(most);
    }
};

struct yes_or_no {
    bool holds(bool) const { return true; }
    std::string text() const { return "true or false"; }
};

/// The enumerators of E, by the names that names_of(E()) has.
template <class E>
struct names {
    bool holds(E) const { return true; }
    std::string text() const { return "a name"; }
};

/// Where each of several parts begins, and the end of the last.
struct ends_of_parts {
    template <class Index>
    bool holds(const std::vector<Index>&) const
    {
        return true;
    }
    std::string text() const { return "a list"; }
};

// ---- One option.

template <class Values>
struct option {
    std::string_view name;        ///< of the field, in C++, C, Fortran and Python
    std::string_view label = {};  /// of a value in the help; empty: the names that it may have
    /// For the help: a sentence without a full stop.  {} is where the default stands; without it
    /// that follows in brackets.
    std::string_view help = {};
    std::string_view read_by = {};  ///< the methods or preconditioners that look at it; empty: all
    /// Where a solve has an effect of it, if `read_by` does not say: names of methods,
    /// preconditioners and polynomials, "factors" (of A), "krylov" (a method that iterates by
    /// itself).  The command refuses it elsewhere.
    std::string_view taken_by = {};
    Values values = {};
    std::optional<Values> in_command = {};  ///< the command takes less
    std::string_view preset = {};           ///< the default in words, where a value is not enough
    std::string_view command = {};          ///< its name there, if it is another
    /// Why the command, or Fortran, or Python has it not; empty: it has.
    std::string_view not_in_command = {}, not_in_fortran = {}, not_in_python = {};
    double not_given = -1;  ///< what C says for an empty std::optional
};

/// Who has an effect of it: names as in `taken_by`; empty: every solve.
template <class Values>
constexpr std::string_view takers_of(const option<Values>& about)
{
    return about.taken_by.empty() ? about.read_by : about.taken_by;
}

/// Whether a value, if there is one, may stand there.
template <class Values, class X>
bool holds(const option<Values>& about, const X& x)
{
    if constexpr (requires { x.has_value(); })
        return !x || about.values.holds(*x);
    else
        return about.values.holds(x);
}

// ---- One field of a report.

struct field {
    std::string_view name;       ///< in C++, C and Python
    std::string_view json = {};  ///< there, if it is another
    /// Numbers of rows or columns, from 0, negative if there is none: in JSON they count from 1.
    bool counts = false;
    bool is_hash = false;  ///< in JSON 16 hexadecimal digits
    std::string_view within =
        {};  ///< the object in which it stands there; empty: that of the report
    /// The reports in JSON that alone have it, by their key there: "solves", "products"; empty:
    /// all.
    std::string_view only_in = {};
    std::string_view not_in_json = {};  ///< why JSON has it not; empty: it has

    std::string_view json_name() const { return json.empty() ? name : json; }
    bool is_in_json_of(std::string_view report) const
    {
        return not_in_json.empty() && (only_in.empty() || only_in == report);
    }
};

}  // namespace about

}  // namespace ddla
