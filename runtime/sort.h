// Sorting of packed keys. Private to the runtime room.
#pragma once

#include "runtime/storage.h"

namespace einloom {

bool keys_increase(const Coo& coo);  // strictly: sorted and distinct
// Stable sort by key; values travel along. Does not combine.
void sort_keys(Coo& coo);

}  // namespace einloom
