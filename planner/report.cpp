// The planner's texts: path_report for people, to_string for goldens.
#include <fmt/format.h>

#include <algorithm>

#include "build.h"
#include "frontend/text.h"

namespace einloom {

namespace {

constexpr std::size_t most_names = 40, most_lines = 60;

std::string ref_text(const Ref& ref) {
  switch (ref.kind) {
    case Ref::Kind::operand:
      return fmt::format("op{}", ref.index);
    case Ref::Kind::temp:
      return fmt::format("t{}", ref.index);
    case Ref::Kind::output:
      return "out";
  }
  return "?";
}

// Names run together when each is one character, otherwise separated.
std::string names_text(const std::vector<std::string>& names) {
  if (names.size() > most_names) return fmt::format("<{} labels>", names.size());
  const bool spread = std::any_of(names.begin(), names.end(), [](const std::string& n) {
    return std::count_if(n.begin(), n.end(), [](char c) { return (c & 0xc0) != 0x80; }) != 1;
  });
  return join(names, spread ? "," : "");
}

std::string labels_text(const Step& step, const std::vector<int>& labels) {
  std::vector<std::string> names;
  for (const int l : labels) names.push_back(step.label_names[static_cast<std::size_t>(l)]);
  return names_text(names);
}

std::string access_text(const Step& step, const Access& access) {
  std::string text = fmt::format("{}[{}]", ref_text(access.tensor), labels_text(step, access.labels));
  if (access.desc.sparse) text += fmt::format(":{}", to_string(access.desc.format));
  return text;
}

std::string expression_text(const Step& step) {
  std::vector<std::string> inputs;
  for (const Access& a : step.inputs) inputs.push_back(access_text(step, a));
  return join(inputs, " * ") + " -> " + access_text(step, step.output);
}

std::string loops_text(const Step& step) {
  std::vector<std::string> loops;
  for (const Loop& loop : step.loops) {
    std::string text = step.label_names[static_cast<std::size_t>(loop.label)];
    if (loop.leader >= 0) text += ":" + ref_text(step.inputs[static_cast<std::size_t>(loop.leader)].tensor);
    for (const Loop::Follower& f : loop.followers) {
      text += fmt::format("&{}({})", ref_text(step.inputs[static_cast<std::size_t>(f.input)].tensor), name(f.search));
    }
    loops.push_back(text);
  }
  if (loops.size() > most_names) return fmt::format("<{} loops>", loops.size());
  return loops.empty() ? "none" : join(loops, " ");
}

std::string details(const Step& step) {
  if (step.strategy == Strategy::gett) {
    const Gett& g = step.gett;
    return fmt::format("batch [{}] m [{}] n [{}] k [{}], register tile {}x{}, cache tiles {}x{}x{}",
                       labels_text(step, g.batch), labels_text(step, g.m), labels_text(step, g.n),
                       labels_text(step, g.k), g.mr, g.nr, g.mc, g.nc, g.kc);
  }
  if (step.strategy != Strategy::loops) return "";
  std::string text = fmt::format("loops {}; {}{}", loops_text(step), name(step.accumulate),
                                 step.drops_identities ? " without identities" : "");
  if (step.accumulate == Accumulate::workspace) text += fmt::format(" of {} levels", step.workspace);
  if (step.chunks > 1) text += fmt::format("; {} chunks", step.chunks);
  return text;
}

std::string seconds_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  return seconds < 1 ? fmt::format("{:.3g} ms", seconds * 1e3) : fmt::format("{:.3g} s", seconds);
}

std::string contraction_text(const Contraction& c) {
  std::vector<std::string> inputs;
  const auto text = [&](const std::vector<int>& labels) {
    std::vector<std::string> names;
    for (const int l : labels) names.push_back(label_name(c, l));
    return names_text(names);
  };
  if (c.inputs.size() > most_names)
    return fmt::format("{} operands over {} labels -> {}", c.inputs.size(), c.extents.size(), text(c.output));
  for (const std::vector<int>& labels : c.inputs) inputs.push_back(text(labels));
  const std::string joined = join(inputs, " * ");
  if (joined.size() > 400)
    return fmt::format("{} operands over {} labels -> {}", c.inputs.size(), c.extents.size(), text(c.output));
  return joined + " -> " + text(c.output);
}

std::string steps_elided(std::size_t count) { return fmt::format("... {} more steps", count); }

}  // namespace

