#include "reference_systems.hpp"

#include "ddla/generate.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <functional>
#include <gmp.h>

namespace reference {

namespace {

using ddla::index_t;
using matrix = ddla::csr_matrix<double>;

/// n x n from a formula of row and column, both from 0; zeros are not stored.
matrix from_formula(index_t n, const std::function<double(index_t, index_t)>& value)
{
    ddla::coordinates<double> entries{.rows = n, .columns = n};
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < n; ++j)
            if (const double v = value(i, j); v != 0) entries.add(i, j, v);
    return matrix(entries);
}

double power(double base, index_t exponent)
{
    double product = 1;
    for (index_t k = 0; k < exponent; ++k) product *= base;
    return product;
}

/// Binomial coefficients C(i + j, i), by additions in double: exact up to n = 28.
matrix pascal(index_t n)
{
    const auto size = static_cast<std::size_t>(n);
    std::vector<std::vector<double>> p(size, std::vector<double>(size, 1));
    for (std::size_t i = 1; i < size; ++i)
        for (std::size_t j = 1; j < size; ++j) p[i][j] = p[i - 1][j] + p[i][j - 1];
    return from_formula(n, [&](index_t i, index_t j) {
        return p[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    });
}

/// Nodes (i + 1) / n, powers by repeated multiplication.
matrix vandermonde(index_t n)
{
    return from_formula(n, [n](index_t i, index_t j) {
        return power(static_cast<double>(i + 1) / static_cast<double>(n), j);
    });
}

/// Frank 1958: upper Hessenberg, determinant 1.
matrix frank(index_t n)
{
    return from_formula(n, [n](index_t i, index_t j) {
        return j + 1 < i ? 0.0 : static_cast<double>(n - std::max(i, j));
    });
}

/// Kahan 1966 with sine 0.8 and cosine 0.6: upper triangular.
matrix kahan(index_t n)
{
    return from_formula(n, [](index_t i, index_t j) {
        return j < i ? 0.0 : power(0.8, i) * (j == i ? 1.0 : -0.6);
    });
}

/// Wilkinson 1961: partial pivoting lets its last column grow to 2^(n-1).
matrix wilkinson(index_t n)
{
    return from_formula(
        n, [n](index_t i, index_t j) { return j == n - 1 || i == j ? 1.0 : (j < i ? -1.0 : 0.0); });
}

/// Wilkinson's W+: tridiagonal, pairs of nearly equal eigenvalues.
matrix wilkinson_plus(index_t n)
{
    return from_formula(n, [n](index_t i, index_t j) {
        if (i == j) return static_cast<double>(std::abs(2 * i - (n - 1))) / 2;
        return std::abs(i - j) == 1 ? 1.0 : 0.0;
    });
}

/// The digits of a number in base 2^bits, least significant first.
std::vector<double> digits_of(mpz_srcptr number, unsigned bits)
{
    std::vector<double> digits;
    mpz_t rest, digit;
    mpz_inits(rest, digit, nullptr);
    mpz_set(rest, number);
    while (mpz_sgn(rest) != 0) {
        mpz_fdiv_r_2exp(digit, rest, bits);
        digits.push_back(mpz_get_d(digit));
        mpz_fdiv_q_2exp(rest, rest, bits);
    }
    mpz_clears(rest, digit, nullptr);
    return digits;
}

/// Rump, "A class of arbitrarily ill-conditioned floating-point matrices", SIAM J. Matrix Anal.
/// Appl. 12(4), 1991.  P + Q sqrt(2) = (3 + 2 sqrt(2))^exponent solves Pell's equation
/// P^2 - 2 Q^2 = 1.  The first two rows hold the digits of P, 2 Q and of Q, P in base s = 2^24, the
/// others (1, -s): they add the digits up, so that the determinant is 1 in absolute value.  The
/// condition grows like P^2.
matrix rump(index_t exponent)
{
    constexpr unsigned bits = 24;
    mpz_t p, q, next;
    mpz_inits(p, q, next, nullptr);
    mpz_set_ui(p, 1);
    for (index_t k = 0; k < exponent; ++k) {
        mpz_mul_ui(next, p, 3);
        mpz_addmul_ui(next, q, 4);
        mpz_mul_ui(q, q, 3);
        mpz_addmul_ui(q, p, 2);
        mpz_set(p, next);
    }
    std::vector<double> high = digits_of(p, bits), low = digits_of(q, bits);
    mpz_clears(p, q, next, nullptr);
    low.resize(high.size());
    const auto m = static_cast<index_t>(high.size());
    const auto digit = [m](const std::vector<double>& d, index_t j) {
        return d[static_cast<std::size_t>(m - 1 - j)];  // most significant first
    };
    return from_formula(2 * m, [&](index_t i, index_t j) {
        if (i == 0) return j < m ? digit(high, j) : 2 * digit(low, j - m);
        if (i == 1) return j < m ? digit(low, j) : digit(high, j - m);
        const index_t row = i - 2, first = row < m - 1 ? row : row + 1;
        return j == first ? 1.0 : (j == first + 1 ? -0x1p24 : 0.0);
    });
}

struct family {
    const char* name;
    matrix (*make)(index_t);
    std::vector<index_t> parameters;
};

const std::vector<family>& families()
{
    using namespace ddla::generate;
    static const std::vector<family> all = {
        {"hilbert", [](index_t n) { return hilbert_like<double>(n, n - 1); }, {6, 10, 14, 20}},
        {"pascal", pascal, {10, 20, 28}},
        {"vandermonde", vandermonde, {10, 20, 30}},
        {"frank", frank, {12, 24}},
        {"kahan", kahan, {30, 60, 90}},
        {"wilkinson", wilkinson, {20, 60, 100}},
        {"wilkinson_plus", wilkinson_plus, {20, 100}},
        // The second number is ten times gamma.
        {"toeplitz_200_gamma",
         [](index_t g) { return toeplitz(200, double(g) / 10); },
         {13, 17, 20, 24}},
        {"rump", rump, {20, 40, 80, 160}}};
    return all;
}

class fnv1a {
public:
    void add(std::uint64_t word)
    {
        for (int byte = 0; byte < 8; ++byte)
            hash_ = (hash_ ^ (word >> (8 * byte) & 0xff)) * 0x100000001b3u;
    }
    std::uint64_t value() const { return hash_; }

private:
    std::uint64_t hash_ = 0xcbf29ce484222325u;
};

/// splitmix64 of the index.
std::uint64_t scrambled(std::uint64_t i)
{
    std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

}  // namespace

const std::vector<std::string>& generated_names()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const family& f : families())
            for (const index_t parameter : f.parameters)
                all.push_back(f.name + ("_" + std::to_string(parameter)));
        return all;
    }();
    return names;
}

