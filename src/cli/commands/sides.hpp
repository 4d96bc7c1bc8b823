// b and the first x of a solve, from their files.
#pragma once

#include "cli/options/system_files.hpp"

#include <string>
#include <vector>

namespace ddla::cli {

/// A first iterate for each right-hand side, at the host.
template <scalar T, scalar V>
any_vectors<T> first_iterates(const solve_request& r, std::size_t count, const any_matrix<V>& a,
                              read_files* read)
{
    if (r.guess.empty())
        return {std::vector<vector<T>>(count, vector<T>(a.numbers.columns())), a.is_complex};
    if (count == 1) {
        any_vector<T> x = read_sized<T>(r.guess, columns_of(r.matrix, a), read, "guess");
        return {{std::move(x.numbers)}, x.is_complex};
    }
    any_vectors<T> x = read_sized_columns<T>(r.guess, columns_of(r.matrix, a), read, "guess");
    if (x.numbers.size() != count)
        throw input_error(r.guess.string() + ": holds " + std::to_string(x.numbers.size()) +
                          " columns, but " + r.right_hand_side + " has " + std::to_string(count));
    return x;
}

template <scalar V>
file_content<four_word_vector> first_four_words(const solve_request& r, const any_matrix<V>& a,
                                                read_files* read)
{
    if (!r.guess.empty())
        return read_sized_four_words(r.guess, columns_of(r.matrix, a), read, "guess");
    const vector<dd_real> zero(a.numbers.columns());
    return {{zero, zero}, a.is_complex};
}

inline void check_columns(const solve_request& r, std::size_t count)
{
    const std::string with = r.right_hand_side + ": holds " + std::to_string(count) + " columns, ";
    if (r.solution_words == 4)
        throw input_error(with + "but --solution-words 4 takes one right-hand side");
    if (!r.plot.empty()) throw input_error(with + "but --plot draws one right-hand side");
}

/// b and the first x of a system, at the place of A.
template <scalar T>
struct sides {
    any_vectors<T> b, x;
    file_content<four_word_vector> x_in_four_words;  ///< instead of x
    bool four_words;
};

template <scalar T, scalar V>
sides<T> read_sides(const solve_request& r, any_matrix<V>& a, read_files* read)
{
    any_vectors<T> b = right_hand_sides<T>(r, a, read);
    if (b.numbers.size() > 1) check_columns(r, b.numbers.size());
    sides<T> s{std::move(b),
               {{}, a.is_complex},
               {{}, a.is_complex},
               words_of<T> == 2 && r.solution_words == 4};
    if (s.four_words)
        s.x_in_four_words = first_four_words(r, a, read);
    else
        s.x = first_iterates<T>(r, s.b.numbers.size(), a, read);
    agree(a, s.b, s.x, s.x_in_four_words);
    const place at = a.numbers.where();
    for (auto* all : {&s.b.numbers, &s.x.numbers})
        for (vector<T>& one : *all) one = one.to(at);
    if (s.four_words) {
        auto& [high, low] = s.x_in_four_words.numbers;
        high = high.to(at);
        low = low.to(at);
    }
    return s;
}

}  // namespace ddla::cli
