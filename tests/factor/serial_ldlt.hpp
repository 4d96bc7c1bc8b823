// The rule of L D L^T in docs/factorisation.md as a serial program over QD's own numbers: dense,
// literal, sharing no code with ddla.
#pragma once

#include "serial_static_lu.hpp"

namespace oracle {

/// Row k is pivot k: l with a diagonal of 1; D has its diagonal, and beside[k] its entry (k + 1,
/// k).
template <class Q>
struct serial_ldlt {
    dense<Q> l;
    std::vector<Q> diagonal, beside;
    std::vector<int> place;  ///< of the row that became each pivot
    int replaced = 0, pairs = 0;
};

/// The rows and columns of a symmetric matrix, of which the lower triangle counts.
template <class Q>
class symmetric_rest {
public:
    explicit symmetric_rest(dense<Q> a) : a_(std::move(a)) {}

    Q& at(std::size_t i, std::size_t j) { return i >= j ? a_[i][j] : a_[j][i]; }
    double size(std::size_t i, std::size_t j) { return magnitude(at(i, j)); }
    std::size_t rows() const { return a_.size(); }
    /// Of rows and columns c and r, and of L before them.
    void exchange(std::size_t c, std::size_t r)
    {
        if (c == r) return;
        for (std::size_t k = 0; k < rows(); ++k)
            if (k != c && k != r) std::swap(at(c, k), at(r, k));
        std::swap(at(c, c), at(r, r));
    }
    const dense<Q>& all() const { return a_; }

private:
    dense<Q> a_;
};

/// By Bunch and Kaufman: how many rows the next pivot has, after exchanges; 0: it is too small.
template <class Q>
int choose_pivot(symmetric_rest<Q>& a, std::vector<int>& place, std::size_t c, std::size_t end,
                 double negligible)
{
    const double alpha = (1 + std::sqrt(17.0)) / 8;
    std::size_t r = c;
    double largest = 0, beside = 0;
    for (std::size_t i = c + 1; i < end; ++i)
        if (a.size(i, c) > largest) {
            largest = a.size(i, c);
            r = i;
        }
    const double own = a.size(c, c);
    if (!(own > negligible) && !(largest > negligible)) return 0;
    if (own >= alpha * largest) return 1;
    for (std::size_t i = c; i < end; ++i)
        if (i != r) beside = std::max(beside, a.size(i, r));
    if (own / largest * beside >= alpha * largest) return 1;
    const bool is_single = a.size(r, r) >= alpha * beside;
    const std::size_t to = is_single ? c : c + 1;
    a.exchange(to, r);
    std::swap(place[to], place[r]);
    return is_single ? 1 : 2;
}

template <class Q>
void eliminate_row(symmetric_rest<Q>& a, std::size_t c, serial_ldlt<Q>& f)
{
    const std::size_t n = a.rows();
    const Q d = a.at(c, c);
    f.diagonal[c] = d;
    for (std::size_t i = c + 1; i < n; ++i)
        if (a.size(i, c) != 0) a.at(i, c) = divide(a.at(i, c), d);
    for (std::size_t j = c + 1; j < n; ++j) {
        if (a.size(j, c) == 0) continue;
        const Q u = a.at(j, c) * d;
        for (std::size_t i = j; i < n; ++i)
            if (a.size(i, c) != 0) a.at(i, j) = update(a.at(i, c), u, a.at(i, j));
    }
}

template <class Q>
void eliminate_pair(symmetric_rest<Q>& a, std::size_t c, serial_ldlt<Q>& f)
{
    const std::size_t n = a.rows();
    const Q d1 = a.at(c, c), b = a.at(c + 1, c), d2 = a.at(c + 1, c + 1);
    f.diagonal[c] = d1;
    f.diagonal[c + 1] = d2;
    f.beside[c] = b;
    a.at(c + 1, c) = Q(0.0);
    const Q p = divide(d1, b), q = divide(d2, b), s = divide(Q(1.0), b * update(p, q, Q(1.0)));
    for (std::size_t i = c + 2; i < n; ++i) {
        const Q w1 = a.at(i, c), w2 = a.at(i, c + 1);
        a.at(i, c) = s * update(q, w1, w2);
        a.at(i, c + 1) = s * update(p, w2, w1);
    }
    for (std::size_t j = c + 2; j < n; ++j) {
        const Q l1 = a.at(j, c), l2 = a.at(j, c + 1);
        if (magnitude(l1) == 0 && magnitude(l2) == 0) continue;
        const Q u1 = update(l2, -b, l1 * d1), u2 = update(l1, -b, l2 * d2);
        for (std::size_t i = j; i < n; ++i)
            a.at(i, j) = update(a.at(i, c + 1), u2, update(a.at(i, c), u1, a.at(i, j)));
    }
}

template <class Q>
serial_ldlt<Q> factorise_symmetric(const ddla::factor::supernodes& s, const dense<Q>& matrix,
                                   const static_rule& rule)
{
    const std::size_t n = matrix.size();
    symmetric_rest<Q> a(matrix);
    serial_ldlt<Q> f;
    f.diagonal = f.beside = std::vector<Q>(n, Q(0.0));
    for (std::size_t k = 0; k < n; ++k) f.place.push_back(int(k));
    for (std::size_t k = 0; k < n;) {
        const auto end = std::size_t(s.first[std::size_t(s.of_column[k]) + 1]);
        int rows = choose_pivot(a, f.place, k, end, rule.negligible);
        if (rows == 0) {
            a.at(k, k) = Q(a.at(k, k) < 0.0 ? -rule.instead : rule.instead);
            ++f.replaced;
            rows = 1;
        }
        if (rows == 1)
            eliminate_row(a, k, f);
        else
            eliminate_pair(a, k, f);
        f.pairs += rows - 1;
        k += std::size_t(rows);
    }
    f.l = a.all();
    for (std::size_t i = 0; i < n; ++i) {
        f.l[i][i] = Q(1.0);
        for (std::size_t j = i + 1; j < n; ++j) f.l[i][j] = Q(0.0);
    }
    return f;
}

/// x of D x = y.
template <class Q>
void divide_by_pivots(const std::vector<Q>& diagonal, const std::vector<Q>& beside,
                      std::vector<Q>& x)
{
    for (std::size_t k = 0; k < x.size(); ++k) {
        if (magnitude(beside[k]) == 0) {
            x[k] = divide(x[k], diagonal[k]);
            continue;
        }
        const Q b = beside[k], p = divide(diagonal[k], b), q = divide(diagonal[k + 1], b),
                s = divide(Q(1.0), b * (Q(1.0) - p * q)), v = x[k], w = x[k + 1];
        x[k] = s * (w - q * v);
        x[k + 1] = s * (v - p * w);
        ++k;
    }
}

}  // namespace oracle
