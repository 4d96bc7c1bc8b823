// Rows of A and b times powers of two, so that products with x have room.
//
// x stays what it is.  For systems whose A x overflows although x does not: what is told of the
// system, its condition and backward errors, is then of the moved rows.
#pragma once

#include "range_of_b.hpp"

#include "ddla/csr_matrix.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <utility>

namespace ddla::api {

template <scalar V>
class moved_rows {
public:
    /// Of A and b at the host; A must outlive it.
    moved_rows(const csr<V>& a, vector<dd_real> b)
        : view_(a), values_(a.nonzeros()), right_(std::move(b))
    {
        for (index_t i = 0; i < a.rows; ++i) {
            const int by = power_for_row(a, i, right_[i]);
            any_ = any_ || by != 0;
            for (int k = 0; k < words_of<V>; ++k)
                for (index_t e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e)
                    values_.view().word(k)[e] = std::ldexp(a.value.word(k)[e], by);
            for (int k = 0; k < 2; ++k)
                right_.view().word(k)[i] = std::ldexp(right_.view().word(k)[i], by);
        }
        view_.storage = nullptr;
        view_.value = std::as_const(values_).view();
        view_.long_rows = {};
    }
    moved_rows(const moved_rows&) = delete;
    moved_rows& operator=(const moved_rows&) = delete;

    bool any() const { return any_; }
    const csr<V>& matrix() const { return view_; }
    vector<dd_real>& right_hand_side() { return right_; }

private:
    /// Exponents of numbers that are not zero: of the largest, and of the lowest bit of all.
    struct exponents {
        int largest = INT_MIN, lowest = INT_MAX;

        template <class T>
        void take(const T& number)
        {
            each_word(number, [&](auto, double w) {
                if (w == 0) return;
                largest = std::max(largest, std::ilogb(w));
                lowest = std::min(lowest, lowest_bit(w));
            });
        }
    };

    /// That which makes the largest entry of the row about 1, as far as all bits stay, and b
    /// finite.
    static int power_for_row(const csr<V>& a, index_t i, dd_real b)
    {
        exponents of_row;
        for (index_t e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e) of_row.take(a.value.get(e));
        if (of_row.largest == INT_MIN) return 0;
        exponents all = of_row;
        all.take(b);
        constexpr int most = 1000, least = -1074;
        const int wanted = -of_row.largest;
        return wanted < 0 ? std::max(wanted, std::min(0, least - all.lowest))
                          : std::min(wanted, std::max(0, most - all.largest));
    }

    csr<V> view_;
    vector<V> values_;
    vector<dd_real> right_;
    bool any_ = false;
};

}  // namespace ddla::api
