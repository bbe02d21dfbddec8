/* Cards in and out of files, and sheets: what is written is read again, the lines fit the page,
 * nothing in a cell ends it. */
#include "drills/library/sheet.h"

#include <sys/stat.h>
#include <unistd.h>

#include "drills/library/card_file.h"
#include "kernels/wire/text.h"
#include "tests/folder.h"
#include "tests/unit.h"

static int setup(void **state)
{
    if (folder_make("sheet"))
        return -1;
    setenv("XDG_DATA_HOME", folder, 1);
    return 0;
}

static char *spill(const char *name, const char *text)
{
    char *path = text_format("%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    fputs(text, f);
    fclose(f);
    return path;
}

static struct card_set read_set(const char *path, const char *id)
{
    struct card_set set;
    struct rows *rows;
    struct err err;
    char text[1 << 14];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(text, 1, sizeof text, f);
    fclose(f);
    if (rows_read(&rows, path, text, n, &err) || card_set_make(&set, id, rows, &err))
        fail_msg("%s", err.text);
    rows_free(rows);
    return set;
}

#define HEAD "id,topic,kind,front,back,unit,tolerance,choices,source,teaches,note\n"
static const char mine[] = HEAD
    "a,silicon,number,H100 bandwidth?,3.35 TB/s,B/s,5%,,data sheet,,\n"
    "b,silicon,number,How many?,132,,exact,,,,\n"
    "c,silicon,number,About?,100 us,s,x2,,,,opinion\n"
    "d,silicon,number,Share?,50 %,%,3 points,,,,\n"
    "e,silicon,number,Warps?,64,1,+-1,,,,\n"
    "f,silicon,cloze,\"A warp has {{32}} lanes, {{always}}\",,,,,,,\n"
    "g,silicon,choice,Which?,\"x, y\",,,\"w | x, y | z\",,,\n"
    "h,silicon,recall,\"=Why \"\"so\"\"?\",+because,,,,,,\n";

static void import_as(const char *file, bool keep, int added, int changed, int same, int bad)
{
    struct library none = {.n_cards = 0};
    struct card_import done;
    struct err err = {0};
    if (cards_import(file, "mine", &none, keep, &done, &err))
        fail_msg("%s", err.text);
    assert_int_equal(done.added, added);
    assert_int_equal(done.changed, changed);
    assert_int_equal(done.same, same);
    assert_int_equal(done.bad, bad);
    card_import_free(&done);
}

static void test_cards_come_back(void **state)
{
    char *file = spill("mine.csv", mine), *again = text_format("%s/again.csv", folder),
         *home = text_format("%s/warpdrill/cards/mine.csv", folder);
    import_as(file, false, 8, 0, 0, 0);
    struct card_set set = read_set(home, "mine");
    assert_int_equal(set.n, 8);
    assert_string_equal(set.cards[7].front, "=Why \"so\"?");
    assert_string_equal(set.cards[7].back, "+because");
    FILE *f = fopen(again, "wb");
    cards_export(f, &set);
    fclose(f);
    card_set_free(&set);
    import_as(again, false, 0, 1, 7, 0); /* b: the unit that was not given is now said to be 1 */
    import_as(again, false, 0, 0, 8, 0);
    free(file);
    free(again);
    free(home);
}

static void test_a_merge_keeps_what_it_does_not_name(void **state)
{
    char *file = spill("mine.csv", mine),
         *home = text_format("%s/warpdrill/cards/mine.csv", folder);
    import_as(file, false, 8, 0, 0, 0);
    char *part =
        spill("part.csv",
              "front,id,back,kind,topic\nNew "
              "text?,h,Yes,recall,silicon\n,i,x,recall,silicon\nBrand new?,j,Yes,recall,memory\n");
    import_as(part, true, 1, 1, 0, 1);
    struct card_set set = read_set(home, "mine");
    assert_int_equal(set.n, 9);
    assert_string_equal(set.cards[0].id, "a");
    assert_string_equal(set.cards[7].front, "New text?");
    assert_string_equal(set.cards[8].id, "j");
    card_set_free(&set);
    free(file);
    free(part);
    free(home);
}

static void refused(const char *file, const char *set, const char *says)
{
    struct library none = {.n_cards = 0};
    struct card_import done;
    struct err err = {0};
    assert_true(cards_import(file, set, &none, true, &done, &err) < 0);
    if (!strstr(err.text, says))
        fail_msg("wanted %s: %s", says, err.text);
    card_import_free(&done);
}

static void test_what_an_import_refuses(void **state)
{
    char *file = spill("mine.csv", mine),
         *home = text_format("%s/warpdrill/cards/mine.csv", folder);
    refused(file, "../../etc/passwd", "no name of a set");
    refused(file, "", "no name of a set");
    refused("/nowhere/at/all.csv", "mine", "No such file");
    refused(folder, "mine", "not a plain file");
    char *bad = spill("bad.csv", HEAD "A B,silicon,recall,Q?,A,,,,,,\n");
    refused(bad, "mine", "1 of 1 rows are no cards");
    assert_int_not_equal(access(home, F_OK), 0);
    import_as(file, false, 8, 0, 0, 0);
    FILE *f = fopen(home, "ab");
    fputs("\"unclosed", f);
    fclose(f);
    refused(file, "mine",
            "never closed"); /* what is there is no set any more: it is not overwritten */
    free(file);
    free(bad);
    free(home);
}

/* ---- sheets ---- */

static struct table make_table(const char *text)
{
    struct rows *rows;
    struct table t;
    struct err err;
    if (rows_read(&rows, "chips.csv", text, strlen(text), &err) ||
        table_make(&t, "chips", rows, &err))
        fail_msg("%s", err.text);
    return t;
}

static char *print_table(const char *csv, enum sheet_format format)
{
    struct table t = make_table(csv);
    char *out = NULL;
    size_t n;
    FILE *f = open_memstream(&out, &n);
    sheet_table(f, &t, format);
    fclose(f);
    table_free(&t);
    return out;
}

static void test_a_table_has_units_and_footnotes(void **state)
{
    static const char csv[] = "id,name,rate [B/s],smem [B],sms,say,source,note\na,Chip "
                              "A,3.35e12,233472,132,short,Sheet,\nb,Chip B,,,7,\"a text that is "
                              "much longer than a column of thirty\",Sheet,but slow\n";
    char *out = print_table(csv, SHEET_TEXT);
    static const char want[] =
        "chips\n\nname         rate     smem  sms  "
        "say\n----------------------------------------------------------------------\nChip A  3350 "
        "GB/s  228 KiB  132  short                           [1]\nChip B                        7  "
        "a text that is much longer      [1,2]\n                                 than a column of "
        "thirty\n\n   1  Sheet\n   2  but slow\n";
    assert_string_equal(out, want);
    free(out);
}

static void test_a_wide_table_has_its_marks_beside_the_names(void **state)
{
    static const char csv[] =
        "id,name,one column that is wide,another column that is wide,a third that is wide "
        "too,source,note\na,Chip A,x,y,z,Sheet,\nb,Chip B,x,y,z,Sheet,slow\n";
    char *out = print_table(csv, SHEET_TEXT);
    assert_non_null(strstr(out, "---\nChip A [1]  "));
    assert_non_null(strstr(out, "Chip B [1,2]"));
    assert_null(strstr(out, "x  [1]"));
    assert_non_null(strstr(out, "z\n\n   1  Sheet\n   2  slow\n"));
    free(out);
}

static void test_nothing_ends_a_cell(void **state)
{
    char *out = print_table("id,name,say,source\na,x|y,\"<b>*a*_`[x](y)`\n#\",S\n", SHEET_MARKDOWN);
    assert_non_null(
        strstr(out, "| x\\|y | \\<b\\>\\*a\\*\\_\\`\\[x\\](y)\\`<br>\\# | \\[1\\] |\n"));
    free(out);
}

/* Words longer than a column, wide and combining characters: no line is too long, nothing is lost.
 */
static void test_words_are_broken_where_they_must(void **state)
{
    struct card cards[1] = {{.id = "a", .kind = CARD_RECALL, .source = "s", .note = ""}};
    struct card_set set = {"set", cards, 1};
    char front[200], *out = NULL;
    size_t size;
    memset(front, 'x', 150);
    strcpy(front + 150, " \xE6\xBC\xA2\xE5\xAD\x97 e\xCC\x81");
    cards[0].front = front;
    cards[0].back = "back\nof two lines";
    FILE *f = open_memstream(&out, &size);
    sheet_cards(f, &set, SHEET_TEXT);
    fclose(f);
    int xs = 0, column = 0;
    for (char *at = out; *at; at++) {
        xs += *at == 'x';
        column = *at == '\n' ? 0 : column + (((unsigned char)*at & 0xc0) != 0x80);
        assert_true(column <= 80);
    }
    assert_int_equal(xs, 150);
    assert_non_null(strstr(out, "| of two lines\n"));
    free(out);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, folder_remove)
    const struct CMUnitTest tests[] = {CASE(test_cards_come_back),
                                       CASE(test_a_merge_keeps_what_it_does_not_name),
                                       CASE(test_what_an_import_refuses),
                                       CASE(test_a_table_has_units_and_footnotes),
                                       CASE(test_nothing_ends_a_cell),
                                       CASE(test_a_wide_table_has_its_marks_beside_the_names),
                                       CASE(test_words_are_broken_where_they_must)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
