#include "scenarios/pack/pack_keys.h"

#define SHAPE(NAME, WHAT, COUNT, ...) \
    static const struct yaml_key NAME##_keys[COUNT] = {__VA_ARGS__}; \
    const struct yaml_shape NAME##_shape = {WHAT, NAME##_keys, COUNT}

SHAPE(pack, "pack.yaml", PACK_KEYS, [PACK_K_FORMAT] = {"format", true}, [PACK_K_ID] = {"id", true},
      [PACK_K_TITLE] = {"title", true}, [PACK_K_LICENCE] = {"licence", true},
      [PACK_K_VERSION] = {"version", false}, [PACK_K_NEEDS] = {"needs", false},
      [PACK_K_SCENARIOS] = {"scenarios", true}, [PACK_K_TASKS] = {"tasks", false});

SHAPE(story, "scenario.yaml",
      STORY_KEYS, [STORY_K_FORMAT] = {"format", true}, [STORY_K_ID] = {"id", true},
      [STORY_K_TITLE] = {"title", true}, [STORY_K_KIND] = {"kind", true},
      [STORY_K_LEVEL] = {"level", true}, [STORY_K_FAULTS] = {"faults", false},
      [STORY_K_COUNTED] = {"counted", false},
      [STORY_K_STORY] = {"story", true}, [STORY_K_NEEDS] = {"needs", false},
      [STORY_K_PARAMS] = {"params", false},
      [STORY_K_SIZES] = {"sizes", false}, [STORY_K_DEFINE] = {"define", false},
      [STORY_K_BUFFERS] = {"buffers", true}, [STORY_K_LAUNCHES] = {"launches", false},
      [STORY_K_WORK] = {"work", true}, [STORY_K_RATE] = {"rate", false},
      [STORY_K_TOLERANCE] = {"tolerance", true}, [STORY_K_SYMPTOM] = {"symptom", false},
      [STORY_K_YARDSTICK] = {"yardstick", false}, [STORY_K_QUESTIONS] = {"questions", false},
      [STORY_K_HYPOTHESES] = {"hypotheses", true}, [STORY_K_REMEDIES] = {"remedies", true},
      [STORY_K_EXPERIMENTS] = {"experiments", false}, [STORY_K_ESTIMATES] = {"estimates", false});

SHAPE(needs, "needs",
      NEEDS_KEYS, [NEEDS_K_COMPUTE] = {"compute", false}, [NEEDS_K_EXACT] = {"exact", false},
      [NEEDS_K_GPUS] = {"gpus", false}, [NEEDS_K_MEMORY] = {"memory", false});

SHAPE(buffer, "a buffer",
      BUFFER_KEYS, [BUFFER_K_TYPE] = {"type", true}, [BUFFER_K_COUNT] = {"count", true},
      [BUFFER_K_ROLE] = {"role", false}, [BUFFER_K_FILL] = {"fill", false});
SHAPE(workspace, "a workspace", WORKSPACE_KEYS, [WORKSPACE_K_TYPE] = {"type", true},
      [WORKSPACE_K_COUNT] = {"count", true});

SHAPE(launch, "a launch",
      LAUNCH_KEYS, [LAUNCH_K_KERNEL] = {"kernel", true}, [LAUNCH_K_GRID] = {"grid", true},
      [LAUNCH_K_BLOCK] = {"block", true}, [LAUNCH_K_SHARED] = {"shared", false},
      [LAUNCH_K_ARGS] = {"args", true}, [LAUNCH_K_CLUSTER] = {"cluster", false},
      [LAUNCH_K_COOPERATIVE] = {"cooperative", false},
      [LAUNCH_K_PROGRAMMATIC] = {"programmatic", false}, [LAUNCH_K_LABEL] = {"label", false},
      [LAUNCH_K_STREAM] = {"stream", false}, [LAUNCH_K_AFTER] = {"after", false},
      [LAUNCH_K_RANK] = {"rank", false},
      [LAUNCH_K_BYTES] = {"bytes", false}, [LAUNCH_K_FLOPS] = {"flops", false});

