/* content/FORMAT.md and FORMAT-CASES.md against the reader: keys, examples, limits, choices,
 * defaults. What they say, they say of this program. */
#include "tests/scenarios/format_text.h"

#include "scenarios/pack/pack.h"
#include "scenarios/pack/pack_keys.h"
#include "scenarios/evidence/trial.h"

static const char good[] = "tests/packs/good", steps[] = "tests/packs/steps",
                  cases[] = "tests/packs/cases", launched[] = "tests/packs/launches",
                  ranked[] = "tests/packs/two-faults", timed[] = "tests/packs/benchmarks",
                  hosted[] = "tests/packs/hosted", ranks[] = "tests/packs/ranks",
                  imaged[] = "tests/packs/images", drawn[] = "tests/packs/drawn";
#define SCENARIO "row-sums/scenario.yaml"
#define ANSWER "row-sums/a/sealed/answer.yaml"
#define ACROSS "  other-gpu: {truth: other.fix.time, working: fix.time, because: B}\n"

/* Cell `column` (from 0) of the row of `key`, without blanks around it. malloc'd; NULL without such
 * a row. */
static char *cell(const char *table, const char *key, int column)
{
    char *row = text_format("| `%s` |", key);
    const char *at = strstr(table, row);
    free(row);
    for (int i = 0; at && i <= column; i++)
        at = i ? strchr(at + 1, '|') : at;
    const char *end = at ? strchr(at + 1, '|') : NULL;
    if (!end)
        return NULL;
    at += 2;
    return text_ndup(at, end > at ? (size_t)(end - at) - 1 : 0);
}

/* The keys of the rows "| `key` | kind | default |"; returns how many. */
static int rows_of(const char *table, char keys[40][40])
{
    int n = 0;
    for (const char *at = table; n < 40 && (at = strstr(at, "| `")); at = strchr(at, '\n'))
        snprintf(keys[n++], 40, "%.*s", (int)strcspn(at + 3, "`"), at + 3);
    return n;
}

static void names_every_key_and_no_other(void **state)
{
    char keys[40][40];
    int n, headings = 0;
    const struct yaml_shape *const *shapes = pack_shapes(&n);
    for (int i = 0; i < n; i++) {
        const struct yaml_shape *s = shapes[i];
        char *table = section("###", s->what);
        int rows = rows_of(table, keys);
        if (rows != s->n)
            fail_msg("FORMAT.md describes %d keys of %s; the reader knows %d", rows, s->what, s->n);
        for (int k = 0; k < rows; k++) {
            assert_string_equal(keys[k], s->key[k].name);
            char *fallback = cell(table, keys[k], 2);
            bool depends = (s == &answer_shape && k == ANSWER_K_LOCATION) ||
                           (s == &reading_shape && k == READING_K_EXPECT) ||
                           (s == &story_shape && k == STORY_K_LAUNCHES) ||
                           (s == &answer_shape && k == ANSWER_K_EFFECT) ||
                           (s == &location_shape && k < LOCATION_K_ALSO);
            if (!strcmp(fallback, "needed") != s->key[k].needed && !depends)
                fail_msg("FORMAT.md and the reader do not agree whether %s needs '%s'", s->what,
                         keys[k]);
            free(fallback);
        }
        free(table);
    }
    for (const char *at = doc; (at = strstr(at, "\n### ")); at++)
        headings++;
    assert_int_equal(headings, n);
}

/* ---- splicing ---- */

static bool begins_key(const char *line)
{
    return (*line >= 'a' && *line <= 'z') || (*line >= 'A' && *line <= 'Z');
}

/* `text` without the outermost key of this name and what belongs to it. malloc'd. */
static char *without_key(const char *text, const char *key, size_t n)
{
    char *out = mem_new(strlen(text) + 1, 1), *to = out;
    bool skips = false;
    for (const char *line = text; *line;) {
        size_t len = strcspn(line, "\n") + 1;
        if (begins_key(line))
            skips = !strncmp(line, key, n) && line[n] == ':';
        len = line[len - 1] ? len : len - 1;
        if (!skips)
            to = (char *)memcpy(to, line, len) + len;
        line += len;
    }
    return out;
}

