// Where the cases of formats run: each program that has them says so.
#pragma once

#include "ddla/place.hpp"

namespace test {

ddla::place place_of_formats();

}  // namespace test
