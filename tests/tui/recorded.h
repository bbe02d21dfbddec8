/* A copy of the shipped packs in a folder of its own, with synthetic evidence: screens can be played on a machine that
 * has no GPU and no recording. The figures resemble an H200's; they are no measurement. */
#ifndef WD_TESTS_TUI_RECORDED_H
#define WD_TESTS_TUI_RECORDED_H

/* Makes FOLDER/packs and records every variant there; ends the test on failure. `folder` exists. */
void recorded_packs(const char *folder);

#endif
