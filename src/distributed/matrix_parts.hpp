// A matrix whose rows are shared, as the caller has it and as it is kept.
#pragma once

#include "distributed_system.hpp"

#include "ddla/distributed.hpp"

#include <memory>

namespace ddla::distributed {

/// Throws input_error unless ranges can begin at multiples of it.
void check_alignment(index_t alignment);

template <scalar V>
class matrix_parts {
public:
    matrix_parts(std::shared_ptr<communicator> among, index_t rows, index_t columns,
                 global_rows<V> mine, index_t alignment);

    /// From the rows of rank 0.
    matrix_parts(std::shared_ptr<communicator> among, const csr_matrix<V>& on_first,
                 index_t alignment);

    /// The same, with the products of this rank at `where`.  Every rank calls it.
    matrix_parts at(place where) const;

    communicator& among() const { return *among_; }
    const std::shared_ptr<communicator>& shared_communicator() const { return among_; }
    /// Of the caller.
    const ranks::ranges& rows() const { return rows_; }
    const ranks::ranges& columns() const { return columns_; }
    /// As kept.
    const rank_layout& layout() const { return *kept_->layout(); }
    const std::shared_ptr<const placed_rows<V>>& kept() const { return kept_; }
    place where() const { return kept_->where(); }
    /// A^T, made when it is first asked for.  Every rank asks.
    std::shared_ptr<const placed_rows<V>> transposed() const;
    index_t nonzeros() const { return nonzeros_; }
    std::shared_ptr<ranks::traffic> traffic() const { return traffic_; }
    bool is_square() const { return rows_.all() == columns_.all(); }

private:
    std::shared_ptr<communicator> among_;
    ranks::ranges rows_, columns_;
    std::shared_ptr<ranks::traffic> traffic_ = std::make_shared<ranks::traffic>();
    std::shared_ptr<const placed_rows<V>> kept_;
    mutable std::shared_ptr<const placed_rows<V>> transposed_;
    index_t nonzeros_ = 0;
};

/// The caller's part of a vector, as A keeps it, and back.  What moves goes by the host.
template <scalar T>
class kept_vector {
public:
    kept_vector(communicator& among, const ranks::ranges& caller, const ranks::ranges& kept,
                const vector<T>& mine)
        : among_(among), caller_(caller), kept_(kept),
          moved_(stays() ? mine : moved(caller, kept, mine))
    {
    }
    /// For results.
    kept_vector(communicator& among, const ranks::ranges& caller, const ranks::ranges& kept,
                place where)
        : among_(among), caller_(caller), kept_(kept), moved_(kept.size(among.rank()), where)
    {
    }
    vec<T> view() { return moved_.view(); }
    /// The last call.
    void give_back(vector<T>& mine)
    {
        mine = stays() ? std::move(moved_) : moved(kept_, caller_, moved_);
    }

private:
    bool stays() const { return caller_ == kept_; }
    vector<T> moved(const ranks::ranges& from, const ranks::ranges& to, const vector<T>& mine) const
    {
        if (mine.where().is_host()) return ranks::moved<T>(among_, from, to, mine.view());
        const vector<T> on_host = mine.to(host);
        return ranks::moved<T>(among_, from, to, on_host.view()).to(mine.where());
    }

    communicator& among_;
    const ranks::ranges &caller_, &kept_;
    vector<T> moved_;
};

}  // namespace ddla::distributed
