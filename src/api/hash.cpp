// Hashes of the bits of a vector.
#include "ddla/blas.hpp"

#include "mixed_hash.hpp"
#include "solve_on.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace ddla {

namespace {

/// One bit pattern for all NaNs.
std::uint64_t mixed_number(std::uint64_t h, double word)
{
    if (std::isnan(word)) word = std::numeric_limits<double>::quiet_NaN();
    return api::mixed(h, std::bit_cast<std::uint64_t>(word));
}

}  // namespace

template <scalar T>
std::uint64_t api::hash_of(vec<const T> x, place at)
{
    if (!at.is_host()) {
        vector<T> here(x.size);
        copy_bytes(here.high().data(), host, x.high, at, here.high().size_bytes());
        if constexpr (words_of<T> == 2)
            copy_bytes(here.low().data(), host, x.low, at, here.low().size_bytes());
        return hash_of<T>(here.view(), host);
    }
    std::uint64_t h = static_cast<std::uint64_t>(x.size);
    for (index_t i = 0; i < x.size; ++i) {
        h = mixed_number(h, x.high[i]);
        if constexpr (words_of<T> == 2) h = mixed_number(h, x.low[i]);
    }
    return h;
}

template <scalar T>
std::uint64_t hash_of(const vector<T>& x)
{
    return api::hash_of<T>(x.view(), x.where());
}

template std::uint64_t hash_of(const vector<double>&);
template std::uint64_t hash_of(const vector<dd_real>&);
template std::uint64_t api::hash_of(vec<const double>, place);
template std::uint64_t api::hash_of(vec<const dd_real>, place);

}  // namespace ddla
