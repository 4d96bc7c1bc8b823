#include "conditions.hpp"

#include <cmath>
#include <functional>

namespace reference {

namespace {

using ddla::index_t;
using operation = std::function<number_vector(const number_vector&)>;

number norm1(const number_vector& x)
{
    number sum = 0;
    for (Eigen::Index i = 0; i < x.size(); ++i) sum += abs(x[i]);
    return sum;
}

Eigen::Index largest(const number_vector& x)
{
    Eigen::Index at = 0;
    for (Eigen::Index i = 1; i < x.size(); ++i)
        if (abs(x[i]) > abs(x[at])) at = i;
    return at;
}

number norm_inf(const number_vector& x)
{
    return abs(x[largest(x)]);
}

number dot(const number_vector& x, const number_vector& y)
{
    number sum = 0;
    for (Eigen::Index i = 0; i < x.size(); ++i) sum += x[i] * y[i];
    return sum;
}

/// The 1-norm of an operator: Higham, Accuracy and Stability of Numerical Algorithms, algorithm
/// 15.1 (Hager's, with an extra vector).  A lower bound.
double estimate_norm1(Eigen::Index n, const operation& apply, const operation& apply_transposed)
{
    number_vector x = number_vector::Constant(n, number(1) / number(n));
    number best = 0;
    for (int step = 0; step < 5; ++step) {
        const number_vector y = apply(x);
        const number now = norm1(y);
        if (step > 0 && now <= best) break;
        best = now;
        number_vector signs(n);
        for (Eigen::Index i = 0; i < n; ++i) signs[i] = y[i] < 0 ? -1 : 1;
        const number_vector z = apply_transposed(signs);
        const Eigen::Index at = largest(z);
        if (step > 0 && abs(z[at]) <= dot(z, x)) break;
        x.setZero();
        x[at] = 1;
    }
    for (Eigen::Index i = 0; i < n; ++i)
        x[i] = (i % 2 ? -1 : 1) * (1 + number(i) / number(std::max<Eigen::Index>(n - 1, 1)));
    const number other = 2 * norm1(apply(x)) / number(3 * n);
    return std::max(best, other).convert_to<double>();
}

/// |A| |x|.
number_vector product_of_sizes(const ddla::csr_matrix<double>& a, const number_vector& x)
{
    const ddla::csr<double> m = a.view();
    number_vector y = number_vector::Zero(m.rows);
    for (index_t i = 0; i < m.rows; ++i)
        for (index_t k = m.row_begin[i]; k < m.row_begin[i + 1]; ++k)
            y[i] += number(std::fabs(m.value.get(k))) * abs(x[m.column[k]]);
    return y;
}

double norm1(const ddla::csr_matrix<double>& a)
{
    const ddla::csr<double> m = a.view();
    std::vector<double> sums(static_cast<std::size_t>(m.columns));
    for (index_t k = 0; k < a.nonzeros(); ++k)
        sums[static_cast<std::size_t>(m.column[k])] += std::fabs(m.value.get(k));
    return *std::max_element(sums.begin(), sums.end());
}

}  // namespace

conditions::conditions(const ddla::csr_matrix<double>& a, elimination& factors, double inverse_cost)
    : a_(a), factors_(factors)
{
    const index_t n = a.rows();
    if (static_cast<double>(n) * static_cast<double>(factors.nonzeros()) > inverse_cost) return;
    for (index_t j = 0; j < n; ++j) {
        const number_vector column = factors.solve(number_vector(number_vector::Unit(n, j)));
        std::vector<double>& sizes = inverse_.emplace_back();
        for (index_t i = 0; i < n; ++i) sizes.push_back(abs(column[i]).convert_to<double>());
    }
}

condition conditions::kappa1()
{
    double norm = 0;
    for (const auto& column : inverse_) {
        double sum = 0;
        for (const double size : column) sum += size;
        norm = std::max(norm, sum);
    }
    if (inverse_.empty())
        norm = estimate_norm1(
            a_.rows(), [&](const number_vector& x) { return factors_.solve(x); },
            [&](const number_vector& x) { return factors_.solve_transposed(x); });
    return {norm * norm1(a_), !inverse_.empty()};
}

condition conditions::skeel(const number_vector& x)
{
    const number size = norm_inf(x);
    if (size == 0) return {0, true};
    const number_vector weights = product_of_sizes(a_, x);
    if (inverse_.empty()) {
        // The inf-norm of A^-1 W is the 1-norm of W A^-T, W the diagonal matrix of the weights.
        const double norm = estimate_norm1(
            a_.rows(),
            [&](const number_vector& y) {
                return weights.cwiseProduct(factors_.solve_transposed(y)).eval();
            },
            [&](const number_vector& y) {
                return factors_.solve(number_vector(weights.cwiseProduct(y)));
            });
        return {(number(norm) / size).convert_to<double>(), false};
    }
    std::vector<double> rows(inverse_.size());
    for (std::size_t j = 0; j < rows.size(); ++j) {
        const double weight = (weights[static_cast<Eigen::Index>(j)] / size).convert_to<double>();
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += inverse_[j][i] * weight;
    }
    return {*std::max_element(rows.begin(), rows.end()), true};
}

std::vector<double> vector_that_makes_x_large(elimination& factors, index_t n)
{
    number_vector b = number_vector::Ones(n);
    for (int step = 0; step < 6; ++step) {
        b = factors.solve_transposed(factors.solve(b));
        b /= number(norm_inf(b));
    }
    std::vector<double> rounded(static_cast<std::size_t>(n));
    for (index_t i = 0; i < n; ++i)
        rounded[static_cast<std::size_t>(i)] =
            boost::multiprecision::round(number(b[i] * 0x1p20)).convert_to<double>();
    return rounded;
}

}  // namespace reference
