/* Export and import: what goes out comes back the same, twice is once, two machines meet, and
 * nothing hostile gets in or half in. */
#include "drills/transfer/transfer.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "db/bulk.h"
#include "db/items.h"
#include "db/moment.h"
#include "drills/memory/review.h"
#include "kernels/wire/hash.h"
#include "kernels/wire/text.h"
#include "tests/folder.h"
#include "tests/unit.h"

#define NOON 1767268800000LL /* 2026-01-01 12:00 UTC */
enum { DAY_MS = 86400000 };

static int setup(void **state)
{
    setenv("TZ", "UTC", 1);
    return folder_make("transfer");
}

/* A path in the folder; four live at a time. */
static const char *in(const char *name)
{
    static char paths[8][160];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static struct store *open_store(const char *name)
{
    struct store *s;
    struct err err;
    if (store_open(&s, in(name), 1000) != STORE_OK)
        fail_msg("%s", store_message(s));
    assert_int_equal(review_rebuild(s, &err), 0);
    return s;
}

/* ---- something to carry ---- */

static uint32_t random_state;

static unsigned draw(unsigned n)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 16) % n;
}

static void make_uid(char out[33])
{
    for (int i = 0; i < 32; i++)
        out[i] = "0123456789abcdef"[draw(16)];
    out[32] = '\0';
}

static void review_once(struct store *s, const char *item, bool drill, int64_t at_ms)
{
    static const char *const given[] = {"=1+1",
                                        "'=x",
                                        "+5 ms",
                                        "-3",
                                        "4 to 6 ms, 80 %",
                                        "",
                                        "a\nb",
                                        "\"quoted\", with a comma",
                                        " blanks ",
                                        "\xC3\xA9t\xC3\xA9",
                                        "''-x",
                                        "#no comment",
                                        "\x01\xE2\x80\xAE",
                                        "@SUM(A1)"};
    struct review r = {.how = draw(3) ? DRILL_RIGHT : DRILL_WRONG,
                       .seconds = 1 + draw(60) / 7.0,
                       .allowed = 30,
                       .given = given[draw(14)],
                       .slip = draw(4) ? "" : "bits for bytes",
                       .numbered = drill,
                       .seed = draw(1000),
                       .unit = "s",
                       .value = 0.1 * draw(50),
                       .truth = 0.3,
                       .log_error = 0.01 * draw(9)};
    struct err err;
    char uid[33];
    snprintf(r.item, sizeof r.item, "%s", item);
    make_uid(uid);
    if (review_write(s, &r, uid, at_ms, 0.9, &err) < 0)
        fail_msg("%s", err.text);
    if (draw(5) == 0)
        assert_int_equal(review_undo(s, uid, at_ms + 1000, &err), 0);
}

static void attempt_event(struct store *s, const char *stream, const char *body, const char *text,
                          size_t n, int64_t at_ms)
{
    struct store_event e = {.at_ms = at_ms, .day = store_day(at_ms), .body = (char *)body};
    struct store_blob blob = {.bytes = text, .n = n};
    make_uid(e.uid);
    snprintf(e.stream, sizeof e.stream, "%s", stream);
    strcpy(e.kind, "bought");
    hash_bytes(blob.sha256, text, n);
    assert_int_equal(store_append(s, &e, &blob, 1, NULL), STORE_OK);
}

#define ATTEMPT "attempt:000000000000000000000000000000aa"

static void fill(struct store *s, unsigned seed, int reviews)
{
    static const char story[] = "=story\n\"with\" a quote, \xC3\xA9 ";
    random_state = seed;
    for (int i = 0; i < reviews; i++) {
        char item[40];
        snprintf(item, sizeof item, draw(2) ? "card:set/c%u" : "drill:set/d%u", draw(7));
        review_once(s, item, item[0] == 'd', NOON + i * (int64_t)DAY_MS / 7);
    }
    assert_int_equal(store_setting_put(s, "interview", "2027-01-01"), STORE_OK);
    assert_int_equal(store_setting_put(s, "note", "=cmd|' /C calc'!A0"), STORE_OK);
    attempt_event(s, ATTEMPT,
                  "{\"points\":{\"mem\":60.5},\"x\":0.1,\"t\":\"\\u0001\\u007f\\u202e\"}", story,
                  strlen(story), NOON);
    attempt_event(s, ATTEMPT, "{}", "\0binary\r\xff", 9, NOON);
    attempt_event(s, ATTEMPT, "{}", "", 0, NOON);
    attempt_event(s, ATTEMPT, "{\"again\":1}", "", 0, NOON);
}