/* The piece takes the place of the keys of the same name. malloc'd. */
static char *splice(const char *text, const char *piece)
{
    char *out = text_dup(text);
    for (const char *line = piece; line && *line;
         line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        if (!begins_key(line))
            continue;
        char *less = without_key(out, line, strcspn(line, ":"));
        free(out);
        out = less;
    }
    char *all = text_format("%s\n%s", out, piece);
    free(out);
    return all;
}

/* Loads the pack with a piece in one of its files. 0 or the reader's code. */
static int load(struct pack **out, const char *pack, const char *path, const char *piece,
                struct err *err)
{
    struct files *old, *f = files_new("pack");
    struct pack *p = NULL;
    if (files_read(&old, pack, err))
        fail_msg("%s", err->text);
    if (!files_find(old, path))
        fail_msg("%s has no %s", pack, path);
    for (int i = 0; i < old->n; i++) {
        char *text = strcmp(old->file[i].path, path)
                         ? text_ndup(old->file[i].text, old->file[i].len)
                         : splice(old->file[i].text, piece);
        files_add(f, old->file[i].path, text, strlen(text));
        free(text);
    }
    files_free(old);
    int rc = pack_load(&p, f, err);
    if (out)
        *out = p;
    else
        pack_free(p);
    return rc;
}

static const char *pack_of(const char *path)
{
    return !strncmp(path, "two-streams/", 12)     ? steps
           : !strncmp(path, "four-ranks/", 11)    ? cases
           : !strncmp(path, "drawn-ranks/", 12)   ? drawn
           : !strncmp(path, "scaled-vector/", 14) ? launched
           : !strncmp(path, "counted-codes/", 14) ? ranked
           : !strncmp(path, "doubled-vector/", 15) ? imaged
           : !strncmp(path, "timed-sum/", 10)     ? timed
           : !strncmp(path, "decoded-steps/", 14) ? hosted
           : !strncmp(path, "two-ranks/", 10)     ? ranks
                                                  : good;
}

/* ---- examples ---- */

static void load_measure(const char *text)
{
    struct files *f = files_new("drills");
    struct yaml_doc *y = NULL;
    struct trial *t = NULL;
    struct err err = {0};
    char *names[] = {"n"};
    static const char source[] = "extern \"C\" __global__ void copy() {}\n";
    files_add(f, "measured/memory.cu", source, strlen(source));
    files_add(f, "measure.yaml", text, strlen(text));
    if (yaml_doc_read(&y, f, files_find(f, "measure.yaml"), &err) ||
        trial_read(&t, yaml_doc_root(y)->first, f, names, 1, &err))
        fail_msg("%s", err.text);
    trial_free(t);
    yaml_doc_free(y);
    files_free(f);
}

static bool uses_key(const char *text, const char *key)
{
    for (const char *at = text; (at = strstr(at, key)); at++)
        if (at[strlen(key)] == ':' && (at == text || strchr("\n {-", at[-1])))
            return true;
    return false;
}

/* The block "```yaml PATH" at *at; its text, malloc'd, and *at behind it. */
static char *next_example(const char **at, char path[80])
{
    const char *fence = strstr(*at, "```yaml ");
    if (!fence)
        return NULL;
    const char *text = strchr(fence, '\n') + 1, *end = strstr(text, "\n```\n");
    assert_non_null(end);
    snprintf(path, 80, "%.*s", (int)strcspn(fence + 8, "\n"), fence + 8);
    *at = end + 4;
    return text_ndup(text, (size_t)(end - text) + 1);
}

static void every_example_loads_and_every_key_is_in_one(void **state)
{
    int n;
    const struct yaml_shape *const *shapes = pack_shapes(&n);
    for (int i = 0; i < n; i++) {
        char *part = section("###", shapes[i]->what), path[80], *text;
        bool used[40] = {false};
        for (const char *at = part; (text = next_example(&at, path)); free(text)) {
            struct err err = {0};
            if (!strcmp(path, "measure.yaml"))
                load_measure(text);
            else if (load(NULL, pack_of(path), path, text, &err))
                fail_msg("the example of %s: %s", shapes[i]->what, err.text);
            for (int k = 0; k < shapes[i]->n; k++)
                used[k] = used[k] || uses_key(text, shapes[i]->key[k].name);
        }
        for (int k = 0; k < shapes[i]->n; k++)
            if (!used[k])
                fail_msg("no example of %s has '%s'", shapes[i]->what, shapes[i]->key[k].name);
        free(part);
    }
}

