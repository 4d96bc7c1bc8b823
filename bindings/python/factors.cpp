// LU factors and preconditioners as objects.
#include "factors.hpp"

#include "interruptible_work.hpp"
#include "options.hpp"

#include <cmath>

namespace ddla::python {
namespace {

/// What Python has for a number or a name: None where it is not known.
template <class X>
nb::object python_of(const about::field& field, X x)
{
    if constexpr (std::is_enum_v<X>)
        return nb::cast(std::string(name_of(x)));
    else if constexpr (std::is_floating_point_v<X>)
        return std::isfinite(x) ? nb::object(nb::cast(x)) : nb::object(nb::none());
    else
        return field.counts && x < 0 ? nb::object(nb::none()) : nb::object(nb::cast(x));
}

/// All fields by the names of their description (ddla/describe.hpp); rows count from 0.
template <class Report>
nb::dict fields_of(const Report& r)
{
    nb::dict d;
    describe(
        described<Report>(),
        [&](const about::field& field, const auto& x) {
            d[std::string(field.name).c_str()] = python_of(field, x);
        },
        r);
    return d;
}

factors factor(const matrix& a, const std::string& precision, const nb::dict& given)
{
    nb::dict rest = copy_of(given);
    const factorisation_options o = take_factorisation(given, rest);
    require_empty(rest);
    const interruptible_work released;
    return in_precision(precision, [&]<scalar F>() -> factors {
        return std::visit([&](const auto& m) -> factors { return {lu_factors<F>(*m, o)}; }, a.rows);
    });
}

/// b may hold several systems, one after the other.
template <scalar T>
words_out solve_factors(const factors& f, const words_in& words, bool transposed)
{
    const vector<T> b = vector_of<T>(words);
    vector<T> x(b.size());
    const factors kept = f;  // another thread may refactor f
    {
        const interruptible_work released;
        std::visit(
            [&](const auto& lu) {
                if (transposed)
                    lu.solve_transposed(b, x);
                else
                    lu.solve(b, x);
            },
            kept.lu);
    }
    return words_of_vector(x);
}

bool refactor(factors& f, const matrix& a)
{
    factors next = f;  // copies share; other threads solve with f meanwhile
    bool done = false;
    {
        const interruptible_work released;
        done = std::visit([](auto& lu, const auto& m) { return lu.refactor(*m); }, next.lu, a.rows);
    }
    if (done) f = next;
    return done;
}

nb::dict about(const factors& f)
{
    const factorisation_report r = std::visit([](const auto& lu) { return lu.about(); }, f.lu);
    return fields_of(r);
}

template <scalar T, scalar V>
preconditioner<T> made(const std::string& kind, const csr_matrix<V>& a,
                       const preconditioner_options& o)
{
    using k = preconditioner<T>;
    if (kind == "jacobi") return k::jacobi(a);
    if (kind == "ilu") return k::ilu(a, o);
    if (kind == "ilut") return k::ilut(a, o);
    if (kind == "ic") return k::ic(a, o);
    if (kind == "block_jacobi") return k::block_jacobi(a, o);
    if (kind == "polynomial") return k::polynomial(a, o);
    throw nb::value_error(
        ("kind \"" + kind + "\" is none of jacobi, ilu, ilut, ic, block_jacobi, polynomial")
            .c_str());
}

placed_preconditioner build(const std::string& kind, const matrix& a, const std::string& precision,
                            const nb::dict& given)
{
    nb::dict rest = copy_of(given);
    const preconditioner_options o = take_preconditioner(given, rest);
    require_empty(rest);
    const interruptible_work released;
    return in_precision(precision, [&]<scalar T>() {
        placed_preconditioner k{
            with_rows<T>(a, [&](const auto& m) { return made<T>(kind, m, o); })};
        std::visit([&](const auto& m) { k.matrix = m; }, a.rows);
        return k;
    });
}

placed_preconditioner of_factors(const factors& f, const std::string& precision)
{
    return in_precision(precision, [&]<scalar T>() {
        return std::visit(
            [](const auto& lu) { return placed_preconditioner{preconditioner<T>::lu(lu)}; }, f.lu);
    });
}

placed_preconditioner of_function(index_t n, nb::object function, const std::string& precision)
{
    return in_precision(precision, [&]<scalar T>() {
        return placed_preconditioner{
            preconditioner<T>("function", n, host_code<T>(std::move(function)))};
    });
}

template <scalar T>
words_out apply(const preconditioner<T>& k, const words_in& words)
{
    const vector<T> r = vector_of<T>(words);
    vector<T> z(r.size());
    {
        const interruptible_work released;
        k.apply(r, z);
    }
    return words_of_vector(z);
}

}  // namespace

void bind_factors(nb::module_& m)
{
    nb::class_<factors>(m, "factors")
        .def("solve",
             [](const factors& f, words_in b, bool transposed) {
                 return is_dd(b) ? solve_factors<dd_real>(f, b, transposed)
                                 : solve_factors<double>(f, b, transposed);
             })
        .def("refactor", refactor)
        .def("about", about)
        .def_prop_ro("is_dd", [](const factors& f) { return f.lu.index() == 1; });
    m.def("factor", factor);
    nb::class_<placed_preconditioner>(m, "preconditioner")
        .def_prop_ro("name",
                     [](const placed_preconditioner& k) {
                         return std::visit([](const auto& map) { return map.name(); }, k.map);
                     })
        .def_prop_ro("is_dd", [](const placed_preconditioner& k) { return k.map.index() == 1; })
        .def("built",
             [](const placed_preconditioner& k) {
                 return std::visit([](const auto& map) { return fields_of(map.built()); }, k.map);
             })
        .def("symmetric_positive",  // the same, of which that is known
             [](placed_preconditioner k) {
                 std::visit([](auto& map) { map.set_symmetric_positive(true); }, k.map);
                 return k;
             })
        .def("apply", [](const placed_preconditioner& k, words_in r) {
            return std::visit([&](const auto& map) { return apply(map, r); }, k.map);
        });
    m.def("build_preconditioner", build);
    m.def("preconditioner_of_factors", of_factors);
    m.def("preconditioner_of_function", of_function);
}

}  // namespace ddla::python
