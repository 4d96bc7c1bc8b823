// Test matrices by formula.
//
// Only integer arithmetic and the IEEE operations + - * / sqrt fma, so that every machine makes the
// same bits: no distributions of the standard library, no libm.
#include "ddla/generate.hpp"

#include "ddla/fp_mode.hpp"

#include "ddla/error.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <numeric>
#include <string>
#include <utility>

namespace ddla::generate {
namespace {

void require(bool holds, const std::string& otherwise)
{
    if (!holds) throw input_error(otherwise);
}

/// The product of grid sizes as a number of rows.
index_t checked_points(std::initializer_list<index_t> sizes)
{
    std::string text;
    for (const index_t size : sizes) text += (text.empty() ? "" : " x ") + std::to_string(size);
    index_t points = 1;
    for (const index_t size : sizes) {
        require(size >= 1, "generate: a size of " + text + " has no rows");
        require(size <= csr_matrix<double>::max_dimension / points,
                "generate: a size of " + text + " has more than 2147483647 rows");
        points *= size;
    }
    return points;
}

void require_finite(const char* name, double value)
{
    require(std::isfinite(value),
            std::string("generate: ") + name + " is " + std::to_string(value) + ", not finite");
}

void require_row_length(index_t per_row, index_t n)
{
    require(per_row >= 1 && per_row <= n, "generate: " + std::to_string(per_row) +
                                              " entries a row do not fit in " + std::to_string(n) +
                                              " columns");
}

/// Compressed rows, filled in order.
template <scalar V>
class row_builder {
public:
    row_builder(index_t rows, std::size_t entries)
    try {
        row_begin_.reserve(static_cast<std::size_t>(rows) + 1);
        row_begin_.push_back(0);
        column_.reserve(entries);
        value_.reserve(entries);
    } catch (const std::exception&) {
        throw resource_error("generate: no memory for a matrix of " + std::to_string(rows) +
                             " rows and " + std::to_string(entries) + " entries");
    }
    void add(index_t column, V value)
    {
        column_.push_back(static_cast<column_t>(column));
        value_.push_back(value);
    }
    void end_row() { row_begin_.push_back(static_cast<index_t>(column_.size())); }

