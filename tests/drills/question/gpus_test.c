/* What is known of GPUs that are not there, against the tables of drills, which say the same things
 * to people: the limits of an SM, and how many there are. */
#include "drills/question/rows.h"
#include "kernels/wire/text.h"
#include "scenarios/evidence/gpus.h"
#include "scenarios/text/files.h"
#include "tests/unit.h"

static struct rows *table(const char *path)
{
    struct rows *rows;
    struct err err;
    size_t len;
    char *text = file_read_plain(path, 1 << 20, &len);
    assert_non_null(text);
    assert_int_equal(rows_read(&rows, path, text, len, &err), 0);
    free(text);
    return rows;
}

static double number_of(const struct gpu *g, const char *name)
{
    struct msg_device d;
    double value = -1;
    gpu_attributes(&d, g);
    assert_true(msg_device_number(&d, name, &value));
    msg_device_free(&d);
    return value;
}

/* A cell that is empty says nothing. */
static void same(const struct rows *r, const struct row *row, const char *column,
                 const struct gpu *g, const char *attribute)
{
    const char *cell = row_cell(row, rows_column(r, column));
    if (*cell && strtod(cell, NULL) != number_of(g, attribute))
        fail_msg("%s: %s of %s is %s, and %s has %g", r->file, column, row->cell[0], cell, g->slug,
                 number_of(g, attribute));
}

static void limits_are_those_of_the_table(void **state)
{
    struct rows *r = table("content/tables/occupancy.csv");
    for (int i = 0; i < r->n; i++) {
        const struct gpu *g = gpu_least(strtod(r->row[i].cell[0] + 2, NULL) / 10);
        same(r, &r->row[i], "warps", g, "warps_sm");
        same(r, &r->row[i], "blocks", g, "blocks_sm");
        same(r, &r->row[i], "threads", g, "threads_sm");
        same(r, &r->row[i], "smem", g, "smem_sm");
        same(r, &r->row[i], "smem_block", g, "smem_block_optin");
    }
    rows_free(r);
}

static void chips_are_those_of_the_table(void **state)
{
    static const char *const both[][2] = {
        {"h100", "nvidia-h100-80gb-hbm3"}, {"h200", "nvidia-h200"}, {"b200", "nvidia-b200"}};
    struct rows *r = table("content/tables/chips.csv");
    for (size_t k = 0; k < sizeof both / sizeof *both; k++)
        for (int i = 0; i < r->n; i++)
            if (!strcmp(r->row[i].cell[0], both[k][0])) {
                same(r, &r->row[i], "sms", gpu_find(both[k][1], NULL), "sm_count");
                same(r, &r->row[i], "smem", gpu_find(both[k][1], NULL), "smem_sm");
            }
    rows_free(r);
}

static void a_gpu_is_found_by_parts_of_its_name(void **state)
{
    struct err err = {0};
    assert_string_equal(gpu_find("h200", &err)->name, "NVIDIA H200");
    assert_string_equal(gpu_find("a100-40", &err)->slug, "nvidia-a100-sxm4-40gb");
    assert_string_equal(gpu_find("l4", &err)->name, "NVIDIA L4");
    assert_string_equal(gpu_find("pro-6000", &err)->slug,
                        "nvidia-rtx-pro-6000-blackwell-workstation-edition");
    assert_null(gpu_find("h100", &err));
    assert_non_null(strstr(err.text, "several GPUs; one of these"));
    assert_non_null(strstr(err.text, "expected: nvidia-h100-pcie, nvidia-h100-80gb-hbm3"));
    assert_null(strstr(err.text, "h200"));
    assert_null(gpu_find("h800", &err));
    assert_non_null(strstr(err.text, "tesla-t4"));
    assert_null(gpu_find("", &err));
    for (int i = 0; gpu_row(i); i++) {
        assert_true(*gpu_row(i)->source);
        assert_ptr_equal(gpu_find(gpu_row(i)->slug, &err), gpu_row(i));
        assert_true(i == 0 || gpu_row(i)->compute >= gpu_row(i - 1)->compute);
    }
}

static void the_least_has_what_is_claimed(void **state)
{
    assert_string_equal(gpu_least(7.5)->name, "Tesla T4");
    assert_string_equal(gpu_least(9)->name, "NVIDIA H100 PCIe");
    assert_null(gpu_least(99));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_are_those_of_the_table),
        cmocka_unit_test(chips_are_those_of_the_table),
        cmocka_unit_test(a_gpu_is_found_by_parts_of_its_name),
        cmocka_unit_test(the_least_has_what_is_claimed),
    };
    return cmocka_run_group_tests_name("gpus", tests, NULL, NULL);
}
