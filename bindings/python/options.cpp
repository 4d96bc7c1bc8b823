#include "options.hpp"

namespace ddla::python {
namespace {

/// Takes given[name] out, if it is there and not None.
template <class T, class To>
void take(nb::dict& given, const char* name, To& to)
{
    if (!given.contains(name)) return;
    const nb::object value = given[name];
    nb::del(given[name]);
    if (value.is_none()) return;
    try {
        to = nb::cast<T>(value);
    } catch (const nb::cast_error&) {
        const std::string text = nb::cast<std::string>(nb::repr(value));
        throw nb::type_error((std::string(name) + " cannot be " + text).c_str());
    }
}

/// The enumerator whose name it is.
template <class E, std::size_t N>
void take_name(nb::dict& given, const char* option, const named<E> (&all)[N], E& to)
{
    std::string name;
    take<std::string>(given, option, name);
    if (name.empty()) return;
    std::string names;
    for (const named<E>& one : all) {
        if (one.name == name) {
            to = one.value;
            return;
        }
        names += (names.empty() ? "" : ", ") + std::string(one.name);
    }
    throw nb::value_error((std::string(option) + " \"" + name + "\" is none of " + names).c_str());
}

#define DDLA_NAMED(name, text, title) {text, method::name},
// GMRES as ddla.gmres and the command call it, too.
constexpr named<method> methods[] = {DDLA_FOR_METHODS(DDLA_NAMED){"gmres", method::fgmres}};
#undef DDLA_NAMED
constexpr named<bad_pivot> bad_pivots[] = {{"shift", bad_pivot::shift},
                                           {"refuse", bad_pivot::refuse}};
constexpr named<polynomial_kind> polynomials[] = {{"neumann", polynomial_kind::neumann},
                                                  {"chebyshev", polynomial_kind::chebyshev}};

std::function<bool(const solve_progress&)> take_watch(nb::dict& given)
{
    nb::object callback = nb::none();
    take<nb::object>(given, "callback", callback);
    // Shared: the function is copied where the GIL is not held.
    return [w = std::shared_ptr<watcher>(new watcher(std::move(callback)), [](watcher* p) {
                const nb::gil_scoped_acquire held;
                delete p;
            })](const solve_progress& p) { return (*w)(p); };
}

}  // namespace

factorisation_options take_factorisation(nb::dict& given)
{
    factorisation_options o;
    take_name(given, "factors", factor_precision_names, o.factors);
    take_name(given, "ordering", ordering_names, o.ordering);
    take<bool>(given, "scale", o.scale);
    take<bool>(given, "match", o.match);
    take<double>(given, "most_work", o.most_work);
    take<std::int64_t>(given, "most_memory", o.most_memory);
    return o;
}

preconditioner_options take_preconditioner(nb::dict& given, const factorisation_options& f)
{
    preconditioner_options o;
    o.factors = f.factors, o.ordering = f.ordering, o.scale = f.scale, o.match = f.match;
    o.most_work = f.most_work, o.most_memory = f.most_memory;
    take<int>(given, "fill", o.fill);
    take<double>(given, "drop", o.drop);
    take<std::int64_t>(given, "block_rows", o.block_rows);
    take<std::vector<index_t>>(given, "blocks", o.blocks);
    take_name(given, "pivots", bad_pivots, o.pivots);
    take_name(given, "polynomial", polynomials, o.polynomial);
    take<int>(given, "degree", o.degree);
    take<double>(given, "eigenvalue_ratio", o.eigenvalue_ratio);
    take<double>(given, "most_fill", o.most_fill);
    return o;
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

solve_options solve_options_of(const nb::dict& original)
{
    nb::dict given = copy_of(original);
    solve_options o;
    o.record_history = true;
    take_name(given, "method", methods, o.method);
    take_name(given, "precond", preconditioning_names, o.precond);
    take<double>(given, "tolerance", o.tolerance);
    take<int>(given, "digits", o.digits);
    take<bool>(given, "normwise", o.normwise);
    take<bool>(given, "certify", o.certify);
    take<std::int64_t>(given, "max_iterations", o.max_iterations);
    take<std::int64_t>(given, "restart", o.restart);
    take<std::int64_t>(given, "l", o.l);
    take<std::int64_t>(given, "s", o.s);
    o.watch = take_watch(given);
    o.factorisation = take_factorisation(given);
    o.preconditioner = take_preconditioner(given, o.factorisation);
    require_empty(given);
    return o;
}

check_options check_options_of(const nb::dict& original)
{
    nb::dict given = copy_of(original);
    check_options o;
    take<int>(given, "digits", o.digits);
    take<bool>(given, "normwise", o.normwise);
    take<bool>(given, "certify", o.certify);
    o.factorisation = take_factorisation(given);
    o.watch = take_watch(given);
    require_empty(given);
    return o;
}

}  // namespace ddla::python
