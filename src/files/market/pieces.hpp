// A text in pieces of whole lines, and the first of them that is wrong.
#pragma once

#include "files/parallel.hpp"
#include "header.hpp"

#include <atomic>
#include <optional>
#include <vector>

namespace ddla::text {

inline std::size_t count_of_pieces(characters data, std::int64_t piece_bytes)
{
    return static_cast<std::size_t>((data.size() + piece_bytes - 1) / piece_bytes);
}

/// Piece i of the data: from the first line that begins in its share up to the first that begins
/// after it.
inline characters piece(characters data, std::int64_t piece_bytes, std::size_t i)
{
    const auto line_start = [&](std::int64_t offset) {
        if (offset >= data.size()) return data.last;
        if (offset == 0) return data.first;
        const char* end = line_end(data.first + offset - 1, data.last);
        return end == data.last ? end : end + 1;
    };
    const auto offset = static_cast<std::int64_t>(i) * piece_bytes;
    return {line_start(offset), line_start(offset + piece_bytes)};
}

/// to = min(to, value)
inline void lower_to(std::atomic<std::size_t>& to, std::size_t value)
{
    for (std::size_t known = to; value < known;)
        if (to.compare_exchange_weak(known, value)) return;
}

/// Calls task(worker, i) for pieces 0 … count-1.  Throws what the first piece throws that is
/// malformed, however many threads there are.
template <class Task>
void for_each_piece(int threads, std::size_t count, const Task& task)
{
    std::vector<std::optional<malformed>> problems(count);
    std::atomic<std::size_t> first = count;
    parallel_for(threads, count, [&](int worker, std::size_t i) {
        if (i > first) return;
        try {
            task(worker, i);
        } catch (malformed& problem) {
            problems[i] = std::move(problem);
            lower_to(first, i);
        }
    });
    if (first < count) throw malformed(*problems[first]);
}

}  // namespace ddla::text
