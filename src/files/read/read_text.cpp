#include "read_text.hpp"

#include "ddla/fp_mode.hpp"
#include "files/binary/binary_file.hpp"
#include "files/decimal/decimal_read.hpp"
#include "files/harwell_boeing/hb_data.hpp"
#include "files/market/complex_value.hpp"
#include "files/market/matrix_market_read.hpp"
#include "files/market/with_name.hpp"
#include "plain_list.hpp"

#include <utility>

namespace ddla::text {
namespace {

[[noreturn]] void fail_complex(characters text)
{
    fail(text.first, "the file is complex: here only real ones are read (in C++, "
                     "read_any_matrix and read_any_vectors give the real form)");
}

void require_real(characters text, bool is_complex, bool takes_complex)
{
    if (is_complex && !takes_complex) fail_complex(text);
}

bool is_complex_file(const header& about)
{
    return about.field == field::complex;
}

bool is_market(characters text)
{
    constexpr std::string_view banner = "%%matrixmarket";
    if (text.size() < static_cast<std::int64_t>(banner.size())) return false;
    for (std::size_t i = 0; i < banner.size(); ++i)
        if ((text.first[i] | ('a' <= banner[i] ? 0x20 : 0)) != banner[i]) return false;
    return true;
}

template <scalar V>
file_content<csr_matrix<V>> binary_matrix_of(characters bytes, const std::string& name, sharing how,
                                             bool takes_complex)
{
    const binary_file file(bytes, name);
    const bool is_complex = file.about().is_complex != 0;
    require_real(bytes, is_complex, takes_complex);
    std::int64_t rounded = 0;
    auto numbers = whole_matrix<V>(file, how.memory_limit, rounded);
    if (how.lost != nullptr) how.lost->rounded += rounded;
    return {std::move(numbers), is_complex};
}

template <scalar V>
file_content<csr_matrix<V>> matrix_of(characters text, const std::string& name, sharing how,
                                      bool takes_complex)
{
    if (is_binary_matrix(text)) return binary_matrix_of<V>(text, name, how, takes_complex);
    if (!is_market(text) && is_harwell_boeing(text)) {
        const hb_header about = parse_hb_header(text);
        const bool complex = is_complex_file(about.shape);
        require_real(text, complex, takes_complex);
        return {hb_matrix<V>(text, about, how), complex, about.sides.count > 0};
    }
    const header about = parse_header(text);
    require_real(text, is_complex_file(about), takes_complex);
    return {market_matrix<V>(text, about, how), is_complex_file(about), about.has_b};
}

template <scalar T>
vector<T> vector_of(const std::vector<T>& numbers)
{
    vector<T> x(static_cast<index_t>(numbers.size()));
    for (std::size_t i = 0; i < numbers.size(); ++i) x.set(static_cast<index_t>(i), numbers[i]);
    return x;
}
/// The real form.
template <scalar T>
vector<T> vector_of(const std::vector<complex_number<T>>& numbers)
{
    vector<T> x(2 * static_cast<index_t>(numbers.size()));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        x.set(2 * static_cast<index_t>(i), numbers[i].real);
        x.set(2 * static_cast<index_t>(i) + 1, numbers[i].imag);
    }
    return x;
}

/// Makes vectors of columns, one after the other, so that each column goes as its vector comes.
template <scalar T>
struct as_vectors {
    using number = T;
    using type = std::vector<vector<T>>;

    static type of_market(characters text, const header& about, sharing how)
    {
        return market_columns<T>(text, about, how);
    }
    template <class V>
    static type of_columns(number_columns<V> columns, const header&)
    {
        type all;
        for (std::vector<V>& one : columns) {
            all.push_back(vector_of(one));
            one = {};
        }
        return all;
    }
};

struct as_four_words {
    using number = four_words;
    using type = four_word_vector;