SHAPE(host, "a step of the host",
      HOST_KEYS, [HOST_K_SYNC] = {"sync", false}, [HOST_K_COPY] = {"copy", false},
      [HOST_K_ALLOC] = {"alloc", false}, [HOST_K_FREE] = {"free", false},
      [HOST_K_WAIT] = {"wait", false}, [HOST_K_READ] = {"read", false},
      [HOST_K_CAPTURE] = {"capture", false}, [HOST_K_REPLAY] = {"replay", false},
      [HOST_K_LOAD] = {"load", false},
      [HOST_K_TO] = {"to", false}, [HOST_K_MEMORY] = {"memory", false},
      [HOST_K_STREAM] = {"stream", false}, [HOST_K_RANK] = {"rank", false},
      [HOST_K_LABEL] = {"label", false});
#define FIELD(K, NAME) [BENCHMARK_K_FIRST + (K)] = {NAME, false}
SHAPE(benchmark, "benchmark.yaml",
      BENCHMARK_KEYS, [BENCHMARK_K_FORMAT] = {"format", true},
      [BENCHMARK_K_REPORT] = {"report", false}, [BENCHMARK_K_BASELINE] = {"baseline", false},
      FIELD(0, "inputs"), FIELD(1, "load"),
      FIELD(2, "warm_up"), FIELD(3, "idle"), FIELD(4, "repeat"), FIELD(5, "flush"),
      FIELD(6, "clock"), FIELD(7, "stream"), FIELD(8, "launches"), FIELD(9, "synchronise"),
      FIELD(10, "reduce"));
#define CARE(K, NAME) [BASELINE_K_FIRST + (K)] = {NAME, false}
SHAPE(baseline, "baseline",
      BASELINE_KEYS, [BASELINE_K_LAUNCHES] = {"launches", true}, CARE(0, "load"),
      CARE(1, "warm_up"), CARE(2, "idle"), CARE(3, "repeat"), CARE(4, "flush"), CARE(5, "clock"),
      CARE(6, "synchronise"), CARE(7, "reduce"));
SHAPE(report, "report",
      REPORT_KEYS, [REPORT_K_UNIT] = {"unit", true}, [REPORT_K_PER_RUN] = {"per-run", true});
SHAPE(launches, "launches.yaml",
      LAUNCHES_KEYS, [LAUNCHES_K_FORMAT] = {"format", true},
      [LAUNCHES_K_WORKSPACES] = {"workspaces", false},
      [LAUNCHES_K_LAUNCHES] = {"launches", true});

SHAPE(arg, "a typed argument", ARG_KEYS, [ARG_K_I32] = {"i32", false}, [ARG_K_I64] = {"i64", false},
      [ARG_K_F32] = {"f32", false}, [ARG_K_F64] = {"f64", false}, [ARG_K_PEER] = {"peer", false});

SHAPE(collective, "a collective",
      COLLECTIVE_KEYS, [COLLECTIVE_K_COLLECTIVE] = {"collective", true},
      [COLLECTIVE_K_FROM] = {"from", true}, [COLLECTIVE_K_TO] = {"to", true},
      [COLLECTIVE_K_FIRST] = {"first", false}, [COLLECTIVE_K_COUNT] = {"count", false},
      [COLLECTIVE_K_STREAM] = {"stream", false}, [COLLECTIVE_K_AFTER] = {"after", false},
      [COLLECTIVE_K_BYTES] = {"bytes", false}, [COLLECTIVE_K_LABEL] = {"label", true});

SHAPE(peer, "a peer copy",
      PEER_KEYS, [PEER_K_PEER_COPY] = {"peer_copy", true}, [PEER_K_TO] = {"to", true},
      [PEER_K_THROUGH] = {"through", false}, [PEER_K_RANK] = {"rank", false},
      [PEER_K_STREAM] = {"stream", false}, [PEER_K_AFTER] = {"after", false},
      [PEER_K_BYTES] = {"bytes", false}, [PEER_K_LABEL] = {"label", true});

