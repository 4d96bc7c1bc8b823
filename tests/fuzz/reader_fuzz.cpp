// Any bytes are a matrix or an input_error: never a crash, never two different matrices.
//
// Checks for each input: the same matrix, vectors or message for one piece of text and for many;
// and the matrix written and read again is the same, in double and in double-double.
#include "require.hpp"

#include "ddla/error.hpp"
#include "files/harwell_boeing/hb_header.hpp"
#include "files/market/header.hpp"
#include "files/market/matrix_market_text.hpp"
#include "files/read/read_text.hpp"

#include <bit>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace ddla;
using fuzz::require;

bool same(double a, double b)
{
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
           (std::isnan(a) && std::isnan(b));
}
bool same(dd_real a, dd_real b)
{
    // The text of a number does not tell the sign of a low word of zero.
    return same(a.hi, b.hi) && (same(a.lo, b.lo) || (a.lo == 0 && b.lo == 0));
}

bool is_finite(double x)
{
    return std::isfinite(x);
}
bool is_finite(dd_real x)
{
    return std::isfinite(x.hi) && std::isfinite(x.lo);
}

template <scalar V>
bool same(const csr_matrix<V>& a, const csr_matrix<V>& b)
{
    const csr<V> x = a.view(), y = b.view();
    if (x.rows != y.rows || x.columns != y.columns || x.nonzeros() != y.nonzeros()) return false;
    for (index_t i = 0; i <= x.rows; ++i)
        if (x.row_begin[i] != y.row_begin[i]) return false;
    for (index_t k = 0; k < x.nonzeros(); ++k)
        if (x.column[k] != y.column[k] || !same(x.value.get(k), y.value.get(k))) return false;
    return true;
}

template <scalar V>
bool all_finite(const csr_matrix<V>& a)
{
    for (index_t k = 0; k < a.nonzeros(); ++k)
        if (!is_finite(a.view().value.get(k))) return false;
    return true;
}

template <scalar V>
struct outcome {
    std::optional<csr_matrix<V>> matrix;
    std::string problem;
};

template <scalar V>
outcome<V> read(const std::string& text, text::sharing how = {})
{
    try {
        auto a =
            text::any_matrix_from_text<V>({text.data(), text.data() + text.size()}, "fuzz", how);
        return {std::move(a.numbers), {}};
    } catch (const input_error& problem) {
        return {std::nullopt, problem.what()};
    }
}

template <scalar V>
void check(const std::string& text)
{
    const auto whole = read<V>(text), pieces = read<V>(text, {.threads = 3, .piece_bytes = 20});
    require(whole.problem == pieces.problem);
    if (!whole.matrix) return;
    require(same(*whole.matrix, *pieces.matrix));
    if (!all_finite(*whole.matrix)) return;  // duplicates may overflow
    std::string written;
    text::matrix_to_text(whole.matrix->view(), "", [&](std::string_view part) { written += part; });
    const auto back = read<V>(written);
    require(back.matrix.has_value() && same(*whole.matrix, *back.matrix));
}

/// All parts of a file as vectors; what they ask for of memory is limited.
struct columns_read {
    std::vector<vector<double>> columns;
    std::string problem;
};

columns_read read_columns(const std::string& text, vector_part part, text::sharing how)
{
    how.memory_limit = std::size_t{1} << 26;
    try {
        auto all = text::any_vectors_from_text<double>({text.data(), text.data() + text.size()},
                                                       "fuzz", how, part);
        return {std::move(all.numbers), {}};
    } catch (const input_error& problem) {
        return {{}, problem.what()};
    } catch (const resource_error& problem) {
        return {{}, problem.what()};
    }
}

void check_columns(const std::string& text)
{
    for (const auto part :
         {vector_part::right_hand_side, vector_part::guess, vector_part::solution}) {
        const auto whole = read_columns(text, part, {});
        const auto pieces = read_columns(text, part, {.threads = 3, .piece_bytes = 20});
        require(whole.problem == pieces.problem);
        require(whole.columns.size() == pieces.columns.size());
        for (std::size_t j = 0; j < whole.columns.size(); ++j) {
            require(whole.columns[j].size() == pieces.columns[j].size());
            for (index_t i = 0; i < whole.columns[j].size(); ++i)
                require(same(whole.columns[j][i], pieces.columns[j][i]));
        }
    }
}

/// Sizes that would only test the machine's memory.
bool is_huge(const std::string& text)
{
    constexpr index_t most = 100000;
    const text::characters all{text.data(), text.data() + text.size()};
    try {
        if (text::is_harwell_boeing(all)) return text::parse_hb_header(all).shape.rows > most;
        if (text::is_rb_vectors(all)) return text::parse_rb_vectors_header(all).rows > most;
        return text::parse_header(all).rows > most;
    } catch (const text::malformed&) {
        return false;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    if (is_huge(text)) return 0;
    check<double>(text);
    check<dd_real>(text);
    check_columns(text);
    return 0;
}
