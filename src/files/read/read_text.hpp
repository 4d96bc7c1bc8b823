// Matrices and vectors from text in memory, in any of the forms that are read.
#pragma once

#include "ddla/matrix_market.hpp"
#include "files/market/header.hpp"

#include <string>
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
vector<T> vector_from_text(characters text, const std::string& name, sharing how, vector_part part);

/// All columns.
template <scalar T>
std::vector<vector<T>> vectors_from_text(characters text, const std::string& name, sharing how,
                                         vector_part part);

template <scalar T>
file_content<vector<T>> any_vector_from_text(characters text, const std::string& name, sharing how,
                                             vector_part part);
template <scalar T>
file_content<std::vector<vector<T>>> any_vectors_from_text(characters text, const std::string& name,
                                                           sharing how, vector_part part);

four_word_vector four_words_from_text(characters text, const std::string& name, sharing how,
                                      vector_part part);
file_content<four_word_vector> any_four_words_from_text(characters text, const std::string& name,
                                                        sharing how, vector_part part);

/// By its first lines, which may be all there is of the text: whether b stands behind the matrix.
bool has_right_hand_side(characters text);

}  // namespace ddla::text