SHAPE(map, "a tensor map", MAP_KEYS, [MAP_K_MAP] = {"map", true}, [MAP_K_SIZE] = {"size", true},
      [MAP_K_PITCH] = {"pitch", false}, [MAP_K_BOX] = {"box", true},
      [MAP_K_SWIZZLE] = {"swizzle", false});

SHAPE(work, "work", WORK_KEYS, [WORK_K_BYTES] = {"bytes", true}, [WORK_K_FLOPS] = {"flops", false});

SHAPE(rate, "rate",
      RATE_KEYS, [RATE_K_UNIT] = {"unit", true}, [RATE_K_PER_RUN] = {"per-run", true});

SHAPE(tolerance, "a tolerance", TOLERANCE_KEYS, [TOLERANCE_K_RELATIVE] = {"relative", true},
      [TOLERANCE_K_ABSOLUTE] = {"absolute", false});

SHAPE(question, "a question",
      QUESTION_KEYS, [QUESTION_K_ASK] = {"ask", true}, [QUESTION_K_ANSWER] = {"answer", true});

SHAPE(experiment, "an experiment",
      EXPERIMENT_KEYS, [EXPERIMENT_K_KIND] = {"kind", true}, [EXPERIMENT_K_TITLE] = {"title", true},
      [EXPERIMENT_K_MEASURE] = {"measure", false}, [EXPERIMENT_K_VARY] = {"vary", false},
      [EXPERIMENT_K_OVER] = {"over", false}, [EXPERIMENT_K_FILLS] = {"fills", false},
      [EXPERIMENT_K_CHANGE] = {"change", false});

SHAPE(estimate, "an estimate", ESTIMATE_KEYS, [ESTIMATE_K_ASK] = {"ask", true},
      [ESTIMATE_K_UNIT] = {"unit", true}, [ESTIMATE_K_BEFORE] = {"before", false},
      [ESTIMATE_K_GPU] = {"gpu", false});

SHAPE(answer, "answer.yaml",
      ANSWER_KEYS, [ANSWER_K_FORMAT] = {"format", true}, [ANSWER_K_PAIR] = {"pair", true},
      [ANSWER_K_MODELS] = {"models", false}, [ANSWER_K_CAUSE] = {"cause", true},
      [ANSWER_K_CONTRIBUTING] = {"contributing", false}, [ANSWER_K_LOCATION] = {"location", false},
      [ANSWER_K_REMEDIES] = {"remedies", true}, [ANSWER_K_THEN] = {"then", false},
      [ANSWER_K_WORKSPACES] = {"workspaces", false},
      [ANSWER_K_FIX] = {"fix", false}, [ANSWER_K_BEST] = {"best", false},
      [ANSWER_K_REFERENCE] = {"reference", true},
      [ANSWER_K_EFFECT] = {"effect", false}, [ANSWER_K_PROVES] = {"proves", false},
      [ANSWER_K_SHAPES] = {"shapes", false}, [ANSWER_K_READINGS] = {"readings", true},
      [ANSWER_K_PUSHBACKS] = {"pushbacks", true}, [ANSWER_K_ESTIMATES] = {"estimates", false},
      [ANSWER_K_DEBRIEF] = {"debrief", true}, [ANSWER_K_MEASURED_ON] = {"measured-on", false},
      [ANSWER_K_UNRECORDED] = {"unrecorded", false}, [ANSWER_K_INCIDENTS] = {"incidents", false});

SHAPE(location, "location", LOCATION_KEYS, [LOCATION_K_FILE] = {"file", false},
      [LOCATION_K_TEXT] = {"text", false}, [LOCATION_K_ALSO] = {"also", false},
      [LOCATION_K_LAUNCH] = {"launch", false},
      [LOCATION_K_TO] = {"to", false}, [LOCATION_K_STEP] = {"step", false});

