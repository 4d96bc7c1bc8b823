// Sums of ranks have the bits of one rank with all elements.
#include "support/ranks.hpp"

#include "ddla/blas.hpp"
#include "ddla/linalg.hpp"

using namespace test;

namespace {

/// A matrix without entries: its rows alone matter.
ddla::csr_matrix<double> empty_rows(index_t n)
{
    return ddla::csr_matrix<double>(n, n, std::vector<index_t>(static_cast<std::size_t>(n) + 1), {},
                                    {});
}

template <class T>
std::string wrong_sums(index_t n, const cuts& begin)
{
    const auto x = random_vector<T>(n, 1), y = random_vector<T>(n, 2);
    const T dot = ddla::dot(x, y), norm = ddla::nrm2(x);
    const auto a = empty_rows(n);
    findings all;
    run_ranks(static_cast<int>(begin.size()) - 1, [&](auto ranks) {
        const auto mine = part_of(a, begin, ranks);
        const auto own_x = rows_of(x, mine), own_y = rows_of(y, mine);
        all.require(same_bits(mine.dot(own_x, own_y), dot), "dot");
        all.require(same_bits(mine.nrm2(own_x), norm), "nrm2");
    });
    return all.wrong();
}

/// Largest power of two that keeps squares from being safe: the norm takes its scaled way.
template <class T>
std::string wrong_large_norm(index_t n, const cuts& begin)
{
    auto x = random_vector<T>(n, 1);
    ddla::scal(T(0x1p+600), x);
    const T norm = ddla::nrm2(x);
    const auto a = empty_rows(n);
    findings all;
    run_ranks(static_cast<int>(begin.size()) - 1, [&](auto ranks) {
        const auto mine = part_of(a, begin, ranks);
        all.require(same_bits(mine.nrm2(rows_of(x, mine)), norm), "nrm2");
    });
    return all.wrong();
}

}  // namespace

TEMPLATE_TEST_CASE("sums of ranks", "[ranks]", double, ddla::dd_real)
{
    for (const int ranks : rank_counts())
        for (const index_t n : {1, 255, 256, 257, 1000, 65536, 70001, 300000})
            for (const cuts& begin : {even_cuts(n, ranks), random_cuts(n, ranks, 7)}) {
                INFO(n << " elements, ranks begin at " << text_of(begin));
                CHECK(wrong_sums<TestType>(n, begin) == "");
            }
}

TEMPLATE_TEST_CASE("sums of ranks whose squares overflow", "[ranks]", double, ddla::dd_real)
{
    CHECK(wrong_large_norm<TestType>(3000, random_cuts(3000, 5, 1)) == "");
}

TEST_CASE("sums of ranks over three levels of the tree", "[ranks][repeats]")
{
    const index_t n = 17'000'001;
    for (const cuts& begin : {random_cuts(n, 8, 3), even_cuts(n, 3)})
        CHECK(wrong_sums<double>(n, begin) == "");
}
