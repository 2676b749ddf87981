#include "answer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wf::tried {

namespace {

std::string quoted(const std::string &text) {
    std::string json = "\"";
    for (const char c : text) {
        char code[8];
        std::snprintf(code, sizeof code, "\\u%04x", unsigned(static_cast<unsigned char>(c)));
        json += c == '"' || c == '\\'                 ? std::string("\\") + c
                : static_cast<unsigned char>(c) < ' ' ? code
                                                      : std::string(1, c);
    }
    return json + '"';
}

std::string number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", value);
    return std::isfinite(value) ? text : quoted(std::isnan(value) ? "nan" : text);
}

// An object, member by member.
class object {
  public:
    object &put(const char *key, const std::string &json) {
        text_ += (text_.empty() ? "" : ", ") + quoted(key) + ": " + json;
        return *this;
    }
    object &count(const char *key, uint64_t value) { return put(key, std::to_string(value)); }
    object &text(const char *key, const std::string &value) { return put(key, quoted(value)); }
    std::string json() const { return "{" + text_ + "}"; }

  private:
    std::string text_;
};

object of_attempt(const attempt &at) {
    return object().count("n", at.n).text("schedule", at.schedule);
}

// src/cli/try/counted.c reads them.
std::string of_launch(const wf_launch_counts &launch) {
    return object()
        .count("tiles", launch.tiles)
        .count("loads", launch.loads.accesses)
        .count("load_lanes", launch.loads.lanes)
        .count("loaded_bytes", launch.loads.bytes)
        .count("load_lines_32", launch.loads.lines_32)
        .count("load_lines_64", launch.loads.lines_64)
        .count("load_lines_128", launch.loads.lines_128)
        .count("stores", launch.stores.accesses)
        .count("store_lanes", launch.stores.lanes)
        .count("stored_bytes", launch.stores.bytes)
        .count("store_lines_32", launch.stores.lines_32)
        .count("store_lines_64", launch.stores.lines_64)
        .count("store_lines_128", launch.stores.lines_128)
        .count("tile_loads", launch.tile_loads.accesses)
        .count("tile_load_lanes", launch.tile_loads.lanes)
        .count("tile_loaded_bytes", launch.tile_loads.bytes)
        .count("tile_load_extra_passes", launch.tile_loads.extra_passes)
        .count("tile_stores", launch.tile_stores.accesses)
        .count("tile_store_lanes", launch.tile_stores.lanes)
        .count("tile_stored_bytes", launch.tile_stores.bytes)
        .count("tile_store_extra_passes", launch.tile_stores.extra_passes)
        .count("updates", launch.updates)
        .count("collisions", launch.collisions)
        .count("tile_barriers", launch.tile_barriers)
        .count("wave_barriers", launch.wave_barriers)
        .count("shuffles", launch.shuffles)
        .count("steps_of_waves", launch.steps_of_waves)
        .count("divergent_steps", launch.divergent_steps)
        .count("lane_steps", launch.lane_steps)
        .count("active_lane_steps", launch.active_lane_steps)
        .json();
}

std::string of_line(const wf_line_counts &line) {
    return object()
        .text("kernel", line.kernel)
        .text("file", line.file)
        .count("line", line.line)
        .text("what", line.what)
        .count("accesses", line.accesses)
        .count("lanes", line.lanes)
        .count("bytes", line.bytes)
        .count("lines128", line.lines_128)
        .count("extra_passes", line.extra_passes)
        .json();
}

std::string list_of(const std::vector<std::string> &texts) {
    std::string json;
    for (const std::string &text : texts)
        json += (json.empty() ? "" : ", ") + quoted(text);
    return "[" + json + "]";
}

