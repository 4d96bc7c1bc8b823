#include "hash_list.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <stdexcept>

namespace golden {

namespace {

constexpr std::size_t digits = 16;

std::string hexadecimal(std::uint64_t hash)
{
    std::string text(digits, '0');
    for (auto digit = text.rbegin(); hash != 0; hash >>= 4, ++digit)
        *digit = "0123456789abcdef"[hash & 15];
    return text;
}

named_hash parse_line(std::string_view line)
{
    const std::size_t blank = line.find(' ');
    std::uint64_t hash = 0;
    if (blank != line.npos && blank > 0 && line.size() == blank + 1 + digits) {
        const char* const end = line.data() + line.size();
        if (std::from_chars(end - digits, end, hash, 16).ptr == end)
            return {std::string(line.substr(0, blank)), hash};
    }
    throw std::invalid_argument("not a name and a hash: " + std::string(line));
}

std::map<std::string, std::uint64_t> by_name(const hash_list& hashes)
{
    std::map<std::string, std::uint64_t> sorted;
    for (const named_hash& h : hashes)
        if (!sorted.emplace(h.name, h.hash).second)
            throw std::invalid_argument(h.name + " is there twice");
    return sorted;
}

}  // namespace

std::string to_text(const hash_list& hashes)
{
    std::string text;
    for (const named_hash& h : hashes) text += h.name + ' ' + hexadecimal(h.hash) + '\n';
    return text;
}

hash_list parse(std::string_view text)
{
    hash_list hashes;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (!line.empty() && line[0] != '#') hashes.push_back(parse_line(line));
    }
    by_name(hashes);
    return hashes;
}

std::vector<std::string> differences(const hash_list& expected, const hash_list& computed)
{
    std::vector<std::string> all;
    const auto here = by_name(computed), there = by_name(expected);
    for (const named_hash& e : expected) {
        const auto found = here.find(e.name);
        if (found == here.end())
            all.push_back(e.name + ": expected " + hexadecimal(e.hash) + ", no case computes it");
        else if (found->second != e.hash)
            all.push_back(e.name + ": expected " + hexadecimal(e.hash) + ", computed " +
                          hexadecimal(found->second));
    }
    for (const named_hash& c : computed)
        if (!there.contains(c.name))
            all.push_back(c.name + ": computed " + hexadecimal(c.hash) + ", none is expected");
    return all;
}

hash_list added_to(const hash_list& expected, const hash_list& computed)
{
    const auto there = by_name(expected);
    hash_list added;
    for (const named_hash& c : computed)
        if (!there.contains(c.name)) added.push_back(c);
    return added;
}

std::string with_added(std::string_view text, const hash_list& computed, std::string_view comment)
{
    hash_list all = parse(text);
    const hash_list added = added_to(all, computed);
    all.insert(all.end(), added.begin(), added.end());
    std::string refused;
    for (const std::string& difference : differences(all, computed)) refused += '\n' + difference;
    if (!refused.empty())
        throw std::invalid_argument("hashes can be added where all others are as they were:" +
                                    refused);
    std::string whole(text);
    if (added.empty()) return whole;
    if (!whole.empty() && whole.back() != '\n') whole += '\n';
    return whole + "# " + std::string(comment) + '\n' + to_text(added);
}

}  // namespace golden
