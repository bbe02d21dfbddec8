#include "scenarios/report/session_report_guide.h"

#include <stdbool.h>

enum about { OF_SCENARIOS, OF_DRILLS, OF_GRADES, OF_HELP };

static const struct { enum about about; struct guide_line line; } lines[] = {
    {OF_SCENARIOS,
     {"scenario",
      "A kernel or a system with a fault, or with none. The candidate buys evidence, whose prices "
      "are minutes of a patience that runs out, and spreads 100 % of belief over the causes on "
      "offer. Beliefs, a line and a fix are locked at the end. The interviewer may then object, "
      "which is the pushback: beliefs can move once more. The truth comes last."}},
    {OF_SCENARIOS,
     {"found", "The true cause alone was in front when beliefs were locked, and no hint had put it "
               "there."}},
    {OF_SCENARIOS,
     {"ideal reader",
      "What the same evidence comes to, for a reader who began with even beliefs and knows what "
      "each reading says of each cause."}},
    {OF_SCENARIOS,
     {"cause, 40 points",
      "The belief in the true cause at the end. An even spread earns 0, all of it on the true "
      "cause 40; to be certain and wrong costs more than can be won. Where there may be two "
      "faults, the belief in the first earns two thirds of that, and what is said to be left the "
      "other third."}},
    {OF_SCENARIOS,
     {"evidence, 20",
      "What was paid: all points up to par, the minutes that suffice at this level; fewer beyond "
      "it, and none from the end of patience on. They are times the share that the belief in the "
      "cause earned, so that a wrong belief costs here too. Who bought nothing gets none."}},
    {OF_SCENARIOS,
     {"estimates, 20", "Numbers that were worked out before they could be read, the more points the "
                       "nearer. One that was not asked counts neither way, one that was skipped "
                       "earns nothing."}},
    {OF_SCENARIOS,
     {"updating, 10", "How near the beliefs came to where the evidence leads from the beliefs at "
                      "the first purchase: when they were locked (7), and after the pushback (3). "
                      "Who bought nothing gets none."}},
    {OF_SCENARIOS,
     {"location, remedy, 5 each", "For the right line or place, and for the right fix. What the "
                                  "interviewer cut off, of any line, counts neither way: what was "
                                  "reached is told as a share of 100."}},
    {OF_DRILLS,
     {"drills", "Numbers, or choices, that were worked out in a minute or so, up to a point each. A "
                "range that misses can cost up to a point."}},
    {OF_GRADES,
     {"grades", "The interviewer's own, from 1 weak to 4 strong; the anchor is what the grade "
                "means. They are given before the scores are shown, else it is said."}},
    {OF_HELP,
     {"hint, curveball", "A hint was prepared, and each is nearer to the answer than the one "
                         "before. A curveball is what the interviewer typed onto the candidate's "
                         "screen. A result that was handed out cost nothing, one that was withheld "
                         "could not be bought."}},
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
    default:
        return has_part(report, "scenario") || json_array_size(json_object_get(report, "lines")) > 0;
    }
}

const struct guide_line *report_guide(const json_t *report, size_t k)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (is_told(report, lines[i].about) && k-- == 0)
            return &lines[i].line;
    return NULL;
}
