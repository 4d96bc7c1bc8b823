// What a factorisation by fronts does, level by level.
#pragma once

#include "fronts.hpp"

namespace ddla::factor {

/// A tile of a supernode: from row-block `block` on, and column `column`; and which of the list of
/// updates it takes.
struct tile_task {
    column_t supernode, block, column;
    bool is_within;  ///< of one update, by a supernode of the same front
    index_t begin, end;
};
/// Rows below a diagonal block, from row-block `block` of them on.
struct rows_task {
    column_t supernode, block;
};
/// Updates of a supernode from outside of its front, of which each tile will want to know which
/// rows it has: from update `first` on.
struct bounds_task {
    column_t supernode, count, unit;
    index_t first;
};
struct task_range {
    index_t begin = 0, end = 0;

    index_t size() const { return end - begin; }
};

/// Diagonal blocks of narrow supernodes, and of the others; or small tiles and large ones.
struct ranges_by_size {
    task_range small, large;  ///< which follow the small ones

    task_range all() const { return {small.begin, large.end}; }
};
/// Updates of L, and of U^T.
struct update_ranges {
    ranges_by_size lower, upper;
};
/// The k-th supernodes of the fronts of a level: diagonal blocks, rows below, and the updates of
/// later ones of the same fronts.
struct front_step {
    ranges_by_size diagonals, rows;
    update_ranges updates;
    column_t width = 0;  ///< of the widest
};
struct level_tasks {
    task_range bounds;      ///< of this level and of the next ones, or none
    update_ranges gathers;  ///< all updates from outside of the fronts
    std::vector<front_step> steps;
    double operations = 0;  ///< of one triangle
};

struct tile_size {
    column_t blocks;   ///< of eight rows
    column_t columns;  ///< a multiple of eight
    column_t unit;     ///< of row-blocks: tiles begin at multiples of it, also in columns
};
struct task_sizes {
    /// Of supernodes that have no more columns than such a tile, and where a level has few large
    /// tiles.
    tile_size small;
    tile_size large;
    index_t few;
    /// Row-blocks below that are divided together; of wide supernodes of L L^T.
    column_t divided, divided_definite;
    column_t bounded;     ///< updates of a bounds_task at most
    index_t most_bounds;  ///< of levels together; more only of one level
};
struct factor_tasks {
    std::vector<bounds_task> bounds;
    /// Where the bounds of the first update of each supernode are, those of some levels one after
    /// the other: of each update one more than units.
    std::vector<index_t> bounds_begin;
    index_t most_bounds = 0;  ///< of such levels

    std::vector<tile_task> tiles;
    std::vector<rows_task> rows;
    std::vector<column_t> diagonals;
    std::vector<level_tasks> levels;
};

enum class triangles {
    definite,   ///< of L L^T: tiles that are all above the diagonal are left out
    symmetric,  ///< of L D L^T: likewise
    both,       ///< of L U: L with whole diagonal blocks, U^T only below them
};
factor_tasks tasks_of(const supernodes& s, const task_sizes& size, triangles what);

}  // namespace ddla::factor
