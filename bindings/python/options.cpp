#include "options.hpp"

#include "ddla/option_effects.hpp"

#include <algorithm>

namespace ddla::python {
namespace {

/// given[name], unless it is not there or None.
template <class T, class To>
void read(const nb::dict& given, const char* name, To& to)
{
    if (!given.contains(name)) return;
    const nb::object value = given[name];
    if (value.is_none()) return;
    try {
        to = nb::cast<T>(value);
    } catch (const nb::cast_error&) {
        const std::string text = nb::cast<std::string>(nb::repr(value));
        throw nb::type_error((std::string(name) + " cannot be " + text).c_str());
    }
}

/// The enumerator whose name it is.
template <class E>
void read_name(const nb::dict& given, const char* option, E& to)
{
    std::string name;
    read<std::string>(given, option, name);
    if (name.empty()) return;
    std::string all;
    for (const auto& [each, value] : names_of(E())) {
        if (each == name) {
            to = value;
            return;
        }
        all += (all.empty() ? "" : ", ") + std::string(each);
    }
    throw nb::value_error((std::string(option) + " \"" + name + "\" is none of " + all).c_str());
}

template <class Values, class To>
void read_option(const nb::dict& given, const about::option<Values>& about, To& to)
{
    const std::string name(about.name);
    if constexpr (std::is_enum_v<To>)
        read_name(given, name.c_str(), to);
    else if constexpr (requires { to.has_value(); })
        read<typename To::value_type>(given, name.c_str(), to);
    else
        read<To>(given, name.c_str(), to);
}

/// Fills the options from their keywords, which it takes out of `left`.
template <class Options>
Options take(const nb::dict& given, nb::dict& left)
{
    Options o;
    describe(
        described<Options>(),
        [&](const auto& about, auto& to) {
            if (!about.not_in_python.empty()) return;
            read_option(given, about, to);
            const std::string name(about.name);
            if (left.contains(name.c_str())) nb::del(left[name.c_str()]);
        },
        o);
    return o;
}

/// The default of each option that is a number.
template <class Options>
void add_numbers(nb::dict& defaults)
{
    const Options o;
    describe(
        described<Options>(),
        [&]<class X>(const auto& about, const X& x) {
            if constexpr (std::is_arithmetic_v<X> && !std::is_same_v<X, bool>)
                defaults[std::string(about.name).c_str()] = x;
        },
        o);
}

std::function<bool(const solve_progress&)> take_watch(nb::dict& given)
{
    nb::object callback = nb::none();
    read<nb::object>(given, "callback", callback);
    if (given.contains("callback")) nb::del(given["callback"]);
    // Shared: the function is copied where the GIL is not held.
    return [w = std::shared_ptr<watcher>(new watcher(std::move(callback)), [](watcher* p) {
                const nb::gil_scoped_acquire held;
                delete p;
            })](const solve_progress& p) { return (*w)(p); };
}

/// Keywords that were given; M is the precond.
std::vector<std::string> given_names(const nb::dict& given, const solve_options& o)
{
    std::vector<std::string> names;
    for (const auto& [name, value] : given)
        if (!value.is_none()) names.push_back(nb::cast<std::string>(name));
    if (o.precond == preconditioning::none) std::erase(names, "precond");
    return names;
}

bool is_among(const auto& names, std::string_view name)
{
    return std::any_of(std::begin(names), std::end(names),
                       [name](const auto& one) { return one.name == name; });
}

/// As a call has it: M="ilut"
std::string in_words(std::string_view taker)
{
    if (taker == "factors") return "factors of A (method=\"auto\" or \"refine\")";
    if (taker == "krylov") return "methods that iterate";
    const std::string name = "\"" + std::string(taker) + "\"";
    if (is_among(method_names, taker)) return "method=" + name;
    return (is_among(polynomial_names, taker) ? "polynomial=" : "M=") + name;
}

std::string in_words(const solve_options& o, bool has_preconditioner)
{
    std::string text = in_words(to_string(o.method));
    if (has_preconditioner) return text + " and this M";
    if (o.precond == preconditioning::none || o.method == method::automatic) return text;
    text += " and " + in_words(name_of(o.precond));
    if (o.precond == preconditioning::polynomial)
        text += ", " + in_words(name_of(o.preconditioner.polynomial));
    return text;
}

void refuse_without_effect(const nb::dict& given, const solve_options& o, bool has_preconditioner)
{
    const std::vector<std::string> names = given_names(given, o);
    const auto idle = option_without_effect(o, {names.begin(), names.end()}, has_preconditioner);
    if (!idle) return;
    std::string takers;
    for (const std::string_view one : idle->takers)
        takers += (takers.empty()               ? ""
                   : one == idle->takers.back() ? " and "
                                                : ", ") +
                  in_words(one);
    throw input_error((idle->name == "precond" ? "M" : std::string(idle->name)) +
                      " has no effect with " + in_words(o, has_preconditioner) + ": it is for " +
                      takers);
}

}  // namespace

factorisation_options take_factorisation(const nb::dict& given, nb::dict& left)
{
    return take<factorisation_options>(given, left);
}

preconditioner_options take_preconditioner(const nb::dict& given, nb::dict& left)
{
    return take<preconditioner_options>(given, left);
}

nb::dict copy_of(const nb::dict& given)
{
    return nb::cast<nb::dict>(given.attr("copy")());
}

void require_empty(const nb::dict& given)
{
    for (const auto& [name, value] : given)
        throw nb::type_error(
            ("there is no option " + nb::cast<std::string>(nb::repr(name))).c_str());
}

solve_options solve_options_of(const nb::dict& given, const nb::object& k)
{
    nb::dict left = copy_of(given);
    auto o = take<solve_options>(given, left);
    o.record_history = true;
    o.watch = take_watch(left);
    o.factorisation = take_factorisation(given, left);
    o.preconditioner = take_preconditioner(given, left);
    require_empty(left);
    refuse_without_effect(given, o, !k.is_none());
    return o;
}

nb::dict usual_options()
{
    nb::dict defaults;
    add_numbers<solve_options>(defaults);
    add_numbers<factorisation_options>(defaults);
    defaults["tolerance"] = usual_tolerance;
    defaults["digits"] = usual_digits;
    return defaults;
}

check_options check_options_of(const nb::dict& given)
{
    nb::dict left = copy_of(given);
    auto o = take<check_options>(given, left);
    o.factorisation = take_factorisation(given, left);
    o.watch = take_watch(left);
    require_empty(left);
    return o;
}

}  // namespace ddla::python
