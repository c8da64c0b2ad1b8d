#include "plan.h"

namespace einloom {

const char* name(Strategy strategy) {
  switch (strategy) {
    case Strategy::loops:
      return "loops";
    case Strategy::gett:
      return "gett";
    case Strategy::realign:
      return "realign";
    case Strategy::sparsify:
      return "sparsify";
  }
  return "?";
}

const char* name(Search search) {
  switch (search) {
    case Search::linear:
      return "linear";
    case Search::gallop:
      return "gallop";
    case Search::binary:
      return "binary";
  }
  return "?";
}

const char* name(Accumulate accumulate) {
  switch (accumulate) {
    case Accumulate::direct:
      return "direct";
    case Accumulate::in_place:
      return "in_place";
    case Accumulate::partial:
      return "partial";
    case Accumulate::append:
      return "append";
    case Accumulate::workspace:
      return "workspace";
    case Accumulate::append_unsorted:
      return "append_unsorted";
  }
  return "?";
}

}  // namespace einloom
