// An estimate of the 1-norm of a matrix that is only known by its products.
//
// Source: Higham and Tisseur, SIAM J. Matrix Anal. Appl. 21(4), 2000, "A block algorithm for matrix
// 1-norm estimation", algorithm 2.4.
#pragma once

#include "steps/random_bits.hpp"

#include "ddla/views.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace ddla::refine {

using real_vector = std::vector<double>;

/// B x, or nothing if it cannot be had.
using linear_map = std::function<std::optional<real_vector>(const real_vector& x)>;

struct norm_estimate {
    double value = 0;
    bool complete = true;  ///< false: a product failed; the norm may be any larger
};

/// 1 or -1, by an integer hash: the same everywhere.
inline double random_sign(std::uint64_t column, std::uint64_t index)
{
    return (steps::random_bits(column, index) & 1) == 0 ? 1 : -1;
}
/// From 1/2 to 1, or the same below 0, likewise; of all bits.  Sums of them do not cancel as those
/// of signs do.
inline double random_number(std::uint64_t column, std::uint64_t index)
{
    const std::uint64_t bits = steps::random_bits(column, index);
    const double part = 0.5 + static_cast<double>(bits >> 12) * 0x1p-53;
    return (bits & 1) == 0 ? part : -part;
}

/// An estimate that asks for products, a few columns at a time, so that several estimates can get
/// theirs together.
class norm_search {
public:
    explicit norm_search(index_t n);

    bool is_done() const { return step_ == step::done; }
    /// The columns whose images are asked for, once, and whether those are by B^T.
    std::vector<real_vector> columns() { return std::exchange(x_, {}); }
    bool by_transpose() const { return step_ == step::directions; }
    /// The images in their order.  The first that lacks, or is not finite, ends the search: those
    /// behind it may lack, too, and are not looked at.  Returns how many were.
    std::size_t take(std::vector<std::optional<real_vector>> images);
    /// Whether a search goes on with it.
    static bool is_usable(const std::optional<real_vector>& image);
    const norm_estimate& found() const { return norm_; }

private:
    using block = std::vector<real_vector>;
    using sign_block = std::vector<std::vector<std::int8_t>>;
    enum class step { unit_columns, product, directions, done };

    real_vector unit(std::size_t j) const;
    block first_block();
    step after_unit_column(const real_vector& image);
    step after_product(block y);
    step after_directions(block z);
    bool advance(const block& y);
    bool set_directions(block y);
    void make_new(sign_block& s, std::size_t c);
    bool choose(block z);
    std::vector<std::size_t> largest_rows(block z) const;

    const std::size_t n_;
    norm_estimate norm_;
    step step_ = step::product;
    int round_ = 0;
    block x_;
    sign_block last_signs_;
    std::vector<bool> used_;           ///< unit vectors that were tried
    std::vector<std::size_t> chosen_;  ///< those of this round
    std::size_t best_ = 0;             ///< the one with the largest image so far
    std::uint64_t drawn_ = 0;
};

/// A lower bound of ||B||_1, B n x n, mostly right within a factor of 3, often exact; exact for
/// n <= 4.  `transposed` is B^T x.  Two columns at once; those that are free come from an integer
/// hash of (column, index), so the estimate is the same everywhere.  Cost: at most 20 products with
/// B or B^T, some 8 in the mean.
norm_estimate estimate_norm1(index_t n, const linear_map& product, const linear_map& transposed);

}  // namespace ddla::refine
