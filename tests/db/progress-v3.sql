-- A database as the program wrote it when its projections were of version 3 (.dump of sqlite3):
-- items of one, two and three reviews, one review taken back, a setting. The newest review of each
-- item can still be taken back; was_* in its row is what the item must become.
PRAGMA application_id = 1464094802;
PRAGMA user_version = 1;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE event(
  seq      INTEGER PRIMARY KEY AUTOINCREMENT,   -- the order of things; never used twice
  uid      TEXT    NOT NULL UNIQUE CHECK(length(uid) = 32),  -- random, made by who acts: a retry inserts nothing
  stream   TEXT    NOT NULL,                    -- 'attempt:UID' | 'item:ID' | 'session:ID' | 'settings'
  kind     TEXT    NOT NULL,                    -- started, bought, believed, estimated, committed, ...
  version  INTEGER NOT NULL DEFAULT 1,          -- shape of body; old shapes are read for ever, never rewritten
  at_ms    INTEGER NOT NULL,                    -- UTC
  day      INTEGER NOT NULL,                    -- local study day since 1970-01-01, 04:00 rollover, fixed when it happened
  actor    TEXT    NOT NULL DEFAULT 'self'      CHECK(actor IN ('self','host','candidate','observer','program')),
  audience TEXT    NOT NULL DEFAULT 'all'       CHECK(audience IN ('all','host')),
  body     TEXT    NOT NULL                     -- JSON object, checked by the writer: with trusted_schema=OFF
) STRICT;
INSERT INTO event VALUES(1,'00000000000000000000000000000001','item:card:set/thrice','reviewed',1,1700049600000,19676,'self','all','{"correct":true,"grade":3,"model":"fsrs-6","retention":0.90000000000000002,"seconds":7.5}');
INSERT INTO event VALUES(2,'00000000000000000000000000000002','item:drill:set/slip','answered',1,1700049660000,19676,'self','all','{"allowed":60.0,"answer":"about 3 us","confidence":0.80000000000000004,"correct":true,"grade":3,"high":3.9999999999999998e-6,"how":"right","log_error":0.40500000000000003,"low":1.9999999999999999e-6,"model":"fsrs-6","retention":0.90000000000000002,"seconds":40.0,"seed":42,"truth":1.9999999999999999e-6,"unit":"s","value":3.0000000000000001e-6}');
INSERT INTO event VALUES(3,'00000000000000000000000000000003','item:card:set/thrice','reviewed',1,1700050200000,19676,'self','all','{"correct":false,"grade":1,"model":"fsrs-6","retention":0.90000000000000002,"seconds":7.5}');
INSERT INTO event VALUES(4,'00000000000000000000000000000004','item:drill:set/slip','answered',1,1700308800000,19679,'self','all','{"allowed":60.0,"answer":"about 3 us","confidence":0.80000000000000004,"correct":false,"grade":1,"high":3.9999999999999998e-6,"how":"slip","log_error":0.40500000000000003,"low":1.9999999999999999e-6,"model":"fsrs-6","retention":0.90000000000000002,"seconds":40.0,"seed":42,"slip":"bits for bytes","truth":1.9999999999999999e-6,"unit":"s","value":3.0000000000000001e-6}');
INSERT INTO event VALUES(5,'00000000000000000000000000000005','item:drill:set/slip','answered',1,1700308860000,19679,'self','all','{"allowed":60.0,"answer":"about 3 us","confidence":0.80000000000000004,"correct":false,"grade":2,"high":3.9999999999999998e-6,"how":"wrong","log_error":0.40500000000000003,"low":1.9999999999999999e-6,"model":"fsrs-6","retention":0.90000000000000002,"seconds":40.0,"seed":42,"truth":1.9999999999999999e-6,"unit":"s","value":3.0000000000000001e-6}');
INSERT INTO event VALUES(6,'523b432219b499d1728da7a27198c3f2','item:drill:set/slip','undone',1,1700308870000,19679,'self','all','{"undone":"00000000000000000000000000000005"}');
INSERT INTO event VALUES(7,'00000000000000000000000000000006','item:card:set/thrice','reviewed',1,1700395200000,19680,'self','all','{"correct":true,"grade":4,"model":"fsrs-6","retention":0.90000000000000002,"seconds":7.5}');
INSERT INTO event VALUES(8,'00000000000000000000000000000007','item:drill:set/slip','answered',1,1700827200000,19685,'self','all','{"allowed":60.0,"answer":"about 3 us","confidence":0.80000000000000004,"correct":true,"grade":3,"high":3.9999999999999998e-6,"how":"right","log_error":0.40500000000000003,"low":1.9999999999999999e-6,"model":"fsrs-6","retention":0.90000000000000002,"seconds":40.0,"seed":42,"truth":1.9999999999999999e-6,"unit":"s","value":3.0000000000000001e-6}');
INSERT INTO event VALUES(9,'00000000000000000000000000000008','item:card:set/once','reviewed',1,1700827205000,19685,'self','all','{"correct":true,"grade":2,"model":"fsrs-6","retention":0.90000000000000002,"seconds":7.5}');
INSERT INTO event VALUES(10,'1c1209ddb7c53c7db0c7830af990029c','settings','set',1,1795380289306,20779,'self','all','{"name":"theme","value":"light"}');
CREATE TABLE blob(
  sha256 TEXT PRIMARY KEY CHECK(length(sha256) = 64),
  body   BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE event_blob(
  seq    INTEGER NOT NULL REFERENCES event(seq) ON DELETE CASCADE,
  sha256 TEXT    NOT NULL REFERENCES blob(sha256),
  PRIMARY KEY(seq, sha256)
) STRICT, WITHOUT ROWID;
CREATE TABLE erasing(stream TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE projection(
  name    TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  seq     INTEGER NOT NULL                      -- the newest event that the rows below have seen
) STRICT, WITHOUT ROWID;
INSERT INTO projection VALUES('progress',3,10);
CREATE TABLE attempt(
  uid         TEXT PRIMARY KEY CHECK(length(uid) = 32),
  scenario    TEXT NOT NULL,                    -- 'first-principles/transposed-copy'
  title       TEXT NOT NULL,
  content     TEXT NOT NULL REFERENCES blob(sha256),   -- scenario and answer as they were at the start
  tier        TEXT NOT NULL CHECK(tier IN ('live','recorded','computed','generated')),
  gpu         TEXT NOT NULL,
  state       TEXT NOT NULL CHECK(state IN ('open','committed','revealed','abandoned')),
  started_ms  INTEGER NOT NULL,
  elapsed_ms  INTEGER NOT NULL,                 -- monotonic, without the time the program was closed
  price       INTEGER NOT NULL,                 -- minutes of patience spent
  counted     INTEGER NOT NULL CHECK(counted IN (0, 1)),   -- 0: warm-up, or not a first look
  cause       TEXT NOT NULL,                    -- '' until revealed
  cause_right INTEGER CHECK(cause_right IN (0, 1)),        -- NULL until revealed
  on_truth    REAL NOT NULL,                    -- belief in the truth when the beliefs were locked, 0..1; 0 until revealed
  score       REAL,                             -- of 100; may be below 0, shown as 0; NULL: not scored
  score_rule  INTEGER                           -- version of the rule that gave it
) STRICT, WITHOUT ROWID;
CREATE TABLE score_line(
  attempt  TEXT NOT NULL REFERENCES attempt(uid) ON DELETE CASCADE,
  at       INTEGER NOT NULL,                    -- order on the screen, from 0
  line     TEXT NOT NULL,                       -- cause, evidence, estimates, updating, location, remedy
  points   REAL NOT NULL,
  possible REAL NOT NULL,
  why      TEXT NOT NULL,
  PRIMARY KEY(attempt, at),
  UNIQUE(attempt, line)
) STRICT, WITHOUT ROWID;
CREATE TABLE belief(                            -- the path that the debrief draws; step 0 is before any evidence
  attempt    TEXT NOT NULL REFERENCES attempt(uid) ON DELETE CASCADE,
  step       INTEGER NOT NULL,
  after      TEXT,                              -- probe or pushback, NULL at step 0
  hypothesis TEXT NOT NULL,
  points     INTEGER NOT NULL CHECK(points BETWEEN 0 AND 100),
  PRIMARY KEY(attempt, step, hypothesis)
) STRICT, WITHOUT ROWID;
CREATE TABLE answer(                            -- every number anybody estimated, in scenarios and drills alike
  uid       TEXT PRIMARY KEY,                   -- the event's uid
  attempt   TEXT REFERENCES attempt(uid) ON DELETE CASCADE,   -- NULL: a drill
  day       INTEGER NOT NULL,
  item      TEXT NOT NULL,
  seed      INTEGER NOT NULL,                   -- template and seed bring the very instance back
  given     TEXT NOT NULL,                      -- as typed
  value     REAL,                               -- SI base units; NULL: unreadable
  unit      TEXT NOT NULL,
  truth     REAL NOT NULL,
  log_error REAL,                               -- NULL: unreadable
  slip      TEXT,                               -- named mistake, or NULL
  took_ms   INTEGER NOT NULL,
  at_ms     INTEGER NOT NULL,                   -- UTC; 0: not known
  how       TEXT NOT NULL,                      -- right, close, slip, wrong, skipped; unreadable and dimension in scenarios; '' not known
  low       REAL,                               -- an answer given as an interval, with the confidence stated (0..1); else NULL
  high      REAL,
  confidence REAL,
  hint      INTEGER NOT NULL CHECK(hint IN (0, 1)),
  over_ms   INTEGER NOT NULL                    -- of took_ms, what was past the time given
) STRICT, WITHOUT ROWID;
INSERT INTO answer VALUES('00000000000000000000000000000002',NULL,19676,'drill:set/slip',42,'about 3 us',3.0000000000000000758e-06,'s',1.9999999999999999094e-06,0.40500000000000002664,NULL,40000,1700049660000,'right',1.9999999999999999094e-06,3.9999999999999998188e-06,0.8000000000000000444,0,0);
INSERT INTO answer VALUES('00000000000000000000000000000004',NULL,19679,'drill:set/slip',42,'about 3 us',3.0000000000000000758e-06,'s',1.9999999999999999094e-06,0.40500000000000002664,'bits for bytes',40000,1700308800000,'slip',1.9999999999999999094e-06,3.9999999999999998188e-06,0.8000000000000000444,0,0);
INSERT INTO answer VALUES('00000000000000000000000000000007',NULL,19685,'drill:set/slip',42,'about 3 us',3.0000000000000000758e-06,'s',1.9999999999999999094e-06,0.40500000000000002664,NULL,40000,1700827200000,'right',1.9999999999999999094e-06,3.9999999999999998188e-06,0.8000000000000000444,0,0);
CREATE TABLE item(
  id         TEXT PRIMARY KEY,                  -- 'drill:inference/decode-floor' | 'card:SET/ID' | 'cause:mem.uncoalesced'
  phase      INTEGER NOT NULL CHECK(phase BETWEEN 1 AND 3),  -- learning, review, relearning
  step       INTEGER NOT NULL,                  -- of the steps in minutes
  stability  REAL    NOT NULL,                  -- days
  difficulty REAL    NOT NULL,                  -- 1..10
  reviews    INTEGER NOT NULL,
  lapses     INTEGER NOT NULL,
  first_day  INTEGER NOT NULL,                  -- study days
  seen_day   INTEGER NOT NULL,
  seen_ms    INTEGER NOT NULL,                  -- UTC
  due_day    INTEGER NOT NULL,                  -- as the model says, before an interview date shapes it
  due_ms     INTEGER NOT NULL,                  -- a step in minutes: UTC; 0: a matter of days
  slip       INTEGER NOT NULL CHECK(slip IN (0, 1)),  -- the last answer was a named mistake
  last       INTEGER NOT NULL                   -- seq of the last review
) STRICT, WITHOUT ROWID;
INSERT INTO item VALUES('card:set/once',1,0,1.2930999999999999161,5.1121707056010547987,1,0,19685,19685,1700827205000,19685,1700827565000,0,9);
INSERT INTO item VALUES('card:set/thrice',2,0,8.3377448654792036819,6.5090953428844935402,3,0,19676,19680,1700395200000,19688,0,0,7);
INSERT INTO item VALUES('drill:set/slip',1,1,5.0010988623233325611,7.3823366078352767871,3,0,19676,19685,1700827200000,19685,1700827800000,0,8);
CREATE TABLE review(
  seq        INTEGER PRIMARY KEY,               -- its event
  item       TEXT    NOT NULL,
  day        INTEGER NOT NULL,
  at_ms      INTEGER NOT NULL,
  grade      INTEGER NOT NULL CHECK(grade BETWEEN 1 AND 4),
  correct    INTEGER NOT NULL CHECK(correct IN (0, 1)),
  took_ms    INTEGER NOT NULL,
  given      TEXT    NOT NULL,                  -- as typed; '' when graded by oneself
  model      TEXT    NOT NULL,
  phase      INTEGER NOT NULL, step INTEGER NOT NULL, stability REAL NOT NULL, difficulty REAL NOT NULL,
  lapses     INTEGER NOT NULL, due_day INTEGER NOT NULL, due_ms INTEGER NOT NULL, slip INTEGER NOT NULL,
  was_phase  INTEGER NOT NULL, was_step INTEGER NOT NULL, was_stability REAL NOT NULL, was_difficulty REAL NOT NULL,
  was_reviews INTEGER NOT NULL, was_lapses INTEGER NOT NULL, was_first_day INTEGER NOT NULL, was_seen_day INTEGER NOT NULL,
  was_seen_ms INTEGER NOT NULL, was_due_day INTEGER NOT NULL, was_due_ms INTEGER NOT NULL, was_slip INTEGER NOT NULL,
  was_last   INTEGER NOT NULL                   -- seq of the review before; 0: none
) STRICT;
INSERT INTO review VALUES(1,'card:set/thrice',19676,1700049600000,3,1,7500,'','fsrs-6',1,1,2.3065000000000002167,2.1181039704590149952,0,19676,1700050200000,0,0,0,0.0,0.0,0,0,0,0,0,0,0,0,0);
INSERT INTO review VALUES(2,'drill:set/slip',19676,1700049660000,3,1,40000,'about 3 us','fsrs-6',1,1,2.3065000000000002167,2.1181039704590149952,0,19676,1700050260000,0,0,0,0.0,0.0,0,0,0,0,0,0,0,0,0);
INSERT INTO review VALUES(3,'card:set/thrice',19676,1700050200000,1,0,7500,'','fsrs-6',1,0,0.77508398285589830134,7.394502741279717739,0,19676,1700050260000,0,1,1,2.3065000000000002167,2.1181039704590149952,1,0,19676,19676,1700049600000,19676,1700050200000,0,1);
INSERT INTO review VALUES(4,'drill:set/slip',19679,1700308800000,1,0,40000,'about 3 us','fsrs-6',1,0,0.63685069924096027182,7.394502741279717739,0,19679,1700308860000,1,1,1,2.3065000000000002167,2.1181039704590149952,1,0,19676,19676,1700049660000,19676,1700050260000,0,2);
INSERT INTO review VALUES(7,'card:set/thrice',19680,1700395200000,4,1,7500,'','fsrs-6',2,0,8.3377448654792036819,6.5090953428844935402,0,19688,0,0,1,0,0.77508398285589830134,7.394502741279717739,2,0,19676,19676,1700050200000,19676,1700050260000,0,3);
INSERT INTO review VALUES(8,'drill:set/slip',19685,1700827200000,3,1,40000,'about 3 us','fsrs-6',1,1,5.0010988623233325611,7.3823366078352767871,0,19685,1700827800000,0,1,0,0.63685069924096027182,7.394502741279717739,2,0,19676,19679,1700308800000,19679,1700308860000,1,4);
INSERT INTO review VALUES(9,'card:set/once',19685,1700827205000,2,1,7500,'','fsrs-6',1,0,1.2930999999999999161,5.1121707056010547987,0,19685,1700827565000,0,0,0,0.0,0.0,0,0,0,0,0,0,0,0,0);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('event',10);
CREATE INDEX event_stream ON event(stream, seq);
CREATE INDEX event_blob_sha256 ON event_blob(sha256);
CREATE TRIGGER event_is_fixed BEFORE UPDATE ON event
BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END;
CREATE TRIGGER event_is_kept BEFORE DELETE ON event
WHEN NOT EXISTS (SELECT 1 FROM erasing WHERE stream = OLD.stream)
BEGIN SELECT RAISE(ABORT, 'an event is kept'); END;
CREATE INDEX attempt_state ON attempt(state, started_ms);
CREATE INDEX answer_attempt ON answer(attempt);
CREATE INDEX review_day ON review(day, correct, took_ms);
COMMIT;