bool is_generated(const std::string& name)
{
    const auto& all = generated_names();
    return std::find(all.begin(), all.end(), name) != all.end();
}

matrix generated_matrix(const std::string& name)
{
    for (const family& f : families())
        for (const index_t parameter : f.parameters)
            if (name == f.name + ("_" + std::to_string(parameter))) return f.make(parameter);
    throw ddla::input_error("no generated matrix is called " + name);
}

std::optional<std::filesystem::path> file_of(const std::string& name,
                                             const std::filesystem::path& folder)
{
    for (const char* ending : {".mtx", ".mtx.gz"})
        if (auto file = folder / (name + ending); std::filesystem::exists(file)) return file;
    return std::nullopt;
}

std::uint64_t hash_of(const matrix& a)
{
    const ddla::csr<double> m = a.view();
    fnv1a hash;
    hash.add(static_cast<std::uint64_t>(m.rows));
    hash.add(static_cast<std::uint64_t>(m.columns));
    for (index_t i = 0; i < m.rows; ++i)
        for (index_t k = m.row_begin[i]; k < m.row_begin[i + 1]; ++k) {
            hash.add(static_cast<std::uint64_t>(i));
            hash.add(static_cast<std::uint64_t>(m.column[k]));
            hash.add(std::bit_cast<std::uint64_t>(m.value.get(k)));
        }
    return hash.value();
}

bool is_symmetric(const matrix& a)
{
    return a.rows() == a.columns() && hash_of(a) == hash_of(ddla::transpose(a));
}

std::vector<double> right_hand_side(const std::string& name, index_t n)
{
    std::vector<double> b(static_cast<std::size_t>(n), name == "ones" ? 1.0 : 0.0);
    if (name == "random")
        for (std::size_t i = 0; i < b.size(); ++i)
            b[i] = (static_cast<double>(scrambled(i) >> 43) - 0x1p20) * 0x1p-20;
    else if (name == "unit")
        b[b.size() / 2] = 1;
    else if (name != "ones")
        throw ddla::input_error("no right-hand side is called " + name);
    return b;
}

}  // namespace reference
