#include "data.hpp"

#include "ddla/blas.hpp"
#include "ddla/generate.hpp"

#include <utility>

namespace bench {

using namespace ddla;

namespace {

/// Number i of a stream: SplitMix64 by its counter, which python_rivals.py computes, too.
double random_at(std::uint64_t seed, std::uint64_t i)
{
    std::uint64_t z = seed + (i + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

}  // namespace

template <scalar T>
vector<T> random_vector(index_t n, std::uint64_t seed, place at)
{
    vector<T> x(n);
    for (index_t i = 0; i < n; ++i) {
        const double high = random_at(seed, static_cast<std::uint64_t>(i));
        if constexpr (words_of<T> == 1)
            x.set(i, high);
        else
            x.set(i, {high, high * 0x1p-54 * random_at(~seed, static_cast<std::uint64_t>(i))});
    }
    return at.is_host() ? std::move(x) : x.to(at);
}

vector<dd_real> widened(const vector<double>& x)
{
    vector<dd_real> y(x.size(), x.where());
    copy_bytes(y.view().word(0), y.where(), x.view().word(0), x.where(),
               static_cast<std::size_t>(x.size()) * sizeof(double));
    return y;
}

double relative_difference(const vector<double>& mine, const vector<double>& theirs)
{
    vector<double> difference = theirs;
    axpy(-1.0, mine, difference);
    const double distance = nrm2(difference), length = nrm2(mine);
    return distance == 0 && length == 0 ? 0 : distance / length;
}

const csr_matrix<double>& cubes::operator()(int size)
{
    auto& a = built_[size];
    if (a.rows() == 0) a = generate::convection_diffusion(size, size, size, 0.3, 0).to(there);
    return a;
}

template vector<double> random_vector(index_t, std::uint64_t, place);
template vector<dd_real> random_vector(index_t, std::uint64_t, place);

}  // namespace bench
