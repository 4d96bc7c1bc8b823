// The block 1-norm estimator.
#include "norm_estimate.hpp"

#include "steps/random_bits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace ddla::refine {
namespace {

constexpr int most_rounds = 5;
constexpr std::size_t columns = 2;
using block = std::vector<real_vector>;

double norm1(const real_vector& x)
{
    double sum = 0;
    for (const double e : x) sum += std::fabs(e);
    return sum;
}

bool are_parallel(const real_vector& s, const real_vector& t)
{
    double product = 0;
    for (std::size_t i = 0; i < s.size(); ++i) product += s[i] * t[i];
    return std::fabs(product) == static_cast<double>(s.size());
}

bool has_parallel(const block& all, const real_vector& s)
{
    return std::any_of(all.begin(), all.end(),
                       [&](const real_vector& t) { return !t.empty() && are_parallel(s, t); });
}

class estimator {
public:
    estimator(std::size_t n, const linear_map& product, const linear_map& transposed)
        : n_(n), product_(product), transposed_(transposed), used_(n, false)
    {
    }

    norm_estimate run()
    {
        if (n_ == 0) return {};
        if (n_ <= 4) return all_columns();
        block x = first_block();
        for (int round = 0; round < most_rounds; ++round) {
            const auto y = apply(product_, x);
            if (!y || !advance(*y, round)) break;
            const auto z = round + 1 < most_rounds ? directions(*y) : std::nullopt;
            if (!z || !choose(*z, round, x)) break;
        }
        return norm_;
    }

private:
    norm_estimate all_columns()
    {
        for (std::size_t j = 0; j < n_ && norm_.complete; ++j)
            if (const auto y = apply(product_, {unit(j)}))
                norm_.value = std::max(norm_.value, norm1(y->front()));
        return norm_;
    }
    real_vector unit(std::size_t j) const
    {
        real_vector e(n_, 0);
        e[j] = 1;
        return e;
    }
    block first_block()
    {
        block x(columns, real_vector(n_, 1 / static_cast<double>(n_)));
        for (std::size_t c = 1; c < columns; ++c)
            for (std::size_t i = 0; i < n_; ++i) x[c][i] *= random_sign(drawn_, i);
        ++drawn_;
        return x;
    }
    std::optional<block> apply(const linear_map& map, const block& x)
    {
        block y;
        for (const real_vector& column : x) {
            auto image = map(column);
            if (!image || !std::isfinite(norm1(*image))) {
                norm_.complete = false;
                return std::nullopt;
            }
            y.push_back(std::move(*image));
        }
        return y;
    }
    /// Takes the largest column; false if it is no larger than the last one.
    bool advance(const block& y, int round)
    {
        double largest = 0;
        std::size_t of = 0;
        for (std::size_t c = 0; c < y.size(); ++c)
            if (norm1(y[c]) > largest) largest = norm1(y[c]), of = c;
        if (round > 0 && largest <= norm_.value) return false;
        norm_.value = std::max(norm_.value, largest);
        if (round > 0) best_ = chosen_[of];
        return true;
    }
    /// B^T sign(Y); nothing if the signs are the last ones.
    std::optional<block> directions(const block& y)
    {
        block s;
        bool all_known = !last_signs_.empty();
        for (const real_vector& column : y) {
            real_vector sign(n_);
            for (std::size_t i = 0; i < n_; ++i) sign[i] = column[i] < 0 ? -1 : 1;
            all_known = all_known && has_parallel(last_signs_, sign);
            s.push_back(std::move(sign));
        }
        if (all_known) return std::nullopt;
        for (std::size_t c = 0; c < s.size(); ++c) make_new(s, c);
        auto z = apply(transposed_, s);
        last_signs_ = std::move(s);
        return z;
    }
    /// Replaces column c by random signs as long as it is parallel to one that is known.
    void make_new(block& s, std::size_t c)
    {
        for (int tries = 0; tries < 5; ++tries) {
            const block before(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(c));
            if (!has_parallel(before, s[c]) && !has_parallel(last_signs_, s[c])) return;
            for (std::size_t i = 0; i < n_; ++i) s[c][i] = random_sign(drawn_, i);
            ++drawn_;
        }
    }
    /// The unit vectors of the largest rows of Z that were not tried; false if none promises more.
    bool choose(const block& z, int round, block& x)
    {
        real_vector h(n_, 0);
        for (const real_vector& column : z)
            for (std::size_t i = 0; i < n_; ++i) h[i] = std::max(h[i], std::fabs(column[i]));
        if (round > 0 && *std::max_element(h.begin(), h.end()) == h[best_]) return false;
        std::vector<std::size_t> order(n_);
        std::iota(order.begin(), order.end(), std::size_t{0});
        const auto middle = order.begin() + std::min<std::ptrdiff_t>(
                                                static_cast<std::ptrdiff_t>(n_),
                                                columns * static_cast<std::ptrdiff_t>(round + 2));
        std::partial_sort(order.begin(), middle, order.end(), [&](std::size_t i, std::size_t j) {
            return h[i] != h[j] ? h[i] > h[j] : i < j;
        });
        if (used_[order[0]] && used_[order[1]]) return false;
        x.clear();
        chosen_.clear();
        for (auto i = order.begin(); i != middle && x.size() < columns; ++i)
            if (!used_[*i]) {
                used_[*i] = true;
                chosen_.push_back(*i);
                x.push_back(unit(*i));
            }
        return !x.empty();
    }

    const std::size_t n_;
    const linear_map &product_, &transposed_;
    norm_estimate norm_;
    block last_signs_;
    std::vector<bool> used_;           ///< unit vectors that were tried
    std::vector<std::size_t> chosen_;  ///< those of this round
    std::size_t best_ = 0;             ///< the one with the largest image so far
    std::uint64_t drawn_ = 0;
};

}  // namespace

double random_sign(std::uint64_t column, std::uint64_t index)
{
    return (steps::random_bits(column, index) & 1) == 0 ? 1 : -1;
}

double random_number(std::uint64_t column, std::uint64_t index)
{
    const std::uint64_t bits = steps::random_bits(column, index);
    const double part = 0.5 + static_cast<double>(bits >> 12) * 0x1p-53;
    return (bits & 1) == 0 ? part : -part;
}

norm_estimate estimate_norm1(index_t n, const linear_map& product, const linear_map& transposed)
{
    return estimator(static_cast<std::size_t>(n), product, transposed).run();
}

}  // namespace ddla::refine
