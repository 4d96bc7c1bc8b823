// What solve() checks before any work.
#include "checked_system.hpp"

#include "calls/in_range.hpp"
#include "direct/judged_digits.hpp"
#include "plan.hpp"
#include "solve_on.hpp"

#include "ddla/text.hpp"

#include <algorithm>

namespace ddla::api {
namespace {

/// `most_digits` is what the numbers of x hold.
void check_options(const solve_options& o, int most_digits)
{
    check_limits("solve", o.digits.value_or(usual_digits), most_digits, o.factorisation);
    require_in_range("solve", o);
    if (o.certify && !uses_factors(o.method))
        throw input_error("solve: a bound of the error needs method automatic or refinement");
}

template <scalar T>
void check_preconditioner(const system_map<T>& a, const preconditioner<T>& k,
                          const solve_options& options)
{
    const bool preconditioned = !k.is_none() || options.precond != preconditioning::none;
    const bool factors = uses_factors(options.method);
    if (preconditioned && !factors && takes_any_shape(options.method))
        throw input_error("solve: " + std::string(title(options.method)) +
                          " takes no preconditioner");
    if (a.rows() != a.columns() && preconditioned)
        throw input_error("solve: the matrix is " + std::to_string(a.rows()) + " x " +
                          std::to_string(a.columns()) +
                          ", and least squares take no preconditioner");
    if (options.precond != preconditioning::none)
        require_in_range("preconditioner", options.preconditioner, to_string(options.precond));
    if (k.is_none()) return;
    if (options.precond != preconditioning::none)
        throw input_error("solve: " + std::string(to_string(options.precond)) +
                          " and a preconditioner object are one preconditioner too many");
    require_same_size("solve", "the preconditioner", k.size(), "b", a.rows());
}

}  // namespace

template <scalar T>
void check_system(engine& here, const system_map<T>& a, const preconditioner<T>& k, vec<const T> b,
                  vec<const T> x, const solve_options& options)
{
    if (x.size > 0 && x.word(0) == b.word(0))
        throw input_error("solve: x and b are the same vector, the report would judge x by itself");
    check_options(options, words_of<T> == 1 ? 15 : 31);
    require_judged_digits(options, a.has_entries());
    check_preconditioner(a, k, options);
    a.require_finite(here);
    require_finite(here, "solve", "b", b);
    require_finite(here, "solve", "x", x);
    if (options.method == method::refinement && !a.has_entries())
        throw input_error("solve: refinement needs a matrix, A is a function");
    if (options.certify && a.rows() != a.columns())
        throw input_error("solve: a bound of the error is proved of square matrices, A is " +
                          std::to_string(a.rows()) + " x " + std::to_string(a.columns()));
    const bool factors = uses_factors(options.method) && a.has_entries() &&
                         !corrects_by_iterations(!k.is_none(), options);
    if (options.precond == preconditioning::jacobi && !factors) a.require_diagonal(here);
    if (options.precond == preconditioning::lu && !a.has_entries())
        throw input_error("solve: LU needs a matrix, A is a function");
}

template <scalar T>
std::shared_ptr<const system_map<T>> system_of(const linear_operator<T>& a, const vector<T>& b,
                                               const vector<T>& x, const solve_options& options)
{
    const bool is_square = a.rows() == a.columns();
    require_shape(options, a.rows(), a.columns(),
                  is_square || a.system_at(b.where())->has_entries());
    require_fit("solve", "b", b.size(), "rows", a.rows());
    require_fit("solve", "x", x.size(), "columns", a.columns());
    require_same_place("solve", "x", x.where(), "b", b.where());
    return a.system_at(b.where());
}

template <scalar T>
std::shared_ptr<const preconditioner<double>> in_double_of(const preconditioner<T>& k)
{
    auto in_double = k.in_double();
    if (!in_double)
        throw input_error("solve: refinement corrects x in double, for which the preconditioner "
                          "\"" +
                          k.name() +
                          "\" has no code; take one of the entries of A, or another method");
    return in_double;
}

void check_low_part(engine& here, const vector<dd_real>& x, const vector<dd_real>& x_low,
                    const solve_options& options)
{
    require_same_size("solve", "x", x.size(), "x_low", x_low.size());
    require_same_place("solve", "x", x.where(), "x_low", x_low.where());
    if (&x == &x_low) throw input_error("solve: x and x_low are the same vector");
    require_finite(here, "solve", "x_low", x_low.view());
    if (!uses_factors(options.method))
        throw input_error("solve: four words of x come from refinement, not from " +
                          std::string(to_string(options.method)));
    if (corrects_by_iterations(false, options))
        throw input_error("solve: four words of x come from factors, not from corrections with " +
                          std::string(to_string(options.precond)));
    check_options(options, 60);
}

solve_options with_low_part(const solve_options& options)
{
    solve_options checked = options;
    if (options.digits) checked.digits = std::min(*options.digits, 31);
    checked.precond = preconditioning::none;
    return checked;
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template void check_system(engine&, const system_map<T>&, const preconditioner<T>&,            \
                               vec<const T>, vec<const T>, const solve_options&);                  \
    template std::shared_ptr<const preconditioner<double>> in_double_of(const preconditioner<T>&); \
    template std::shared_ptr<const system_map<T>> system_of(                                       \
        const linear_operator<T>&, const vector<T>&, const vector<T>&, const solve_options&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::api