static void shows_the_pack_that_the_tests_load(void **state)
{
    static const char *const shown[] = {"pack.yaml", SCENARIO, ANSWER};
    struct pack *p;
    struct err err = {0};
    if (pack_open(&p, good, &err))
        fail_msg("%s", err.text);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        char *block =
            text_format("`%s`\n\n```yaml\n%s```\n", shown[i], files_find(p->files, shown[i])->text);
        if (!strstr(doc, block))
            fail_msg("FORMAT.md does not show tests/packs/good/%s as it is", shown[i]);
        free(block);
    }
    pack_free(p);
}

/* ---- limits ---- */

/* `base` entries stand in the head already; each further one is an item, in which %d is its number.
 */
static const struct limit {
    const char *section, *key, *says, *path, *head, *item, *tail;
    int base, least, most;
} limits[] = {
    {"pack.yaml", "title", "at most 80 bytes", "pack.yaml", "title: ", "x", "\n", 0, 1, 80},
    {"pack.yaml", "licence", "at most 80 bytes", "pack.yaml", "licence: ", "x", "\n", 0, 1, 80},
    {"scenario.yaml", "title", "at most 60 bytes", SCENARIO, "title: ", "x", "\n", 0, 1, 60},
    {"scenario.yaml", "story", "at most 2000 bytes", SCENARIO, "story: |\n  ", "x", "\n", 0, 1,
     2000},
    {"scenario.yaml", "params", "at most 32", SCENARIO, "params:\n  n: 1024\n  matrix: 4 * n * n\n",
     "  p%d: 1\n", "", 2, 0, 32},
    {"scenario.yaml", "define", "at most 32", SCENARIO, "define:\n", "  D%d: n\n", "", 0, 1, 32},
    {"scenario.yaml", "buffers", "1 to 32", SCENARIO,
     "buffers:\n  in: {type: f32, count: n * n, fill: zeros}\n  out: {type: f32, count: n, role: "
     "output}\n",
     "  b%d: {type: f32, count: 1, fill: zeros}\n", "", 2, 0, 32},
    {"scenario.yaml", "launches", "1 to 64", SCENARIO, "launches:\n",
     "  - {kernel: sums, grid: [1], block: [1], args: [out, in, n]}\n", "", 0, 1, 64},
    {"scenario.yaml", "questions", "at most 12", SCENARIO, "questions:\n",
     "  - {ask: What is %d?, answer: A number.}\n", "", 0, 1, 12},
    {"scenario.yaml", "remedies", "2 to 9", SCENARIO, "remedies:\n  warps: W\n  leave: L\n",
     "  r%d: R\n", "", 2, 0, 9},
    {"scenario.yaml", "experiments", "at most 4", SCENARIO,
     "experiments:\n  other-sizes: {kind: sweep, title: T, vary: n, over: [1, 2]}\n",
     "  x%d: {kind: fill, title: T, fills: {in: zeros}}\n", "", 1, 0, 4},
    {"a launch", "grid", "1 to 3", SCENARIO,
     "launches:\n  - {kernel: sums, block: [1], args: [out, in, n], grid: [", "1, ", "]}\n", 0, 1,
     3},
    {"a launch", "block", "1 to 3", SCENARIO,
     "launches:\n  - {kernel: sums, grid: [1], args: [out, in, n], block: [", "1, ", "]}\n", 0, 1,
     3},
    {"a launch", "args", "1 to 24", SCENARIO,
     "launches:\n  - {kernel: sums, grid: [1], block: [1], args: [", "n, ", "]}\n", 0, 1, 24},
    {"a launch", "label", "at most 24 bytes", "two-streams/scenario.yaml",
     "launches:\n  - {kernel: scale, label: a, grid: [1], block: [1], args: [a, x, n]}\n  - "
     "{kernel: add, grid: [1], block: [1], args: [out, a, b, n], label: ",
     "x", "}\n", 0, 1, 24},
    {"a question", "ask", "at most 240 bytes", SCENARIO,
     "questions:\n  - answer: A\n    ask: ", "x", "\n", 0, 1, 240},
    {"a question", "answer", "at most 240 bytes", SCENARIO,
     "questions:\n  - ask: A\n    answer: ", "x", "\n", 0, 1, 240},
    {"an experiment", "over", "2 to 16", SCENARIO,
     "experiments:\n  other-sizes: {kind: sweep, title: T, vary: n, over: [", "n, ", "]}\n", 0, 2,
     16},
    {"answer.yaml", "proves", "at most 16", ANSWER, "proves:\n", "  - ratio > %d / 1000\n", "", 0,
     1, 16},
    {"answer.yaml", "readings", "1 to 64 readings", ANSWER, "readings:\n  source:\n",
     "    - {fact: f%d, for: [mem.uncoalesced], because: B}\n", "", 0, 1, 64},
    {"answer.yaml", "pushbacks", "1 to 8", ANSWER, "pushbacks:\n",
     "  - {kind: conviction, says: S %d, teaches: T}\n", "", 0, 1, 8},
    {"answer.yaml", "shapes", "at most 16", ANSWER, "shapes:\n", "  - {n: 1024 + %d}\n", "", 0, 1,
     16},
    {"answer.yaml", "incidents", "at most 12", ANSWER, "incidents:\n", "  - a/b#%d\n", "", 0, 1,
     12},
    {"the answer to an estimate", "mistakes", "at most 8", ANSWER,
     "estimates:\n" ACROSS
     "  load-sectors: {truth: \"32\", working: \"32\"}\n  fixed-time:\n    truth: "
     "fix.time\n    working: fix.time\n    mistakes:\n",
     "      - {value: fix.time * (2 + %d), says: S}\n", "", 0, 1, 8},
};

