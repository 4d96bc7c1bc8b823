#include "ddla/matrix_market.hpp"

#include "ddla/fp_mode.hpp"

#include "array_values.hpp"
#include "assemble.hpp"
#include "ddla/blas.hpp"
#include "ddla/error.hpp"
#include "entries.hpp"
#include "files/decimal/decimal_read.hpp"
#include "input_text.hpp"
#include "matrix_market_text.hpp"
#include "matrix_room.hpp"
#include "real_form.hpp"

#include <algorithm>
#include <new>

namespace ddla {
namespace text {
namespace {

/// Runs `read`; adds the name of the file and the line to its errors.
template <class Read>
auto with_name(characters text, const std::string& name, Read read)
{
    try {
        return read();
    } catch (const malformed& problem) {
        throw input_error(name + ":" + std::to_string(line_of(text, problem.at)) + ": " +
                          problem.cause);
    } catch (const too_large& problem) {
        throw resource_error(name + ":" + std::to_string(line_of(text, problem.at)) + ": " +
                             problem.cause);
    } catch (const std::bad_alloc&) {
        throw resource_error(name + ": not enough memory for what it holds");
    }
}

/// Calls set(i, value) for the values of an array file, column by column.
template <scalar T, class Set>
void for_each_value(const array_values<T>& values, const Set& set)
{
    index_t i = 0;
    for (const std::vector<T>& piece : values)
        for (const T& value : piece) set(i++, value);
}

void require_column(const header& about)
{
    if (about.columns != 1)
        fail(about.sizes, "a matrix of " + std::to_string(about.rows) + " x " +
                              std::to_string(about.columns) +
                              " is not a vector, which has one column");
}

/// Passes on the entries of a file of either layout.
template <scalar V>
void parse_places(characters text, const header& about, sharing how, const piece_sink<V>& sink)
{
    if (about.layout == layout::coordinate) return parse_entries<V>(text, about, how, sink);
    const array_values<V> values = parse_array<V>(text, about, how);
    if constexpr (is_complex<V>) check_hermitian(text, about, values);
    give_places(about, values, how, sink);
}

/// A matrix, or the real form of a complex one.
template <scalar V>
csr_matrix<V> parse_matrix(characters text, const header& about, sharing how)
{
    const bool complex = about.field == field::complex;
    const header form = complex ? real_form_of(about) : about;
    require_room_for_matrix<V>(text, about, how);
    entry_buckets<V> buckets(form, piece_count(text, about, how), how.workers());
    if (complex)
        parse_places<complex_number<V>>(
            text, about, how, [&](int worker, std::size_t piece, const auto& entries) {
                buckets.add(worker, piece, in_real_form(entries, about.symmetry));
            });
    else
        parse_places<V>(text, about, how, [&](int worker, std::size_t piece, const auto& entries) {
            buckets.add(worker, piece, entries);
        });
    return assemble(form, buckets, how);
}

template <scalar T>
std::vector<vector<T>> zeros(const header& about, sharing how, index_t rows, index_t columns)
{
    require_room(about, how, sizes_of(about),
                 static_cast<double>(columns) *
                     (static_cast<double>(rows) * sizeof(T) + sizeof(vector<T>)));
    return std::vector<vector<T>>(static_cast<std::size_t>(columns), vector<T>(rows));
}

/// The columns of a matrix with their zeros.
template <scalar T>
std::vector<vector<T>> expanded(const header& about, sharing how, const csr_matrix<T>& a)
{
    auto x = zeros<T>(about, how, a.rows(), a.columns());
    const csr<T> view = a.view();
    for (index_t i = 0; i < a.rows(); ++i)
        for (index_t k = view.row_begin[i]; k < view.row_begin[i + 1]; ++k)
            x[static_cast<std::size_t>(view.column[k])].set(i, view.value.get(k));
    return x;
}

/// The columns of an array file.
template <scalar T>
std::vector<vector<T>> array_columns(characters text, const header& about, sharing how)
{
    auto x = zeros<T>(about, how, about.rows, about.columns);
    for_each_value(parse_array<T>(text, about, how), [&](index_t i, const T& value) {
        x[static_cast<std::size_t>(i / about.rows)].set(i % about.rows, value);
    });
    return x;
}

/// The real forms of the columns of a complex one.
template <scalar T>
std::vector<vector<T>> complex_array_columns(characters text, const header& about, sharing how)
{
    auto x = zeros<T>(about, how, 2 * about.rows, about.columns);
    const auto values = parse_array<complex_number<T>>(text, about, how);
    for_each_value(values, [&](index_t i, const complex_number<T>& value) {
        vector<T>& column = x[static_cast<std::size_t>(i / about.rows)];
        column.set(2 * (i % about.rows), value.real);
        column.set(2 * (i % about.rows) + 1, value.imag);
    });
    return x;
}

template <scalar T>
std::vector<vector<T>> columns_of(characters text, const header& about, sharing how)
{
    const bool complex = about.field == field::complex;
    if (about.layout == layout::array && about.symmetry == symmetry::general)
        return complex ? complex_array_columns<T>(text, about, how)
                       : array_columns<T>(text, about, how);
    auto x = expanded(about, how, parse_matrix<T>(text, about, how));
    if (!complex) return x;
    // Column j of the complex matrix is column 2 j of the real form.
    for (std::size_t j = 0; 2 * j < x.size(); ++j) std::swap(x[j], x[2 * j]);
    x.resize(x.size() / 2);
    return x;
}

template <scalar T>
vector<T> column_of(characters text, const header& about, sharing how)
{
    require_column(about);
    return std::move(columns_of<T>(text, about, how).front());
}

four_word_vector four_words_of(characters text, const header& about, sharing how)
{
    require_column(about);
    if (about.layout != layout::array || about.symmetry != symmetry::general)
        fail(about.sizes, "four words of a number are read from general array files only");
    const bool complex = about.field == field::complex;
    const index_t size = about.rows * (complex ? 2 : 1);
    require_room(about, how, sizes_of(about), 2.0 * static_cast<double>(size) * sizeof(dd_real));
    vector<dd_real> x(size), x_low(size);
    const auto set = [&](index_t i, const four_words& value) {
        x.set(i, value.high);
        x_low.set(i, value.low);
    };
    if (complex)
        for_each_value(parse_array<complex_number<four_words>>(text, about, how),
                       [&](index_t i, const complex_number<four_words>& value) {
                           set(2 * i, value.real);
                           set(2 * i + 1, value.imag);
                       });
    else
        for_each_value(parse_array<four_words>(text, about, how), set);
    return {std::move(x), std::move(x_low)};
}

/// What parse(text, header, how) makes of a text that must be real.
template <class Parse>
auto real_content(characters text, const std::string& name, sharing how, const Parse& parse)
{
    return with_name(text, name, [&] {
        const header about = parse_header(text);
        if (about.field == field::complex)
            fail(text.first, "the file is complex: here only real ones are read (in C++, "
                             "read_any_matrix and read_any_vectors give the real form)");
        return parse(text, about, how);
    });
}
/// The same of any text, with its kind.
template <class Parse>
auto any_content(characters text, const std::string& name, sharing how, const Parse& parse)
{
    return with_name(text, name, [&] {
        const header about = parse_header(text);
        return file_content<decltype(parse(text, about, how))>{parse(text, about, how),
                                                               about.field == field::complex};
    });
}

}  // namespace

template <scalar V>
csr_matrix<V> matrix_from_text(characters text, const std::string& name, sharing how)
{
    const fp_mode_guard exact;
    return real_content(text, name, how, parse_matrix<V>);
}

template <scalar V>
file_content<csr_matrix<V>> any_matrix_from_text(characters text, const std::string& name,
                                                 sharing how)
{
    const fp_mode_guard exact;
    return any_content(text, name, how, parse_matrix<V>);
}

template <scalar T>
vector<T> vector_from_text(characters text, const std::string& name, sharing how)
{
    const fp_mode_guard exact;
    return real_content(text, name, how, column_of<T>);
}

template <scalar T>
std::vector<vector<T>> vectors_from_text(characters text, const std::string& name, sharing how)
{
    const fp_mode_guard exact;
    return real_content(text, name, how, columns_of<T>);
}

template <scalar T>
file_content<vector<T>> any_vector_from_text(characters text, const std::string& name, sharing how)
{
    const fp_mode_guard exact;
    return any_content(text, name, how, column_of<T>);
}

template <scalar T>
file_content<std::vector<vector<T>>> any_vectors_from_text(characters text, const std::string& name,
                                                           sharing how)
{
    const fp_mode_guard exact;
    return any_content(text, name, how, columns_of<T>);
}

four_word_vector four_words_from_text(characters text, const std::string& name, sharing how)
{
    const fp_mode_guard exact;
    return real_content(text, name, how, four_words_of);
}

file_content<four_word_vector> any_four_words_from_text(characters text, const std::string& name,
                                                        sharing how)
{
    const fp_mode_guard exact;
    return any_content(text, name, how, four_words_of);
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template csr_matrix<T> matrix_from_text(characters, const std::string&, sharing);              \
    template vector<T> vector_from_text(characters, const std::string&, sharing);                  \
    template std::vector<vector<T>> vectors_from_text(characters, const std::string&, sharing);    \
    template file_content<csr_matrix<T>> any_matrix_from_text(characters, const std::string&,      \
                                                              sharing);                            \
    template file_content<vector<T>> any_vector_from_text(characters, const std::string&,          \
                                                          sharing);                                \
    template file_content<std::vector<vector<T>>> any_vectors_from_text(                           \
        characters, const std::string&, sharing);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace text

namespace {

/// parse(text, name, how) of a file.
template <class Parse>
auto of_file(const std::filesystem::path& file, int threads, read_losses* lost,
             std::size_t memory_limit, bool counts_rounded, const Parse& parse)
{
    const fp_mode_guard exact;
    const text::input_text input(file, memory_limit);
    read_losses found;
    auto content = parse(input.text(), file.string(),
                         text::sharing{.threads = threads > 0 ? threads : host_threads(),
                                       .lost = &found,
                                       .counts_rounded = counts_rounded,
                                       .memory_limit = memory_limit,
                                       .text_bytes = input.held_bytes()});
    if (lost != nullptr) *lost = found;
    return content;
}

}  // namespace

template <scalar V>
csr_matrix<V> read_matrix(const std::filesystem::path& file, int threads, read_losses* lost,
                          std::size_t memory_limit)
{
    return of_file(file, threads, lost, memory_limit, false, text::matrix_from_text<V>);
}

template <scalar V>
file_content<csr_matrix<V>> read_any_matrix(const std::filesystem::path& file, int threads,
                                            read_losses* lost, std::size_t memory_limit)
{
    return of_file(file, threads, lost, memory_limit, false, text::any_matrix_from_text<V>);
}

template <scalar T>
vector<T> read_vector(const std::filesystem::path& file, int threads, read_losses* lost,
                      std::size_t memory_limit)
{
    return of_file(file, threads, lost, memory_limit, lost != nullptr, text::vector_from_text<T>);
}

template <scalar T>
std::vector<vector<T>> read_vectors(const std::filesystem::path& file, int threads,
                                    read_losses* lost, std::size_t memory_limit)
{
    return of_file(file, threads, lost, memory_limit, lost != nullptr, text::vectors_from_text<T>);
}

template <scalar T>
file_content<vector<T>> read_any_vector(const std::filesystem::path& file, int threads,
                                        read_losses* lost, std::size_t memory_limit)
{
    return of_file(file, threads, lost, memory_limit, lost != nullptr,
                   text::any_vector_from_text<T>);
}

template <scalar T>
file_content<std::vector<vector<T>>> read_any_vectors(const std::filesystem::path& file,
                                                      int threads, read_losses* lost,
                                                      std::size_t memory_limit)
{
    return of_file(file, threads, lost, memory_limit, lost != nullptr,
                   text::any_vectors_from_text<T>);
}

four_word_vector read_four_words(const std::filesystem::path& file, int threads, read_losses* lost,
                                 std::size_t memory_limit)
{
    return of_file(file, threads, lost, memory_limit, false, text::four_words_from_text);
}

file_content<four_word_vector> read_any_four_words(const std::filesystem::path& file, int threads,
                                                   read_losses* lost, std::size_t memory_limit)
{
    return of_file(file, threads, lost, memory_limit, false, text::any_four_words_from_text);
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template csr_matrix<T> read_matrix(const std::filesystem::path&, int, read_losses*,            \
                                       std::size_t);                                               \
    template file_content<csr_matrix<T>> read_any_matrix(const std::filesystem::path&, int,        \
                                                         read_losses*, std::size_t);               \
    template vector<T> read_vector(const std::filesystem::path&, int, read_losses*, std::size_t);  \
    template file_content<vector<T>> read_any_vector(const std::filesystem::path&, int,            \
                                                     read_losses*, std::size_t);                   \
    template std::vector<vector<T>> read_vectors(const std::filesystem::path&, int, read_losses*,  \
                                                 std::size_t);                                     \
    template file_content<std::vector<vector<T>>> read_any_vectors(                                \
        const std::filesystem::path&, int, read_losses*, std::size_t);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
