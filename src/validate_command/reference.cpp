// The reference solution.
#include "reference.hpp"

#include "cli/shell/text_format.hpp"
#include "inverse_norm.hpp"
#include "work_estimate.hpp"

#include "ddla/error.hpp"

#include <limits>
#include <optional>

namespace ddla::validate {
namespace {

using cli::print;

constexpr double wanted_digits = 40;
/// log2 of 40 digits, and some.
constexpr long wanted_bits = 140;
/// A step of refinement must gain this many bits: else more of them in the factors cost less.
constexpr long least_gain = 16;

mp_vector rounded(const mp_vector& x, mpfr_prec_t bits)
{
    mp_vector y;
    for (const mp_number& e : x) y.push_back(mp_number(bits, e));
    return y;
}

/// ||A||_1
double norm_of(const sparse_columns& a, double power)
{
    double largest = 0;
    for (std::size_t j = 0; j + 1 < a.begin.size(); ++j) {
        double sum = 0;
        for (index_t e = a.begin[j]; e < a.begin[j + 1]; ++e)
            sum += std::abs(a.value[static_cast<std::size_t>(e)]) * power;
        largest = std::max(largest, sum);
    }
    return largest;
}

/// 1 / (||A||_1 ||A^-1||_1); the norm of A is summed as a quarter of 2^-20, which cannot overflow.
mp_number reciprocal_condition(const sparse_columns& a, const lu_factors<mp_number>& f,
                               const solve_look& look)
{
    constexpr double power = 0x1p-22;
    const mpfr_prec_t bits = f.pivot.front().bits();
    mp_number product = norm_estimate(
        static_cast<std::size_t>(a.n), mp_number(bits),
        [&](const mp_vector& x) { return f.solve(x, look); },
        [&](const mp_vector& x) { return f.solve_transposed(x, look); });
    product *= norm_of(a, power);
    product *= 1 / power;
    mp_number result(bits, 1.0);
    result /= product;
    return result;
}

/// The solution of one level.
struct level {
    mp_vector x;
    lu_factors<mp_number> factors;
    double rcond;
    int bits;
    long x_bits;
};

class maker {
public:
    maker(const csr_matrix<double>& a, const vector<double>& b, std::string file,
          const reference_limits& limits, const reference_watch& watch)
        : a_(a), b_(b), file_(std::move(file)), columns_(columns_of(a)), limits_(limits),
          guard_(limits, file_, watch)
    {
    }
    reference run();

private:
    std::optional<level> attempt(int bits);
    bool regular(const lu_factors<mp_number>& f, int bits);
    bool refine(level& l);
    void name_weakest_pivot(const lu_factors<mp_number>& f);
    void look(const reference_progress& progress) const { guard_.look(progress); }
    [[noreturn]] void refuse_singular(const std::string& why) const
    {
        throw input_error(file_ + ": the matrix is singular: " + why);
    }
    [[noreturn]] void give_up(double digits) const;

