// Hashes of the bits of a vector.
#include "ddla/blas.hpp"

#include "matrix/mixed_hash.hpp"
#include "solve/solve_on.hpp"

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
std::uint64_t api::hash_of(vec<const T> x, place where)
{
    if (!where.is_host()) {
        vector<T> here(x.size);
        for (int k = 0; k < words_of<T>; ++k)
            copy_bytes(here.word(k).data(), host, x.word(k), where, here.word(k).size_bytes());
        return hash_of<T>(here.view(), host);
    }
    return mixed_with<T>(static_cast<std::uint64_t>(x.size), x);
}

template <scalar T>
std::uint64_t api::mixed_with(std::uint64_t h, vec<const T> x)
{
    for (index_t i = 0; i < x.size; ++i)
        for (int k = 0; k < words_of<T>; ++k) h = mixed_number(h, x.word(k)[i]);
    return h;
}

template <scalar T>
std::uint64_t hash_of(const vector<T>& x)
{
    return api::hash_of<T>(x.view(), x.where());
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template std::uint64_t hash_of(const vector<T>&);                                              \
    template std::uint64_t api::hash_of(vec<const T>, place);                                      \
    template std::uint64_t api::mixed_with(std::uint64_t, vec<const T>);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
