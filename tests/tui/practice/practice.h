/* Drills and cards to practise on, made in a folder, and the program begun with them. */
#ifndef WD_TESTS_TUI_PRACTICE_H
#define WD_TESTS_TUI_PRACTICE_H

#include <sys/stat.h>
#include <unistd.h>

#include "db/store.h"
#include "db/items.h"
#include "tests/folder.h"
#include "tests/tui/steps.h"
#include "tests/unit.h"

static char database[96], content[112];

/* ---- content ---- */

static inline void put(const char *name, const char *text)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static const char drills[] =
    "format: 1\nid: t\ntitle: Tests\ndrills:\n  share:\n    title: A share of the weights\n    "
    "topic: inference\n    level: 1\n    teaches: [fml.prefill-decode]\n    source: arithmetic\n   "
    " vars:\n      model: {table: models, rows: [m]}\n      tp: {one-of: [8]}\n    let:\n      w: "
    "model.params * 2 B\n      bw: 1 TB/s\n    ask: How long does one of {tp} chips at {bw} read "
    "its share of {model}?\n    unit: s\n    answer: w / tp / bw\n    tolerance: 3%\n    "
    "mistakes:\n      - value: w / bw\n        says: That is one chip alone.\n    hint: Each reads "
    "its own part.\n    solution: Each reads {w / tp}, in {answer}.\n  even:\n    title: Even or "
    "odd\n    topic: kernels\n    level: 2\n    seconds: 30\n    teaches: [fml.prefill-decode]\n   "
    " source: drills X20\n    vars:\n      n: {one-of: [8]}\n    ask: Is {n} even?\n    choices: "
    "[\"yes\", \"no\"]\n    unit: \"1\"\n    answer: 1\n    tolerance: exact\n    mistakes:\n      "
    "- value: 2\n        says: Half of it is whole.\n    hint: Halve it.\n    solution: Half of "
    "{n} is {n / 2}.\n";
static const char models[] =
    "id,name,params [1],layers [1],source,note\nm,Toy-4B,4e9,32,made up,\n";
static const char cards[] =
    "id,topic,kind,front,back,unit,tolerance,choices,source,teaches,note\ngaps,silicon,cloze,\"{{"
    "L2}} stands before {{DRAM}}.\",All SMs share it.,,,,a data sheet (errata "
    "W05),tab.chips,\nbw,roofline,number,H100: memory bandwidth?,3.35 TB/s,B/s,5%,,a data "
    "sheet,tab.chips,\npick,kernels,choice,Which is fastest?,registers,,,registers | shared memory "
    "| DRAM,a data sheet,tab.chips,\ntell,system,recall,How do you begin?,Ask what "
    "changed.,,,,practice,pat.format,opinion\n";

static inline int set_up(void **state)
{
    char path[160];
    assert_int_equal(folder_make("practice"), 0);
    static const char *const folders[] = {"packs", "tables", "drills", "cards", "figures"};
    for (size_t i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, folders[i]);
        mkdir(path, 0755);
    }
    snprintf(database, sizeof database, "%s/progress.db", folder);
    snprintf(content, sizeof content, "WARPDRILL_CONTENT=%s/packs", folder);
    return 0;
}

static inline struct screen *play(const char *what, int rows, int columns, const char *more)
{
    const char *arguments[] = {"--db", database, "--runner", "exit 3", "--seed",
                               "7",    "play",   what,       NULL};
    const char *environment[] = {content, more, NULL};
    struct screen_start how = {.rows = rows,
                               .columns = columns,
                               .arguments = arguments,
                               .environment = environment};
    return screen_start(&how);
}

static inline int reviews_of(const char *item, struct store_review *newest)
{
    struct store *store;
    struct store_review *r = NULL;
    int n = 0;
    assert_int_equal(store_open(&store, database, 5000), STORE_OK);
    assert_int_equal(store_reviews(store, item, 0, 0, &r, &n), STORE_OK);
    if (n && newest)
        *newest = r[0];
    free(r);
    store_free(store);
    return n;
}

/* Before each test: the content is whole, and nothing was answered yet. */
static inline int each(void **state)
{
    char path[128];
    static const char *const ends[] = {"", "-wal", "-shm"};
    put("tables/models.csv", models);
    put("drills/t.yaml", drills);
    put("cards/t.csv", cards);
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s%s", database, ends[i]);
        unlink(path);
    }
    return 0;
}

#endif
