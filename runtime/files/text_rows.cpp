#include "runtime/files/text_rows.h"

#include <algorithm>
#include <vector>

#include "runtime/files/gzip.h"
#include "runtime/levels_walk.h"
#include "runtime/parallel.h"

namespace einloom {

void write_lines(Output& output, bool gzip, const std::string& head, std::int64_t count,
                 const std::function<void(std::string&, std::int64_t, std::int64_t)>& format) {
  constexpr std::int64_t lines = 1 << 15;
  const auto put = [&](std::string_view text) { gzip ? write_gzip(output, text) : output.write(text); };
  if (!head.empty() || (gzip && count == 0)) put(head);
  std::vector<std::string> texts(static_cast<std::size_t>(4 * default_threads()));
  const auto wave = static_cast<std::int64_t>(texts.size()) * lines;
  for (std::int64_t start = 0; start < count; start += wave) {
    const std::int64_t parts = (std::min(wave, count - start) + lines - 1) / lines;
    parallel_for(parts, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t p = begin; p < end; ++p) {
        std::string& text = texts[static_cast<std::size_t>(p)];
        text.clear();
        format(text, start + p * lines, std::min(count, start + (p + 1) * lines));
      }
    });
    for (std::int64_t p = 0; p < parts; ++p) put(texts[static_cast<std::size_t>(p)]);
  }
}

void write_nonzeros(Output& output, bool gzip, const std::string& head, const Tensor& sparse, int base,
                    char separator) {
  const Storage& storage = *sparse.storage();
  const std::size_t modes = storage.desc.extents.size();
  std::vector<std::size_t> level_of(modes);
  for (std::size_t l = 0; l < modes; ++l) level_of[static_cast<std::size_t>(storage.desc.format.order[l])] = l;
  const auto lines = [&](auto index, auto element, std::string& out, std::int64_t begin, std::int64_t end) {
    using T = typename decltype(element)::type;
    Walker<typename decltype(index)::type> walker(storage, begin);
    for (std::int64_t p = begin; p < end; ++p) {
      for (std::size_t m = 0; m < modes; ++m) {
        append_number(out, walker.at()[level_of[m]] + base);
        out += separator;
      }
      append_number(out, static_cast<const T*>(storage.data)[p]);
      out += '\n';
      if (p + 1 < end) walker.next();
    }
  };
  visit_type(storage.desc.dtype, [&](auto element) {
    write_lines(output, gzip, head, storage.desc.nnz(), [&](std::string& out, std::int64_t begin, std::int64_t end) {
      if (storage.desc.wide) {
        lines(Tag<std::int64_t>{}, element, out, begin, end);
      } else {
        lines(Tag<std::int32_t>{}, element, out, begin, end);
      }
    });
  });
}

}  // namespace einloom
