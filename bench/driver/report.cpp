// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sluice::bench {
namespace {

struct prefix {
  const char* of_row;
  question asked;
};

// In the order of the page.
constexpr prefix questions[] = {
    {"copy/zero_to_null/", {"P1", "1 MiB through a buffer of 256 KiB", "copy"}},
    {"copy/file_to_file/", {"P2", "File to file, 1 GiB", "copy"}},
    {"process/file_to_file/", {"P2", "File to file, 1 GiB", "copy"}},
    {"copy/clone/", {"P2", "File to file, 1 GiB", "copy"}},
    {"copy/file_to_", {"P3", "File to socket, 512 MiB", "copy"}},
    {"copy/pipe_to_", {"P4b", "Pipe to pipe, file and nowhere, 512 MiB", "copy"}},
    {"copy/tcp_to_", {"P4", "Socket to file and to socket, 256 MiB", "copy"}},
    {"copy/unix_to_", {"P4", "Socket to file and to socket, 256 MiB", "copy"}},
    {"copy/", {"P13", "Small copies", "copy"}},
    {"memory_to_memory/", {"P5", "Memory to memory", "copy"}},
    {"small_writes/", {"P6", "Small writes into a buffer", "request"}},
    {"small_reads/", {"P7", "Small reads from a buffer", "request"}},
    {"lines/", {"P8", "Lines of 64 MiB of text", "file"}},
    {"read_all/", {"P9", "Reading everything", "file"}},
    {"skip/", {"P10", "Skipping", "skip"}},
    {"thrift/write_string", {"P11", "Thrift against generated code", "message"}},
    {"thrift/read_string", {"P11", "Thrift against generated code", "message"}},
    {"thrift/1000_users", {"P11", "Thrift against generated code", "message"}},
    {"thrift/", {"P15", "Thrift values", "message"}},
    {"gunzip/", {"P12", "Decompression", "file"}},
    {"process/gunzip/", {"P12", "Decompression", "file"}},
    {"decompress/", {"P12", "Decompression", "file"}},
    {"recordio/", {"P14", "RecordIO", "pass"}},
};

bool by_id(const std::string& a, const std::string& b) {
  const auto number = [](const std::string& id) { return std::atof(id.c_str() + 1); };
  return number(a) != number(b) ? number(a) < number(b) : a < b;
}

std::string shown(double ns) {
  char text[32];
  std::snprintf(text, sizeof text,
                ns < 1e3   ? "%.2f ns"
                : ns < 1e6 ? "%.2f us"
                           : "%.1f ms",
                ns < 1e3   ? ns
                : ns < 1e6 ? ns / 1e3
                           : ns / 1e6);
  return text;
}

std::string with_two_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

// A count of a turn; the threads that feed it make it vary a little.
std::string shown(const std::optional<double>& count) {
  if (!count) return "";
  char text[32];
  const double n = std::max(0.0, *count);
  std::snprintf(text, sizeof text,
                n >= 1e6                       ? "%.3g M"
                : n < 10 && n != std::floor(n) ? "%.1f"
                                               : "%.0f",
                n >= 1e6 ? n / 1e6 : n);
  return text;
}

constexpr const char* head =
    "| row | contender | minimum | median | cpu | minimum / limit | median / limit | calls | allocations | allocated "
    "bytes |\n|---|---|---|---|---|---|---|---|---|---|\n";

std::string lines_of(const outcome& all) {
  const standing& limit = limit_of(all);
  std::string text;
  for (const standing& one : all.standings) {
    text += "| " + all.row + " | " + one.name + (&one == &limit ? " (limit)" : "") + " | " + shown(one.lowest) + " | " +
            shown(one.median) + " | " + (one.cpu > 0 ? shown(one.cpu) : "") + " | " +
            with_two_digits(one.lowest / limit.lowest) + " | " + with_two_digits(one.median / limit.median) + " | " +
            shown(one.used.calls) + " | " + shown(one.used.allocations) + " | " + shown(one.used.allocated) + " |\n";
  }
  return text;
}

// ---------------------------------------------------------------------------------------------------------------------
// Kept results: a line for each contender, with tabs between its fields

std::string file_of(const std::string& row, const std::string& folder) {
  std::string name = row;
  std::replace(name.begin(), name.end(), '/', '+');
  return folder + '/' + name + ".tsv";
}

std::string field(const std::optional<double>& number) { return number ? std::to_string(*number) : std::string("-"); }

std::optional<double> number(const std::string& field) {
  return field == "-" ? std::nullopt : std::optional(std::strtod(field.c_str(), nullptr));
}

std::optional<outcome> kept(const std::string& row, const std::string& folder) {
  std::ifstream from(file_of(row, folder));
  outcome all{.row = row, .standings = {}};
  for (std::string line; std::getline(from, line);) {
    std::istringstream fields(line);
    std::string part[9];
    for (std::string& one : part) std::getline(fields, one, '\t');
    all.standings.push_back({.name = part[0],
                             .whose = static_cast<side>(std::atoi(part[1].c_str())),
                             .limit = part[2] == "1",
                             .lowest = std::strtod(part[3].c_str(), nullptr),
                             .median = std::strtod(part[4].c_str(), nullptr),
                             .cpu = std::strtod(part[5].c_str(), nullptr),
                             .used = {number(part[6]), number(part[7]), number(part[8])}});
  }
  if (all.standings.empty()) return std::nullopt;
  return all;
}

// ---------------------------------------------------------------------------------------------------------------------
// Charts

std::string escaped(const std::string& text) {
  std::string all;
  for (const char c : text) {
    switch (c) {
      case '&': all += "&amp;"; break;
      case '<': all += "&lt;"; break;
      default: all += c;
    }
  }
  return all;
}

// Bars of the medians' ratios to the limit, on a scale of powers of two; what is beyond it has an open end.
class chart {
 public:
  void add_row(const outcome& all) {
    const standing& limit = limit_of(all);
    y_ += 12;
    text(margin, y_ + 11, "row", all.row);
    y_ += 18;
    for (const standing& one : all.standings) {
      const double ratio = one.median / limit.median;
      const double from = at(least);
      const double to = at(std::clamp(ratio, least, most));
      text(label_end, y_ + 11, "name", one.name);
      body_ += "<rect class=\"" + std::string(colour(one.whose)) + "\" x=\"" + with_two_digits(from) + "\" y=\"" +
               std::to_string(y_) + "\" width=\"" + with_two_digits(std::max(1.0, to - from)) + "\" height=\"14\"/>\n";
      text(static_cast<int>(to) + 6, y_ + 11, "value",
           (ratio > most ? "> " : "") + with_two_digits(ratio) + ", " + shown(one.median));
      y_ += 18;
    }
  }

