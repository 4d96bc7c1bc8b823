// Hashes that pin the bits of factors between releases, and the orderings of SuiteSparse.
#include "known_ranks.hpp"

#include "catch.hpp"
#include "factor/lu/factors.hpp"
#include "reference_answers/stored.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

#include <bit>
#include <cinttypes>
#include <cstdio>

using namespace ddla::factor;
using ddla::csr_matrix;
using ddla::index_t;
using dd = ddla::dd_real;

namespace {

/// FNV-1a over 64-bit words.
class digest {
public:
    void add(std::uint64_t word)
    {
        for (int k = 0; k < 8; ++k) {
            hash_ = (hash_ ^ (word & 0xff)) * 0x100000001b3u;
            word >>= 8;
        }
    }
    template <ddla::scalar F>
    void add(const F& x)
    {
        ddla::each_word(x, [&](auto, double w) { add(std::bit_cast<std::uint64_t>(w)); });
    }
    template <class I, class Memory>
    void add(const std::vector<I, Memory>& list)
    {
        for (const I i : list) add(static_cast<std::uint64_t>(i));
    }
    template <class F>
    void add(const number_list<F>& list)
    {
        for (index_t k = 0; k < list.size(); ++k) add(list.get(k));
    }
    template <class F>
    void add(const triangle<F>& t)
    {
        add(t.off_diagonal.begin), add(t.off_diagonal.column), add(t.off_diagonal.value);
        add(t.pivot);
    }
    std::uint64_t hash() const { return hash_; }

private:
    std::uint64_t hash_ = 0xcbf29ce484222325u;
};

template <class F>
std::uint64_t hash_of_factors(const csr_matrix<double>& a)
{
    const auto f = factors<F>::make(a.view(), {});
    digest d;
    d.add(f.row_of()), d.add(f.scaling().row), d.add(f.scaling().column);
    d.add(f.part(factor_part::lower)), d.add(f.part(factor_part::upper));
    return d.hash();
}

struct golden_case {
    const char* name;
    std::uint64_t columns;  ///< the order of elimination
    std::uint64_t in_double, in_dd;
};

const golden_case cases[] = {
#include "golden_factors.inc"
};

/// Generated here, or a file; nothing if that is not there.
std::optional<csr_matrix<double>> matrix(const std::string& name)
{
    using namespace ddla::generate;
    if (name == "grid") return convection_diffusion(12, 11, 10);
    if (name == "toeplitz") return toeplitz(500, 1.7);
    if (name == "random") return random(400, 6, 0.1, 7);
    if (name == "skewed") return skewed(600, 5, 1.1, 3);
    if (name == "dominant_integers") return csr_matrix<double>(test::dominant_integers(300, 4, 1));
    if (name == "sum_of_rows") return test::with_sum_of_rows(120, 2, 40, 17, 88);
    if (name == "structurally_singular") return test::structurally_singular(90, 12, 3);
    if (reference::is_generated(name)) return reference::generated_matrix(name);
    const char* const set = std::getenv("DDLA_TEST_MATRICES");
    auto file = reference::file_of(name, DDLA_EXAMPLES);
    if (!file && set) file = reference::file_of(name, set);
    if (!file) return {};
    return ddla::read_matrix<double>(file->string());
}

}  // namespace

// To make golden_factors.inc anew, when bits change for a reason that CHANGELOG.md names:
//     DDLA_TEST_MATRICES=FOLDER build/tests/factor/test_factor "[golden-factors]" | grep '^{'
TEST_CASE("factors keep their bits", "[factor][golden-factors]")
{
    int missing = 0;
    for (const golden_case& one : cases) {
        INFO(one.name);
        const auto a = matrix(one.name);
        if (!a) {
            ++missing;
            continue;
        }
        digest columns;
        columns.add(factors<double>::make(a->view(), {}).column_of());
        const std::uint64_t in_double = hash_of_factors<double>(*a),
                            in_dd = hash_of_factors<dd>(*a);
        CHECK(columns.hash() == one.columns);
        CHECK(in_double == one.in_double);
        CHECK(in_dd == one.in_dd);
        if (columns.hash() != one.columns || in_double != one.in_double || in_dd != one.in_dd)
            std::printf("{\"%s\", 0x%016" PRIx64 ", 0x%016" PRIx64 ", 0x%016" PRIx64 "},\n",
                        one.name, columns.hash(), in_double, in_dd);
    }
    const std::string reason = reference::reason_of(missing);
    if (!reason.empty()) SKIP_CASE(reason);
}
