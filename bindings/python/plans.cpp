// Plans of solves, as JSON.
#include "interruptible_work.hpp"
#include "options.hpp"
#include "preconditioner_argument.hpp"

#include "ddla/plan.hpp"

namespace ddla::python {
namespace {

/// plan(about) plans, without the GIL and until Ctrl-C, and says what A is.
template <scalar T, class Plan>
std::string planned(const solve_options& o, const std::string& precond, bool is_complex,
                    const Plan& plan)
{
    const interruptible_work released;
    reported_matrix about;
    reported_plan told{plan(about), std::string(number_traits<T>::name)};
    about.is_complex = is_complex;
    return plan_json(about, o.method, precond, {std::move(told)});
}

/// Of so many systems, one after the other.
template <scalar T>
std::string plan_in(const matrix& a, const nb::object& k, const words_in& b_words,
                    const words_in& x_words, index_t count, const solve_options& o, bool is_complex)
{
    const preconditioner<T> map = preconditioner_of<T>(k);
    const auto b = columns_of<T>(b_words, count), x = columns_of<T>(x_words, count);
    return planned<T>(o, name_of(map, o), is_complex, [&](auto& about) {
        return with_rows<T>(a, [&](const auto& m) {
            about = reported(m);
            return plan_solve(m, map, b, x, o);
        });
    });
}

template <scalar T>
std::string plan_function(index_t n, nb::object function, const nb::object& k, const words_in& b,
                          const words_in& x, const solve_options& o)
{
    const preconditioner<T> map = preconditioner_of<T>(k);
    const linear_operator<T> a(n, n, host_code<T>(std::move(function)));
    const vector<T> right = vector_of<T>(b), guess = vector_of<T>(x);
    return planned<T>(o, name_of(map, o), false, [&](auto& about) {
        about = {n, n, 0};
        return plan_solve(a, map, right, guess, o);
    });
}

std::string plan_four_words(const matrix& a, const words_in& b, const words_in& x,
                            const solve_options& o, bool is_complex)
{
    const auto right = vector_of<dd_real>(b), guess = vector_of<dd_real>(x);
    const vector<dd_real> low(size_of(x));
    return planned<dd_real>(o, "none", is_complex, [&](auto& about) {
        return with_rows<dd_real>(a, [&](const auto& m) {
            about = reported(m);
            return plan_solve(m, right, guess, low, o);
        });
    });
}

}  // namespace

void bind_plans(nb::module_& m)
{
    m.def(
        "plan",
        [](const matrix& a, const nb::object& k, words_in b, words_in x, index_t count,
           const std::string& precision, const nb::dict& options, bool is_complex) {
            const solve_options o = solve_options_of(options, k);
            return in_precision(precision, [&]<scalar T>() {
                return plan_in<T>(a, k, b, x, count, o, is_complex);
            });
        },
        nb::arg("a"), nb::arg("k").none(), nb::arg("b"), nb::arg("x"), nb::arg("count"),
        nb::arg("precision"), nb::arg("options"), nb::arg("is_complex"));
    m.def(
        "plan_function",
        [](index_t n, nb::object function, const nb::object& k, words_in b, words_in x,
           const std::string& precision, const nb::dict& options) {
            const solve_options o = solve_options_of(options, k);
            return in_precision(
                precision, [&]<scalar T>() { return plan_function<T>(n, function, k, b, x, o); });
        },
        nb::arg("n"), nb::arg("function"), nb::arg("k").none(), nb::arg("b"), nb::arg("x"),
        nb::arg("precision"), nb::arg("options"));
    m.def("plan_four_words",
          [](const matrix& a, words_in b, words_in x, const nb::dict& options, bool is_complex) {
              return plan_four_words(a, b, x, solve_options_of(options), is_complex);
          });
}

}  // namespace ddla::python
