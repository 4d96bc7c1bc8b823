// Polynomials in D^-1 A as preconditioners; D is the diagonal of A.
//
// Neumann: z = D^-1 r, then z += D^-1 (r - A z), once for each degree: the series of (D^-1 A)^-1 at
// I, for which D^-1 A should be near I.  Chebyshev: the same with the weights that make the
// residual smallest on the interval [L / ratio, L] (Saad, Iterative Methods for Sparse Linear
// Systems, algorithm 12.1).  Only products and operations on elements: the same bits at every
// place.
#include "calls/at_host.hpp"
#include "calls/function_maps.hpp"
#include "calls/stopwatch.hpp"
#include "inverted_diagonal.hpp"
#include "make_preconditioner.hpp"
#include "matrix/rounded_to_double.hpp"
#include "polynomial_base.hpp"

namespace ddla::api {
namespace {

/// z += (earlier) step before + (later) D^-1 (r - A z)
template <scalar T>
struct weights {
    T earlier, later;
};

template <scalar T>
struct polynomial {
    T first;  ///< z = first D^-1 r at the beginning
    std::vector<weights<T>> steps;
};

template <scalar T>
polynomial<T> neumann(int degree)
{
    return {T(1), std::vector<weights<T>>(static_cast<std::size_t>(degree), {T(0), T(1)})};
}

template <scalar T>
polynomial<T> chebyshev(int degree, double largest, double ratio)
{
    const T upper(largest), lower = upper / T(ratio);
    const T theta = (upper + lower) / T(2), delta = (upper - lower) / T(2);
    const T sigma = theta / delta;
    T rho = T(1) / sigma;
    polynomial<T> p{T(1) / theta, {}};
    for (int k = 0; k < degree; ++k) {
        const T next = T(1) / (T(2) * sigma - rho);
        p.steps.push_back({next * rho, T(2) * next / delta});
        rho = next;
    }
    return p;
}

template <scalar T>
class bound_polynomial final : public bound_map<T> {
public:
    bound_polynomial(engine& here, place where, std::unique_ptr<bound_map<T>> a,
                     std::shared_ptr<const vector<T>> d, const polynomial<T>& p)
        : vectors_(here.vectors<T>()), a_(std::move(a)), d_(std::move(d)), p_(p),
          rest_(d_->size(), where), step_(d_->size(), where)
    {
    }
    void apply(vec<const T> r, double, vec<T> z) override
    {
        const vec<T> rest = rest_.view(), step = step_.view();
        vectors_.multiply(d_->view(), r, step);
        vectors_.scal(p_.first, step);
        vectors_.copy(step, z);
        for (const weights<T>& w : p_.steps) {
            a_->apply(z, 1, rest);
            vectors_.axpyz(T(-1), rest, r, rest);
            vectors_.multiply(d_->view(), rest, rest);
            vectors_.scal(w.later, rest);
            vectors_.axpyz(w.earlier, step, rest, step);
            vectors_.axpyz(T(1), step, z, z);
        }
    }

private:
    vector_operations<T>& vectors_;
    std::unique_ptr<bound_map<T>> a_;
    std::shared_ptr<const vector<T>> d_;
    const polynomial<T>& p_;
    vector<T> rest_, step_;
};

template <scalar T>
class polynomial_map final : public function_map<T> {
public:
    polynomial_map(polynomial_base<T> of, polynomial<T> p)
        : function_map<T>(of.rows, of.rows, of.where), of_(std::move(of)), p_(std::move(p))
    {
    }
    bool is_recordable() const override { return of_.is_recordable; }
    std::unique_ptr<bound_map<T>> bind(engine& here) const override
    {
        return std::make_unique<bound_polynomial<T>>(here, this->where(), of_.product(here),
                                                     of_.inverted_diagonal, p_);
    }

private:
    polynomial_base<T> of_;
    polynomial<T> p_;
};

template <scalar V>
double largest_row_sum(const csr<V>& a)
{
    double largest = 0;
    for (index_t i = 0; i < a.rows; ++i) {
        scaled_row_sum row;
        for (index_t k = a.row_begin[i]; k < a.row_begin[i + 1]; ++k)
            row.add(word<0>(a.value.get(k)), a.column[k] == i);
        largest = std::max(largest, row.value());
    }
    return largest;
}

}  // namespace

template <scalar T>
preconditioner<T> polynomial_of(const polynomial_base<T>& of, const preconditioner_options& o,
                                double seconds, typename preconditioner<T>::double_maker in_double)
{
    const stopwatch clock;
    polynomial<T> p = o.polynomial == polynomial_kind::chebyshev
                          ? chebyshev<T>(o.degree, of.largest_row_sum(), o.eigenvalue_ratio)
                          : neumann<T>(o.degree);
    const auto map = std::make_shared<const polynomial_map<T>>(of, std::move(p));
    preconditioner<T> k(
        "polynomial", of.rows, of.where,
        [map, where = of.where](place of_vectors) -> std::shared_ptr<const linear_map<T>> {
            require_same_place("apply", "the preconditioner", where, "the vectors", of_vectors);
            return map;
        },
        {.seconds = seconds + clock.seconds(),
         .bytes = static_cast<std::size_t>(of.rows) * sizeof(T),
         .smallest_pivot = 1 / of.largest_inverse});
    if constexpr (words_of<T> == 2) k.keep_for_double(std::move(in_double));
    return k;
}

template <scalar T, scalar V>
preconditioner<T> make_polynomial(const csr<V>& a, place where, const preconditioner_options& o)
{
    const stopwatch clock;
    engine& here = engine_at(where);
    const auto d = inverted_diagonal<T>(here, a, where);
    here.wait();
    const polynomial_base<T> base{
        .rows = a.rows,
        .where = where,
        .product = [a](engine& at) { return at.matrices<T, V>().product(a); },
        .inverted_diagonal = d,
        .largest_inverse = here.vectors<T>().largest_magnitude(std::as_const(*d).view()),
        .largest_row_sum =
            [a, where] {
                const rows_at_host<V> rows(a, where);
                return largest_row_sum(rows.view());
            }};
    return polynomial_of<T>(base, o, clock.seconds(), [a, where, o] {
        return std::make_shared<const preconditioner<double>>(
            make_polynomial<double>(rounded_to_double(a), where, o));
    });
}

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template preconditioner<T> make_polynomial(const csr<V>&, place, const preconditioner_options&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

#define DDLA_INSTANTIATE(T)                                                                        \
    template preconditioner<T> polynomial_of(const polynomial_base<T>&,                            \
                                             const preconditioner_options&, double,                \
                                             preconditioner<T>::double_maker);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::api
