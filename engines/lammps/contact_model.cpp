// SPDX-License-Identifier: GPL-2.0-only
#include "contact_model.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace carom_lammps;

static bool is_number(const std::string &word, double &value)
{
  if (word.empty()) return false;
  char *end = nullptr;
  value = std::strtod(word.c_str(), &end);
  return *end == '\0' && std::isfinite(value);
}

static std::string json(double value)
{
  char digits[32];
  std::snprintf(digits, sizeof(digits), "%.17g", value);
  return digits;
}

// Returns a word as JSON: a number or a text.
static std::string json(const std::string &word)
{
  double value;
  if (is_number(word, value)) return json(value);
  std::string text = "\"";
  for (const char letter : word) {
    if (letter == '"' || letter == '\\') text += '\\';
    if (letter == '\n')
      text += "\\n";
    else
      text += letter;
  }
  return text + "\"";
}

std::string ContactModel::read(const std::vector<std::string> &words)
{
  // Words that are passed to carom unchanged.
  const std::vector<std::string> to_carom = {"law", "damper", "restitution", "calibration", "exit", "damping",
      "damping_exponent", "rate_exponent", "mass", "stiffness", "exponent"};
  std::map<std::string, double *> numbers = {{"youngs", &youngs[0]}, {"poisson", &poisson[0]},
      {"youngs2", &youngs[1]}, {"poisson2", &poisson[1]}, {"friction", &friction}, {"tangential", &tangential},
      {"tangential_damping", &tangential_damping}, {"rolling_arm", &rolling_arm}, {"spinning_arm", &spinning_arm},
      {"rolling_speed", &rolling_speed}, {"slowest_impact", &slowest_impact}};
  std::string members, set;
  bool has_tangential = false, has_law = false;
  for (size_t i = 0; i < words.size(); i += 2) {
    const std::string &key = words[i];
    if (i + 1 >= words.size()) return "`" + key + "` has no value; words come in pairs, for example `law tsuji-1992`";
    const std::string &value = words[i + 1];
    if (key == "json") {
      whole = true;
      if (!value.empty() && value[0] == '{') {
        description = value;
      } else {
        std::ifstream file(value);
        std::stringstream text;
        text << file.rdbuf();
        if (!file) return "the description `" + value + "` cannot be read; give the path of a JSON file, or its text in quotes";
        description = text.str();
      }
    } else if (key == "set") {
      if (i + 2 >= words.size()) return "`set` needs a name and a value, for example `set work_of_adhesion 0.05`";
      set += (set.empty() ? "" : ", ") + json(value) + ": " + json(words[i + 2]);
      i++;
    } else if (std::find(to_carom.begin(), to_carom.end(), key) != to_carom.end()) {
      members += ", \"" + key + "\": " + json(value);
      has_law = has_law || key == "law";
      has_mass = has_mass || key == "mass";
      if (key == "restitution") restitution = value;
    } else if (numbers.count(key)) {
      double number;
      if (!is_number(value, number)) return "`" + key + "` is `" + value + "`: it must be a number, in SI units";
      if (number < 0 && key != "poisson" && key != "poisson2")
        return "`" + key + "` is " + value + ": it must not be negative";
      *numbers[key] = number;
      has_tangential = has_tangential || key == "tangential";
    } else {
      std::string all;
      for (const auto &name : to_carom) all += name + ", ";
      for (const auto &name : numbers) all += name.first + ", ";
      return "`" + key + "` is not known; the words are " + all + "set, json";
    }
  }
  if (whole && (!members.empty() || !set.empty()))
    return "`json` is a whole description of the law; leave out the other words about the law";
  if (!whole && !has_law) return "`law` is missing; give for example `law tsuji-1992` (`carom models` lists them)";
  if (!whole) description = members.substr(2) + (set.empty() ? "" : ", \"set\": {" + set + "}");
  if (!(slowest_impact > 0)) return "`slowest_impact` is 0: it must be above 0, the smallest v0 that laws are given";
  if (!(rolling_speed > 0)) return "`rolling_speed` is 0: it must be above 0, in rad/s";
  if (youngs[1] == 0) youngs[1] = youngs[0];
  if (poisson[1] == -2) poisson[1] = poisson[0];
  const bool materials = youngs[0] > 0 && poisson[0] > -1 && poisson[0] <= 0.5 && poisson[1] > -1 && poisson[1] <= 0.5;
  if (!whole && !has_mass && !materials)
    return "`youngs` and `poisson` are missing or impossible; give both (and youngs2, poisson2 for another second body), or "
           "`mass` and `stiffness` for a law that is the same for all sizes";
  if (friction > 0 && !has_tangential) {
    if (!materials)
      return "`friction` needs the stiffness of the tangential spring; give `tangential` in N/m, or `youngs` and `poisson` "
             "for Mindlin's";
    // 8 G*, 1/G* = sum of 2(2 - nu)(1 + nu)/E (R. D. Mindlin, J. Appl. Mech. 16 (1949) 259-268).
    double compliance = 0;
    for (int i = 0; i < 2; i++) compliance += 2 * (2 - poisson[i]) * (1 + poisson[i]) / youngs[i];
    tangential = 8 / compliance;
    mindlin = true;
  }
  if (tangential_damping < 0) {
    // The ratio of a linear spring and damper with the requested restitution, at least 0.05.
    double e;
    tangential_damping = 0.05;
    if (is_number(restitution, e) && e > 0 && e < 1)
      tangential_damping = std::max(0.05, -std::log(e) / std::hypot(M_PI, std::log(e)));
  }
  return "";
}