// src/cli/try/try_text.c reads it.
std::string of_conclusion(const verdict::conclusion &what) {
    static constexpr const char *outcomes[] = {"right", "wrong", "unknown"};
    object judged;
    judged.text("outcome", outcomes[size_t(what.is)]).text("sentence", what.sentence);
    if (what.is != verdict::outcome::unknown)
        judged.text("task", verdict::name_of(what.what));
    if (what.is == verdict::outcome::wrong)
        judged.count("n", what.n)
            .count("index", what.index)
            .text("expected", what.expected)
            .text("got", what.got)
            .text("hint", what.hint);
    if (what.is_rounded)
        judged.put("ulps", number(what.ulps)).put("bound_ulps", number(what.bound_ulps));
    return judged.put("notes", list_of(what.notes)).json();
}

template <class Of, class Item>
std::string array(const Item *items, size_t count, const Of &of) {
    std::string json;
    for (size_t i = 0; i < count; i++)
        json += (i == 0 ? "" : ", ") + of(items[i]);
    return "[" + json + "]";
}

} // namespace

namespace {

// Adds it if it is the first one of its place in the source.
void add_of_place(std::vector<answer::finding> &to, const attempt &at, const std::string &text) {
    constexpr size_t most = 8;
    // It ends in " (FILE:LINE)", or says who waits there: "waits ... FILE:LINE (as do 3 more lanes), but lane ...".
    const auto place = [](const std::string &of) {
        if (const size_t arrived = of.find(" has returned, and counts as arrived "); arrived != of.npos)
            return of.substr(arrived);
        const size_t last = std::min(of.rfind(" ("), of.size()), waits = of.find(" waits ");
        const size_t end = std::min(of.find(" (as do"), of.find(", but lane "));
        return waits < end && end != of.npos ? of.substr(waits, end - waits) : last < of.size() ? of.substr(last) : of;
    };
    const auto is_known = [&](const answer::finding &each) { return place(each.text) == place(text); };
    if (to.size() < most && std::none_of(to.begin(), to.end(), is_known))
        to.push_back({at, text});
}

} // namespace

void add_finding(answer &to, const std::string &text) {
    if (text.empty() || to.now.has_finding)
        return;
    to.now.has_finding = true; // what later launches of the sum do may only follow from it
    add_of_place(to.findings, to.now, text);
}

void add_host_finding(answer &to, const std::string &text) {
    add_of_place(to.findings, to.now, text);
}

void add_note(answer &to, const std::string &text) {
    if (!text.empty())
        add_of_place(to.notes, to.now, text);
}

std::string as_json(const answer &what) {
    const auto of_finding = [](const answer::finding &found) {
        return of_attempt(found.at).text("text", found.text).json();
    };
    object all;
    all.text("mode", what.mode)
        .text("schedule", what.now.schedule)
        .text("kernel", what.kernel)
        .count("wave", what.wave_width)
        .count("tile_size", what.tile_size)
        .count("elements_per_tile", what.elements_per_tile)
        .count("tiles", what.tiles)
        .put("adds", what.adds ? "true" : "false")
        .count("sums", what.checked)
        .put("findings", array(what.findings.data(), what.findings.size(), of_finding))
        .put("notes", array(what.notes.data(), what.notes.size(), of_finding));
    if (what.is_wrong)
        all.put("wrong", of_attempt(what.wrong)
                             .put("expected", number(what.expected))
                             .put("got", number(what.got))
                             .text("hint", what.hint)
                             .json());
    if (!what.function.empty())
        all.text("function", what.function);
    if (what.launches != 0)
        all.count("launch_count", what.launches).count("sampled_launches", what.sampled_launches);
    if (what.judged)
        all.put("judged", of_conclusion(*what.judged));
    if (!what.recognised.empty())
        all.put("recognised", list_of(what.recognised));
    if (!what.stopped.empty())
        all.put("stopped", of_attempt(what.now).text("why", what.stopped).json());
    if (what.counted_n != 0)
        all.count("counted_n", what.counted_n)
            .put("launches", array(what.counted.launches, what.counted.launch_count, of_launch))
            .put("lines", array(what.counted.lines, what.counted.line_count, of_line));
    return all.json() + "\n";
}

} // namespace wf::tried
