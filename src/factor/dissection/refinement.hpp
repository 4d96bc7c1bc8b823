// Vertex separators, and their improvement by moves of single vertices.
#pragma once

#include "gain_buckets.hpp"
#include "weighted_graph.hpp"

#include <cstdint>

namespace ddla::factor {

/// Of each vertex: side 0, side 1, or the separator.
enum class part : signed char { first = 0, second = 1, separator = 2 };

struct separation {
    std::vector<part> of;
    std::array<index_t, 3> weight{};  ///< of both sides and of the separator
};

/// Whether x is better than y: no side too heavy, or less so; a lighter separator; more even sides.
bool is_better(const std::array<index_t, 3>& x, const std::array<index_t, 3>& y);

/// Passes in which vertices of the separator move to one side only, by turns, and pull their
/// neighbours on the other side into it; the best state of a pass is kept (Fiduccia and Mattheyses,
/// DAC 1982; for vertices: Hendrickson and Rothberg, SIAM J. Sci. Comput. 20(2), 1998, Ashcraft and
/// Liu, SIAM J. Matrix Anal. Appl. 19(2), 1998).  A pass goes on long after its best state: then
/// the separator travels through the graph and finds narrow places far away.
class refinement {
public:
    explicit refinement(const weighted_graph& g);

    /// Until neither side makes the separator better.
    void refine(separation& s);
    /// From all vertices on the second side: grows the first one from a vertex that the seed
    /// chooses until it is about half, and keeps the best state.
    separation grown(std::uint64_t seed);

private:
    struct move {
        column_t vertex;
        std::size_t pulled_end;  ///< of its list in pulled_
    };

    bool pass(separation& s, part to, index_t most_moves);
    void start_pass(const separation& s, part to);
    bool do_best_move(separation& s);
    void enqueue(const separation& s, column_t v);
    void pull(separation& s, column_t v);
    void undo(separation& s, std::size_t kept);
    void list_separator(const separation& s);

    const weighted_graph& g_;
    const index_t most_;
    part to_ = part::first, other_ = part::second;
    gain_buckets queue_;
    std::vector<index_t> gain_;  ///< of those in the queue
    std::vector<move> moves_;
    std::vector<column_t> pulled_, separator_;
    index_t work_ = 0;  ///< entries looked at since count_work
};

}  // namespace ddla::factor
