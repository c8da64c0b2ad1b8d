#include "plan_key.h"

#include <bit>
#include <string>

namespace einloom {

namespace {

class Key {
 public:
  Key() { bytes_.clear(); }
  template <class T>
  void add(const T& value) requires std::is_trivially_copyable_v<T> {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void add(std::string_view text) {
    add(text.size());
    bytes_.append(text);
  }
  template <class T>
  void add(const std::vector<T>& values) {
    add(values.size());
    for (const T& v : values) add(v);
  }
  void add(const TensorDesc& d) {
    add(d.dtype);
    add(d.extents);
    add(d.sparse);
    if (!d.sparse) return add(d.strides);
    add(d.wide);
    add(d.format.levels);
    add(d.format.order);
    for (std::int64_t n : d.nodes) add(std::bit_width(static_cast<std::uint64_t>(n)));
  }
  void add(const Options& o) {
    add(o.alpha.real());
    add(o.alpha.imag());
    add(o.beta.real());
    add(o.beta.imag());
    add(o.out_format);
    add(o.dtype ? static_cast<int>(*o.dtype) : -1);
    add(o.semiring ? static_cast<int>(*o.semiring) : -1);
    add(static_cast<int>(o.broadcast) + 2 * static_cast<int>(o.write_diagonal));
    add(std::string_view(o.path));
    add(std::string_view(o.strategy));
    add(o.memory_limit);
  }
  void add_output(const TensorDesc* output) {
    add(output != nullptr);
    if (output) add(*output);
  }
  Hash hash() const { return hash_bytes(bytes_.data(), bytes_.size()); }

 private:
  static thread_local std::string bytes_;  // reused: a warm call allocates nothing here
};

thread_local std::string Key::bytes_;

}  // namespace

Hash text_key(std::string_view text, Operands operands, const Options& options, const TensorDesc* output) {
  Key key;
  key.add(text);
  key.add(options);
  for (const Tensor& t : operands) key.add(t.desc());
  key.add_output(output);
  return key.hash();
}

Hash canonical_key(const Contraction& c, const Options& options, const TensorDesc* output) {
  Key key;
  for (const auto& labels : c.inputs) key.add(labels);
  key.add(c.output);
  key.add(c.extents);
  key.add(c.semiring);
  key.add(c.result);
  key.add(c.accumulate);
  key.add(options);
  for (const TensorDesc& d : c.operands) key.add(d);
  key.add_output(output);
  return key.hash();
}

}  // namespace einloom
