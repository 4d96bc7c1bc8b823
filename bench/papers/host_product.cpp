#include "host_product.hpp"

#include <cmath>
#include <thread>

namespace bench {

using namespace ddla;

namespace {

/// Of an operation of T.  In double-double: 5 u^2 bounds a product and a sum (docs/arithmetic.md),
/// an entry takes both, and the expected value may be as wrong as the result.
template <scalar T>
constexpr double rounding = words_of<T> == 1 ? 0x1p-53 : 20 * 0x1p-106;

dd_real in_dd(double x)
{
    return x;
}
dd_real in_dd(dd_real x)
{
    return x;
}

template <scalar T>
struct product {
    T alpha, beta;
    csr<double> a;
    vec<const T> x, y;
    vec<dd_real> expected;
    double* bound;

    void row(index_t i) const
    {
        dd_real sum = 0.0;
        double size = 0;
        for (index_t k = a.row_begin[i]; k < a.row_begin[i + 1]; ++k) {
            const double value = a.value.get(k);
            const dd_real of_x = in_dd(x.get(a.column[k]));
            sum = sum + of_x * value;
            size += std::abs(value * of_x.hi);
        }
        const dd_real scaled = in_dd(alpha) * sum, added = in_dd(beta) * in_dd(y.get(i));
        expected.set(i, scaled + added);
        const double of_alpha = std::abs(in_dd(alpha).hi), of_y = std::abs(added.hi);
        const double operations = static_cast<double>(a.row_length(i)) + 4;
        bound[i] = 1.01 * operations * rounding<T> * (of_alpha * size + of_y);
    }
};

}  // namespace

template <scalar T>
host_product multiply_on_host(T alpha, const csr_matrix<double>& a, vec<const T> x, T beta,
                              vec<const T> y, unsigned threads)
{
    const csr<double> rows = a.view();
    host_product made{vector<dd_real>(rows.rows),
                      std::vector<double>(static_cast<std::size_t>(rows.rows))};
    const product<T> p{alpha, beta, rows, x, y, made.expected.view(), made.bound.data()};
    const index_t parts = threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::jthread> all;
    for (index_t t = 0; t < parts; ++t)
        all.emplace_back([&p, rows, t, parts] {
            const index_t last = (t + 1) * rows.rows / parts;
            for (index_t i = t * rows.rows / parts; i < last; ++i) p.row(i);
        });
    all.clear();  // waits
    return made;
}

template host_product multiply_on_host(double, const csr_matrix<double>&, vec<const double>, double,
                                       vec<const double>, unsigned);
template host_product multiply_on_host(dd_real, const csr_matrix<double>&, vec<const dd_real>,
                                       dd_real, vec<const dd_real>, unsigned);

}  // namespace bench
