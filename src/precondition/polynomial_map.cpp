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

#include "ddla/summation.hpp"

#include <cmath>

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

template <scalar T, scalar V>
class polynomial_map final : public function_map<T> {
public:
    polynomial_map(const csr<V>& a, place where, std::shared_ptr<const vector<T>> d,
                   polynomial<T> p)
        : function_map<T>(a.rows, a.columns, where), a_(a), d_(std::move(d)), p_(std::move(p))
    {
    }
    bool is_recordable() const override { return true; }
    std::unique_ptr<bound_map<T>> bind(engine& here) const override
    {
        return std::make_unique<bound_polynomial<T>>(here, this->where(),
                                                     here.matrices<T, V>().product(a_), d_, p_);
    }

private:
    csr<V> a_;
    std::shared_ptr<const vector<T>> d_;
    polynomial<T> p_;
};

/// The largest sum of a row of |D^-1 A|, which no eigenvalue passes.
template <scalar V>
double largest_row_sum(const csr<V>& a)
{
    double largest = 0;
    for (index_t i = 0; i < a.rows; ++i) {
        running_sum<double> sum;
        double diagonal = 0;
        for (index_t k = a.row_begin[i]; k < a.row_begin[i + 1]; ++k) {
            const double x = word<0>(a.value.get(k));
            sum.add(std::fabs(x));
            if (a.column[k] == i) diagonal += x;
        }
        largest = std::max(largest, sum.sum(0.0) / std::fabs(diagonal));
    }
    return largest;
}

}  // namespace

template <scalar T, scalar V>
preconditioner<T> make_polynomial(const csr<V>& a, place where, const preconditioner_options& o)
{
    const stopwatch clock;
    engine& here = engine_at(where);
    const auto d = inverted_diagonal<T>(here, a, where);
    here.wait();
    polynomial<T> p;
    if (o.polynomial == polynomial_kind::chebyshev) {
        const rows_at_host<V> rows(a, where);
        p = chebyshev<T>(o.degree, largest_row_sum(rows.view()), o.eigenvalue_ratio);
    } else {
        p = neumann<T>(o.degree);
    }
    const double largest = here.vectors<T>().largest_magnitude(std::as_const(*d).view());
    const auto map = std::make_shared<const polynomial_map<T, V>>(a, where, d, std::move(p));
    preconditioner<T> k("polynomial", a.rows, where,
                        [map, where](place of_vectors) -> std::shared_ptr<const linear_map<T>> {
                            require_same_place("apply", "the preconditioner", where, "the vectors",
                                               of_vectors);
                            return map;
                        },
                        {.seconds = clock.seconds(),
                         .bytes = static_cast<std::size_t>(a.rows) * sizeof(T),
                         .smallest_pivot = 1 / largest});
    if constexpr (words_of<T> == 2)
        k.keep_for_double([a, where, o] {
            return std::make_shared<const preconditioner<double>>(
                make_polynomial<double>(rounded_to_double(a), where, o));
        });
    return k;
}

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template preconditioner<T> make_polynomial(const csr<V>&, place, const preconditioner_options&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::api
