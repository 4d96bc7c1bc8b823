#include "described_options.hpp"

#include "cli/shell/text_format.hpp"

namespace ddla::cli {

std::function<index_t(const std::string&, const std::string&)>
parser_of(const about::whole_numbers& all)
{
    if (all.bytes) return bytes_between(all.least, all.most);
    const auto parse = integer_between(all.least, all.most);
    if (all.multiple_of == 1) return parse;
    return [all, parse](const std::string& option, const std::string& value) {
        const index_t n = parse(option, value);
        if (!all.holds(n)) reject(option, value, all.text());
        return n;
    };
}

std::function<double(const std::string&, const std::string&)> parser_of(const about::numbers& all)
{
    return number_where("a number " + all.text(), [all](double x) { return all.holds(x); });
}

one_of<bool> parser_of(const about::yes_or_no&)
{
    return one_of<bool>({{"auto", true}, {"none", false}});
}

std::string text_of_preset(double x)
{
    return shortest(x);
}

std::string described_help(std::string_view of, std::string_view sentence,
                           const std::string& preset)
{
    constexpr std::size_t width = 52;
    std::string text = (of.empty() ? "" : std::string(of) + ": ") + std::string(sentence);
    const std::size_t place = text.find("{}");
    if (place != std::string::npos)
        text.replace(place, 2, preset);
    else if (!preset.empty())
        text += " (" + preset + ")";
    return wrapped(text, width);
}

}  // namespace ddla::cli
