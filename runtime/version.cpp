#include "einloom.h"

namespace einloom {

const char* version() { return EINLOOM_VERSION; }

}  // namespace einloom
