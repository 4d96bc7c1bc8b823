// Arrays of pairs, {hi, lo} side by side, from and to vectors.
#include "reach.hpp"

namespace ddla {

using api::reach;

void interleave(stream& s, vec<const dd_real> x, std::span<dd_pair> pairs)
{
    reach(s, "interleave").require_pairs(x, pairs);
    s.implementation().pairs().interleave(x, pairs.data());
}

void split(stream& s, std::span<const dd_pair> pairs, vec<dd_real> x)
{
    reach(s, "split").require_pairs(x, pairs);
    s.implementation().pairs().split(pairs.data(), x);
}

void interleave(const vector<dd_real>& x, std::span<dd_pair> pairs)
{
    engine& here = api::engine_at(x.where());
    reach(here, x.where(), "interleave").require_pairs(x.view(), pairs);
    here.pairs().interleave(x.view(), pairs.data());
    here.wait();
}

void split(std::span<const dd_pair> pairs, vector<dd_real>& x)
{
    engine& here = api::engine_at(x.where());
    reach(here, x.where(), "split").require_pairs(x.view(), pairs);
    here.pairs().split(pairs.data(), x.view());
    here.wait();
}

}  // namespace ddla
