// A build without device code.
#include "contender.hpp"

namespace bench {

std::vector<contender_maker> cusparse()
{
    return {};
}

json environment_of_rivals(bool)
{
    return machine();
}

}  // namespace bench