static char *filled(const struct limit *l, int entries)
{
    char *text = text_dup(l->head);
    for (int i = l->base; i < entries; i++) {
        char *item = text_format(l->item, i), *longer = text_format("%s%s", text, item);
        free(item);
        free(text);
        text = longer;
    }
    char *all = text_format("%s%s", text, l->tail);
    free(text);
    return all;
}

static void tries(const struct limit *l, int entries, bool loads)
{
    struct err err = {0};
    char *piece = filled(l, entries);
    int rc = load(NULL, pack_of(l->path), l->path, piece, &err);
    if (!rc != loads)
        fail_msg("%d of '%s' of %s: %s", entries, l->key, l->section,
                 rc ? err.text : "accepted, although FORMAT.md says otherwise");
    free(piece);
}

static void limits_are_those_of_the_reader(void **state)
{
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const struct limit *l = &limits[i];
        char *table = section("###", l->section), *kind = cell(table, l->key, 1),
             *meaning = cell(table, l->key, 3);
        if (!kind || (!strstr(kind, l->says) && !strstr(meaning, l->says)))
            fail_msg("FORMAT.md does not say '%s' of '%s' of %s", l->says, l->key, l->section);
        tries(l, l->most, true);
        tries(l, l->most + 1, false);
        if (l->least > l->base) {
            tries(l, l->least, true);
            if (l->least > 1 || strchr(l->head, '[') || strstr(l->head, "readings") ||
                strstr(l->head, "pushbacks"))
                tries(l, l->least - 1, false);
        }
        free(table), free(kind), free(meaning);
    }
}

/* Values at the edge and beyond it. */
static const struct { const char *section, *key, *says, *path, *piece, *in, *out;
} edges[] = {
    {"scenario.yaml", "level", "0 to 5", SCENARIO, "level: %s\n", "5", "6"},
    {"a launch", "stream", "0 to 7", "two-streams/scenario.yaml",
     "launches:\n  - {kernel: scale, label: a, stream: %s, grid: [1], block: [1], args: [a, x, "
     "n]}\n  - {kernel: add, label: b, grid: [1], block: [1], args: [out, a, b, n]}\n",
     "7", "8"},
    {"a launch", "block", "at most 1024", SCENARIO,
     "launches:\n  - {kernel: sums, grid: [1], args: [out, in, n], block: [%s]}\n", "1024", "1025"},
    {"a launch", "shared", "at most 1048576", SCENARIO,
     "launches:\n  - {kernel: sums, grid: [1], block: [1], args: [out, in, n], shared: %s}\n",
     "1048576", "1048577"},
    {"a tolerance", "relative", "from 0 to below 1", SCENARIO, "tolerance: {relative: %s}\n",
     "0.999", "1"},
    {"a tolerance", "absolute", "from 0", SCENARIO, "tolerance: {relative: 0, absolute: %s}\n", "0",
     "-1"},
    {"the answer to an estimate", "within", "1 to 10", ANSWER,
     "estimates:\n" ACROSS
     "  load-sectors: {truth: \"32\", working: \"32\", within: %s}\n  fixed-time: "
     "{truth: fix.time, working: fix.time}\n",
     "10", "10.1"},
    {"scenario.yaml", "id", "the folder's name", SCENARIO, "id: %s\n", "row-sums", "row-sum"},
    {"scenario.yaml", "symptom", "[time]", SCENARIO, "symptom: [%s]\n", "time", "bandwidth"},
    {"scenario.yaml", "yardstick", "copy", SCENARIO, "yardstick: %s\n", "copy", "library"},
    {"answer.yaml", "effect", "begins above 1", ANSWER, "effect: [%s, 20]\n", "1.01", "1"},
};

