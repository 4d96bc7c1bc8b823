// The files of a system: A, b, x.  If one of them is complex, all become real forms.
#pragma once

#include "solve_request.hpp"

#include "ddla/complex.hpp"
#include "ddla/error.hpp"
#include "ddla/matrix_market.hpp"

namespace ddla::cli {

template <scalar V>
using any_matrix = file_content<csr_matrix<V>>;
template <scalar T>
using any_vector = file_content<vector<T>>;
template <scalar T>
using any_vectors = file_content<std::vector<vector<T>>>;

/// How many numbers of the file so many real ones stand for.
inline index_t numbers_in(index_t parts, bool is_complex)
{
    return is_complex ? parts / 2 : parts;
}

/// The files that were read, each once.
using read_files = std::vector<read_file>;

/// read(&lost), which is noted.
template <class Read>
auto noted(read_files* files, const char* role, const std::filesystem::path& file, const Read& read)
{
    read_losses lost;
    auto content = read(&lost);
    if (files == nullptr) return content;
    std::erase_if(*files, [&](const read_file& f) { return f.role == role; });
    files->push_back({role, file.string(), lost});
    return content;
}

/// A as it is in the file, at the host.
template <scalar V>
any_matrix<V> read_noted(const matrix_choices& r, read_files* files = nullptr)
{
    return noted(files, "matrix", r.matrix, [&](read_losses* lost) {
        return read_any_matrix<V>(r.matrix, 0, lost, static_cast<std::size_t>(r.memory_limit));
    });
}

/// Throws input_error unless it is.
template <scalar V>
void require_square(const matrix_choices& r, const any_matrix<V>& a)
{
    const index_t rows = numbers_in(a.numbers.rows(), a.is_complex);
    const index_t columns = numbers_in(a.numbers.columns(), a.is_complex);
    if (rows != columns)
        throw input_error(r.matrix.string() + ": the matrix is " + std::to_string(rows) + " x " +
                          std::to_string(columns) + ", not square");
}

/// The matrix; throws input_error unless it is square.
template <scalar V>
any_matrix<V> read_square(const matrix_choices& r, read_files* files = nullptr)
{
    any_matrix<V> a = read_noted<V>(r, files);
    require_square(r, a);
    return a;
}

/// The request with b of A's file, if there is one in it and --rhs does not name another.
template <class Request>
Request with_b_of_file(Request r)
{
    if (r.names_right_hand_side || !holds_right_hand_side(r.matrix)) return r;
    r.right_hand_side = r.matrix.string();
    if (!r.right_hand_side_is_file()) r.right_hand_side = "./" + r.right_hand_side;
    return r;
}

/// Which vectors of a file that has several.
inline vector_part part_for(std::string_view role)
{
    if (role == "guess") return vector_part::guess;
    return role == "right_hand_side" ? vector_part::right_hand_side : vector_part::solution;
}

/// Its sizes, of a complex one those of the real form.
template <scalar V>
reported_matrix reported_of(const std::filesystem::path& file, const any_matrix<V>& a)
{
    const csr_matrix<V>& m = a.numbers;
    return {m.rows(), m.columns(), m.nonzeros(), file.string(), a.is_complex};
}

/// What a vector must have as many numbers as.
struct wanted_size {
    const std::filesystem::path& matrix;
    index_t numbers;
    const char* dimension;
};

template <scalar V>
wanted_size rows_of(const std::filesystem::path& matrix, const any_matrix<V>& a)
{
    return {matrix, numbers_in(a.numbers.rows(), a.is_complex), "rows"};
}
template <scalar V>
wanted_size columns_of(const std::filesystem::path& matrix, const any_matrix<V>& a)
{
    return {matrix, numbers_in(a.numbers.columns(), a.is_complex), "columns"};
}

inline void require_size(const std::filesystem::path& file, index_t numbers,
                         const wanted_size& wanted)
{
    if (numbers != wanted.numbers)
        throw input_error(file.string() + ": holds " + std::to_string(numbers) + " numbers, but " +
                          wanted.matrix.string() + " has " + std::to_string(wanted.numbers) + " " +
                          wanted.dimension);
}

template <scalar T>
any_vector<T> read_sized(const std::filesystem::path& file, const wanted_size& wanted,
                         read_files* files = nullptr, const char* role = "")
{
    any_vector<T> x = noted(files, role, file, [&](read_losses* lost) {
        return read_any_vector<T>(file, 0, lost, 0, part_for(role));
    });
    require_size(file, numbers_in(x.numbers.size(), x.is_complex), wanted);
    return x;
}

/// The same for one vector or more.
template <scalar T>
any_vectors<T> read_sized_columns(const std::filesystem::path& file, const wanted_size& wanted,
                                  read_files* files = nullptr, const char* role = "")
{
    any_vectors<T> x = noted(files, role, file, [&](read_losses* lost) {
        return read_any_vectors<T>(file, 0, lost, 0, part_for(role));
    });
    if (x.numbers.empty()) throw input_error(file.string() + ": holds no column");
    const auto columns = static_cast<index_t>(x.numbers.size());
    const index_t size = numbers_in(x.numbers.front().size(), x.is_complex);
    if (columns == 1) require_size(file, size, wanted);
    if (size != wanted.numbers)
        throw input_error(file.string() + ": holds " + std::to_string(columns) + " columns of " +
                          std::to_string(size) + " numbers, but " + wanted.matrix.string() +
                          " has " + std::to_string(wanted.numbers) + " " + wanted.dimension);
    return x;
}

/// The same in four words.
inline file_content<four_word_vector> read_sized_four_words(const std::filesystem::path& file,
                                                            const wanted_size& wanted,
                                                            read_files* files = nullptr,
                                                            const char* role = "")
{
    auto x = noted(files, role, file, [&](read_losses* lost) {
        return read_any_four_words(file, 0, lost, 0, part_for(role));
    });
    require_size(file, numbers_in(x.numbers.first.size(), x.is_complex), wanted);
    return x;
}

/// The real form, unless they have it.
template <scalar V>
void make_complex(any_matrix<V>& a)
{
    if (!a.is_complex) a = {real_form(a.numbers), true};
}
template <scalar T>
void make_complex(any_vector<T>& x)
{
    if (!x.is_complex) x = {real_form(x.numbers), true};
}
template <scalar T>
void make_complex(any_vectors<T>& all)
{
    if (!all.is_complex)
        for (vector<T>& x : all.numbers) x = real_form(x);
    all.is_complex = true;
}
inline void make_complex(file_content<four_word_vector>& x)
{
    if (!x.is_complex) x = {{real_form(x.numbers.first), real_form(x.numbers.second)}, true};
}

/// Complex ones make all others complex.
template <class... Content>
void agree(Content&... content)
{
    if ((content.is_complex || ...)) (make_complex(content), ...);
}

/// So many times the number 1.
template <scalar T>
vector<T> ones(index_t parts, bool is_complex, place where)
{
    if (!is_complex) return vector<T>(parts, T(1), where);
    return real_form(vector<T>(parts / 2, T(1))).to(where);
}

/// b in the precision of the solve, where the request names no file.
template <scalar T, scalar V>
any_vector<T> named_right_hand_side(const solve_request& r, const any_matrix<V>& a)
{
    if (a.has_right_hand_side && !r.names_right_hand_side)
        throw input_error(r.matrix.string() + ": holds a right-hand side, but cannot be read " +
                          "twice: name b by --rhs, or put this into a file");
    const csr_matrix<V>& m = a.numbers;
    vector<T> b = ones<T>(m.rows(), a.is_complex, m.where());
    if (r.right_hand_side == "A*ones")
        spmv(T(1), m, ones<T>(m.columns(), a.is_complex, m.where()), T(0), b);
    return {std::move(b), a.is_complex};
}

/// The same numbers in as many words, or more.
template <scalar T, scalar B>
vector<T> widened(const vector<B>& x)
{
    vector<T> y(x.size());
    for (index_t i = 0; i < x.size(); ++i) y.set(i, T(x[i]));
    return y;
}

/// read<B>() of the file of b, whose values are rounded as the request says, in T.
template <scalar T, class Read>
any_vectors<T> rounded_as_asked(const solve_request& r, const Read& read)
{
    any_vectors<T> b;
    in_precision(r.values_of_b(), [&]<scalar B>() {
        if constexpr (words_of<B> <= words_of<T>) {
            any_vectors<B> from = read.template operator()<B>();
            b.is_complex = from.is_complex;
            for (const vector<B>& one : from.numbers) b.numbers.push_back(widened<T>(one));
        }
    });
    return b;
}

/// b of the file, or the one that the request names.
template <scalar T, scalar V>
any_vector<T> right_hand_side(const solve_request& r, const any_matrix<V>& a,
                              read_files* files = nullptr)
{
    if (!r.right_hand_side_is_file()) return named_right_hand_side<T>(r, a);
    any_vectors<T> b = rounded_as_asked<T>(r, [&]<scalar B>() -> any_vectors<B> {
        any_vector<B> one =
            read_sized<B>(r.right_hand_side, rows_of(r.matrix, a), files, "right_hand_side");
        return {{std::move(one.numbers)}, one.is_complex};
    });
    return {std::move(b.numbers.front()), b.is_complex};
}

/// The same with all columns of the file.
template <scalar T, scalar V>
any_vectors<T> right_hand_sides(const solve_request& r, const any_matrix<V>& a,
                                read_files* files = nullptr)
{
    if (r.right_hand_side_is_file())
        return rounded_as_asked<T>(r, [&]<scalar B>() {
            return read_sized_columns<B>(r.right_hand_side, rows_of(r.matrix, a), files,
                                         "right_hand_side");
        });
    any_vector<T> b = named_right_hand_side<T>(r, a);
    return {{std::move(b.numbers)}, b.is_complex};
}

}  // namespace ddla::cli