    csr_matrix<V> finish()
    {
        const auto n = static_cast<index_t>(row_begin_.size()) - 1;
        vector<V> values(static_cast<index_t>(value_.size()));
        for (index_t k = 0; k < values.size(); ++k)
            values.set(k, value_[static_cast<std::size_t>(k)]);
        return csr_matrix<V>(n, n, std::move(row_begin_), std::move(column_), std::move(values));
    }

private:
    std::vector<index_t> row_begin_;
    std::vector<column_t> column_;
    std::vector<V> value_;
};

/// A 7-point stencil; a 5-point one on a grid of depth 1.
struct stencil {
    double centre, west, east, other;
};

csr_matrix<double> on_grid(index_t nx, index_t ny, index_t nz, const stencil& s)
{
    const index_t n = checked_points({nx, ny, nz});
    row_builder<double> a(n, static_cast<std::size_t>(7 * n - 2 * (n / nx + n / ny + n / nz)));
    for (index_t i = 0; i < n; ++i) {
        const index_t x = i % nx, y = i / nx % ny, z = i / nx / ny;
        if (z > 0) a.add(i - nx * ny, s.other);
        if (y > 0) a.add(i - nx, s.other);
        if (x > 0) a.add(i - 1, s.west);
        a.add(i, s.centre);
        if (x < nx - 1) a.add(i + 1, s.east);
        if (y < ny - 1) a.add(i + nx, s.other);
        if (z < nz - 1) a.add(i + nx * ny, s.other);
        a.end_row();
    }
    return a.finish();
}

/// SplitMix64 (Steele, Lea and Flood 2014).
class random_bits {
public:
    /// Streams of one seed are independent: a row's numbers do not depend on other rows.
    random_bits(std::uint64_t seed, std::uint64_t stream) : state_(seed)
    {
        state_ = next() ^ stream;
        state_ = next();
    }
    std::uint64_t next()
    {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
    /// 0 … bound - 1 for a bound below 2^31; uneven by less than 2^-32.
    index_t below(index_t bound)
    {
        return static_cast<index_t>((next() >> 32) * static_cast<std::uint64_t>(bound) >> 32);
    }
    /// -1 <= u < 1, a multiple of 2^-52.
    double symmetric() { return static_cast<double>(next() >> 11) * 0x1p-52 - 1; }

private:
    std::uint64_t state_;
};

/// Row i: `length` entries with the dominant diagonal among them.  The others lie one in each of
/// length - 1 equal parts of the row: distinct and in order without a search.
void add_dominant_row(row_builder<double>& a, index_t i, index_t n, index_t length,
                      double dominance, std::uint64_t seed)
{
    random_bits bits(seed, static_cast<std::uint64_t>(i));
    std::vector<std::pair<index_t, double>> row;
    row.reserve(static_cast<std::size_t>(length));
    const index_t parts = length - 1;
    double sum = 0;
    for (index_t k = 0; k < parts; ++k) {
        const index_t from = k * (n - 1) / parts, to = (k + 1) * (n - 1) / parts;
        const index_t j = from + bits.below(to - from);
        row.emplace_back(j < i ? j : j + 1, bits.symmetric());
        sum += std::abs(row.back().second);
    }
    const auto right = std::find_if(row.begin(), row.end(), [&](auto& e) { return e.first > i; });
    row.insert(right, {i, sum > 0 ? (1 + dominance) * sum : 1.0});
    for (const auto& [column, value] : row) a.add(column, value);
    a.end_row();
}

csr_matrix<double> with_row_lengths(const std::vector<index_t>& length, double dominance,
                                    std::uint64_t seed)
{
    const auto n = static_cast<index_t>(length.size());
    row_builder<double> a(n, std::accumulate(length.begin(), length.end(), std::size_t{0}));
    for (index_t i = 0; i < n; ++i)
        add_dominant_row(a, i, n, length[static_cast<std::size_t>(i)], dominance, seed);
    return a.finish();
}

/// x^y for x > 0, y >= 0, from products and square roots: pow() differs between machines.
double power(double x, double y)
{
    double result = 1;
    for (double whole = std::floor(y); whole > 0; --whole) result *= x;
    double fraction = y - std::floor(y), root = x;
    for (int bit = 0; bit < 52 && fraction > 0; ++bit) {
        root = std::sqrt(root);
        fraction *= 2;
        if (fraction >= 1) {
            result *= root;
            fraction -= 1;
        }
    }
    return result;
}

/// Lengths by rank, longest first.
std::vector<index_t> power_law(index_t n, index_t per_row, double exponent)
{
    std::vector<double> weight(static_cast<std::size_t>(n));
    double total = 0;
    for (std::size_t k = 0; k < weight.size(); ++k)
        total += weight[k] = 1 / power(static_cast<double>(k + 1), exponent);
    const double scale = static_cast<double>(per_row) * static_cast<double>(n) / total;
    std::vector<index_t> length(weight.size());
    for (std::size_t k = 0; k < length.size(); ++k)
        length[k] = static_cast<index_t>(
            std::clamp(std::floor(scale * weight[k] + 0.5), 1.0, static_cast<double>(n)));
    return length;
}

/// Fisher and Yates.
void shuffle(std::vector<index_t>& values, std::uint64_t seed)
{
    random_bits bits(seed, ~std::uint64_t{0});
    for (std::size_t k = values.size(); k > 1; --k)
        std::swap(values[k - 1],
                  values[static_cast<std::size_t>(bits.below(static_cast<index_t>(k)))]);
}

/// The V nearest to 1 / m.  The rest 1 - high m is exact (the remainder of a division fits).
template <scalar V>
V reciprocal(double m)
{
    const double high = 1 / m;
    if constexpr (words_of<V> == 1)
        return high;
    else
        return V(high, std::fma(-high, m, 1.0) / m);
}

}  // namespace

csr_matrix<double> poisson2d(index_t nx, index_t ny)
{
    const fp_mode_guard exact;
    checked_points({nx, ny});
    return on_grid(nx, ny, 1, {.centre = 4, .west = -1, .east = -1, .other = -1});
}

csr_matrix<double> poisson3d(index_t nx, index_t ny, index_t nz)
{
    const fp_mode_guard exact;
    return on_grid(nx, ny, nz, {.centre = 6, .west = -1, .east = -1, .other = -1});
}

csr_matrix<double> convection_diffusion(index_t nx, index_t ny, index_t nz, double convection,
                                        double shift)
{
    const fp_mode_guard exact;
    require_finite("the convection", convection);
    require_finite("the shift", shift);
    return on_grid(
        nx, ny, nz,
        {.centre = 6 + shift, .west = -1 - convection, .east = -1 + convection, .other = -1});
}

csr_matrix<double> toeplitz(index_t n, double gamma)
{
    const fp_mode_guard exact;
    checked_points({n});
    require_finite("gamma", gamma);
    row_builder<double> a(n, 3 * static_cast<std::size_t>(n));
    for (index_t i = 0; i < n; ++i) {
        if (i >= 2) a.add(i - 2, gamma);
        a.add(i, 2);
        if (i < n - 1) a.add(i + 1, 1);
        a.end_row();
    }
    return a.finish();
}

template <scalar V>
csr_matrix<V> hilbert_like(index_t n, index_t bandwidth)
{
    const fp_mode_guard exact;
    checked_points({n});
    require(bandwidth >= 0, "generate: a bandwidth of " + std::to_string(bandwidth) +
                                " is negative; 0 is the diagonal alone");
    const index_t width = std::min(bandwidth, n - 1);
    const auto diagonals = 2 * static_cast<std::size_t>(width) + 1;
    row_builder<V> a(n, static_cast<std::size_t>(n) * diagonals);
    for (index_t i = 0; i < n; ++i) {
        for (index_t j = std::max<index_t>(0, i - width); j <= std::min(n - 1, i + width); ++j)
            a.add(j, reciprocal<V>(static_cast<double>(i + j + 1)));
        a.end_row();
    }
    return a.finish();
}

csr_matrix<double> random(index_t n, index_t per_row, double dominance, std::uint64_t seed)
{
    const fp_mode_guard exact;
    checked_points({n});
    require_row_length(per_row, n);
    require_finite("the dominance", dominance);
    require(dominance > 0,
            "generate: a dominance of " + std::to_string(dominance) + " is not positive");
    const std::vector<index_t> length(static_cast<std::size_t>(n), per_row);
    return with_row_lengths(length, dominance, seed);
}

csr_matrix<double> skewed(index_t n, index_t per_row, double exponent, std::uint64_t seed)
{
    const fp_mode_guard exact;
    checked_points({n});
    require_row_length(per_row, n);
    require(exponent >= 0 && exponent <= 4,
            "generate: an exponent of " + std::to_string(exponent) + " is not between 0 and 4");
    std::vector<index_t> length = power_law(n, per_row, exponent);
    shuffle(length, seed);
    return with_row_lengths(length, 0.1, seed);
}

#define DDLA_INSTANTIATE(T) template csr_matrix<T> hilbert_like(index_t, index_t);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::generate
