#include "ddla/matrix_market.hpp"

#include "ddla/fp_mode.hpp"

#include "ddla/blas.hpp"
#include "ddla/error.hpp"
#include "ddla/output_file.hpp"
#include "ddla/text.hpp"
#include "files/decimal/decimal_write.hpp"
#include "files/parallel.hpp"
#include "matrix_market_text.hpp"

#include <charconv>
#include <cmath>
#include <ostream>
#include <vector>

namespace ddla {
namespace text {
namespace {

void append(std::string& text, double x)
{
    char digits[32];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, x).ptr);
}
void append(std::string& text, dd_real x)
{
    text += to_string(x);
}
void append(std::string& text, index_t n)
{
    char digits[24];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, n).ptr);
}

std::string as_comment(const std::string& comment)
{
    if (comment.empty()) return {};
    std::string result = "% ";
    for (const char c : comment) {
        result += c;
        if (c == '\n') result += "% ";
    }
    return result + '\n';
}

/// Writes lines 0 … count-1, made by line(text, i) in parallel.
template <class Line>
void put_lines(const text_sink& put, index_t count, Line line)
{
    constexpr index_t lines_a_task = 8192;
    const int threads = host_threads();
    const index_t tasks = (count + lines_a_task - 1) / lines_a_task;
    std::vector<std::string> texts(static_cast<std::size_t>(std::max(threads, 1)) * 4);
    const auto batch = static_cast<index_t>(texts.size());
    for (index_t first = 0; first < tasks; first += batch) {
        const auto now = static_cast<std::size_t>(std::min(batch, tasks - first));
        parallel_for(threads, now, [&](int, std::size_t t) {
            texts[t].clear();
            const index_t begin = (first + static_cast<index_t>(t)) * lines_a_task;
            for (index_t i = begin; i < std::min(begin + lines_a_task, count); ++i)
                line(texts[t], i);
        });
        for (std::size_t t = 0; t < now; ++t) put(texts[t]);
    }
}

}  // namespace

template <scalar V>
void matrix_to_text(const csr<V>& a, const std::string& comment, const text_sink& put)
{
    put("%%MatrixMarket matrix coordinate real general\n" + as_comment(comment) +
        std::to_string(a.rows) + ' ' + std::to_string(a.columns) + ' ' +
        std::to_string(a.nonzeros()) + '\n');
    const index_t* const offsets = a.row_begin.wide();  // of a csr_matrix: always wide
    put_lines(put, a.nonzeros(), [&](std::string& line, index_t k) {
        append(line, std::upper_bound(offsets, offsets + a.rows + 1, k) - offsets);
        line += ' ';
        append(line, static_cast<index_t>(a.column[k]) + 1);
        line += ' ';
        append(line, a.value.get(k));
        line += '\n';
    });
}

namespace {

std::string header_of_vectors(const char* field, index_t size, std::size_t count,
                              const std::string& comment)
{
    return std::string("%%MatrixMarket matrix array ") + field + " general\n" +
           as_comment(comment) + std::to_string(size) + ' ' + std::to_string(count) + '\n';
}

/// One line a number; of complex ones, whose parts follow each other, one line for both.
template <class Part>
void put_numbers(const text_sink& put, bool complex, index_t parts, const Part& append_part)
{
    const index_t width = complex ? 2 : 1;
    put_lines(put, parts / width, [&](std::string& line, index_t i) {
        append_part(line, i * width);
        if (complex) append_part(line += ' ', i * width + 1);
        line += '\n';
    });
}

template <scalar T>
void put_vectors(std::span<const vec<const T>> all, bool complex, const std::string& comment,
                 const text_sink& put)
{
    const index_t parts = all.empty() ? 0 : all.front().size;
    put(complex ? header_of_vectors("complex", parts / 2, all.size(), comment)
                : header_of_vectors("real", parts, all.size(), comment));
    for (const vec<const T>& x : all)
        put_numbers(put, complex, parts,
                    [&](std::string& line, index_t i) { append(line, x.get(i)); });
}

void put_four_words(vec<const dd_real> x, vec<const dd_real> x_low, bool complex,
                    const std::string& comment, const text_sink& put)
{
    put(complex ? header_of_vectors("complex", x.size / 2, 1, comment)
                : header_of_vectors("real", x.size, 1, comment));
    put_numbers(put, complex, x.size, [&](std::string& line, index_t i) {
        line += text_in_four_words(x.get(i), x_low.get(i));
    });
}

}  // namespace