SHAPE(then, "then", THEN_KEYS, [THEN_K_CAUSE] = {"cause", true},
      [THEN_K_LOCATION] = {"location", true}, [THEN_K_REMEDIES] = {"remedies", true},
      [THEN_K_HALF] = {"half", true}, [THEN_K_REST] = {"rest", true});

SHAPE(image, "an image", IMAGE_KEYS, [IMAGE_K_FORMAT] = {"format", true},
      [IMAGE_K_TEXT] = {"text", true}, [IMAGE_K_PTX] = {"ptx", true},
      [IMAGE_K_COMPILER] = {"compiler", true}, [IMAGE_K_OPTIONS] = {"options", false},
      [IMAGE_K_TARGET] = {"target", true}, [IMAGE_K_MADE_BY] = {"made-by", true},
      [IMAGE_K_MADE] = {"made", true});

SHAPE(side, "a run",
      SIDE_KEYS, [SIDE_K_SOURCE] = {"source", true}, [SIDE_K_LAUNCHES] = {"launches", false});

SHAPE(reading, "a reading", READING_KEYS, [READING_K_SETTLES] = {"settles", false},
      [READING_K_FOR] = {"for", false}, [READING_K_AGAINST] = {"against", false},
      [READING_K_RULES_OUT] = {"rules-out", false}, [READING_K_EXPECT] = {"expect", false},
      [READING_K_FACT] = {"fact", true}, [READING_K_BECAUSE] = {"because", true});

SHAPE(pushback, "a pushback", PUSHBACK_KEYS, [PUSHBACK_K_SETTLES] = {"settles", false},
      [PUSHBACK_K_FOR] = {"for", false}, [PUSHBACK_K_AGAINST] = {"against", false},
      [PUSHBACK_K_RULES_OUT] = {"rules-out", false}, [PUSHBACK_K_KIND] = {"kind", true},
      [PUSHBACK_K_SAYS] = {"says", true}, [PUSHBACK_K_TEACHES] = {"teaches", true},
      [PUSHBACK_K_FACT] = {"fact", false}, [PUSHBACK_K_EXPECT] = {"expect", false});

SHAPE(truth, "the answer to an estimate",
      TRUTH_KEYS, [TRUTH_K_TRUTH] = {"truth", true}, [TRUTH_K_WORKING] = {"working", true},
      [TRUTH_K_WITHIN] = {"within", false}, [TRUTH_K_MISTAKES] = {"mistakes", false},
      [TRUTH_K_BECAUSE] = {"because", false});

SHAPE(mistake, "a mistake",
      MISTAKE_KEYS, [MISTAKE_K_VALUE] = {"value", true}, [MISTAKE_K_SAYS] = {"says", true});

SHAPE(trial, "measure",
      TRIAL_KEYS, [TRIAL_K_SOURCE] = {"source", true}, [TRIAL_K_BUFFERS] = {"buffers", true},
      [TRIAL_K_LAUNCHES] = {"launches", true}, [TRIAL_K_AGAINST] = {"against", false},
      [TRIAL_K_METRIC] = {"metric", true}, [TRIAL_K_CACHE] = {"cache", false},
      [TRIAL_K_TIMES] = {"times", false}, [TRIAL_K_REGISTERS] = {"registers", false},
      [TRIAL_K_DEFINE] = {"define", false}, [TRIAL_K_WORK] = {"work", false});

