#include "runtime/interop.h"

#include <fmt/format.h>

#include "frontend/error.h"
#include "runtime/storage.h"

namespace einloom {

NativeLevel native_level(const Tensor& tensor, int level) {
  if (!tensor.sparse()) throw Error::input("a dense tensor has no levels");
  if (level < 0 || level >= tensor.order()) {
    throw Error::input(fmt::format("level {} of a tensor of {} levels: they count from 0", level, tensor.order()));
  }
  const auto l = static_cast<std::size_t>(level);
  const LevelArrays& arrays = tensor.storage()->levels[l];
  return {arrays.pos.get(), arrays.crd.get(), tensor.desc().nodes[l]};
}

}  // namespace einloom
