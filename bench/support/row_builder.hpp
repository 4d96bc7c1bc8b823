// Compressed rows, filled in order.
#pragma once

#include "ddla/csr_matrix.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace bench {

class row_builder {
public:
    row_builder(ddla::index_t rows, ddla::index_t columns, ddla::index_t entries)
        : columns_(columns)
    {
        row_begin_.reserve(static_cast<std::size_t>(rows) + 1);
        row_begin_.push_back(0);
        column_.reserve(static_cast<std::size_t>(entries));
        value_.reserve(static_cast<std::size_t>(entries));
    }
    void add(ddla::index_t column, double value)
    {
        column_.push_back(static_cast<ddla::column_t>(column));
        value_.push_back(value);
    }
    void end_row() { row_begin_.push_back(static_cast<ddla::index_t>(column_.size())); }

    ddla::csr_matrix<double> finish()
    {
        const auto rows = static_cast<ddla::index_t>(row_begin_.size()) - 1;
        ddla::vector<double> values(static_cast<ddla::index_t>(value_.size()));
        std::copy(value_.begin(), value_.end(), values.word(0).begin());
        return {rows, columns_, std::move(row_begin_), std::move(column_), std::move(values)};
    }

private:
    ddla::index_t columns_;
    std::vector<ddla::index_t> row_begin_;
    std::vector<ddla::column_t> column_;
    std::vector<double> value_;
};

/// SplitMix64 (Steele, Lea and Flood 2014).  Streams of one seed are independent.
class random_numbers {
public:
    explicit random_numbers(std::uint64_t seed, std::uint64_t stream = 0) : state_(seed)
    {
        state_ = next() ^ stream;
        state_ = next();
    }
    std::uint64_t next()
    {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
    /// 0 … bound - 1 for a bound below 2^31.
    ddla::index_t below(ddla::index_t bound)
    {
        return static_cast<ddla::index_t>((next() >> 32) * static_cast<std::uint64_t>(bound) >> 32);
    }
    /// -1 <= u < 1, a multiple of 2^-52.
    double symmetric() { return static_cast<double>(next() >> 11) * 0x1p-52 - 1; }

private:
    std::uint64_t state_;
};

}  // namespace bench
