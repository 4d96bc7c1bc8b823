// Vectors of handles as the vectors of vectors that C++ takes.
#pragma once

#include "handles.hpp"

#include <set>
#include <vector>

namespace ddla::c {

/// Moved out of their handles, and moved back at the end, whatever happens.
template <scalar T>
class taken_vectors {
public:
    taken_vectors(ddla_vector* const* x, std::int64_t count, const char* name)
    {
        std::set<const vector<T>*> seen;
        for (std::int64_t j = 0; j < count; ++j) {
            vector<T>& v = in<T>(x[j], name);
            if (!seen.insert(&v).second)
                throw misuse(std::string(name) + " has one vector twice, the second at " +
                             std::to_string(j));
            of_.push_back(&v);
        }
        all.reserve(of_.size());
        for (vector<T>* const v : of_) all.push_back(std::move(*v));
    }
    ~taken_vectors()
    {
        for (std::size_t j = 0; j < all.size(); ++j) *of_[j] = std::move(all[j]);
    }
    taken_vectors(const taken_vectors&) = delete;
    taken_vectors& operator=(const taken_vectors&) = delete;

    std::vector<vector<T>> all;

private:
    std::vector<vector<T>*> of_;
};

template <scalar T>
std::vector<vector<T>> copies_of(const ddla_vector* const* x, std::int64_t count, const char* name)
{
    std::vector<vector<T>> all;
    for (std::int64_t j = 0; j < count; ++j) all.push_back(in<T>(x[j], name));
    return all;
}

/// Of `count` handles; misuse for a number below 1.
inline void require_count(std::int64_t count)
{
    if (count < 1) throw misuse("count is " + std::to_string(count) + ", not 1 or more");
}

}  // namespace ddla::c
