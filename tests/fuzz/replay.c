/* Runs a fuzz target over every file named or found in the folders named: the corpus as a test. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return -1;
    size_t size = 0, cap = 1 << 16;
    uint8_t *data = malloc(cap);
    for (size_t got; data && (got = fread(data + size, 1, cap - size, f)) > 0;) {
        size += got;
        if (size == cap)
            data = realloc(data, cap *= 2);
    }
    fclose(f);
    if (data)
        LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 0;
}

int main(int argc, char **argv)
{
    int files = 0;
    for (int i = 1; i < argc; i++) {
        DIR *dir = opendir(argv[i]);
        if (!dir && run_file(argv[i]) == 0)
            files++;
        for (struct dirent *e; dir && (e = readdir(dir));) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", argv[i], e->d_name);
            if (e->d_name[0] != '.' && run_file(path) == 0)
                files++;
        }
        if (dir)
            closedir(dir);
    }
    printf("%d inputs\n", files);
    return files == 0;
}
