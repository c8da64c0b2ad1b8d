// Random whole expressions with random operands, right and wrong, through Context::einsum, einsum_into and compile:
// each succeeds or throws an Error of kind input or memory.
//
//   fuzz_random [--seconds N] [--seed S] [--n N] [--only I]
#include <algorithm>

#include "tests/fuzz/fuzz.h"

namespace {

using namespace einloom;
using namespace einloom::test;

const std::string alphabet = "abcde,,->...";

std::string make_text(Random& random, std::size_t operands) {
  std::string text;
  for (std::size_t o = 0; o < operands; ++o) {
    if (o > 0) text += ',';
    for (std::int64_t modes = draw(random, 0, 4); modes > 0; --modes) text += static_cast<char>('a' + random() % 5);
    if (chance(random, 0.1)) text += "...";
  }
  if (chance(random, 0.8)) {
    text += "->";
    std::string labels = "abcde";
    for (std::int64_t modes = draw(random, 0, 3); modes > 0; --modes) text += labels[random() % labels.size()];
    if (chance(random, 0.1)) text += "...";
  }
  return chance(random, 0.15) ? damaged(random, text, alphabet) : text;
}

// The modes a text gives operand `which`, roughly: mostly right, sometimes not.
std::int64_t modes_of(Random& random, const std::string& text, std::size_t which) {
  std::int64_t modes = 0;
  std::size_t term = 0;
  for (const char c : text) {
    if (c == '-') break;
    term += c == ',';
    modes += term == which && c >= 'a' && c <= 'z';
  }
  return chance(random, 0.04) ? draw(random, 0, 6) : std::min<std::int64_t>(modes, 7);
}

Format make_format(Random& random, std::size_t modes) {
  Format format;
  for (std::size_t l = 0; l < modes; ++l) format.levels.push_back(static_cast<Level>(random() % 4));
  if (chance(random, 0.5)) return chance(random, 0.5) ? csf() : coo();
  if (chance(random, 0.5)) {
    for (std::size_t l = modes; l-- > 0;) format.order.push_back(static_cast<int>(l));
  }
  return format;
}

std::vector<std::int64_t> make_extents(Random& random, std::int64_t modes, std::int64_t common) {
  std::vector<std::int64_t> extents;
  for (std::int64_t m = 0; m < modes; ++m) extents.push_back(chance(random, 0.97) ? common : draw(random, 0, 5));
  return extents;
}

Options make_options(Random& random) {
  static const char* const paths[] = {"auto", "greedy", "optimal", "(0,1)", "(0,1),(0,1)", "(1,0", "", "(9,9)"};
  static const char* const strategies[] = {"auto", "loops", "gett", "fused", "pairwise", "no such"};
  Options options;
  if (chance(random, 0.3)) options.path = paths[random() % std::size(paths)];
  if (chance(random, 0.2)) options.strategy = strategies[random() % std::size(strategies)];
  if (chance(random, 0.3)) options.out_format = static_cast<Layout>(random() % 3);
  if (chance(random, 0.2)) options.dtype = static_cast<DType>(random() % dtype_count);
  if (chance(random, 0.3)) options.semiring = static_cast<Semiring>(random() % semiring_count);
  if (chance(random, 0.1)) options.alpha = {static_cast<double>(draw(random, -2, 2)), chance(random, 0.2) ? 1.0 : 0.0};
  if (chance(random, 0.1)) options.beta = static_cast<double>(draw(random, -2, 2));
  if (chance(random, 0.1)) options.memory_limit = draw(random, -5, 5000);
  options.broadcast = chance(random, 0.3);
  options.write_diagonal = chance(random, 0.3);
  return options;
}

// What was asked, for the message of a fault.
std::string describe(const std::string& text, const std::vector<Tensor>& operands, const Options& options) {
  std::string out = "'" + text + "'";
  for (const Tensor& operand : operands) {
    out += std::string(" [") + name(operand.dtype());
    for (const std::int64_t extent : operand.extents()) out += " " + std::to_string(extent);
    out += (operand.sparse() ? " " + to_string(operand.desc().format) : std::string()) + "]";
  }
  out +=
      std::string(" to ") + name(options.out_format) + (options.dtype ? std::string(" ") + name(*options.dtype) : "");
  if (options.semiring) out += std::string(" ") + name(*options.semiring);
  out += " path " + options.path + " strategy " + options.strategy;
  if (options.alpha != 1.0 || options.beta != 0.0) {
    out += " alpha " + std::to_string(options.alpha.real()) + "+" + std::to_string(options.alpha.imag()) + "i beta " +
           std::to_string(options.beta.real());
  }
  if (options.memory_limit != 0) out += " limit " + std::to_string(options.memory_limit);
  return out + (options.broadcast ? " broadcast" : "") + (options.write_diagonal ? " write_diagonal" : "");
}

std::string call(Context& context, const std::string& text, const std::vector<Tensor>& operands,
                 const Options& options) {
  const Tensor got = context.einsum(text, Operands(operands), options);
  std::string fault;
  read_tensor(got, &fault);
  return fault.empty() ? fault : fault + " in the result of " + describe(text, operands, options);
}

std::string once(Random& random) {
  static Context context;
  const auto count = static_cast<std::size_t>(draw(random, 1, 4));
  const std::string text = make_text(random, count);
  const std::int64_t common = draw(random, 0, 4);
  std::vector<Held> held;
  std::vector<Tensor> operands;
  for (std::size_t o = 0; o < count; ++o) {
    const auto type = chance(random, 0.6) ? DType::f64 : static_cast<DType>(random() % dtype_count);
    Array array = make_array(type, make_extents(random, modes_of(random, text, o), common));
    for (std::size_t i = 0; i < array.size(); ++i) array.set_int(i, draw(random, 0, 3));
    if (chance(random, 0.5) || array.extents.empty()) {
      held.push_back(dense_tensor(array));
      operands.push_back(held.back().tensor);
    } else {
      array.present.resize(array.size());
      for (char& present : array.present) present = chance(random, 0.4);
      operands.push_back(
          sparse_tensor(array, make_format(random, array.extents.size()), Semiring::plus_times, &random));
    }
  }
  if (chance(random, 0.02)) operands.pop_back();
  const Options options = make_options(random);
  Held out;
  const bool into = chance(random, 0.2);
  if (into) {
    const auto type = chance(random, 0.4) ? DType::f64 : static_cast<DType>(random() % dtype_count);
    out = dense_tensor(make_array(type, make_extents(random, draw(random, 0, 3), common)));
  }
  try {
    if (!into) return call(context, text, operands, options);
    context.einsum_into(out.tensor, text, Operands(operands), options);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::internal) return {};
    return error.message().substr(0, error.message().find('\n')) + ": " + describe(text, operands, options) +
           (into ? std::string(" into ") + name(out.tensor.dtype()) : "");
  } catch (const std::exception& error) {
    return std::string("not an einloom::Error: ") + error.what() + ": " + describe(text, operands, options);
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) { return run_fuzz("fuzz_random", argc, argv, once); }