static void edges_are_those_of_the_reader(void **state)
{
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        char *table = section("###", edges[i].section), *kind = cell(table, edges[i].key, 1),
             *meaning = cell(table, edges[i].key, 3);
        if (!kind || (!strstr(kind, edges[i].says) && !strstr(meaning, edges[i].says)))
            fail_msg("FORMAT.md does not say '%s' of '%s'", edges[i].says, edges[i].key);
        char *in = text_format(edges[i].piece, edges[i].in),
             *out = text_format(edges[i].piece, edges[i].out);
        struct err err = {0};
        if (load(NULL, pack_of(edges[i].path), edges[i].path, in, &err))
            fail_msg("%s", err.text);
        if (!load(NULL, pack_of(edges[i].path), edges[i].path, out, &err))
            fail_msg("'%s' takes %s", edges[i].key, edges[i].out);
        free(table), free(kind), free(meaning), free(in), free(out);
    }
}

/* ---- names, hypotheses, variants: limits of another kind ---- */

static int load_key(const char *head, int length, const char *tail)
{
    struct err err = {0};
    char *name = mem_new((size_t)length + 1, 1);
    memset(name, 'q', (size_t)length);
    char *piece = text_format("%s%s%s", head, name, tail);
    int rc = load(NULL, good, SCENARIO, piece, &err);
    free(name);
    free(piece);
    return rc;
}

static void ids_and_names_have_their_lengths(void **state)
{
    char *kinds = section("##", "Kinds of value");
    assert_non_null(strstr(kinds, "| id | 1 to 40 characters `a-z 0-9 -` |"));
    assert_non_null(strstr(kinds, "| name | letters, digits and `_`, at most 31 (kernels 63), not "
                                  "beginning with a digit |"));
    free(kinds);
    static const char remedies[] = "remedies:\n  warps: W\n  leave: L\n  ",
                      params[] = "params:\n  n: 1024\n  matrix: 4\n  ";
    assert_int_equal(load_key(remedies, 40, ": R\n"), 0);
    assert_int_not_equal(load_key(remedies, 41, ": R\n"), 0);
    assert_int_equal(load_key(params, 31, ": 1\n"), 0);
    assert_int_not_equal(load_key(params, 32, ": 1\n"), 0);
    assert_int_not_equal(load_key("params:\n  n: 1024\n  matrix: 4\n  1", 1, ": 1\n"), 0);
}

static int offer(int n)
{
    static const char *const ids[] = {"mem.uncoalesced",    "mem.cache-locality", "mem.local-spill",
                                      "smem.bank-conflict", "lat.low-mlp",        "lat.oversync",
                                      "occ.grid-underfill", "inst.divergence",    "inst.index-math",
                                      "build.codegen"};
    struct err err = {0};
    char *text = text_dup("hypotheses: [");
    for (int i = 0; i < n - 1; i++) {
        char *longer = text_format("%s%s, ", text, ids[i]);
        free(text);
        text = longer;
    }
    char *all = text_format("%snone.at-limit]\n", text);
    int rc = load(NULL, good, SCENARIO, all, &err);
    bool counted = strstr(err.text, "with 3 to 10 entries") != NULL;
    free(text), free(all);
    return rc ? counted ? -1 : 1
              : 0; /* 1: another reason, such as a reading of what is not on offer */
}

