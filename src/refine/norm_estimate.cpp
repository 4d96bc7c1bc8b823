// The block 1-norm estimator.
#include "norm_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <ranges>

namespace ddla::refine {
namespace {

constexpr int most_rounds = 5;
constexpr std::size_t columns_at_once = 2;
using signs = std::vector<std::int8_t>;

double norm1(const real_vector& x)
{
    double sum = 0;
    for (const double e : x) sum += std::fabs(e);
    return sum;
}

bool are_parallel(const signs& s, const signs& t)
{
    std::int64_t product = 0;
    for (std::size_t i = 0; i < s.size(); ++i) product += s[i] * t[i];
    return std::abs(product) == static_cast<std::int64_t>(s.size());
}

bool has_parallel(const std::vector<signs>& all, const signs& s)
{
    return std::any_of(all.begin(), all.end(), [&](const signs& t) { return are_parallel(s, t); });
}

}  // namespace

norm_search::norm_search(index_t n) : n_(static_cast<std::size_t>(n)), used_(n_, false)
{
    if (n_ == 0) {
        step_ = step::done;
    } else if (n_ <= 4) {
        step_ = step::unit_columns;
        x_ = {unit(0)};
    } else {
        x_ = first_block();
    }
}

bool norm_search::is_usable(const std::optional<real_vector>& image)
{
    return image && std::isfinite(norm1(*image));
}

std::size_t norm_search::take(std::vector<std::optional<real_vector>> images)
{
    block y;
    for (auto& image : images) {
        if (!is_usable(image)) {
            norm_.complete = false;
            step_ = step::done;
            return y.size() + 1;
        }
        y.push_back(std::move(*image));
    }
    const std::size_t taken = y.size();
    switch (step_) {
    case step::unit_columns:
        step_ = after_unit_column(y.front());
        break;
    case step::product:
        step_ = after_product(std::move(y));
        break;
    case step::directions:
        step_ = after_directions(std::move(y));
        break;
    case step::done:
        break;
    }
    return taken;
}

real_vector norm_search::unit(std::size_t j) const
{
    real_vector e(n_, 0);
    e[j] = 1;
    return e;
}
norm_search::block norm_search::first_block()
{
    block x(columns_at_once, real_vector(n_, 1 / static_cast<double>(n_)));
    for (std::size_t c = 1; c < columns_at_once; ++c)
        for (std::size_t i = 0; i < n_; ++i) x[c][i] *= random_sign(drawn_, i);
    ++drawn_;
    return x;
}

norm_search::step norm_search::after_unit_column(const real_vector& image)
{
    norm_.value = std::max(norm_.value, norm1(image));
    const auto next = static_cast<std::size_t>(++round_);
    if (next == n_) return step::done;
    x_ = {unit(next)};
    return step::unit_columns;
}
norm_search::step norm_search::after_product(block y)
{
    if (!advance(y) || round_ + 1 == most_rounds || !set_directions(std::move(y)))
        return step::done;
    return step::directions;
}
norm_search::step norm_search::after_directions(block z)
{
    if (!choose(std::move(z))) return step::done;
    ++round_;
    return step::product;
}

/// Takes the largest column; false if it is no larger than the last one.
bool norm_search::advance(const block& y)
{
    double largest = 0;
    std::size_t of = 0;
    for (std::size_t c = 0; c < y.size(); ++c)
        if (norm1(y[c]) > largest) largest = norm1(y[c]), of = c;
    if (round_ > 0 && largest <= norm_.value) return false;
    norm_.value = std::max(norm_.value, largest);
    if (round_ > 0) best_ = chosen_[of];
    return true;
}
/// Next is B^T sign(Y); false if the signs are the last ones.
bool norm_search::set_directions(block y)
{
    sign_block s;
    bool all_known = !last_signs_.empty();
    for (const real_vector& column : y) {
        signs sign(n_);
        for (std::size_t i = 0; i < n_; ++i) sign[i] = column[i] < 0 ? -1 : 1;
        all_known = all_known && has_parallel(last_signs_, sign);
        s.push_back(std::move(sign));
    }
    if (all_known) return false;
    for (std::size_t c = 0; c < s.size(); ++c) make_new(s, c);
    last_signs_ = std::move(s);
    for (std::size_t c = 0; c < y.size(); ++c)
        std::copy(last_signs_[c].begin(), last_signs_[c].end(), y[c].begin());
    x_ = std::move(y);
    return true;
}
/// Replaces column c by random signs as long as it is parallel to one that is known.
void norm_search::make_new(sign_block& s, std::size_t c)
{
    for (int tries = 0; tries < 5; ++tries) {
        const sign_block before(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(c));
        if (!has_parallel(before, s[c]) && !has_parallel(last_signs_, s[c])) return;
        for (std::size_t i = 0; i < n_; ++i)
            s[c][i] = static_cast<std::int8_t>(random_sign(drawn_, i));
        ++drawn_;
    }
}
/// The first rows of Z by their largest magnitude; none if that promises no more.
std::vector<std::size_t> norm_search::largest_rows(block z) const
{
    real_vector h = std::move(z.front());
    for (double& e : h) e = std::fabs(e);
    for (std::size_t c = 1; c < z.size(); ++c)
        for (std::size_t i = 0; i < n_; ++i) h[i] = std::max(h[i], std::fabs(z[c][i]));
    if (round_ > 0 && *std::max_element(h.begin(), h.end()) == h[best_]) return {};
    const std::size_t count = columns_at_once * static_cast<std::size_t>(round_ + 2);
    std::vector<std::size_t> first(std::min(n_, count));
    std::ranges::partial_sort_copy(
        std::views::iota(std::size_t{0}, n_), first,
        [&](std::size_t i, std::size_t j) { return h[i] != h[j] ? h[i] > h[j] : i < j; });
    return first;
}
/// Next are the unit vectors of the largest rows of Z that were not tried; false if none promises
/// more.
bool norm_search::choose(block z)
{
    const std::vector<std::size_t> order = largest_rows(std::move(z));
    if (order.empty() || (used_[order[0]] && used_[order[1]])) return false;
    x_.clear();
    chosen_.clear();
    for (auto i = order.begin(); i != order.end() && x_.size() < columns_at_once; ++i)
        if (!used_[*i]) {
            used_[*i] = true;
            chosen_.push_back(*i);
            x_.push_back(unit(*i));
        }
    return !x_.empty();
}

norm_estimate estimate_norm1(index_t n, const linear_map& product, const linear_map& transposed)
{
    norm_search search(n);
    while (!search.is_done()) {
        std::vector<std::optional<real_vector>> images;
        for (const real_vector& x : search.columns()) {
            images.push_back(search.by_transpose() ? transposed(x) : product(x));
            if (!norm_search::is_usable(images.back())) break;
        }
        search.take(std::move(images));
    }
    return search.found();
}

}  // namespace ddla::refine