double carom_lammps::effective_radius(double grain, const Body &other)
{
  const double share = other.shape == Shape::ROD || other.shape == Shape::BORE ? 0.5 : 1;
  const bool hollow = other.shape == Shape::SOCKET || other.shape == Shape::BORE;
  if (other.shape == Shape::PLANE) return grain;
  return 1 / (1 / grain + (hollow ? -share : share) / other.radius);
}

// A body as JSON. Walls that carom does not hold fixed by their shape are so heavy that they do not move.
static std::string described(const Body &it, double youngs, double poisson, double other_mass)
{
  const bool heavy = it.shape == Shape::BALL || it.shape == Shape::ROD;
  const char *names[] = {"sphere", "plane", "sphere", "socket", "cylinder", "bore"};
  std::string of = std::string("{\"shape\": \"") + names[static_cast<int>(it.shape)] + "\", \"youngs\": " + json(youngs) +
      ", \"poisson\": " + json(poisson);
  if (it.shape != Shape::PLANE) of += ", \"radius\": " + json(it.radius);
  if (it.shape == Shape::ROD || it.shape == Shape::BORE) of += ", \"length\": " + json(it.radius);
  const double volume = 4.0 / 3.0 * M_PI * it.radius * it.radius * it.radius;
  of += ", \"density\": " + json(it.shape == Shape::GRAIN ? it.mass / volume : 1);
  if (it.shape == Shape::GRAIN) of += ", \"mass\": " + json(it.mass);
  if (heavy) of += ", \"mass\": " + json(1e15 * other_mass);
  return of + "}";
}

int ContactModel::law_between(const Body &a, const Body &b, std::string &error)
{
  std::array<double, 5> key = {a.radius, a.mass, b.radius, b.mass, static_cast<double>(b.shape)};
  if (whole || has_mass) key = {0, 0, 0, 0, 0};
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  std::string text = description;
  if (!whole) {
    text = "{" + description;
    if (!has_mass)
      text += ", \"bodies\": [" + described(a, youngs[0], poisson[0], b.mass) + ", " +
          described(b, youngs[1], poisson[1], a.mass) + "]";
    text += "}";
  }
  carom_law *made = nullptr;
  char *sentence = nullptr;
  if (carom_law_new(text.c_str(), &made, &sentence) != CAROM_OK) {
    error = sentence ? sentence : "carom refused the law";
    carom_string_free(sentence);
    return -1;
  }
  Law law;
  law.law.reset(made);
  law.memory_size = carom_law_memory_size(made);
  law.pulls = carom_law_exit(made) == CAROM_EXIT_INDENTATION;
  law.release = carom_law_release(made);
  laws.push_back(std::move(law));
  known[key] = static_cast<int>(laws.size()) - 1;
  return known[key];
}
