#include "ddla/matrix_market.hpp"

#include "ddla/blas.hpp"
#include "ddla/error.hpp"
#include "text/array_values.hpp"
#include "text/assemble.hpp"
#include "text/decimal_read.hpp"
#include "text/input_text.hpp"
#include "text/matrix_market_text.hpp"

#include <new>
#include <unistd.h>

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

/// A size line may declare more than memory can hold: report that before allocating.
void check_memory(double wanted)
{
    const double present = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                           static_cast<double>(::sysconf(_SC_PAGESIZE));
    if (wanted > present) throw std::bad_alloc();
}

template <scalar V>
csr_matrix<V> parse_matrix(characters text, const header& about, sharing how)
{
    check_memory(static_cast<double>(about.rows) * sizeof(index_t));
    entry_buckets<V> buckets(about, piece_count(text, about, how), how.workers());
    if (about.layout == layout::array)
        give_places(about, parse_array<V>(text, about, how), how, buckets);
    else
        parse_entries<V>(
            text, about, how,
            [&](int worker, std::size_t piece, std::span<const placed_entry<V>> entries) {
                buckets.add(worker, piece, entries);
            });
    return assemble(about, buckets, how);
}

template <scalar T>
std::vector<vector<T>> zeros(index_t rows, index_t columns)
{
    check_memory(static_cast<double>(columns) *
                 (static_cast<double>(rows) * sizeof(T) + sizeof(vector<T>)));
    return std::vector<vector<T>>(static_cast<std::size_t>(columns), vector<T>(rows));
}

/// The columns of a matrix with their zeros.
template <scalar T>
std::vector<vector<T>> expanded(const csr_matrix<T>& a)
{
    auto x = zeros<T>(a.rows(), a.columns());
    const csr<T> view = a.view();
    for (index_t i = 0; i < a.rows(); ++i)
        for (index_t k = view.row_begin[i]; k < view.row_begin[i + 1]; ++k)
            x[static_cast<std::size_t>(view.column[k])].set(i, view.value.get(k));
    return x;
}

template <scalar T>
std::vector<vector<T>> columns_of(characters text, const header& about, sharing how)
{
    if (about.layout != layout::array || about.symmetry != symmetry::general)
        return expanded(parse_matrix<T>(text, about, how));
    const array_values<T> values = parse_array<T>(text, about, how);
    auto x = zeros<T>(about.rows, about.columns);
    for_each_value(values, [&](index_t i, const T& value) {
        x[static_cast<std::size_t>(i / about.rows)].set(i % about.rows, value);
    });
    return x;
}

}  // namespace

template <scalar V>
csr_matrix<V> matrix_from_text(characters text, const std::string& name, sharing how)
{
    return with_name(text, name, [&] { return parse_matrix<V>(text, parse_header(text), how); });
}

template <scalar T>
vector<T> vector_from_text(characters text, const std::string& name, sharing how)
{
    return with_name(text, name, [&] {
        const header about = parse_header(text);
        require_column(about);
        return std::move(columns_of<T>(text, about, how).front());
    });
}

template <scalar T>
std::vector<vector<T>> vectors_from_text(characters text, const std::string& name, sharing how)
{
    return with_name(text, name, [&] { return columns_of<T>(text, parse_header(text), how); });
}

std::pair<vector<dd_real>, vector<dd_real>>
four_words_from_text(characters text, const std::string& name, sharing how)
{
    return with_name(text, name, [&] {
        const header about = parse_header(text);
        require_column(about);
        if (about.layout != layout::array || about.symmetry != symmetry::general)
            fail(about.sizes, "four words of a number are read from general array files only");
        vector<dd_real> x(about.rows), x_low(about.rows);
        for_each_value(parse_array<four_words>(text, about, how),
                       [&](index_t i, const four_words& value) {
                           x.set(i, value.high);
                           x_low.set(i, value.low);
                       });
        return std::pair(std::move(x), std::move(x_low));
    });
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template csr_matrix<T> matrix_from_text(characters, const std::string&, sharing);              \
    template vector<T> vector_from_text(characters, const std::string&, sharing);                  \
    template std::vector<vector<T>> vectors_from_text(characters, const std::string&, sharing);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace text

template <scalar V>
csr_matrix<V> read_matrix(const std::filesystem::path& file, int threads)
{
    const text::input_text input(file);
    return text::matrix_from_text<V>(input.text(), file.string(),
                                     {.threads = threads > 0 ? threads : host_threads()});
}

template <scalar T>
vector<T> read_vector(const std::filesystem::path& file, int threads)
{
    const text::input_text input(file);
    return text::vector_from_text<T>(input.text(), file.string(),
                                     {.threads = threads > 0 ? threads : host_threads()});
}

template <scalar T>
std::vector<vector<T>> read_vectors(const std::filesystem::path& file, int threads)
{
    const text::input_text input(file);
    return text::vectors_from_text<T>(input.text(), file.string(),
                                      {.threads = threads > 0 ? threads : host_threads()});
}

std::pair<vector<dd_real>, vector<dd_real>> read_four_words(const std::filesystem::path& file,
                                                            int threads)
{
    const text::input_text input(file);
    return text::four_words_from_text(input.text(), file.string(),
                                      {.threads = threads > 0 ? threads : host_threads()});
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template csr_matrix<T> read_matrix(const std::filesystem::path&, int);                         \
    template vector<T> read_vector(const std::filesystem::path&, int);                             \
    template std::vector<vector<T>> read_vectors(const std::filesystem::path&, int);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