void four_words_to_text(vec<const dd_real> x, vec<const dd_real> x_low, const std::string& comment,
                        const text_sink& put)
{
    put_four_words(x, x_low, false, comment, put);
}

void complex_four_words_to_text(vec<const dd_real> x, vec<const dd_real> x_low,
                                const std::string& comment, const text_sink& put)
{
    put_four_words(x, x_low, true, comment, put);
}

template <scalar T>
void vectors_to_text(std::span<const vec<const T>> all, const std::string& comment,
                     const text_sink& put)
{
    put_vectors(all, false, comment, put);
}

template <scalar T>
void complex_vectors_to_text(std::span<const vec<const T>> all, const std::string& comment,
                             const text_sink& put)
{
    put_vectors(all, true, comment, put);
}

template <scalar T>
void vector_to_text(vec<const T> x, const std::string& comment, const text_sink& put)
{
    vectors_to_text<T>({&x, 1}, comment, put);
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template void matrix_to_text(const csr<T>&, const std::string&, const text_sink&);             \
    template void vector_to_text(vec<const T>, const std::string&, const text_sink&);              \
    template void vectors_to_text(std::span<const vec<const T>>, const std::string&,               \
                                  const text_sink&);                                               \
    template void complex_vectors_to_text(std::span<const vec<const T>>, const std::string&,       \
                                          const text_sink&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace text

namespace {

bool is_finite(double x)
{
    return std::isfinite(x);
}
bool is_finite(dd_real x)
{
    return std::isfinite(x.hi + x.lo);
}

template <scalar T>
[[noreturn]] void fail_value(const std::filesystem::path& file, const std::string& where, T x)
{
    throw input_error(file.string() + ": " + where + " is " + to_string(dd_real(x)) +
                      ", for which Matrix Market has no word");
}

template <scalar V>
void check_values(const std::filesystem::path& file, const csr<V>& a)
{
    for (index_t i = 0; i < a.rows; ++i)
        for (index_t k = a.row_begin[i]; k < a.row_begin[i + 1]; ++k)
            if (!is_finite(a.value.get(k)))
                fail_value(file,
                           "entry (" + std::to_string(i + 1) + ", " +
                               std::to_string(a.column[k] + 1) + ")",
                           a.value.get(k));
}

template <scalar T>
void check_elements(const std::filesystem::path& file, vec<const T> x)
{
    for (index_t i = 0; i < x.size; ++i)
        if (!is_finite(x.get(i))) fail_value(file, "element " + std::to_string(i + 1), x.get(i));
}

/// Writes what fill(put) passes to put.
template <class Fill>
void write_file(const std::filesystem::path& file, Fill fill)
{
    output_file out(file);
    fill([&](std::string_view part) { out.write(part); });
    out.commit();
}

/// Runs `write`; out of memory becomes an error that names the file.
template <class Write>
void with_name(const std::filesystem::path& file, Write write)
{
    require_name_of(file_form::matrix_market, file);
    try {
        write();
    } catch (const std::bad_alloc&) {
        throw resource_error(file.string() + ": not enough memory to write it");
    }
}

}  // namespace

template <scalar V>
void write_matrix(const std::filesystem::path& file, const csr_matrix<V>& a,
                  const std::string& comment)
{
    const fp_mode_guard exact;
    with_name(file, [&] {
        if (!a.where().is_host()) return write_matrix(file, a.to(host), comment);
        check_values(file, a.view());
        write_file(file, [&](const auto& put) { text::matrix_to_text(a.view(), comment, put); });
    });
}

template <scalar V>
void write_matrix(std::ostream& out, const csr_matrix<V>& a, const std::string& comment)
{
    const fp_mode_guard exact;
    if (!a.where().is_host()) return write_matrix(out, a.to(host), comment);
    check_values("matrix", a.view());
    text::matrix_to_text(a.view(), comment, [&](std::string_view part) {
        out.write(part.data(), static_cast<std::streamsize>(part.size()));
    });
}

template <scalar T>
void write_vector(const std::filesystem::path& file, const vector<T>& x, const std::string& comment)
{
    const fp_mode_guard exact;
    with_name(file, [&] {
        if (!x.where().is_host()) return write_vector(file, x.to(host), comment);
        check_elements(file, x.view());
        write_file(file, [&](const auto& put) { text::vector_to_text(x.view(), comment, put); });
    });
}

namespace {

/// Calls to_text(views, put) for vectors of one size, at the host.
template <scalar T, class ToText>
void write_columns(const std::filesystem::path& file, const std::vector<vector<T>>& x,
                   const ToText& to_text)
{
    with_name(file, [&] {
        std::vector<vector<T>> at_host;
        std::vector<vec<const T>> all;
        for (const vector<T>& one : x) {
            if (one.size() != x.front().size())
                throw input_error(file.string() + ": columns of " +
                                  std::to_string(x.front().size()) + " and of " +
                                  std::to_string(one.size()) + " elements");
            at_host.push_back(one.to(host));
            check_elements(file, std::as_const(at_host.back()).view());
        }
        for (const vector<T>& one : at_host) all.push_back(one.view());
        write_file(file, [&](const auto& put) { to_text(all, put); });
    });
}

/// The same of x + x_low.
template <class ToText>
void write_in_four_words(const std::filesystem::path& file, const vector<dd_real>& x,
                         const vector<dd_real>& x_low, const ToText& to_text)
{
    if (x.size() != x_low.size())
        throw input_error(file.string() + ": x has " + std::to_string(x.size()) +
                          " elements, x_low " + std::to_string(x_low.size()));
    with_name(file, [&] {
        const vector<dd_real> high = x.to(host), low = x_low.to(host);
        check_elements(file, high.view());
        check_elements(file, low.view());
        write_file(file, [&](const auto& put) { to_text(high.view(), low.view(), put); });
    });
}

void require_even(const std::filesystem::path& file, index_t parts)
{
    if (parts % 2 != 0)
        throw input_error(file.string() + ": the real form of complex numbers has an even size, " +
                          "not " + std::to_string(parts));
}

}  // namespace

template <scalar T>
void write_vectors(const std::filesystem::path& file, const std::vector<vector<T>>& x,
                   const std::string& comment)
{
    const fp_mode_guard exact;
    write_columns(file, x, [&](const auto& all, const auto& put) {
        text::vectors_to_text<T>(all, comment, put);
    });
}

template <scalar T>
void write_complex_vectors(const std::filesystem::path& file, const std::vector<vector<T>>& forms,
                           const std::string& comment)
{
    const fp_mode_guard exact;
    for (const vector<T>& one : forms) require_even(file, one.size());
    write_columns(file, forms, [&](const auto& all, const auto& put) {
        text::complex_vectors_to_text<T>(all, comment, put);
    });
}

void write_vector(const std::filesystem::path& file, const vector<dd_real>& x,
                  const vector<dd_real>& x_low, const std::string& comment)
{
    const fp_mode_guard exact;
    write_in_four_words(file, x, x_low, [&](const auto& high, const auto& low, const auto& put) {
        text::four_words_to_text(high, low, comment, put);
    });
}

void write_complex_vector(const std::filesystem::path& file, const vector<dd_real>& form,
                          const vector<dd_real>& form_low, const std::string& comment)
{
    const fp_mode_guard exact;
    require_even(file, form.size());
    write_in_four_words(file, form, form_low,
                        [&](const auto& high, const auto& low, const auto& put) {
                            text::complex_four_words_to_text(high, low, comment, put);
                        });
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template void write_matrix(const std::filesystem::path&, const csr_matrix<T>&,                 \
                               const std::string&);                                                \
    template void write_matrix(std::ostream&, const csr_matrix<T>&, const std::string&);           \
    template void write_vector(const std::filesystem::path&, const vector<T>&,                     \
                               const std::string&);                                                \
    template void write_vectors(const std::filesystem::path&, const std::vector<vector<T>>&,       \
                                const std::string&);                                               \
    template void write_complex_vectors(const std::filesystem::path&,                              \
                                        const std::vector<vector<T>>&, const std::string&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
