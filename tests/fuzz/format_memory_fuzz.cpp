// Any bytes may be in the file of the memory of formats: they cost time at most.
//
// The input is the file; "@A" and "@B" in it stand for the hashes of the structures of two
// matrices, "@V" for the version of ddla.  Checks for each input: nothing is thrown; a format that
// is recalled gives the bits that every other gives, or is refused; what is written is read back.
#include "require.hpp"

#include "../tuning/cache_folder.hpp"
#include "ddla/blas.hpp"
#include "ddla/error.hpp"
#include "ddla/format_memory.hpp"
#include "ddla/generate.hpp"
#include "ddla/host_threads.hpp"
#include "ddla/version.hpp"
#include "matrix/format_entries.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

namespace {

using namespace ddla;
using fuzz::require;

std::string hexadecimal(std::uint64_t x)
{
    char text[17];
    std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(x));
    return text;
}

void replace_all(std::string& text, const std::string& word, const std::string& by)
{
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += by.size())
        text.replace(at, word.size(), by);
}

/// y = A x in T, as a hash.
template <scalar T, scalar V>
std::uint64_t product(const csr_matrix<V>& a)
{
    vector<T> x(a.columns()), y(a.rows());
    for (index_t i = 0; i < x.size(); ++i) x.set(i, T(1) / T(static_cast<double>(i + 1)));
    spmv(T(1), a, x, T(0), y);
    return hash_of(y);
}

/// A matrix, and its products in its own rows.
struct subject {
    csr_matrix<double> a;
    std::uint64_t in_double, in_dd;

    explicit subject(csr_matrix<double> matrix) : a(std::move(matrix))
    {
        in_double = product<double>(a);
        in_dd = product<dd_real>(a);
    }
    template <scalar T>
    std::uint64_t expected() const
    {
        return std::is_same_v<T, double> ? in_double : in_dd;
    }
};

struct subjects {
    test::cache_folder cache;
    subject first{generate::toeplitz(40, 1.5)};
    subject second{generate::poisson2d(6, 7)};

    subjects() { set_host_threads(1); }
};

subjects& all_subjects()
{
    static subjects all;
    return all;
}

bool same(const api::format_entry& a, const api::format_entry& b)
{
    return a.key == b.key && a.format == b.format && a.threads_per_row == b.threads_per_row &&
           std::bit_cast<std::uint64_t>(a.microseconds) ==
               std::bit_cast<std::uint64_t>(b.microseconds);
}

/// Its names as they are written.
api::format_entry in_plain_names(api::format_entry e)
{
    for (std::string* name :
         {&e.key.place, &e.key.vectors, &e.key.values, &e.key.version, &e.format})
        *name = api::plain(*name);
    return e;
}

/// Entries survive being written.
void check_entries(const std::string& text)
{
    const auto entries = api::entries_of(text);
    if (!entries) return;
    const auto back = api::entries_of(api::text_of(*entries));
    require(back.has_value() && back->size() == entries->size(), text);
    for (std::size_t i = 0; i < back->size(); ++i)
        require(same((*back)[i], in_plain_names((*entries)[i])), text);
}

/// Printable, whatever the file holds.
bool is_short_line(const std::string& problem)
{
    return problem.size() < 500 &&
           std::all_of(problem.begin(), problem.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

/// What is recalled changes no bit; returns whether something was.
template <scalar T>
bool check_recalled(subject& s, const std::string& text)
{
    const remembered_format known = recall_format<T>(s.a);
    require(is_short_line(known.problem), text);
    if (!known.options) return false;
    require(known.problem.empty() && known.seconds >= 0, text);
    try {
        set_format<T>(s.a, *known.options);
    } catch (const input_error&) {
        // a format that this matrix cannot have
    } catch (const resource_error&) {
        // or not in this memory
    }
    require(product<T>(s.a) == s.expected<T>(), text);
    return true;
}

/// One entry more, the last; all others that were there are there, up to the greatest number.
template <scalar T>
void check_remembered(subject& s, const std::string& text)
{
    const auto before = api::entries_of(text).value_or(std::vector<api::format_entry>{});
    measured_format fastest;
    fastest.options = {sparse_format::crs_t, 8};
    fastest.seconds = 3e-6;
    remember_format<T>(s.a, fastest);
    const remembered_format known = recall_format<T>(s.a);
    require(known.problem.empty() && known.options.has_value(), text);
    require(known.options->format == sparse_format::crs_t && known.options->threads_per_row == 8,
            text);
    const auto after = api::entries_of(all_subjects().cache.text());
    require(after.has_value() && !after->empty(), text);
    const auto is_there = [&](const api::format_entry& e) {
        const api::format_entry wanted = in_plain_names(e);
        return wanted.key == after->back().key ||
               std::any_of(after->begin(), after->end(),
                           [&](const api::format_entry& x) { return same(x, wanted); });
    };
    if (before.size() < 1000) require(std::all_of(before.begin(), before.end(), is_there), text);
}

template <scalar T>
void check_memory(subject& s, const std::string& text)
{
    all_subjects().cache.write(text);
    check_recalled<T>(s, text);
    check_remembered<T>(s, text);
    require(check_recalled<T>(s, text), text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    subjects& all = all_subjects();
    std::string text(reinterpret_cast<const char*>(data), size);
    replace_all(text, "@A", hexadecimal(structure_hash(all.first.a)));
    replace_all(text, "@B", hexadecimal(structure_hash(all.second.a)));
    replace_all(text, "@V", DDLA_VERSION);
    check_entries(text);
    check_memory<double>(all.first, text);
    check_memory<dd_real>(all.first, text);
    check_memory<double>(all.second, text);
    check_memory<dd_real>(all.second, text);
    return 0;
}
