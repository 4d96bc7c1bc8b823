// The block 1-norm estimator against norms that are known.
#include "catch.hpp"

#include "refine/norm_estimate.hpp"

#include <cmath>
#include <cstdint>

using namespace ddla::refine;
using ddla::index_t;

namespace {

using dense = std::vector<real_vector>;  // by rows

real_vector product(const dense& a, const real_vector& x)
{
    real_vector y(a.size(), 0);
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < x.size(); ++j) y[i] += a[i][j] * x[j];
    return y;
}

dense transposed(const dense& a)
{
    dense t(a.size(), real_vector(a.size()));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < a.size(); ++j) t[j][i] = a[i][j];
    return t;
}

double norm1(const dense& a)
{
    double most = 0;
    for (const real_vector& column : transposed(a)) {
        double sum = 0;
        for (const double e : column) sum += std::fabs(e);
        most = std::max(most, sum);
    }
    return most;
}

struct counted {
    norm_estimate norm;
    int products;
};

counted estimate(const dense& a)
{
    const dense t = transposed(a);
    int products = 0;
    const auto by = [&](const dense& m) {
        return [&products, &m](const real_vector& x) {
            ++products;
            return std::optional(product(m, x));
        };
    };
    return {estimate_norm1(static_cast<index_t>(a.size()), by(a), by(t)), products};
}

dense random(std::size_t n, std::uint64_t seed)
{
    dense a(n, real_vector(n));
    for (real_vector& row : a)
        for (double& e : row) {
            seed = seed * 6364136223846793005 + 1442695040888963407;
            e = static_cast<double>(static_cast<std::int64_t>(seed)) * 0x1p-63;
        }
    return a;
}

}  // namespace

TEST_CASE("norms of small matrices are exact")
{
    for (std::size_t n = 1; n <= 4; ++n) {
        const dense a = random(n, n);
        CHECK(estimate(a).norm.value == Approx(norm1(a)).epsilon(1e-15));
    }
    CHECK(estimate_norm1(0, {}, {}).value == 0);
}

TEST_CASE("an estimate is a lower bound, mostly within a factor of 3")
{
    int near = 0;
    constexpr int matrices = 200;
    for (int k = 0; k < matrices; ++k) {
        const dense a =
            random(5 + static_cast<std::size_t>(k % 40), 1000 + static_cast<unsigned>(k));
        const counted found = estimate(a);
        const double norm = norm1(a);
        CHECK(found.norm.complete);
        CHECK(found.norm.value <= norm * (1 + 1e-14));
        CHECK(found.norm.value > 0);
        CHECK(found.products <= 20);
        near += found.norm.value >= norm / 3;
    }
    CHECK(near >= matrices * 95 / 100);
}

TEST_CASE("a column that stands out is found")
{
    dense a = random(50, 7);
    for (real_vector& row : a) row[33] *= 1000;
    CHECK(estimate(a).norm.value == Approx(norm1(a)).epsilon(1e-14));
}

TEST_CASE("an estimate that could not be finished says so")
{
    const dense a = random(20, 3);
    int left = 3;
    const linear_map failing = [&](const real_vector& x) {
        return left-- > 0 ? std::optional(product(a, x)) : std::nullopt;
    };
    const dense t = transposed(a);
    const norm_estimate found =
        estimate_norm1(20, failing, [&](const real_vector& x) { return product(t, x); });
    CHECK_FALSE(found.complete);
    CHECK(found.value > 0);
}
