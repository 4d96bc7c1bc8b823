// The first lines of a Matrix Market file: the banner, comments, and the sizes.
#pragma once

#include "ddla/read_losses.hpp"
#include "ddla/views.hpp"
#include "malformed.hpp"

namespace ddla::text {

/// An indexed line has one index: "3 1.5".
enum class layout { coordinate, array, indexed };
enum class field { real, integer, pattern, complex };
/// Only complex matrices are Hermitian.
enum class symmetry { general, symmetric, skew_symmetric, hermitian };

struct header {
    ddla::text::layout layout = layout::coordinate;
    ddla::text::field field = field::real;
    ddla::text::symmetry symmetry = symmetry::general;
    index_t rows = 0;
    index_t columns = 0;
    bool is_vector = false;             ///< by its banner
    bool has_b = false, has_x = false;  ///< behind the entries, in Lis's extended form
    index_t entries = 0;  ///< values in the file; of an array file, the number that its sizes imply
    const char* sizes = nullptr;  ///< where the sizes are
    const char* data = nullptr;   ///< after the sizes
};

/// How the work is distributed, which the result does not depend on, and what is counted.
struct sharing {
    int threads = 1;
    /// Small enough for the cache of a core, large enough to hide what a task costs.
    std::int64_t piece_bytes = std::int64_t{1} << 19;
    read_losses* lost = nullptr;   ///< what values lose is added there, if somewhere
    bool counts_rounded = false;   ///< … values of more digits than a double, too
    std::size_t memory_limit = 0;  ///< bytes at a time, at most; 0: those of the machine
    std::size_t text_bytes = 0;    ///< that the text takes of them

    std::size_t workers() const { return static_cast<std::size_t>(threads > 1 ? threads : 1); }
};

/// Throws malformed.
header parse_header(characters text);

inline bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

inline const char* skip_blanks(const char* p, const char* last)
{
    while (p != last && is_blank(*p)) ++p;
    return p;
}

/// The first '\n' from p on, or `last`.
inline const char* line_end(const char* p, const char* last)
{
    const void* found = std::memchr(p, '\n', static_cast<std::size_t>(last - p));
    return found != nullptr ? static_cast<const char*>(found) : last;
}

/// From p up to white space.
inline std::string_view word_at(const char* p, const char* last)
{
    const char* end = p;
    while (end != last && *end != '\n' && !is_blank(*end)) ++end;
    return {p, static_cast<std::size_t>(end - p)};
}

}  // namespace ddla::text
