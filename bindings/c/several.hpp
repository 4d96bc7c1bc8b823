// Vectors of handles as the vectors of vectors that C++ takes.
#pragma once

#include "handles.hpp"

#include <map>
#include <set>
#include <vector>

namespace ddla::c {

/// "x[1]", counted from 0.
inline std::string element(const char* name, std::int64_t j)
{
    return std::string(name) + "[" + std::to_string(j) + "]";
}

/// Handles of one argument, all there and in T.
template <scalar T, class Handle>
auto vectors_in(Handle* const* x, std::int64_t count, const char* name)
{
    std::vector<decltype(&in<T>(*x, name))> all;
    for (std::int64_t j = 0; j < count; ++j) all.push_back(&in<T>(x[j], element(name, j).c_str()));
    return all;
}

/// input_error if one that is written is read, as for a single vector; misuse if it is written
/// twice.
template <scalar T>
void require_apart(const std::vector<const vector<T>*>& read, const char* read_name,
                   const std::vector<vector<T>*>& written, const char* written_name)
{
    std::map<const vector<T>*, std::int64_t> at;
    for (std::size_t j = 0; j < read.size(); ++j) at.emplace(read[j], j);
    std::set<const vector<T>*> seen;
    for (std::size_t j = 0; j < written.size(); ++j) {
        const auto k = static_cast<std::int64_t>(j);
        if (const auto same = at.find(written[j]); same != at.end())
            throw input_error(element(written_name, k) + " and " +
                              element(read_name, same->second) + " are the same vector");
        if (!seen.insert(written[j]).second)
            throw misuse(std::string(written_name) + " has one vector twice, the second at " +
                         std::to_string(k));
    }
}

/// Moved out of their handles, and moved back at the end, whatever happens.
template <scalar T>
class taken_vectors {
public:
    explicit taken_vectors(std::vector<vector<T>*> x) : of_(std::move(x))
    {
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
std::vector<vector<T>> copies_of(const std::vector<const vector<T>*>& x)
{
    std::vector<vector<T>> all;
    for (const vector<T>* const v : x) all.push_back(*v);
    return all;
}

/// Of `count` handles; misuse for a number below 1.
inline void require_count(std::int64_t count)
{
    if (count < 1) throw misuse("count is " + std::to_string(count) + ", not 1 or more");
}

}  // namespace ddla::c
