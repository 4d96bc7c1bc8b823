#include "gathered_matrix.hpp"

#include "ranks/moved.hpp"
#include "storage/memory.hpp"

#include "ddla/error.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace ddla::distributed {

std::size_t bytes_of_system(index_t rows, index_t entries, std::size_t bytes_of_value)
{
    return static_cast<std::size_t>(entries) * (sizeof(column_t) + bytes_of_value) +
           static_cast<std::size_t>(rows) * sizeof(index_t);
}

std::optional<refine::passed_limit> passed_by_entries(std::size_t bytes, std::int64_t most_memory)
{
    if (bytes <= static_cast<std::size_t>(std::max<std::int64_t>(most_memory, 0))) return {};
    return refine::passed_limit{limit_kind::memory,
                                "the system has " + std::to_string(bytes) +
                                    " bytes, which one rank would have to hold (most_memory " +
                                    std::to_string(most_memory) + ")"};
}

std::size_t bytes_of_gathering(index_t rows, index_t entries, std::size_t bytes_of_value)
{
    return bytes_of_system(rows, entries, bytes_of_value) +
           static_cast<std::size_t>(entries + 2 * rows) * sizeof(index_t);
}

void require_memory_to_gather(int rank, std::size_t bytes)
{
    if (rank == 0 && bytes > bytes_of_machine())
        throw resource_error("rank 0 would gather a system of " + std::to_string(bytes) +
                             " bytes, its machine has " + std::to_string(bytes_of_machine()) +
                             "; name a method, which all ranks iterate");
}

template <scalar V>
csr_matrix<V> gathered_matrix(const rank_layout& a, const row_parts<V>& parts)
{
    communicator& among = a.among();
    const global_rows<V> mine = rows_of(a, parts);
    std::vector<index_t> lengths(static_cast<std::size_t>(a.rows()));
    for (std::size_t i = 0; i < lengths.size(); ++i)
        lengths[i] = mine.row_begin[i + 1] - mine.row_begin[i];
    const ranks::ranges entries = ranks::ranges_of(among, mine.value.size());
    const ranks::ranges all_entries = ranks::on_first_rank(entries.all(), among.size());
    const std::vector<index_t> all_lengths = ranks::moved(
        among, a.row_ranges(), ranks::on_first_rank(a.row_ranges().all(), among.size()), lengths);
    const std::vector<index_t> columns = ranks::moved(among, entries, all_entries, mine.column);
    vector<V> values = ranks::moved<V>(among, entries, all_entries, mine.value.view());
    if (among.rank() != 0) return {};
    std::vector<index_t> row_begin(all_lengths.size() + 1);
    std::partial_sum(all_lengths.begin(), all_lengths.end(), row_begin.begin() + 1);
    return csr_matrix<V>(a.row_ranges().all(), a.column_ranges().all(), std::move(row_begin),
                         std::vector<column_t>(columns.begin(), columns.end()), std::move(values));
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template csr_matrix<V> gathered_matrix(const rank_layout&, const row_parts<V>&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::distributed