static char *slurp(const char *path, size_t *n)
{
    struct stat st;
    FILE *f = fopen(path, "rb");
    if (!f || fstat(fileno(f), &st) != 0)
        fail_msg("%s is missing", path);
    char *text = mem_new((size_t)st.st_size + 1, 1);
    *n = fread(text, 1, (size_t)st.st_size, f);
    fclose(f);
    return text;
}

static void spill(const char *path, const char *text, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_int_equal(fwrite(text, 1, n, f), n);
    fclose(f);
}

static void assert_same_file(const char *a, const char *b)
{
    size_t n, m;
    char *x = slurp(a, &n), *y = slurp(b, &m);
    if (n != m || memcmp(x, y, n) != 0)
        fail_msg("%s and %s differ", a, b);
    free(x);
    free(y);
}

static void assert_same_folder(const char *a, const char *b)
{
    static const char *const names[] = {"warpdrill", "events",  "blobs", "attempts", "score_lines",
                                        "beliefs",   "answers", "items", "reviews",  "settings"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *x = text_format("%s/%s.csv", a, names[i]), *y = text_format("%s/%s.csv", b, names[i]);
        assert_same_file(x, y);
        free(x);
        free(y);
    }
}

static void export_json(struct store *s, const char *name)
{
    struct err err;
    if (transfer_write_file(s, in(name), &err))
        fail_msg("%s", err.text);
}

static void export_csv(struct store *s, const char *name)
{
    struct err err;
    if (transfer_write_csv(s, in(name), &err))
        fail_msg("%s", err.text);
}

static struct transfer_report import(struct store *s, const char *name)
{
    struct transfer_report r;
    struct err err;
    if (transfer_read(s, in(name), false, &r, &err))
        fail_msg("%s %s", err.text, r.n_notes ? r.notes[0] : "");
    return r;
}

/* ---- round trips ---- */

static void test_what_goes_out_comes_back(void **state)
{
    for (unsigned seed = 1; seed <= 6; seed++) {
        char name[6][24];
        static const char *const parts[] = {"a.db", "a.json", "a", "b.db", "b.json", "b"};
        for (int i = 0; i < 6; i++)
            snprintf(name[i], sizeof name[i], "%u%s", seed, parts[i]);
        struct store *a = open_store(name[0]);
        fill(a, seed, 20 + (int)seed * 20);
        export_json(a, name[1]);
        export_csv(a, name[2]);
        store_free(a);

        struct store *b = open_store(name[3]);
        struct transfer_report r = import(b, name[1]);
        assert_true(r.fresh > 25 && r.known == 0 && r.left_out == 0);
        transfer_report_free(&r);
        export_json(b, name[4]);
        export_csv(b, name[5]);
        store_free(b);
        assert_same_file(in(name[1]), in(name[4]));
        assert_same_folder(in(name[2]), in(name[5]));

    }
}

static void test_twice_is_once(void **state)
{
    struct store *a = open_store("a.db"), *b = open_store("b.db");
    fill(a, 7, 30);
    export_json(a, "a.json");
    struct transfer_report first = import(b, "a.json"), again = import(b, "a.json");
    assert_int_equal(again.fresh, 0);
    assert_int_equal(again.known, first.fresh);
    export_json(b, "b.json");
    assert_same_file(in("a.json"), in("b.json"));
    store_free(a);
    store_free(b);
}

static void test_a_dry_run_changes_nothing(void **state)
{
    struct store *a = open_store("a.db"), *b = open_store("b.db");
    struct transfer_report r;
    struct err err;
    int64_t events, blobs;
    fill(a, 8, 10);
    export_json(a, "a.json");
    assert_int_equal(transfer_read(b, in("a.json"), true, &r, &err), 0);
    assert_true(r.fresh > 10);
    assert_int_equal(store_count(b, &events, &blobs), STORE_OK);
    assert_int_equal(events, 0);
    assert_false(store_needs_rebuild(b));
    store_free(a);
    store_free(b);
}

