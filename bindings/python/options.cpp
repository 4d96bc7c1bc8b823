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
template <class E>
struct named {
    const char* name;
    E value;
};
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
constexpr named<method> methods[] = {DDLA_FOR_METHODS(DDLA_NAMED)};
#undef DDLA_NAMED
constexpr named<preconditioning> preconditionings[] = {
    {"none", preconditioning::none},
    {"jacobi", preconditioning::jacobi},
    {"lu", preconditioning::lu},
    {"ilu", preconditioning::ilu},
    {"ilut", preconditioning::ilut},
    {"ic", preconditioning::ic},
    {"block_jacobi", preconditioning::block_jacobi},
    {"polynomial", preconditioning::polynomial},
};
constexpr named<factor_precision> precisions_of_factors[] = {
    {"auto", factor_precision::automatic},
    {"double", factor_precision::in_double},
    {"dd", factor_precision::in_double_double},
};
constexpr named<column_ordering> orderings[] = {
    {"auto", column_ordering::automatic}, {"natural", column_ordering::natural},
    {"amd", column_ordering::amd},        {"colamd", column_ordering::colamd},
    {"rcm", column_ordering::rcm},        {"multicolour", column_ordering::multicolour},
};
constexpr named<bad_pivot> bad_pivots[] = {{"shift", bad_pivot::shift},
                                           {"refuse", bad_pivot::refuse}};
constexpr named<polynomial_kind> polynomials[] = {{"neumann", polynomial_kind::neumann},
                                                  {"chebyshev", polynomial_kind::chebyshev}};

}  // namespace

factorisation_options take_factorisation(nb::dict& given)
{
    factorisation_options o;
    take_name(given, "factors", precisions_of_factors, o.factors);
    take_name(given, "ordering", orderings, o.ordering);
    take<bool>(given, "scale", o.scale);
    take<bool>(given, "match", o.match);
    take<double>(given, "most_work", o.most_work);
    take<std::int64_t>(given, "most_memory", o.most_memory);
    return o;
}

preconditioner_options take_preconditioner(nb::dict& given)
{
    preconditioner_options o;
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
    nb::object callback = nb::none();
    solve_options o;
    o.record_history = true;
    take_name(given, "method", methods, o.method);
    take_name(given, "precond", preconditionings, o.precond);
    take<double>(given, "tolerance", o.tolerance);
    take<int>(given, "digits", o.digits);
    take<bool>(given, "normwise", o.normwise);
    take<bool>(given, "certify", o.certify);
    take<std::int64_t>(given, "max_iterations", o.max_iterations);
    take<std::int64_t>(given, "restart", o.restart);
    take<std::int64_t>(given, "l", o.l);
    take<std::int64_t>(given, "s", o.s);
    take<nb::object>(given, "callback", callback);
    o.preconditioner = take_preconditioner(given);
    o.factorisation = take_factorisation(given);
    o.preconditioner.factors = o.factorisation.factors;
    o.preconditioner.ordering = o.factorisation.ordering;
    o.preconditioner.scale = o.factorisation.scale;
    o.preconditioner.match = o.factorisation.match;
    o.preconditioner.most_work = o.factorisation.most_work;
    o.preconditioner.most_memory = o.factorisation.most_memory;
    require_empty(given);
    // Shared: the function is copied where the GIL is not held.
    o.watch = [w = std::shared_ptr<watcher>(new watcher(std::move(callback)), [](watcher* p) {
                   const nb::gil_scoped_acquire held;
                   delete p;
               })](const solve_progress& p) { return (*w)(p); };
    return o;
}

check_options check_options_of(const nb::dict& given)
{
    // A check has some of a solve's options, under the same names.
    for (const auto& [name, value] : given) {
        const std::string text = nb::cast<std::string>(name);
        if (text != "digits" && text != "normwise" && text != "certify" && text != "factors" &&
            text != "ordering" && text != "scale" && text != "match" && text != "most_work" &&
            text != "most_memory")
            throw nb::type_error(("a check has no option \"" + text + "\"").c_str());
    }
    const solve_options o = solve_options_of(given);
    check_options c;
    if (given.contains("digits")) c.digits = o.digits;
    c.normwise = o.normwise;
    c.certify = o.certify;
    c.factorisation = o.factorisation;
    c.watch = o.watch;
    return c;
}

}  // namespace ddla::python
