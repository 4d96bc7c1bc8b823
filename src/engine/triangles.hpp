// Triangles solved one after the other, between permutations and powers of two: what factors of a
// matrix are for an engine.
//
//     z = C Q (T_last^-1 (... (T_first^-1 (P R r)))),   R and C powers of two
//
// T_k x = y is solved as src/factor/triangular.hpp says: x_i = (y_i - sum) / pivot_i, the sum by
// the summation rule.  Computed in the wider of the precisions of vectors and factors.
//
// All triangles are one list of rows, each with an unknown: triangle k has the unknowns k n, ...,
// k n + n - 1.  The right-hand side of a row is an unknown of the preceding triangle, or for the
// first one an element of P R r.  A row needs its right-hand side and its columns, which are
// unknowns of its own triangle.
//
// The rows are stored in an order in which they can be solved, cut into levels, and these into
// packets.  The rows of a level need none of each other: a host does a level at a time, a device
// the packets as soon as it can, threads of a warp side by side.  For a device the levels are cut
// into spans, too.
//
// At a device, unknowns are numbered as the rows of their triangles are; a right-hand side is the
// unknown u - n.  At the host they are numbered in the order of solving, so that a level writes
// neighbours and reads near ones, and permutations go along r and z: there, the unknowns of a level
// follow each other.
#pragma once

#include "linear_map.hpp"

#include <cstdint>

namespace ddla {

/// Consecutive rows in the order of solving.
struct alignas(16) row_packet {
    column_t first;        ///< number of the first row in that order
    std::uint16_t rows;    ///< 1 ... 32
    std::uint8_t lanes;    ///< threads a row, a power of two; rows * lanes <= 32.  Rows of more
                           ///< entries than lanes are packets by themselves, with 32 lanes
    std::uint8_t divides;  ///< whether the rows have pivots; else ones
    column_t of_level;     ///< number of the first packet of its level
};

/// Where a level begins in that order.
struct row_level {
    column_t first;
    column_t divides;  ///< whether the rows have pivots; else ones
    column_t packet;   ///< the first of its own
};

/// Consecutive levels, which a device solves with a kernel of their own.
struct level_span {
    index_t levels;
    index_t first_packet, end_packet;
    bool is_narrow;  ///< levels of few rows, which one block does one after the other
};

/// How a block solves a narrow span: its warps take a packet each in turn, and it keeps the
/// unknowns of the last rows in shared memory.
struct narrow_span {
    static constexpr index_t warps = 16;
    static constexpr index_t rows_of_level = 256;  ///< at most
    static constexpr index_t kept = 2048;          ///< rows
    // While a packet waits, rows of its level may be solved.  It needs rows from there back to: up
    // to 15 packets before it, the level of its warp's packet before, and 16 packets before that.
    static_assert(kept >= 2 * rows_of_level + 2 * 32 * warps);

    DDLA_HD static constexpr column_t place(index_t row)
    {
        return static_cast<column_t>(row % kept);
    }
};

/// Memory at the place of an engine.
template <scalar F>
struct triangle_list {
    index_t n = 0;         ///< rows of each triangle
    index_t unknowns = 0;  ///< n times the number of triangles, of which there is one at least
    index_t packets = 0;
    const row_packet* packet = nullptr;
    index_t levels = 0;
    const row_level* level = nullptr;  ///< at the host: levels + 1 of them, the last is the end
    index_t spans = 0;
    const level_span* span = nullptr;  ///< for a device, in memory of the host
    // By rows in the order of solving.
    const index_t* row_begin = nullptr;  ///< unknowns + 1 of them
    const column_t* unknown = nullptr;   ///< at a device
    const column_t* right = nullptr;     ///< at the host: the unknown on the right-hand side; that
                                         ///< of a row of the first triangle is its own, before
    vec<const F> pivot = {};             ///< 1 where the row has none
    // By entries, those of a row in the order of its sum.
    const column_t* column = nullptr;  ///< unknowns; in narrow spans ~narrow_span::place() of
                                       ///< those of rows solved just before
    vec<const F> value = {};
    // n of each.  At a device by unknowns: the element of r that unknown u < n starts from, the
    // element of z that unknown unknowns - n + k becomes.  At the host by elements of r and of z:
    // the unknown that starts from it, that becomes it.
    const column_t* in = nullptr;
    const column_t* out = nullptr;
    const int* scale_in = nullptr;   ///< exponents by elements of r; null: nothing is scaled
    const int* scale_out = nullptr;  ///< ... by elements of z; null where scale_in is
};

template <scalar T>
class triangle_operations {
public:
    virtual ~triangle_operations() = default;
    /// z from r, again and again; r and z must be apart.  Inf and NaN in r go where they go, and
    /// are waited for as any number.  The list must outlive it.
    virtual std::unique_ptr<bound_map<T>> solver(const triangle_list<double>& a) = 0;
    virtual std::unique_ptr<bound_map<T>> solver(const triangle_list<dd_real>& a) = 0;
    /// What a solver allocates at the place for each unknown in words of so many doubles.
    virtual std::size_t bytes_of_unknown(int words) const = 0;
};

/// `Context` makes a call, as in matrix_operations.hpp; a Solver<T, F> is a bound_map and knows
/// what it allocates.
template <class Context, template <scalar, scalar> class Solver, scalar T>
class triangle_operations_on final : public triangle_operations<T> {
public:
    explicit triangle_operations_on(Context context) : context_(context) {}

    std::unique_ptr<bound_map<T>> solver(const triangle_list<double>& a) override
    {
        return std::make_unique<Solver<T, double>>(context_, a);
    }
    std::unique_ptr<bound_map<T>> solver(const triangle_list<dd_real>& a) override
    {
        return std::make_unique<Solver<T, dd_real>>(context_, a);
    }

    std::size_t bytes_of_unknown(int words) const override
    {
        return static_cast<std::size_t>(words) * Solver<T, double>::bytes_of_word;
    }

private:
    Context context_;
};

}  // namespace ddla