static void test_nothing_is_replaced_by_an_export(void **state)
{
    struct store *a = open_store("a.db");
    struct err err;
    export_json(a, "x");
    assert_int_equal(transfer_write_file(a, in("x"), &err), ERR_BAD_REQUEST);
    assert_int_equal(transfer_write_csv(a, in("x"), &err), ERR_BAD_REQUEST);
    assert_non_null(strstr(err.text, "there already"));
    assert_true(transfer_write_csv(a, in("no/such"), &err) < 0);
    assert_true(transfer_write_file(a, in("no/such"), &err) < 0);
    store_free(a);
}

/* ---- two machines ---- */

static void test_two_machines_meet(void **state)
{
    struct store *a = open_store("a.db"), *b = open_store("b.db");
    struct store_item item;
    fill(a, 9, 5);
    export_json(a, "first.json");
    struct transfer_report r = import(b, "first.json");
    random_state = 100;
    for (int i = 0; i < 4; i++)
        review_once(a, "card:set/shared", false, NOON + (20 + i) * (int64_t)DAY_MS);
    random_state = 200;
    for (int i = 0; i < 4; i++)
        review_once(b, "card:set/shared", false, NOON + (18 + i) * (int64_t)DAY_MS);
    attempt_event(a, ATTEMPT, "{\"here\":1}", "", 0, NOON);
    attempt_event(b, ATTEMPT, "{\"there\":1}", "", 0, NOON);
    attempt_event(b, "attempt:000000000000000000000000000000bb", "{}", "", 0, NOON);
    export_json(b, "b.json");
    r = import(a, "b.json");
    assert_true(r.fresh >= 4 && r.known > 0);
    assert_int_equal(r.left_out, 1);
    assert_non_null(strstr(r.notes[0], "went on in two places"));
    transfer_report_free(&r);
    assert_int_equal(store_item_get(a, "card:set/shared", &item), 1);
    assert_true(item.memory.reviews >= 4);
    assert_int_equal(store_check(a), STORE_OK);
    store_free(a);
    store_free(b);
}

static int64_t clock_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* So that what is stored next is later. */
static void wait_for_the_next_millisecond(void)
{
    for (int64_t now = clock_ms(); clock_ms() == now;)
        ;
}

static void test_settings_of_later_stay_and_no_command_comes(void **state)
{
    struct store *a = open_store("a.db"), *b = open_store("b.db");
    char *value;
    assert_int_equal(store_setting_put(a, "retention", "0.8"), STORE_OK);
    assert_int_equal(store_setting_put(a, "runner", "rm -rf /"), STORE_OK);
    assert_int_equal(store_setting_put(a, "interview", "2027-02-02"), STORE_OK);
    wait_for_the_next_millisecond();
    assert_int_equal(store_setting_put(b, "retention", "0.95"), STORE_OK);
    export_json(a, "a.json");
    struct transfer_report r = import(b, "a.json");
    assert_int_equal(r.fresh, 1);
    assert_int_equal(r.left_out, 2);
    transfer_report_free(&r);
    assert_int_equal(store_setting_get(b, "retention", &value), 1);
    assert_string_equal(value, "0.95");
    free(value);
    assert_int_equal(store_setting_get(b, "interview", &value), 1);
    free(value);
    assert_int_equal(store_setting_get(b, "runner", &value), 0);
    store_free(a);
    store_free(b);
}

/* ---- what must not come in ---- */

static void refused(struct store *s, const char *name, const char *says)
{
    struct transfer_report r;
    struct err err = {0};
    int64_t events, blobs, was_events, was_blobs;
    store_count(s, &was_events, &was_blobs);
    int rc = transfer_read(s, in(name), false, &r, &err);
    bool said = strstr(err.text, says) != NULL;
    for (int i = 0; i < r.n_notes; i++)
        said = said || strstr(r.notes[i], says);
    if (rc >= 0 || !said)
        fail_msg("%d, wanted \"%s\": %s; %s", rc, says, err.text,
                 r.n_notes ? r.notes[0] : "no notes");
    transfer_report_free(&r);
    store_count(s, &events, &blobs);
    assert_int_equal(events, was_events);
    assert_int_equal(blobs, was_blobs);
    assert_false(store_needs_rebuild(s));
}

#define HEAD(n, m) \
    "{\"format\":\"warpdrill-log\",\"version\":1,\"events\":" #n ",\"blobs\":" #m "}\n"
