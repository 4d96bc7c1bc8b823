// Matrix Market from and to text in memory: what the functions on files do besides the files.
#pragma once

#include "ddla/matrix_market.hpp"
#include "header.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddla::text {

/// `name` is the file in messages.  Throws input_error and resource_error.
template <scalar V>
csr_matrix<V> matrix_from_text(characters text, const std::string& name, sharing how);

/// The same of a complex text, too.
template <scalar V>
file_content<csr_matrix<V>> any_matrix_from_text(characters text, const std::string& name,
                                                 sharing how);

template <scalar T>
vector<T> vector_from_text(characters text, const std::string& name, sharing how);

/// All columns.
template <scalar T>
std::vector<vector<T>> vectors_from_text(characters text, const std::string& name, sharing how);

template <scalar T>
file_content<vector<T>> any_vector_from_text(characters text, const std::string& name, sharing how);
template <scalar T>
file_content<std::vector<vector<T>>> any_vectors_from_text(characters text, const std::string& name,
                                                           sharing how);

four_word_vector four_words_from_text(characters text, const std::string& name, sharing how);
file_content<four_word_vector> any_four_words_from_text(characters text, const std::string& name,
                                                        sharing how);

/// Receives the text part by part.
using text_sink = std::function<void(std::string_view)>;

template <scalar V>
void matrix_to_text(const csr<V>& a, const std::string& comment, const text_sink& put);

template <scalar T>
void vector_to_text(vec<const T> x, const std::string& comment, const text_sink& put);
/// Vectors of one size.
template <scalar T>
void vectors_to_text(std::span<const vec<const T>> all, const std::string& comment,
                     const text_sink& put);
void four_words_to_text(vec<const dd_real> x, vec<const dd_real> x_low, const std::string& comment,
                        const text_sink& put);

/// The complex numbers of real forms.
template <scalar T>
void complex_vectors_to_text(std::span<const vec<const T>> all, const std::string& comment,
                             const text_sink& put);
void complex_four_words_to_text(vec<const dd_real> x, vec<const dd_real> x_low,
                                const std::string& comment, const text_sink& put);

}  // namespace ddla::text
