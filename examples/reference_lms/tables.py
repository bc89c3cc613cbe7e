"""The tables of the school; what a column holds that the contract does not name is there to be left out by others."""

TABLES = """
CREATE TABLE person (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, active INTEGER NOT NULL DEFAULT 1,
    exam INTEGER NOT NULL DEFAULT 0, email TEXT, birth_date TEXT, address TEXT, id_number TEXT, remarks TEXT
);
CREATE TABLE course (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, language TEXT, archived INTEGER NOT NULL DEFAULT 0,
    description TEXT NOT NULL DEFAULT ''
);
CREATE TABLE seat (
    course TEXT NOT NULL REFERENCES course, person TEXT NOT NULL REFERENCES person, role TEXT NOT NULL,
    PRIMARY KEY (course, person)
);
CREATE TABLE classroom (id TEXT PRIMARY KEY, title TEXT NOT NULL, course TEXT NOT NULL REFERENCES course);
CREATE TABLE enrolment (
    classroom TEXT NOT NULL REFERENCES classroom, person TEXT NOT NULL REFERENCES person,
    PRIMARY KEY (classroom, person)
);
CREATE TABLE pool (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, language TEXT, description TEXT NOT NULL DEFAULT '',
    owner TEXT REFERENCES person
);
CREATE TABLE course_pool (
    course TEXT NOT NULL REFERENCES course, pool TEXT NOT NULL REFERENCES pool, PRIMARY KEY (course, pool)
);
CREATE TABLE category (id TEXT PRIMARY KEY, pool TEXT NOT NULL REFERENCES pool, title TEXT NOT NULL);
CREATE TABLE question (
    id TEXT PRIMARY KEY, pool TEXT NOT NULL REFERENCES pool, category TEXT REFERENCES category, type TEXT NOT NULL,
    status TEXT NOT NULL, difficulty TEXT, title TEXT NOT NULL, statement TEXT NOT NULL, config TEXT NOT NULL,
    explanation TEXT NOT NULL DEFAULT ''
);
CREATE INDEX question_pool ON question (pool);
CREATE TABLE evaluation (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, state TEXT NOT NULL, classroom TEXT NOT NULL REFERENCES classroom,
    opens_at TEXT, closes_at TEXT, duration_minutes INTEGER, shuffled INTEGER NOT NULL DEFAULT 0,
    attempts_allowed INTEGER, best_mark REAL NOT NULL
);
CREATE TABLE evaluation_item (
    evaluation TEXT NOT NULL REFERENCES evaluation, question TEXT NOT NULL REFERENCES question, points REAL NOT NULL
);
CREATE TABLE template (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, language TEXT, course TEXT REFERENCES course,
    owner TEXT REFERENCES person
);
CREATE TABLE template_question (
    template TEXT NOT NULL REFERENCES template, question TEXT NOT NULL REFERENCES question,
    PRIMARY KEY (template, question)
);
CREATE TABLE grade (
    evaluation TEXT NOT NULL REFERENCES evaluation, person TEXT NOT NULL REFERENCES person, mark REAL,
    final INTEGER NOT NULL, absent INTEGER NOT NULL, remark TEXT, PRIMARY KEY (evaluation, person)
);
CREATE TABLE kept_answer (
    person TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, body TEXT NOT NULL, at REAL NOT NULL,
    PRIMARY KEY (person, key)
);
"""

VIEWS = """
CREATE TEMP TABLE asker (me TEXT, everything INTEGER NOT NULL);
INSERT INTO asker VALUES (NULL, 0);
CREATE TEMP VIEW my_course AS SELECT course.*, course.rowid AS place FROM course, asker
    WHERE everything OR id IN (SELECT course FROM seat WHERE person = me);
CREATE TEMP VIEW my_classroom AS SELECT *, rowid AS place FROM classroom
    WHERE course IN (SELECT id FROM my_course);
CREATE TEMP VIEW my_pool AS SELECT pool.*, pool.rowid AS place FROM pool, asker
    WHERE everything OR owner = me OR id IN (SELECT pool FROM course_pool JOIN my_course ON course = my_course.id);
CREATE TEMP VIEW my_question AS SELECT *, rowid AS place FROM question WHERE pool IN (SELECT id FROM my_pool);
CREATE TEMP VIEW my_evaluation AS SELECT *, rowid AS place FROM evaluation
    WHERE classroom IN (SELECT id FROM my_classroom);
CREATE TEMP VIEW my_template AS SELECT template.*, template.rowid AS place FROM template, asker
    WHERE everything OR owner = me OR course IN (SELECT id FROM my_course);
"""
"""What the one person in `asker` reaches by their seats: endpoints read these and no table behind them."""
