#include "lis_parts.hpp"
#include "workbench.hpp"

namespace bench {

std::string lis_version()
{
    return LIS_VERSION;
}

}  // namespace bench