SHAPE(case, "scenario.yaml of a case", CASE_KEYS, [CASE_K_FORMAT] = {"format", true},
      [CASE_K_ID] = {"id", true}, [CASE_K_TITLE] = {"title", true}, [CASE_K_KIND] = {"kind", true},
      [CASE_K_LEVEL] = {"level", true}, [CASE_K_COUNTED] = {"counted", false},
      [CASE_K_STORY] = {"story", true}, [CASE_K_SYSTEM] = {"system", true},
      [CASE_K_VARIANTS] = {"variants", true}, [CASE_K_PARAMS] = {"params", false},
      [CASE_K_SYMPTOM] = {"symptom", true}, [CASE_K_PLACES] = {"places", true},
      [CASE_K_QUESTIONS] = {"questions", false}, [CASE_K_HYPOTHESES] = {"hypotheses", true},
      [CASE_K_REMEDIES] = {"remedies", true}, [CASE_K_EXHIBITS] = {"exhibits", true},
      [CASE_K_ESTIMATES] = {"estimates", false});

SHAPE(exhibit, "an exhibit", EXHIBIT_KEYS, [EXHIBIT_K_TITLE] = {"title", true},
      [EXHIBIT_K_EFFORT] = {"effort", true}, [EXHIBIT_K_ROWS] = {"rows", false},
      [EXHIBIT_K_COLUMNS] = {"columns", false}, [EXHIBIT_K_TIMELINE] = {"timeline", false},
      [EXHIBIT_K_FIGURES] = {"figures", false});

SHAPE(figure, "a figure",
      FIGURE_KEYS, [FIGURE_K_LABEL] = {"label", true}, [FIGURE_K_UNIT] = {"unit", true},
      [FIGURE_K_OF] = {"of", false});

SHAPE(model, "model.yaml of a case", MODEL_KEYS, [MODEL_K_FORMAT] = {"format", true},
      [MODEL_K_BY] = {"by", true}, [MODEL_K_MADE] = {"made", true}, [MODEL_K_AXES] = {"axes", true},
      [MODEL_K_QUANTITIES] = {"quantities", true}, [MODEL_K_WORDS] = {"words", false},
      [MODEL_K_VARIANTS] = {"variants", true}, [MODEL_K_EXHIBITS] = {"exhibits", true});
SHAPE(task, "write.yaml", TASK_KEYS, [TASK_K_FORMAT] = {"format", true},
      [TASK_K_TITLE] = {"title", true}, [TASK_K_RACE] = {"race", true},
      [TASK_K_START] = {"start", true}, [TASK_K_STEPS] = {"steps", true},
      [TASK_K_LESSON] = {"lesson", true});
SHAPE(own_task, "write.yaml of a task", OWN_TASK_KEYS, [OWN_TASK_K_FORMAT] = {"format", true},
      [OWN_TASK_K_TITLE] = {"title", true}, [OWN_TASK_K_PARAMS] = {"params", false},
      [OWN_TASK_K_SIZES] = {"sizes", false}, [OWN_TASK_K_DEFINE] = {"define", false},
      [OWN_TASK_K_NEEDS] = {"needs", false}, [OWN_TASK_K_BUFFERS] = {"buffers", true},
      [OWN_TASK_K_LAUNCHES] = {"launches", true}, [OWN_TASK_K_WORK] = {"work", true},
      [OWN_TASK_K_TOLERANCE] = {"tolerance", true}, [OWN_TASK_K_SHAPES] = {"shapes", false},
      [OWN_TASK_K_REFERENCE] = {"reference", true}, [OWN_TASK_K_BEST] = {"best", true},
      [OWN_TASK_K_START] = {"start", true}, [OWN_TASK_K_STEPS] = {"steps", true},
      [OWN_TASK_K_LESSON] = {"lesson", true});
SHAPE(task_step, "a step of write.yaml", TASK_STEP_KEYS, [TASK_STEP_K_WALL] = {"wall", true},
      [TASK_STEP_K_WITHIN] = {"within", true}, [TASK_STEP_K_AS] = {"as", false},
      [TASK_STEP_K_HINT] = {"hint", true});
SHAPE(axis, "an axis", AXIS_KEYS, [AXIS_K_COUNT] = {"count", true},
      [AXIS_K_FROM] = {"from", false});
