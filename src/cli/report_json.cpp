// What the reports for programs have in common.
#include "report_json.hpp"

namespace ddla::cli {

json matrix_json(const std::filesystem::path& file, const reported_matrix& m)
{
    return {{"rows", m.rows},
            {"columns", m.columns},
            {"nonzeros", m.nonzeros},
            {"complex", m.is_complex},
            {"file", file.string()}};
}

}  // namespace ddla::cli
