// Matrix Market to text in memory: what the functions on files do besides the files.
#pragma once

#include "ddla/matrix_market.hpp"
#include "header.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace ddla::text {

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