#define UID "0123456789abcdef0123456789abcdef"
#define EVENT(uid, stream, kind, version, at, day, actor, audience, blobs, body) \
    "{\"uid\":\"" uid "\",\"stream\":\"" stream "\",\"kind\":\"" kind "\",\"version\":" version \
    ",\"at_ms\":" at ",\"day\":" day ",\"actor\":\"" actor "\",\"audience\":\"" audience \
    "\",\"blobs\":" blobs ",\"body\":" body "}\n"
#define GOOD \
    EVENT(UID, "item:card:a/b", "reviewed", "1", "1767268800000", "20454", "self", "all", "[]", \
          "{\"grade\":3}")
#define SHA "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" /* of nothing */
#define OTHER "f3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static void test_hostile_json(void **state)
{
    static const struct { const char *text, *says;
    } cases[] = {
        {"", "no export of warpdrill"},
        {"{}\n", "no export of warpdrill"},
        {"PK\003\004", "no export of warpdrill"},
        {"[1,2]\n", "no export of warpdrill"},
        {"{\"format\":\"other\",\"version\":1}\n", "no export of warpdrill"},
        {"{\"format\":\"warpdrill-log\",\"version\":2,\"events\":0,\"blobs\":0}\n",
         "newer warpdrill"},
        {"{\"format\":\"warpdrill-log\",\"version\":0,\"events\":0,\"blobs\":0}\n",
         "1 was expected"},
        {HEAD(1, 0), "cut short"},
        {HEAD(2, 0) GOOD, "cut short"},
        {HEAD(1, 0) GOOD GOOD, "cut short or put together"},
        {HEAD(1, 0) "{\"uid\":\"" UID "\",\"str", ":2: column"},
        {HEAD(1, 0) "\n" GOOD, ":2: column"},
        {HEAD(1, 0) "null\n", ":2: column 4"},
        {HEAD(1, 0) "{\"uid\":1}\n", ":2: not an event"},
        {HEAD(2, 0) GOOD EVENT("xyz", "settings", "set", "1", "1767268800000", "20454", "self",
                               "all", "[]", "{}"),
         ":3: uid"},
        {HEAD(1, 0) EVENT("0123456789ABCDEF0123456789abcdef", "settings", "set", "1",
                          "1767268800000", "20454", "self", "all", "[]", "{}"),
         "uid"},
        {HEAD(1, 0) EVENT(UID, "attempt:../../x", "set", "1", "1767268800000", "20454", "self",
                          "all", "[]", "{}"),
         "stream"},
        {HEAD(1, 0) EVENT(UID, "elsewhere", "set", "1", "1767268800000", "20454", "self", "all",
                          "[]", "{}"),
         "stream"},
        {HEAD(1, 0) EVENT(UID, "settings", "SET;", "1", "1767268800000", "20454", "self", "all",
                          "[]", "{}"),
         "kind"},
        {HEAD(1, 0) EVENT(UID, "settings", "set", "0", "1767268800000", "20454", "self", "all",
                          "[]", "{}"),
         "version"},
        {HEAD(1, 0) EVENT(UID, "settings", "set", "99999999999", "1767268800000", "20454", "self",
                          "all", "[]", "{}"),
         "not an event"},
        {HEAD(1, 0) EVENT(UID, "settings", "set", "1", "-5", "20454", "self", "all", "[]", "{}"),
         "at_ms"},
        {HEAD(1, 0) EVENT(UID, "settings", "set", "1", "1767268800000", "2000000000", "self", "all",
                          "[]", "{}"),
         "day"},
        {HEAD(1, 0) EVENT(UID, "settings", "set", "1", "1767268800000", "20454", "root", "all",
                          "[]", "{}"),
         "actor"},
        {HEAD(1, 0) EVENT(UID, "settings", "set", "1", "1767268800000", "20454", "self", "nobody",
                          "[]", "{}"),
         "audience"},
        {HEAD(1, 0) EVENT(UID, "settings", "set", "1", "1767268800000", "20454", "self", "all",
                          "[]", "[]"),
         "body"},
        {HEAD(1, 0) EVENT(UID, "settings", "set", "1", "1767268800000", "20454", "self", "all",
                          "[]", "\"no object\""),
         "body"},
        {HEAD(1, 0) EVENT(UID, "settings", "set", "1", "1767268800000", "20454", "self", "all",
                          "[7]", "{}"),
         "blobs"},
        {HEAD(1, 0) EVENT(UID, "settings", "set", "1", "1767268800000", "20454", "self", "all",
                          "[\"" OTHER "\"]", "{}"),
         "refers to the text f3b0"},
        {HEAD(1, 1) "{\"blob\":\"" SHA "\",\"encoding\":\"text\",\"content\":\"x\"}\n" GOOD,
         "it was changed"},
        {HEAD(1, 1) "{\"blob\":\"" SHA "\",\"encoding\":\"rot13\",\"content\":\"\"}\n" GOOD,
         "encoding"},
        {HEAD(1, 1) "{\"blob\":\"" SHA "\",\"encoding\":\"base64\",\"content\":\"%%%\"}\n" GOOD,
         "encoding"},
        {HEAD(1, 1) "{\"blob\":\"zz\",\"encoding\":\"text\",\"content\":\"\"}\n" GOOD, "sha256"},
        {HEAD(1, 1) "{\"blob\":7}\n" GOOD, "not a text"},
        {HEAD(2, 0) GOOD EVENT(UID, "settings", "set", "1", "1767268800000", "20454", "self", "all",
                               "[]", "{}"),
         "another event with this uid"},
        {HEAD(1, 0) "{\"uid\":\"\xff\"}\n", ":2: column"},
    };
    struct store *s = open_store("a.db");
    fill(s, 10, 5);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        spill(in("bad"), cases[i].text, strlen(cases[i].text));
        refused(s, "bad", cases[i].says);
    }
    spill(in("bad"), HEAD(1, 0) "{\"uid\":\"\0\"}\n", sizeof(HEAD(1, 0) "{\"uid\":\"\0\"}\n") - 1);
    refused(s, "bad", ":2: column");
    refused(s, "missing", "No such file");
    /* a byte order mark and no newline at the end are harmless */
    spill(in("good"), "\xEF\xBB\xBF" HEAD(1, 0) GOOD, strlen("\xEF\xBB\xBF" HEAD(1, 0) GOOD) - 1);
    struct transfer_report r = import(s, "good");
    assert_int_equal(r.fresh, 1);
    store_free(s);
}

