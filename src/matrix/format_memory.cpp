#include "ddla/format_memory.hpp"

#include "ddla/devices.hpp"
#include "ddla/error.hpp"
#include "ddla/output_file.hpp"
#include "ddla/version.hpp"

#include "files/quote.hpp"
#include "format_entries.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace ddla {

using namespace api;

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_entries = 1000;
constexpr std::uintmax_t most_bytes = 4'000'000;  // ten times the size of that many entries

std::string reason(int number)
{
    return std::generic_category().message(number);
}

struct stored_formats {
    std::vector<format_entry> entries = {};
    std::string problem = {};
};

/// A file that does not exist is no problem.
stored_formats stored_in(const fs::path& file)
{
    const std::string name = file.string();
    std::error_code code;
    const fs::file_status status = fs::status(file, code);
    if (status.type() == fs::file_type::not_found) return {};
    if (code) return {{}, name + ": cannot be read: " + code.message()};
    // Opening a pipe would block until there is a writer.
    if (!fs::is_regular_file(status)) return {{}, name + ": is not a regular file"};
    const std::uintmax_t bytes = fs::file_size(file, code);
    if (code) return {{}, name + ": cannot be read: " + code.message()};
    if (bytes > most_bytes) return {{}, name + ": is too large for a cache"};
    if (::access(file.c_str(), R_OK) != 0) return {{}, name + ": cannot be read: " + reason(errno)};
    std::ifstream in(file, std::ios::binary);
    std::string text(bytes, '\0');
    in.read(text.data(), static_cast<std::streamsize>(bytes));  // iterators would throw
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (in.bad()) return {{}, name + ": cannot be read"};
    auto entries = entries_of(text);
    if (!entries) return {{}, name + ": is not a list of formats as ddla writes it"};
    return {std::move(*entries), {}};
}

std::string name_of(place at)
{
    if (at.is_host()) return "host";
    const auto all = devices();
    const auto i = static_cast<std::size_t>(at.device_index);
    return i < all.size() ? all[i].name : to_string(at);
}

/// The key without the hash of the structure, which takes a pass over all entries.
template <scalar T, scalar V>
format_key key_without_structure(const csr_matrix<V>& a)
{
    return {0,
            a.rows(),
            a.columns(),
            a.nonzeros(),
            plain(name_of(a.where())),
            number_traits<T>::name,
            number_traits<V>::name,
            DDLA_VERSION};
}

format_options options_of(const format_entry& e, std::string& problem)
{
    const auto format = sparse_format_named(e.format);
    const index_t t = e.threads_per_row;
    const bool power_of_two = (t & (t - 1)) == 0;
    if (const std::string advice = advice_on_removed_format(e.format); !advice.empty())
        problem = advice;
    else if (!format || *format == sparse_format::automatic || t > 32 || !power_of_two)
        problem = "it names the format " + text::quote(e.format) + " with " + std::to_string(t) +
                  " threads a row, which is not valid";
    return {format.value_or(sparse_format::csr), static_cast<int>(t)};
}

/// The folder that caches go to by the XDG Base Directory Specification; empty if there is none.
fs::path cache_folder()
{
    const auto absolute = [](const char* name) -> fs::path {
        const char* const value = std::getenv(name);
        return value && fs::path(value).is_absolute() ? fs::path(value) : fs::path();
    };
    if (const fs::path own = absolute("XDG_CACHE_HOME"); !own.empty()) return own;
    const fs::path home = absolute("HOME");
    return home.empty() ? home : home / ".cache";
}

/// With the permissions that the specification wants.
void make_folders(const fs::path& folder)
{
    fs::path made;
    for (const fs::path& part : folder) {
        made /= part;
        std::error_code ignored;
        if (fs::is_directory(made, ignored)) continue;
        if (::mkdir(made.c_str(), 0700) != 0 && errno != EEXIST)
            throw resource_error(made.string() + ": cannot be made: " + reason(errno));
    }
}

void replace(const fs::path& file, const std::vector<format_entry>& entries)
{
    make_folders(file.parent_path());
    output_file out(file);
    out.write(text_of(entries));
    out.commit();
}

}  // namespace

fs::path format_memory()
{
    const fs::path folder = cache_folder();
    return folder.empty() ? folder : folder / "ddla" / "formats.json";
}

bool forget_formats()
{
    const fs::path file = format_memory();
    if (file.empty() || ::unlink(file.c_str()) == 0) return !file.empty();
    if (errno == ENOENT || errno == ENOTDIR) return false;
    throw resource_error(file.string() + ": cannot be removed: " + reason(errno));
}

template <scalar T, scalar V>
requires acts_on<T, V> remembered_format recall_format(const csr_matrix<V>& a)
{
    const fs::path file = format_memory();
    if (file.empty()) return {};
    const stored_formats stored = stored_in(file);
    remembered_format found{{}, 0, stored.problem};
    if (stored.entries.empty()) return found;
    format_key wanted = key_without_structure<T>(a);
    const auto find = [&](const auto& holds) {
        return std::find_if(stored.entries.begin(), stored.entries.end(), holds);
    };
    const auto like = find([&](const format_entry& e) {
        wanted.structure = e.key.structure;
        return e.key == wanted;
    });
    if (like == stored.entries.end()) return found;
    wanted.structure = structure_hash(a);
    const auto e = find([&](const format_entry& other) { return other.key == wanted; });
    if (e == stored.entries.end()) return found;
    found.options = options_of(*e, found.problem);
    found.seconds = e->microseconds * 1e-6;
    if (found.problem.empty()) return found;
    return {{}, 0, file.string() + ": " + found.problem};
}

template <scalar T, scalar V>
requires acts_on<T, V> fs::path remember_format(const csr_matrix<V>& a,
                                                const measured_format& fastest)
{
    const fs::path file = format_memory();
    if (file.empty())
        throw resource_error("the format cannot be remembered: neither XDG_CACHE_HOME nor HOME is "
                             "an absolute path");
    std::vector<format_entry> entries = stored_in(file).entries;
    format_key key = key_without_structure<T>(a);
    key.structure = structure_hash(a);
    std::erase_if(entries, [&](const format_entry& e) { return e.key == key; });
    const format_options& o = fastest.options;
    entries.push_back(
        {key, std::string(to_string(o.format)), o.threads_per_row, fastest.seconds * 1e6});
    if (entries.size() > most_entries) entries.erase(entries.begin(), entries.end() - most_entries);
    replace(file, entries);
    return file;
}

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template remembered_format recall_format<T>(const csr_matrix<V>&);                             \
    template fs::path remember_format<T>(const csr_matrix<V>&, const measured_format&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