SHAPE(wording, "words", WORDING_KEYS, [WORDING_K_LIST] = {"list", true},
      [WORDING_K_PICK] = {"pick", true});
SHAPE(drawn, "a drawn exhibit", DRAWN_KEYS, [DRAWN_K_ROWS] = {"rows", false},
      [DRAWN_K_COLUMNS] = {"columns", false}, [DRAWN_K_NAMES] = {"names", false},
      [DRAWN_K_FIGURES] = {"figures", false}, [DRAWN_K_BLOCKS] = {"blocks", false},
      [DRAWN_K_LINES] = {"lines", false},
      [DRAWN_K_NOTES] = {"notes", false});
SHAPE(drawn_figure, "a drawn figure", DRAWN_FIGURE_KEYS, [DRAWN_FIGURE_K_IS] = {"is", true},
      [DRAWN_FIGURE_K_DIGITS] = {"digits", false});
SHAPE(block, "a drawn block", BLOCK_KEYS, [BLOCK_K_LABEL] = {"label", true},
      [BLOCK_K_BEGIN] = {"begin", true}, [BLOCK_K_END] = {"end", true},
      [BLOCK_K_FOR] = {"for", false}, [BLOCK_K_WHEN] = {"when", false});
SHAPE(line, "a drawn line", LINE_KEYS, [LINE_K_LINE] = {"line", true},
      [LINE_K_FOR] = {"for", false}, [LINE_K_WHEN] = {"when", false}, [LINE_K_AT] = {"at", false});

SHAPE(
    case_answer, "answer.yaml of a case",
    CASE_ANSWER_KEYS, [CASE_ANSWER_K_FORMAT] = {"format", true},
    [CASE_ANSWER_K_PAIR] = {"pair", true}, [CASE_ANSWER_K_MODELS] = {"models", false},
    [CASE_ANSWER_K_CAUSE] = {"cause", true}, [CASE_ANSWER_K_CONTRIBUTING] = {"contributing", false},
    [CASE_ANSWER_K_LOCATION] = {"location", false}, [CASE_ANSWER_K_REMEDIES] = {"remedies", true},
    [CASE_ANSWER_K_TELLS] = {"tells", true}, [CASE_ANSWER_K_PROVES] = {"proves", false},
    [CASE_ANSWER_K_READINGS] = {"readings", true}, [CASE_ANSWER_K_PUSHBACKS] = {"pushbacks", true},
    [CASE_ANSWER_K_ESTIMATES] = {"estimates", false}, [CASE_ANSWER_K_DEBRIEF] = {"debrief", true},
    [CASE_ANSWER_K_UNRECORDED] = {"unrecorded", false},
    [CASE_ANSWER_K_INCIDENTS] = {"incidents", false});

SHAPE(place, "location of a case", PLACE_KEYS, [PLACE_K_PLACE] = {"place", true});

const struct yaml_shape *const *pack_shapes(int *n)
{
    static const struct yaml_shape *const all[] = {
        &pack_shape, &story_shape, &needs_shape, &buffer_shape, &workspace_shape, &launch_shape,
        &host_shape, &image_shape, &collective_shape, &peer_shape, &arg_shape, &map_shape,
        &launches_shape, &work_shape, &rate_shape, &tolerance_shape, &question_shape,
        &experiment_shape, &estimate_shape, &answer_shape, &location_shape, &then_shape,
        &side_shape, &benchmark_shape, &baseline_shape, &report_shape, &reading_shape,
        &pushback_shape, &truth_shape, &mistake_shape, &task_shape, &own_task_shape,
        &task_step_shape, &trial_shape, &case_shape, &exhibit_shape, &figure_shape,
        &case_answer_shape, &place_shape, &model_shape, &axis_shape, &wording_shape, &drawn_shape,
        &drawn_figure_shape, &block_shape, &line_shape,
    };
    *n = (int)(sizeof all / sizeof *all);
    return all;
}
