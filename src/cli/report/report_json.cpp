// What the reports for programs have in common.
#include "report_json.hpp"

namespace ddla::cli {

json matrix_json(const reported_matrix& m)
{
    return {{"rows", m.rows},
            {"columns", m.columns},
            {"nonzeros", m.nonzeros},
            {"complex", m.is_complex},
            {"file", m.file}};
}

}  // namespace ddla::cli
