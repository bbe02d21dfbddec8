/* Where an interview begins: with its plan, on the console, or once more as a replay. */
#include "tui/interview/host.h"

#include "scenarios/interview/interview_life.h"
#include "tui/home/home.h"
#include "tui/interview/console_screen.h"
#include "tui/interview/plan_screen.h"
#include "tui/interview/replay_screen.h"

void host_open(struct app *app, const struct host_options *options)
{
    struct interview *live;
    struct err err;
    if (options->replay && interview_open(&live, options->replay->id, true, &err) == 0) {
        replay_open(app, live, options->replay);
        return;
    }
    if (!options->replay && !options->resume) {
        plan_screen_open(app, options);
        return;
    }
    if (!options->replay && interview_open(&live, options->resume, false, &err) == 0) {
        console_open(app, live, NULL, options);
        return;
    }
    home_open(app);
    app_say(app, "%s", err.text);
}
