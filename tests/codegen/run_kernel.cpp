#include "run_kernel.h"

#include <algorithm>
#include <bit>
#include <memory>

#include "frontend/error.h"
#include "gett_problem.h"
#include "runtime/device_cpu.h"
#include "runtime/load_llvm.h"

namespace einloom::testing {

namespace {

// `bytes` bytes at an address divisible by 64, filled with ones so that a read before the first write shows.
class Block {
 public:
  explicit Block(std::int64_t bytes) : size_(static_cast<std::size_t>(bytes)), bytes_(size_ + 192, 0xff) {}
  unsigned char* address() {
    void* at = bytes_.data() + 64;
    std::size_t space = size_ + 128;
    return static_cast<unsigned char*>(std::align(64, 1, at, space));
  }
  // Nothing was written before or after.
  bool intact() {
    auto untouched = [](unsigned char byte) { return byte == 0xff; };
    unsigned char* at = address();
    return std::all_of(bytes_.data(), at, untouched) &&
           std::all_of(at + size_, bytes_.data() + bytes_.size(), untouched);
  }

 private:
  std::size_t size_;
  std::vector<unsigned char> bytes_;
};

std::uint64_t slot_of(const void* address) { return reinterpret_cast<std::uint64_t>(address); }
std::uint64_t slot_of(double value) { return std::bit_cast<std::uint64_t>(value); }

}  // namespace

Target host_target() { return cpu_target(1); }

void run_kernel(const Step& step, const Target& target, std::vector<const void*> inputs, void* output,
                std::complex<double> alpha, std::complex<double> beta) {
  const Source source = generate(step, target);
  Loader loader;
  const LoadedCode code = loader.load(compile(source, target), source.symbols);
  Block scratch(source.scratch_bytes), shared(source.shared_bytes);
  std::vector<std::uint64_t> args;
  for (const Slot& slot : source.slots) {
    switch (slot.kind) {
      case Slot::Kind::values:
        args.push_back(slot_of(inputs.at(static_cast<std::size_t>(slot.input))));
        break;
      case Slot::Kind::output:
        args.push_back(slot_of(output));
        break;
      case Slot::Kind::alpha_re:
        args.push_back(slot_of(alpha.real()));
        break;
      case Slot::Kind::alpha_im:
        args.push_back(slot_of(alpha.imag()));
        break;
      case Slot::Kind::beta_re:
        args.push_back(slot_of(beta.real()));
        break;
      case Slot::Kind::beta_im:
        args.push_back(slot_of(beta.imag()));
        break;
      case Slot::Kind::scratch:
        args.push_back(slot_of(scratch.address()));
        break;
      case Slot::Kind::shared:
        args.push_back(slot_of(shared.address()));
        break;
      default:
        args.push_back(0);
        break;
    }
  }
  for (std::int64_t round = 0; round < source.outer_count; ++round) {
    for (std::size_t i = 0; i < args.size(); ++i)
      if (source.slots[i].kind == Slot::Kind::outer) args[i] = static_cast<std::uint64_t>(round);
    for (const Phase& phase : source.phases) {
      const EntryFunction entry = code.entries.at(static_cast<std::size_t>(phase.entry));
      for (std::int64_t end = phase.chunks; end > 0;) {
        const std::int64_t begin = std::max<std::int64_t>(0, end - 2);
        entry(begin, end, args.data());
        end = begin;
      }
    }
  }
  if (!scratch.intact() || !shared.intact())
    throw Error::internal("a kernel wrote outside its scratch or shared memory");
}

}  // namespace einloom::testing