  void write(const std::string& path, const std::string& title) const {
    const int height = y_ + 30;
    std::ofstream to(path);
    to << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << width << ' ' << height << "\" width=\"" << width
       << "\" height=\"" << height << "\" role=\"img\" aria-label=\"" << escaped(title) << "\">\n"
       << "<style>\n"
          "text { font: 12px system-ui, sans-serif; fill: #24292f; }\n"
          ".title { font-size: 15px; font-weight: 600; }\n"
          ".row { font-weight: 600; }\n"
          ".name, .tick { text-anchor: end; }\n"
          ".tick { text-anchor: middle; fill: #6e7781; }\n"
          ".ours { fill: #1a7f64; } .by_hand { fill: #8c959f; } .peer { fill: #d4a72c; }\n"
          ".grid { stroke: #d0d7de; } .limit { stroke: #cf222e; }\n"
          "rect.back { fill: #ffffff; }\n"
          "</style>\n"
       << "<rect class=\"back\" width=\"100%\" height=\"100%\"/>\n"
       << "<text class=\"title\" x=\"" << margin << "\" y=\"24\">" << escaped(title) << "</text>\n"
       << "<text x=\"" << margin
       << "\" y=\"44\">Median time over that of the limit; shorter is faster. Green: sluice. "
          "Grey: by hand. Yellow: others.</text>\n";
    for (double tick = least; tick <= most; tick *= 2) {
      const std::string x = with_two_digits(at(tick));
      to << "<line class=\"" << (tick == 1 ? "limit" : "grid") << "\" x1=\"" << x << "\" x2=\"" << x
         << "\" y1=\"56\" y2=\"" << height - 24 << "\"/>\n"
         << "<text class=\"tick\" x=\"" << x << "\" y=\"" << height - 8 << "\">" << tick << "</text>\n";
    }
    to << body_ << "</svg>\n";
  }