    static type of_market(characters text, const header& about, sharing how)
    {
        return market_four_words(text, about, how);
    }
    template <class V>
    static type of_columns(const number_columns<V>& columns, const header& about)
    {
        require_column(static_cast<index_t>(columns.size()), about);
        constexpr bool complex = is_complex<V>;
        const std::vector<V>& numbers = columns.front();
        const index_t size = static_cast<index_t>(numbers.size()) * (complex ? 2 : 1);
        type x{vector<dd_real>(size), vector<dd_real>(size)};
        index_t i = 0;
        const auto put = [&](const four_words& one) {
            x.first.set(i, one.high);
            x.second.set(i++, one.low);
        };
        for (const V& one : numbers)
            if constexpr (complex) {
                put(one.real);
                put(one.imag);
            } else {
                put(one);
            }
        return x;
    }
};

/// read.operator()<V>() as T's numbers or, of a complex file, the real form.
template <class As, class Read>
file_content<typename As::type> of_columns(bool complex, const header& about, const Read& read)
{
    using number = typename As::number;
    if (complex)
        return {As::of_columns(read.template operator()<complex_number<number>>(), about), true};
    return {As::of_columns(read.template operator()<number>(), about), false};
}

template <class As>
file_content<typename As::type> of_market(characters text, sharing how, vector_part part,
                                          bool takes_complex)
{
    const header about = parse_header(text);
    const bool complex = is_complex_file(about);
    require_real(text, complex, takes_complex);
    if (!has_lis_vectors(about)) return {As::of_market(text, about, how), complex};
    return of_columns<As>(complex, about,
                          [&]<scalar V>() { return lis_column<V>(text, about, how, part); });
}

/// Vectors of any form.
template <class As>
file_content<typename As::type> vectors_of(characters text, sharing how, vector_part part,
                                           bool takes_complex)
{
    if (is_binary_matrix(text)) fail(text.first, "the file is a binary matrix, and has no vectors");
    if (is_market(text)) return of_market<As>(text, how, part, takes_complex);
    header shape;
    if (is_harwell_boeing(text)) {
        const hb_header about = parse_hb_header(text);
        const bool complex = is_complex_file(about.shape);
        require_real(text, complex, takes_complex);
        return of_columns<As>(complex, about.shape,
                              [&]<scalar V>() { return hb_columns<V>(text, about, how, part); });
    }
    shape.sizes = text.first;
    if (is_rb_vectors(text)) {
        const rb_vectors_header about = parse_rb_vectors_header(text);
        require_real(text, about.is_complex, takes_complex);
        shape.rows = about.rows;
        return of_columns<As>(about.is_complex, shape,
                              [&]<scalar V>() { return rb_columns<V>(text, about, how); });
    }
    return {As::of_columns(plain_list<typename As::number>(text, how), shape), false};
}

template <scalar T>
file_content<vector<T>> one_vector_of(characters text, sharing how, vector_part part,
                                      bool takes_complex)
{
    if (is_market(text)) {
        const header about = parse_header(text);
        if (!has_lis_vectors(about)) require_column(about.columns, about);
    }
    auto all = vectors_of<as_vectors<T>>(text, how, part, takes_complex);
    if (all.numbers.size() != 1)
        fail(text.first,
             "the file holds " + std::to_string(all.numbers.size()) + " vectors: one is wanted");
    return {std::move(all.numbers.front()), all.is_complex};
}

}  // namespace

template <scalar V>
csr_matrix<V> matrix_from_text(characters text, const std::string& name, sharing how)
{
    const fp_mode_guard exact;
    return with_name(text, name, [&] { return matrix_of<V>(text, name, how, false).numbers; });
}

template <scalar V>
file_content<csr_matrix<V>> any_matrix_from_text(characters text, const std::string& name,
                                                 sharing how)
{
    const fp_mode_guard exact;
    return with_name(text, name, [&] { return matrix_of<V>(text, name, how, true); });
}

template <scalar T>
vector<T> vector_from_text(characters text, const std::string& name, sharing how, vector_part part)
{
    const fp_mode_guard exact;
    return with_name(text, name, [&] { return one_vector_of<T>(text, how, part, false).numbers; });
}

template <scalar T>
std::vector<vector<T>> vectors_from_text(characters text, const std::string& name, sharing how,
                                         vector_part part)
{
    const fp_mode_guard exact;
    return with_name(text, name,
                     [&] { return vectors_of<as_vectors<T>>(text, how, part, false).numbers; });
}

template <scalar T>
file_content<vector<T>> any_vector_from_text(characters text, const std::string& name, sharing how,
                                             vector_part part)
{
    const fp_mode_guard exact;
    return with_name(text, name, [&] { return one_vector_of<T>(text, how, part, true); });
}

template <scalar T>
file_content<std::vector<vector<T>>> any_vectors_from_text(characters text, const std::string& name,
                                                           sharing how, vector_part part)
{
    const fp_mode_guard exact;
    return with_name(text, name, [&] { return vectors_of<as_vectors<T>>(text, how, part, true); });
}

four_word_vector four_words_from_text(characters text, const std::string& name, sharing how,
                                      vector_part part)
{
    const fp_mode_guard exact;
    return with_name(text, name,
                     [&] { return vectors_of<as_four_words>(text, how, part, false).numbers; });
}

file_content<four_word_vector> any_four_words_from_text(characters text, const std::string& name,
                                                        sharing how, vector_part part)
{
    const fp_mode_guard exact;
    return with_name(text, name, [&] { return vectors_of<as_four_words>(text, how, part, true); });
}

bool has_right_hand_side(characters text)
try {
    if (is_market(text)) return parse_header(text).has_b;
    return is_harwell_boeing(text) && parse_hb_header(text).sides.count > 0;
} catch (const malformed&) {
    return false;  // which reading it says
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template csr_matrix<T> matrix_from_text(characters, const std::string&, sharing);              \
    template vector<T> vector_from_text(characters, const std::string&, sharing, vector_part);     \
    template std::vector<vector<T>> vectors_from_text(characters, const std::string&, sharing,     \
                                                      vector_part);                                \
    template file_content<csr_matrix<T>> any_matrix_from_text(characters, const std::string&,      \
                                                              sharing);                            \
    template file_content<vector<T>> any_vector_from_text(characters, const std::string&, sharing, \
                                                          vector_part);                            \
    template file_content<std::vector<vector<T>>> any_vectors_from_text(                           \
        characters, const std::string&, sharing, vector_part);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::text
