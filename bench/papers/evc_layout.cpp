#include "evc_layout.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace bench {

using namespace ddla;

namespace {

class maker {
public:
    explicit maker(const csr_matrix<double>& a) : a_(a.view())
    {
        sort_rows();
        make_ell_parts();
        make_compressed_rows();
    }
    evc_layout take() { return std::move(made_); }

private:
    void sort_rows()
    {
        made_.order.resize(static_cast<std::size_t>(a_.rows));
        std::iota(made_.order.begin(), made_.order.end(), 0);
        const auto key = [this](std::int32_t i) {
            const index_t n = a_.row_length(i);
            return std::pair(n, n > 0 ? a_.column[a_.row_begin[i]] : 0);
        };
        std::stable_sort(made_.order.begin(), made_.order.end(),
                         [&](std::int32_t i, std::int32_t j) { return key(i) < key(j); });
    }
    index_t length_of(index_t sorted) const
    {
        return a_.row_length(made_.order[static_cast<std::size_t>(sorted)]);
    }

    void make_ell_parts()
    {
        std::vector<std::pair<index_t, int>> parts;  // rows before the end of a part, its length
        index_t seen = 0, stored = 0;
        for (int length = 0; length <= evc_longest_of_ell; ++length) {
            while (seen < a_.rows && length_of(seen) <= length) ++seen;
            const index_t rows = (seen - stored) / 32 * 32;
            if (rows == 0) continue;
            stored += rows;
            parts.emplace_back(stored, length);
        }
        made_.split = stored;
        const int longest = parts.empty() ? 0 : parts.back().second;
        for (const auto& [end, length] : parts) add_part(end, length, longest);
        made_.ell_slots = made_.slots();
    }

    /// One row a thread if it is longer than half of the longest, two if longer than a quarter, ….
    void add_part(index_t end, int length, int longest)
    {
        const index_t first = made_.ell.row.back(), rows = end - first;
        index_t rows_of_thread = 1;
        while (2 * rows_of_thread * std::max(length, 1) <= longest) rows_of_thread *= 2;
        const index_t rows_of_block = rows_of_thread * evc_block;
        made_.ell.row.push_back(static_cast<std::int32_t>(end));
        made_.ell.block.push_back(
            made_.ell.block.back() +
            static_cast<std::int32_t>((rows + rows_of_block - 1) / rows_of_block));
        made_.ell_length.push_back(length);
        made_.ell_begin.push_back(made_.slots());
        const auto begin = static_cast<std::size_t>(made_.slots());
        made_.column.resize(begin + static_cast<std::size_t>(rows * length));
        made_.value.resize(made_.column.size());
        for (index_t r = 0; r < rows; ++r) {
            fill(made_.order[static_cast<std::size_t>(first + r)],
                 begin + static_cast<std::size_t>(r), static_cast<std::size_t>(rows),
                 static_cast<std::size_t>(length));
            made_.entries_of_ell += length_of(first + r);
        }
    }

    /// `slots` of a row, `step` apart: its entries, then zeros in its last column.
    void fill(index_t row, std::size_t first, std::size_t step, std::size_t slots)
    {
        const auto begin = static_cast<std::size_t>(a_.row_begin[row]);
        const auto entries = static_cast<std::size_t>(a_.row_length(row));
        for (std::size_t k = 0; k < slots; ++k) {
            const std::size_t at = first + k * step;
            const bool there = k < entries;
            made_.value[at] = there ? a_.value.word(0)[begin + k] : 0;
            made_.column[at] = there         ? a_.column[begin + k]
                               : entries > 0 ? a_.column[begin + entries - 1]
                                             : 0;
        }
    }

    /// Ranges of 1, 2, 4 … threads a row: up to 8, 16, 32 … entries, the last one without an end.
    void make_compressed_rows()
    {
        index_t row = made_.split;
        for (int range = 0; range < evc_ranges_of_csr; ++range) {
            const index_t first = row, threads = index_t{1} << range;
            const bool last = range == evc_ranges_of_csr - 1;
            while (row < a_.rows && (last || length_of(row) <= 8 * threads)) add_row(row++);
            const index_t wanted = (row - first) * threads;
            made_.csr.row.push_back(static_cast<std::int32_t>(row - made_.split));
            made_.csr.block.push_back(
                made_.csr.block.back() +
                static_cast<std::int32_t>((wanted + evc_block - 1) / evc_block));
        }
    }
    void add_row(index_t sorted)
    {
        const auto slots = static_cast<std::size_t>((length_of(sorted) + 31) / 32 * 32);
        const std::size_t begin = made_.value.size();
        made_.column.resize(begin + slots);
        made_.value.resize(begin + slots);
        fill(made_.order[static_cast<std::size_t>(sorted)], begin, 1, slots);
        made_.csr_begin.push_back(made_.slots() - made_.ell_slots);
    }

    csr<double> a_;
    evc_layout made_;
};

}  // namespace

evc_layout evc_layout_of(const csr_matrix<double>& a)
{
    return maker(a).take();
}

}  // namespace bench
