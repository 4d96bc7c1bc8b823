// FGMRES as a serial program over QD's dd_real, in the shape of serial_solvers.hpp: no ends, so
// many iterations from a guess.  Shares no code with ddla.
#pragma once

#include "oracle.hpp"

namespace oracle {

/// What an iteration adds to a cycle.
template <class Q>
struct fgmres_cycle {
    std::vector<std::vector<Q>> v, z, r;  ///< basis, directions, columns of R
    std::vector<Q> cosine, sine, rotated;

    /// w -= V h, and h = V^T w of before
    std::vector<Q> orthogonalise(std::vector<Q>& w) const
    {
        std::vector<Q> h;
        for (const auto& one : v) h.push_back(dot(one, w));
        for (std::size_t k = 0; k < v.size(); ++k)
            for (std::size_t i = 0; i < w.size(); ++i) w[i] = w[i] - h[k] * v[k][i];
        return h;
    }
    /// Column h, and below it the root of below2.
    void append(std::vector<Q> h, const Q& below2)
    {
        for (std::size_t i = 0; i + 1 < h.size(); ++i) {
            const Q upper = cosine[i] * h[i] + sine[i] * h[i + 1];
            h[i + 1] = cosine[i] * h[i + 1] - sine[i] * h[i];
            h[i] = upper;
        }
        const Q last = h.back(), length = sqrt(last * last + below2);
        cosine.push_back(divide(last, length));
        sine.push_back(divide(sqrt(below2), length));
        h.back() = length;
        r.push_back(h);
        const Q before = rotated.back();
        rotated.back() = cosine.back() * before;
        rotated.push_back(-(sine.back() * before));
    }
    std::vector<Q> coefficients() const
    {
        std::vector<Q> y(r.size());
        for (std::size_t k = r.size(); k-- > 0;) {
            Q sum = rotated[k];
            for (std::size_t l = k + 1; l < r.size(); ++l) sum = sum - r[l][k] * y[l];
            y[k] = divide(sum, r[k][k]);
        }
        return y;
    }
};

template <class Q>
void append_scaled(std::vector<std::vector<Q>>& basis, const std::vector<Q>& w, const Q& norm)
{
    const Q inverse = divide(Q(1.0), norm);
    std::vector<Q> v;
    for (const Q& one : w) v.push_back(one * inverse);
    basis.push_back(v);
}

/// x after `iterations` of FGMRES(m); multiply(v) is A v, precondition(v) is K^-1 v.
template <class Q, class Multiply, class Precondition>
std::vector<Q> fgmres(const Multiply& multiply, const Precondition& precondition,
                      const std::vector<Q>& b, std::vector<Q> x, std::size_t m, int iterations)
{
    while (iterations > 0) {
        std::vector<Q> w = multiply(x);
        for (std::size_t i = 0; i < b.size(); ++i) w[i] = b[i] - w[i];
        fgmres_cycle<Q> now;
        now.rotated.push_back(sqrt(dot(w, w)));
        append_scaled(now.v, w, now.rotated[0]);
        for (; now.z.size() < m && iterations > 0; --iterations) {
            now.z.push_back(precondition(now.v.back()));
            w = multiply(now.z.back());
            std::vector<Q> h = now.orthogonalise(w);
            const std::vector<Q> again = now.orthogonalise(w);
            for (std::size_t k = 0; k < h.size(); ++k) h[k] = h[k] + again[k];
            const Q below2 = dot(w, w);
            now.append(h, below2);
            append_scaled(now.v, w, Q(sqrt(below2)));
        }
        const std::vector<Q> y = now.coefficients();
        for (std::size_t i = 0; i < x.size(); ++i) {
            Q change(0.0);
            for (std::size_t k = 0; k < y.size(); ++k) change = change + y[k] * now.z[k][i];
            x[i] = x[i] + change;
        }
    }
    return x;
}

}  // namespace oracle
