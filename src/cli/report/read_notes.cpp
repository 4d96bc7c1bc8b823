#include "read_notes.hpp"

#include "cli/shell/text_format.hpp"

namespace ddla::cli {
namespace {

/// "1 value is", "2 values are"
std::string counted(std::int64_t count, const std::string& of, const char* one, const char* many)
{
    return "Read: " + std::to_string(count) + (count == 1 ? " value of " : " values of ") + of +
           (count == 1 ? one : many);
}

std::string notes_of(const read_file& f)
{
    const std::string file = std::filesystem::path(f.file).filename().string();
    const auto line = [&](std::int64_t count, const char* one, const char* many) {
        return count == 0 ? ""
                          : wrapped(one_line(counted(count, file, one, many)), text_width) + '\n';
    };
    const std::string keeps =
        f.role == "matrix" ? " (--values dd keeps 32 digits)."
                           : ", like the values of A (--precision dd --rhs-values dd keeps 32 "
                             "digits).";
    return line(f.lost.underflowed, " is too small for a double and became 0.",
                " are too small for a double and became 0.") +
           line(f.lost.subnormal, " is so small that it keeps fewer digits than the file has.",
                " are so small that they keep fewer digits than the file has.") +
           line(f.lost.rounded,
                (" has more digits than a double and was rounded to one" + keeps).c_str(),
                (" have more digits than a double and were rounded to one" + keeps).c_str());
}

}  // namespace

std::string read_notes(const std::vector<read_file>& files)
{
    std::string text;
    for (const read_file& f : files) text += notes_of(f);
    return text;
}

}  // namespace ddla::cli