static void hypotheses_are_3_to_10(void **state)
{
    char *table = section("###", "scenario.yaml"), *says = cell(table, "hypotheses", 3);
    assert_non_null(strstr(says, "3 to 10"));
    assert_int_equal(offer(10), 0);
    assert_int_equal(offer(11), -1);
    assert_int_equal(offer(3), 1);
    assert_int_equal(offer(2), -1);
    free(table), free(says);
}

static int load_variants(int n)
{
    struct files *f;
    struct pack *p;
    struct err err = {0};
    assert_int_equal(files_read(&f, good, &err), 0);
    static const char from[] = "row-sums/b/";
    for (int i = f->n - 1; i >= 0; i--)
        for (int v = 2; v < n && !strncmp(f->file[i].path, from, strlen(from)); v++) {
            char *path = text_format("row-sums/%c/%s", 'a' + v, f->file[i].path + strlen(from)),
                 *text = text_dup(f->file[i].text);
            files_add(f, path, text, strlen(text));
            free(path), free(text);
        }
    int rc = pack_load(&p, f, &err);
    pack_free(p);
    return rc;
}

static void a_story_has_one_to_five_variants(void **state)
{
    assert_non_null(strstr(doc, "one to five of them: the same story, another cause"));
    assert_int_equal(load_variants(5), 0);
    assert_int_not_equal(load_variants(6), 0);
}

/* ---- choices ---- */

static const struct { const char *section, *key, *path, *piece;
} choices[] = {
    {"a buffer", "type", SCENARIO,
     "buffers: {in: {type: nonsense, count: n, fill: zeros}, out: {type: f32, count: n, role: "
     "output}}\n"},
    {"a buffer", "role", SCENARIO,
     "buffers: {in: {type: f32, count: n, fill: zeros}, out: {type: f32, count: n, role: "
     "nonsense}}\n"},
    {"an experiment", "kind", SCENARIO,
     "experiments: {other-sizes: {kind: nonsense, title: T, vary: n, over: [1, 2]}}\n"},
    {"an experiment", "measure", SCENARIO,
     "experiments: {other-sizes: {kind: sweep, title: T, vary: n, over: [1, 2], measure: "
     "nonsense}}\n"},
    {"answer.yaml", "pair", ANSWER, "pair: nonsense\n"},
    {"a pushback", "kind", ANSWER, "pushbacks: [{kind: nonsense, says: S, teaches: T}]\n"},
};

static int ticks(const char *cell_text)
{
    int n = 0;
    for (; (cell_text = strchr(cell_text, '`')); cell_text++)
        n++;
    return n / 2;
}

/* The names in the reader's complaint are those between backticks. */
static void choices_are_those_of_the_reader(void **state)
{
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        struct err err = {0};
        char *table = section("###", choices[i].section), *kind = cell(table, choices[i].key, 1);
        assert_int_not_equal(load(NULL, good, choices[i].path, choices[i].piece, &err), 0);
        char *known = strstr(err.text, "was expected: ");
        if (!known)
            fail_msg("%s", err.text);
        known += strlen("was expected: ");
        known[strcspn(known, "\n")] = '\0';
        int n = 0;
        for (char *word = known; *word; n++) {
            size_t len = strcspn(word, ", ");
            char *quoted = text_format("`%.*s`", (int)len, word);
            if (!strstr(kind, quoted))
                fail_msg("FORMAT.md does not say that '%s' of %s may be %s", choices[i].key,
                         choices[i].section, quoted);
            free(quoted);
            word += len;
            word += !strncmp(word, " or ", 4) ? 4 : !strncmp(word, ", ", 2) ? 2 : 0;
        }
        if (n != ticks(kind))
            fail_msg("FORMAT.md has %d choices for '%s' of %s; the reader has %d", ticks(kind),
                     choices[i].key, choices[i].section, n);
        free(table), free(kind);
    }
}

