#include "proof_parts.hpp"

#include "ddla/text.hpp"

#include <algorithm>
#include <cmath>

namespace ddla::refine {

using factor::as_size;

template <scalar V>
bool has_shared_places(const csr<V>& a)
{
    std::vector<index_t> met(as_size(a.columns), -1);
    for (index_t i = 0; i < a.rows; ++i)
        for (index_t e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e) {
            if (met[as_size(a.column[e])] == i) return true;
            met[as_size(a.column[e])] = i;
        }
    return false;
}

namespace {

void times_powers(real_vector& v, const std::vector<int>& exponent, int sign)
{
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = std::ldexp(v[i], sign * exponent[i]);
}

double norm_of(const real_vector& v)
{
    double most = 0, sum = 0;
    for (const double x : v) most = std::max(most, std::fabs(x));
    if (!(most > 0) || !std::isfinite(most)) return most;
    for (const double x : v) sum += (x / most) * (x / most);
    return most * std::sqrt(sum);
}

}  // namespace

template <scalar V>
std::optional<double> estimated_inverse_norm(const host_system<V>& system,
                                             const approximate_inverse& approximate,
                                             const factor::exponents& s)
{
    constexpr int steps = 4;
    real_vector v(as_size(system.size()));
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = random_sign(3, i);
    double norm = 0;
    for (int step = 0; step < steps; ++step) {
        const double size = norm_of(v);
        if (!(size > 0) || !std::isfinite(size)) return std::nullopt;
        for (double& x : v) x /= size;
        times_powers(v, s.row, -1);
        auto y = refined_solve(system, approximate, std::move(v));
        if (!y) return std::nullopt;
        times_powers(*y, s.column, -1);
        norm = std::max(norm, norm_of(*y));
        times_powers(*y, s.column, -1);
        auto z = refined_solve_transposed(system, approximate, std::move(*y));
        if (!z) return std::nullopt;
        times_powers(*z, s.row, -1);
        v = std::move(*z);
    }
    return std::isfinite(norm) && norm > 0 ? std::optional(norm) : std::nullopt;
}

std::string why_no_norm(const approximate_inverse& approximate, const factorisation_options& asked)
{
    if (approximate.may_go_on && !approximate.may_go_on())
        return "solves for the proof need, behind the factors, more work than " +
               allowed_work(asked);
    return "the norm of the inverse could not be estimated: a solve stalls";
}

std::string text_of(double x)
{
    return to_string(dd_real(x), 2);
}

std::string allowed_work(const factorisation_options& asked)
{
    const double operations = asked.most_work * 1e9;
    return "most_work allows, " +
           (operations < 1e15 ? std::to_string(static_cast<std::int64_t>(operations))
                              : text_of(operations)) +
           " multiplications with a subtraction";
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template bool has_shared_places(const csr<V>&);                                                \
    template std::optional<double> estimated_inverse_norm(                                         \
        const host_system<V>&, const approximate_inverse&, const factor::exponents&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::refine