 private:
  static constexpr int width = 900;
  static constexpr int margin = 16;
  static constexpr int label_end = 250;
  static constexpr double least = 0.5;
  static constexpr double most = 32;

  static double at(double ratio) {
    constexpr double first = label_end + 10;
    constexpr double last = width - 150;
    return first + (last - first) * std::log2(ratio / least) / std::log2(most / least);
  }

  static const char* colour(side whose) {
    switch (whose) {
      case side::ours: return "ours";
      case side::by_hand: return "by_hand";
      default: return "peer";
    }
  }

  void text(int x, int y, const char* style, const std::string& content) {
    body_ += "<text class=\"" + std::string(style) + "\" x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) +
             "\">" + escaped(content) + "</text>\n";
  }

  std::string body_;
  int y_ = 56;
};

std::string content_of(const std::string& path) {
  std::ifstream from(path);
  std::ostringstream all;
  all << from.rdbuf();
  return std::move(all).str();
}

}  // namespace

const question& question_of(const std::string& row) {
  for (const prefix& one : questions)
    if (row.starts_with(one.of_row)) return one.asked;
  std::fprintf(stderr, "%s belongs to no question\n", row.c_str());
  std::exit(1);
}

void print_head() { std::fputs(head, stdout); }

void print(const outcome& all) {
  std::fputs(lines_of(all).c_str(), stdout);
  std::fflush(stdout);
}

void keep(const outcome& all, const std::string& folder) {
  std::filesystem::create_directories(folder);
  std::ofstream to(file_of(all.row, folder));
  for (const standing& one : all.standings)
    to << one.name << '\t' << static_cast<int>(one.whose) << '\t' << one.limit << '\t' << one.lowest << '\t'
       << one.median << '\t' << one.cpu << '\t' << field(one.used.calls) << '\t' << field(one.used.allocations) << '\t'
       << field(one.used.allocated) << '\n';
}

void write_documents(const std::string& folder, const std::vector<row>& rows, const std::vector<std::string>& about,
                     const std::string& page) {
  std::vector<std::string> ids;
  for (const prefix& one : questions) ids.push_back(one.asked.id);
  std::sort(ids.begin(), ids.end(), by_id);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());

  const std::filesystem::path charts = std::filesystem::path(page).replace_extension();
  std::filesystem::create_directories(charts);
  std::string text;
  for (const std::string& line : about) text += line + "\n";
  for (const std::string& id : ids) {
    chart bars;
    std::string table;
    const question* asked = nullptr;
    for (const row& work : rows) {
      if (question_of(work.name).id != id) continue;
      const auto all = kept(work.name, folder);
      if (!all) continue;
      asked = &question_of(work.name);
      bars.add_row(*all);
      table += lines_of(*all);
    }
    if (!asked) continue;
    const std::string title = id + ": " + asked->title;
    const std::string image = id + ".svg";
    bars.write((charts / image).string(), title);
    text += "\n### " + title + "\n\n![" + title + "](" + charts.filename().string() + "/" + image + ")\n\n" + head +
            table + "\nCalls and allocations: of one " + asked->unit + ".\n";
  }

  constexpr std::string_view begin = "<!-- results -->\n";
  constexpr std::string_view end = "<!-- end of results -->";
  std::string all = content_of(page);
  const std::size_t from = all.find(begin);
  const std::size_t to = all.find(end);
  if (from == std::string::npos || to == std::string::npos) {
    std::fprintf(stderr, "%s: no place for results\n", page.c_str());
    std::exit(1);
  }
  all.replace(from + begin.size(), to - from - begin.size(), text);
  std::ofstream(page) << all;
}

}  // namespace sluice::bench
