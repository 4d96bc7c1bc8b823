// What is measured: vectors and matrices by formula, at `there`.
#pragma once

#include "ddla/csr_matrix.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace bench {

/// Where everything is measured.
inline constexpr ddla::place there = ddla::device(0);

/// n numbers between -1 and 1; the low words are random, too.
template <ddla::scalar T>
ddla::vector<T> random_vector(ddla::index_t n, std::uint64_t seed, ddla::place at = there);

/// The same numbers.
ddla::vector<ddla::dd_real> widened(const ddla::vector<double>& x);

/// |mine - theirs| / |mine| in the 2-norm; 0 where both are zero.
double relative_difference(const ddla::vector<double>& mine, const ddla::vector<double>& theirs);

/// The same vector for all matrices: its first elements.
template <ddla::scalar T>
class right_hand_side {
public:
    ddla::vec<const T> operator()(ddla::index_t n)
    {
        if (x_.size() < n) x_ = random_vector<T>(std::max(n, 2 * x_.size()), 3);
        return std::as_const(x_).view().part(0, n);
    }

private:
    ddla::vector<T> x_;
};

/// 7-point convection-diffusion on cubes, each built once.
class cubes {
public:
    const ddla::csr_matrix<double>& operator()(int size);

private:
    std::map<int, ddla::csr_matrix<double>> built_;
};

}  // namespace bench
