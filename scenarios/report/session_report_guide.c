#include "scenarios/report/session_report_guide.h"

#include <stdbool.h>

enum about { OF_SCENARIOS, OF_DRILLS, OF_GRADES, OF_HELP };

static const struct { enum about about; struct guide_line line; } lines[] = {
    {OF_SCENARIOS,
     {"scenario",
      "A kernel or a system with a fault, or with none. Evidence is bought at a price in minutes "
      "of patience; beliefs over the causes on offer move with it, and are locked at the end "
      "together with a line and a fix. A pushback follows, and then the truth."}},
    {OF_SCENARIOS,
     {"ideal reader",
      "What the same evidence comes to, for a reader who began with even beliefs and knows what "
      "each reading says of each cause."}},
    {OF_SCENARIOS,
     {"cause, 40 points",
      "The belief in the true cause at the end. An even spread earns 0, all of it on the true "
      "cause 40; to be certain and wrong costs more than can be won."}},
    {OF_SCENARIOS,
     {"evidence, 20",
      "What was paid: all points up to par, none from the end of patience on, times the share of "
      "the points for the cause."}},
    {OF_SCENARIOS,
     {"estimates, 20", "Numbers that were worked out before they could be read. What was not asked "
                       "counts neither way."}},
    {OF_SCENARIOS,
     {"updating, 10", "How near the beliefs came to where the evidence leads from the beliefs at "
                      "the first purchase: when they were locked, and after the pushback."}},
    {OF_SCENARIOS,
     {"location, remedy, 5 each", "The line or the place, and the fix, that were committed. "
                                   "What the interviewer cut off, of any line, counts neither way: "
                                   "what was reached is told as a share of 100."}},
    {OF_DRILLS, {"drills", "Numbers that were worked out in a minute or so, a point each."}},
    {OF_GRADES,
     {"grades", "The interviewer's own, from 1 weak to 4 strong; the anchor is what the grade "
                "means. They are given before the scores are shown, else it is said."}},
    {OF_HELP,
     {"hint, curveball", "A hint was prepared, and each is nearer to the answer than the one "
                         "before. A curveball is what the interviewer typed onto the candidate's "
                         "screen."}},
};

static bool has_part(const json_t *report, const char *key)
{
    const json_t *part;
    size_t k;
    json_array_foreach(json_object_get(report, "parts"), k, part) {
        const json_t *of = json_object_get(part, key);
        if (of && (!json_is_array(of) || json_array_size(of) > 0))
            return true;
    }
    return false;
}

static bool is_told(const json_t *report, enum about about)
{
    switch (about) {
    case OF_SCENARIOS: return has_part(report, "scenario");
    case OF_DRILLS: return has_part(report, "drills");
    case OF_GRADES: return json_array_size(json_object_get(report, "rubric")) > 0;
    default: return json_array_size(json_object_get(report, "lines")) > 0;
    }
}

const struct guide_line *report_guide(const json_t *report, size_t k)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (is_told(report, lines[i].about) && k-- == 0)
            return &lines[i].line;
    return NULL;
}