    const csr_matrix<double>& a_;
    const vector<double>& b_;
    const std::string file_;
    const sparse_columns columns_;
    std::vector<column_t> order_;
    const reference_limits limits_;
    const reference_guard guard_;
    int last_bits_ = 0;         ///< of the last level tried
    std::string why_singular_;  ///< of the last level; empty if it is not
};

/// The digits to which two solutions agree, in all components that are not zero in one.
double agreed_digits(const mp_vector& x, const mp_vector& y)
{
    double digits = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < x.size(); ++i) {
        const bool zero = exponent_of(x[i], LONG_MIN) < zero_exponent &&
                          exponent_of(y[i], LONG_MIN) < zero_exponent;
        mp_number difference = y[i];
        difference -= x[i];
        if (!zero && sign_of(difference) != 0)
            digits = std::min(digits, log10_of(y[i]) - log10_of(difference));
    }
    return digits;
}

reference maker::run()
{
    const std::string empty = empty_line(columns_);
    if (!empty.empty()) refuse_singular(empty);
    order_ = fill_reducing_order(columns_);
    work_estimate work(limits_, file_);
    const work_counts counts = work.count(columns_, order_, guard_);
    std::optional<level> lower;
    double digits = 0;
    for (int bits = 128; bits <= limits_.bits; bits *= 2) {
        if (lower) lower->factors = {};
        work.add_level(counts, bits);
        last_bits_ = bits;
        std::optional<level> higher = attempt(bits);
        if (higher && lower) digits = agreed_digits(lower->x, higher->x);
        if (digits >= wanted_digits)
            return {std::move(higher->x),
                    std::move(higher->factors),
                    digits,
                    higher->rcond,
                    higher->bits,
                    lower->bits,
                    higher->x_bits};
        lower = std::move(higher);
    }
    give_up(digits);
}

void maker::give_up(double digits) const
{
    if (!why_singular_.empty())
        refuse_singular(print("as far as %d bits can tell, ", last_bits_) + why_singular_);
    throw resource_error(file_ + print(": no reference solution: two precisions up to %d bits "
                                       "agree to %.0f digits, not to %.0f (--max-bits)",
                                       last_bits_, digits, wanted_digits));
}

std::optional<level> maker::attempt(int bits)
{
    const auto see = [&](index_t k, std::int64_t, std::int64_t) {
        look({"column", bits, k, columns_.n});
        return true;
    };
    level l{{}, factorise(columns_, order_, mp_number(bits), {.watch = see}), 0, bits, 0};
    const std::string column = "column " + std::to_string(l.factors.at + 1);
    why_singular_.clear();
    if (l.factors.end == lu_end::structurally_singular)
        refuse_singular("whatever its values are, no pivot is left in " + column);
    if (l.factors.end == lu_end::zero_pivot) why_singular_ = "only zeros are left in " + column;
    if (l.factors.end != lu_end::complete) return std::nullopt;
    const mp_number rcond = reciprocal_condition(columns_, l.factors, [&] {
        look({"solve of the condition", bits, 0, 0});
    });
    l.rcond = to_double(rcond);
    if (exponent_of(rcond, LONG_MIN / 2) < least_gain - bits) {
        name_weakest_pivot(l.factors);
        return std::nullopt;
    }
    const mp_vector first = l.factors.solve(rounded(exact(b_), bits), [&] {
        look({"first solution", bits, 0, 0});
    });
    // Digits of the smallest component that is not zero, lost to the largest one and to the
    // condition.
    const long lost =
        std::max(exponent_of(largest_magnitude(first, bits), 0), 0L) - exponent_of(rcond, 0);
    l.x_bits = wanted_bits - zero_exponent + lost + 64 + 2 * bits;
    return refine(l) ? std::optional(std::move(l)) : std::nullopt;
}

/// The column whose pivot is smallest beside the column's largest entry.
void maker::name_weakest_pivot(const lu_factors<mp_number>& f)
{
    double weakest = 0;
    std::size_t found = 0;
    for (std::size_t k = 0; k < f.pivot.size(); ++k) {
        const auto j = static_cast<std::size_t>(f.column_of[k]);
        double largest = 0;
        for (index_t e = columns_.begin[j]; e < columns_.begin[j + 1]; ++e)
            largest = std::max(largest, std::abs(columns_.value[static_cast<std::size_t>(e)]));
        const double share = log10_of(f.pivot[k]) - std::log10(largest);
        if (share < weakest) {
            weakest = share;
            found = j;
        }
    }
    why_singular_ = "the pivot of column " + std::to_string(found + 1) +
                    print(" is 1e%.0f of the column's largest entry", weakest);
}

/// Iterative refinement; false where it gains too little.
bool maker::refine(level& l)
{
    const auto small = [](const mp_number& d, const mp_number& x) {
        const long size = std::max(exponent_of(x, LONG_MIN / 2), zero_exponent);
        return exponent_of(d, LONG_MIN / 2) < size - wanted_bits;
    };
    l.x.assign(static_cast<std::size_t>(columns_.n), mp_number(l.x_bits));
    mp_vector r = exact(b_);
    long last = LONG_MAX;
    for (index_t step = 1;; ++step) {
        const mp_vector d = l.factors.solve(rounded(r, l.bits), [&] {
            look({"refinement step", l.bits, step, 0});
        });
        bool done = true;
        for (std::size_t i = 0; i < d.size(); ++i) {
            l.x[i] += d[i];
            done = done && small(d[i], l.x[i]);
        }
        if (done) return true;
        const long size = exponent_of(largest_magnitude(d, l.bits), LONG_MIN / 2);
        if (step > 1 && size > last - least_gain) return false;
        last = size;
        r = residual(a_, b_, l.x, l.x_bits);
    }
}

}  // namespace

void reference_guard::ask(const reference_progress& progress) const
{
    if (!watch_(progress)) throw interrupted_reference{};
}

void reference_guard::look(const reference_progress& progress) const
{
    ask(progress);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - limits_.begin;
    if (taken.count() > limits_.seconds)
        throw resource_error(file_ + print(": the reference solution takes too long: %.3g seconds "
                                           "are over, in a level of %d bits; the limit is %.3g "
                                           "(--max-seconds)",
                                           taken.count(), progress.bits, limits_.seconds));
}

reference make_reference(const csr_matrix<double>& a, const vector<double>& b,
                         const std::filesystem::path& file, const reference_limits& limits,
                         const reference_watch& watch)
{
    return maker(a, b, file.string(), limits, watch).run();
}

mp_number weighted_inverse_norm(const lu_factors<mp_number>& f, const mp_vector& w,
                                const solve_look& look)
{
    const mpfr_prec_t bits = f.pivot.front().bits();
    const auto times_w = [&](mp_vector x) {
        for (std::size_t i = 0; i < x.size(); ++i) x[i] *= w[i];
        return x;
    };
    return norm_estimate(
        w.size(), mp_number(bits),
        [&](const mp_vector& x) { return times_w(f.solve_transposed(x, look)); },
        [&](const mp_vector& x) { return f.solve(times_w(x), look); });
}

}  // namespace ddla::validate