/* Cut anywhere, a file is refused, unless nothing but its last newline went. */
static void test_truncated_anywhere(void **state)
{
    struct store *a = open_store("a.db"), *b = open_store("b.db");
    size_t n;
    fill(a, 11, 4);
    export_json(a, "a.json");
    char *text = slurp(in("a.json"), &n);
    for (size_t cut = 0; cut + 1 < n; cut += 13) {
        spill(in("cut"), text, cut);
        refused(b, "cut", in("cut"));
    }
    free(text);
    store_free(a);
    store_free(b);
}

/* One byte changed: refused, or what came in is a log that the program can read. */
static void test_damaged_anywhere(void **state)
{
    struct store *a = open_store("a.db");
    size_t n;
    fill(a, 12, 4);
    export_json(a, "a.json");
    store_free(a);
    char *text = slurp(in("a.json"), &n);
    random_state = 5;
    for (int i = 0; i < 120; i++) {
        size_t at = draw((unsigned)n);
        char was = text[at];
        struct transfer_report r;
        struct err err = {0};
        text[at] = (char)draw(256);
        spill(in("bent"), text, n);
        text[at] = was;
        struct store *b = open_store("b.db");
        int rc = transfer_read(b, in("bent"), true, &r, &err);
        if (rc)
            assert_true(*err.text);
        transfer_report_free(&r);
        assert_false(store_needs_rebuild(b));
        store_free(b);
    }
    free(text);
}

/* What is written for spreadsheets is not read again, and what to use is said. */
static void test_csv_is_not_read(void **state)
{
    struct store *a = open_store("a.db"), *b = open_store("b.db");
    struct err err = {0};
    fill(a, 13, 12);
    export_csv(a, "a");
    refused(b, "a", "warpdrill export --out FILE.json");
    refused(b, "a/events.csv", "warpdrill export --out FILE.json");
    assert_true(transfer_look(in("a/events.csv"), &err) < 0);
    assert_non_null(strstr(err.text, "cards import FILE.csv"));
    assert_true(transfer_look(in("a"), &err) < 0);
    store_free(a);
    store_free(b);
}

