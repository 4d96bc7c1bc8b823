// A build without Lis.
#include "contender.hpp"

namespace bench {

std::vector<contender_maker> lis(int)
{
    return {};
}

}  // namespace bench