std::string path_report(const Plan& plan, const Contraction& contraction, const Target& target) {
  Writer out;
  double largest = 0;
  for (const Temp& temp : plan.temps) largest = std::max(largest, stored_values(temp.desc));
  out.line(fmt::format("contraction           {}", contraction_text(contraction)));
  out.line(fmt::format("semiring, types       {}, {} summed in {}", name(contraction.semiring),
                       name(contraction.result), name(contraction.compute)));
  out.line(fmt::format("path                  {} ({})",
                       plan.path_text.size() > 400 ? plan.path_text.substr(0, 400) + "..." : plan.path_text,
                       plan.path_method));
  out.line(fmt::format("naive flops           {}", human_count(plan.naive_flops)));
  out.line(fmt::format("planned flops         {}", human_count(plan.flops)));
  if (plan.flops > 0) out.line(fmt::format("ratio                 {:.3g}", plan.naive_flops / plan.flops));
  out.line(fmt::format("bytes moved           {}", human_bytes(plan.bytes)));
  out.line(fmt::format("largest intermediate  {} elements", human_count(largest)));
  out.line(fmt::format("peak memory           {}", human_bytes(static_cast<double>(plan.peak_bytes))));
  out.line(
      fmt::format("estimated time        {} on {} ({} units)", seconds_text(plan.seconds), target.arch, target.units));
  if (!plan.sliced.empty()) {
    std::vector<std::string> names;
    double slices = 1;
    for (const int l : plan.sliced) {
      names.push_back(label_name(contraction, l));
      slices *= static_cast<double>(contraction.extents[static_cast<std::size_t>(l)]);
    }
    out.line(fmt::format("sliced                {}: steps {} to {} run {} times", names_text(names), plan.body_begin,
                         plan.body_end == 0 ? 0 : plan.body_end - 1, human_count(slices)));
  }
  for (std::size_t s = 0; s < plan.steps.size(); ++s) {
    if (s == most_lines && plan.steps.size() > most_lines + 1) {
      out.line(steps_elided(plan.steps.size() - s));
      break;
    }
    const Step& step = plan.steps[s];
    out.line(fmt::format("{:>3} {:<8} {}", s, name(step.strategy), expression_text(step)));
    const std::string more = details(step);
    if (!more.empty()) out.line("             " + more);
    out.line(fmt::format("             {} flops, {}, {}{}{}", human_count(step.flops), human_bytes(step.bytes),
                         seconds_text(step.seconds), step.note.empty() ? "" : "; ", step.note));
  }
  return out.take();
}

std::string to_string(const Plan& plan) {
  Writer out;
  out.line(fmt::format("plan {} ({})", plan.path_text, plan.path_method));
  for (std::size_t t = 0; t < plan.temps.size(); ++t) {
    const Temp& temp = plan.temps[t];
    if (temp.desc.sparse) {
      out.line(fmt::format("t{}: {} {} {}, about {} values", t, name(temp.desc.dtype), shape_text(temp.desc.extents),
                           to_string(temp.desc.format), human_count(stored_values(temp.desc))));
    } else {
      out.line(fmt::format("t{}: {} {} at {}, {} bytes", t, name(temp.desc.dtype), shape_text(temp.desc.extents),
                           temp.offset, temp.bytes));
    }
  }
  if (!plan.sliced.empty()) {
    out.line(fmt::format("sliced labels {}, body {}..{}{}", fmt::join(plan.sliced, ","), plan.body_begin, plan.body_end,
                         plan.zeroed_temp >= 0 ? fmt::format(", gathered in t{}", plan.zeroed_temp) : ""));
  }
  for (std::size_t s = 0; s < plan.steps.size(); ++s) {
    const Step& step = plan.steps[s];
    out.line(fmt::format("step {} {} {} {}{}{}", s, name(step.strategy), name(step.semiring), name(step.compute),
                         step.scaled ? " scaled" : "", step.accumulates ? " accumulates" : ""));
    out.in();
    out.line(expression_text(step));
    out.line(fmt::format("extents {}", shape_text(step.extents)));
    const auto strides = [&](const Access& a) {
      if (!a.desc.sparse) {
        out.line(
            fmt::format("{} {} strides [{}]", ref_text(a.tensor), name(a.desc.dtype), fmt::join(a.desc.strides, ",")));
      } else {
        out.line(fmt::format("{} {} nodes [{}]", ref_text(a.tensor), name(a.desc.dtype), fmt::join(a.desc.nodes, ",")));
      }
    };
    for (const Access& a : step.inputs) strides(a);
    strides(step.output);
    const std::string more = details(step);
    if (!more.empty()) out.line(more);
    if (!step.note.empty()) out.line("note: " + step.note);
    out.out();
  }
  out.line(fmt::format("workspace {} bytes, output {} {}", plan.workspace_bytes, name(plan.output.dtype),
                       shape_text(plan.output.extents)));
  return out.take();
}

}  // namespace einloom