/* Every text, event and row is looked at before a database is put in the place of ours. */
static void test_what_is_judged(void **state)
{
    static const struct { const char *sql, *says; } cases[] = {
        {"UPDATE blob SET body = CAST(body || 'x' AS BLOB)", "was changed: its hash is"},
        {"UPDATE event SET body = '[]' WHERE seq = 3", "event 3 makes no sense: body"},
        {"UPDATE event SET body = '{\"a\":' WHERE seq = 3", "event 3 makes no sense: body"},
        {"UPDATE event SET at_ms = 9000000000000000 WHERE seq = 4", "event 4 makes no sense: "},
        {"UPDATE event SET stream = 'x' WHERE seq = 4", "event 4 makes no sense: stream"},
        {"UPDATE event SET kind = 'a b' WHERE seq = 4", "event 4 makes no sense: kind"},
        {"UPDATE event SET version = 0 WHERE seq = 4", "event 4 makes no sense: version"},
    };
    struct store *a = open_store("a.db");
    char why[256] = "";
    fill(a, 13, 12);
    assert_int_equal(transfer_judge(a, why, sizeof why), STORE_OK);
    assert_string_equal(why, "");
    store_free(a);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sqlite3 *db = NULL;
        char *command = text_format("cp '%s' '%s'", in("a.db"), in("b.db"));
        assert_int_equal(system(command), 0);
        free(command);
        assert_int_equal(sqlite3_open(in("b.db"), &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, "DROP TRIGGER event_is_fixed", NULL, NULL, NULL),
                         SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, cases[i].sql, NULL, NULL, NULL), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db,
                                      "CREATE TRIGGER event_is_fixed BEFORE UPDATE ON event\nBEGIN "
                                      "SELECT RAISE(ABORT, 'an event is never changed'); END",
                                      NULL, NULL, NULL),
                         SQLITE_OK);
        sqlite3_close(db);
        struct store *b = open_store("b.db");
        assert_int_equal(transfer_judge(b, why, sizeof why), STORE_DAMAGED);
        if (!strstr(why, cases[i].says))
            fail_msg("%s: %s", cases[i].sql, why);
        store_free(b);
        remove(in("b.db"));
    }
}

/* A million lines that cannot be meant: reading stops early, says so, and keeps the first hundred
 * reasons. */
static void test_a_million_lines(void **state)
{
    struct store *s = open_store("a.db");
    FILE *f = fopen(in("long"), "wb");
    struct transfer_report r;
    struct err err = {0};
    fputs(HEAD(1000000, 0), f);
    for (int i = 0; i < 1000000; i++)
        fputs("{\"uid\":\"=HYPERLINK()\"}\n", f);
    fclose(f);
    assert_true(transfer_read(s, in("long"), false, &r, &err) < 0);
    assert_non_null(strstr(err.text, "reading stopped"));
    assert_int_equal(r.n_notes, TRANSFER_NOTES);
    assert_int_equal(r.refused, 1000);
    transfer_report_free(&r);
    store_free(s);
}

/* Settings of many names: what is here is read once, not once for each name. */
static void test_many_settings(void **state)
{
    enum { NAMES = 30000 };
    struct store *s = open_store("a.db");
    FILE *f = fopen(in("many"), "wb");
    fprintf(f, "{\"format\":\"warpdrill-log\",\"version\":1,\"events\":%d,\"blobs\":0}\n", NAMES);
    for (int i = 0; i < NAMES; i++)
        fprintf(f,
                "{\"uid\":\"%032x\",\"stream\":\"settings\",\"kind\":\"set\",\"version\":1,\"at_"
                "ms\":%lld,\"day\":%d,\"actor\":\"self\",\"audience\":\"all\",\"blobs\":[],"
                "\"body\":{\"name\":\"n%d\",\"value\":\"x\"}}\n",
                i, NOON, store_day(NOON), i);
    fclose(f);
    struct transfer_report r = import(s, "many");
    assert_int_equal(r.fresh, NAMES);
    transfer_report_free(&r);
    store_free(s);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, folder_remove)
    const struct CMUnitTest tests[] = {
        CASE(test_what_goes_out_comes_back),
        CASE(test_twice_is_once),
        CASE(test_a_dry_run_changes_nothing),
        CASE(test_nothing_is_replaced_by_an_export),
        CASE(test_two_machines_meet),
        CASE(test_settings_of_later_stay_and_no_command_comes),
        CASE(test_hostile_json),
        CASE(test_truncated_anywhere),
        CASE(test_damaged_anywhere),
        CASE(test_csv_is_not_read),
        CASE(test_what_is_judged),
        CASE(test_a_million_lines),
        CASE(test_many_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