static void fills_are_those_of_the_reader(void **state)
{
    char *table = section("###", "a buffer"), *kind = cell(table, "fill", 1);
    int n = 0;
    for (const char *at = kind; (at = strchr(at, '`')); n++) {
        const char *end = strchr(at + 1, '`');
        char *form = text_ndup(at + 1, (size_t)(end - at) - 1), *open = strchr(form, '(');
        bool two = strchr(form, ',') != NULL;
        const char *arguments = !open                          ? ""
                                : !two                         ? "(4)"
                                : !strncmp(form, "uniform", 7) ? "(0, 4)"
                                                               : "(4, 0.5)";
        char *piece = text_format("buffers: {in: {type: f32, count: n, fill: \"%.*s%s\"}, out: "
                                  "{type: f32, count: n, role: output}}\n",
                                  (int)(open ? open - form : (long)strlen(form)), form, arguments);
        struct err err = {0};
        if (load(NULL, good, SCENARIO, piece, &err))
            fail_msg("%s", err.text);
        free(form), free(piece);
        at = end + 1;
    }
    assert_int_equal(n, 8);
    free(table), free(kind);
}

/* ---- defaults ---- */

static double counted(const struct pack *p) { return p->stories[0].counted; }
static double role(const struct pack *p) { return p->stories[0].buffers[0].role; }
static double measure(const struct pack *p) { return p->stories[0].experiments[0].measure; }
static double absolute(const struct pack *p) { return p->stories[0].tolerance.abs; }
static double within(const struct pack *p) { return p->stories[0].variants[0]->truths[0].within; }
static double stream(const struct pack *p) { return p->stories[0].launches[1].stream; }

/* %s is ", key: default" or nothing. */
static const struct {
    const char *section, *key, *path, *piece;
    double (*value)(const struct pack *p);
} defaults[] = {
    {"scenario.yaml", "counted", SCENARIO, "title: T%s\n", counted},
    {"a buffer", "role", SCENARIO,
     "buffers: {in: {type: f32, count: n * n, fill: zeros%s}, out: {type: f32, count: n, role: "
     "output}}\n",
     role},
    {"an experiment", "measure", SCENARIO,
     "experiments: {other-sizes: {kind: sweep, title: T, vary: n, over: [1, 2]%s}}\n", measure},
    {"a tolerance", "absolute", SCENARIO, "tolerance: {relative: 0.1%s}\n", absolute},
    {"the answer to an estimate", "within", ANSWER,
     "estimates:\n" ACROSS
     "  fixed-time: {truth: fix.time, working: fix.time%s}\n  load-sectors: {truth: "
     "\"32\", working: \"32\"}\n",
     within},
    {"a launch", "stream", "two-streams/scenario.yaml",
     "launches:\n  - {kernel: scale, label: a, grid: [1], block: [1], args: [a, x, n]}\n  - "
     "{kernel: add, label: b, grid: [1], block: [1], args: [out, a, b, n]%s}\n",
     stream},
};

static double value_with(size_t i, const char *extra)
{
    struct pack *p;
    struct err err = {0};
    char *piece = text_format(defaults[i].piece, extra);
    if (load(&p, pack_of(defaults[i].path), defaults[i].path, piece, &err))
        fail_msg("%s", err.text);
    double v = defaults[i].value(p);
    pack_free(p);
    free(piece);
    return v;
}

static void defaults_are_those_of_the_reader(void **state)
{
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        char *table = section("###", defaults[i].section),
             *fallback = cell(table, defaults[i].key, 2);
        char *bare = fallback + (*fallback == '`');
        bare[strcspn(bare, "`")] = '\0';
        char *given = text_format(strchr(defaults[i].piece, '{') ? ", %s: %s" : "\n%s: %s",
                                  defaults[i].key, bare);
        if (value_with(i, "") != value_with(i, given))
            fail_msg("the default of '%s' of %s is not %s", defaults[i].key, defaults[i].section,
                     bare);
        free(table), free(fallback), free(given);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_every_key_and_no_other),
        cmocka_unit_test(every_example_loads_and_every_key_is_in_one),
        cmocka_unit_test(shows_the_pack_that_the_tests_load),
        cmocka_unit_test(limits_are_those_of_the_reader),
        cmocka_unit_test(edges_are_those_of_the_reader),
        cmocka_unit_test(ids_and_names_have_their_lengths),
        cmocka_unit_test(hypotheses_are_3_to_10),
        cmocka_unit_test(a_story_has_one_to_five_variants),
        cmocka_unit_test(choices_are_those_of_the_reader),
        cmocka_unit_test(fills_are_those_of_the_reader),
        cmocka_unit_test(defaults_are_those_of_the_reader),
    };
    return cmocka_run_group_tests_name("format", tests, slurp, drop);
}
