"""Everything that can be said of a lookup, as closed tables of English: the keys of the catalogues."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assist_service.domain.live.finding import Column, Say, Topic, Word
from assist_service.domain.live.query import Lookup, Operation, RecordKind
from assist_service.domain.school import EvaluationState


@dataclass(frozen=True)
class Message:
    """A text with places to fill in. With `many` it goes by a count, and `zero` is said where there is none."""

    one: str
    many: str | None = None
    zero: "Message | None" = None
    context: str | None = None
    """What the text is, where the same English may need other words elsewhere."""


M, _K, _L, _O = Message, RecordKind, Lookup, Operation

SENTENCES: Mapping[tuple[Say, RecordKind | None], Message] = {
    (Say.NO_CLASSES, None): M("You have no class on the platform."),
    (Say.NO_SUCH, _K.CLASS): M("You have no class of that name."),
    (Say.NO_SUCH, _K.STUDENT): M("There is no student of that name in your classes."),
    (Say.NO_SUCH, _K.EXAM): M("There is no exam of that name in your classes."),
    (Say.NO_SUCH_IN_CLASS, _K.STUDENT): M("There is no student of that name in this class."),
    (Say.NO_SUCH_IN_CLASS, _K.EXAM): M("There is no exam of that name in this class."),
    (Say.GONE, None): M("What you selected is not there any more, or no longer yours."),
    (Say.NOT_IN_CLASS, None): M("What you selected is not in this class."),
    (Say.NO_STUDENTS, None): M("There are no students."),
    (Say.NO_EXAMS, None): M("There are no exams."),
    (Say.NO_RELEASED_EXAMS, None): M("No exam has been released yet."),
    (Say.NOT_RELEASED, None): M("The results of {exam} have not been released. State of the exam: {state}."),
    (Say.NO_MARKS, None): M("There is no final mark yet."),
    (Say.NO_RANKING, None): M("There is no ranking yet."),
    (Say.NOT_RANKED, None): M("{student} is not in the ranking."),
    (Say.NOBODY_HAS_ENTRY, None): M("Nobody has an entry for this exam."),
    (Say.NAME_ONE, _K.STUDENT): M("Which student? Ask again with the name."),
    (Say.CLOSEST, None): M("No name is exactly as it was written: this is what comes closest."),
    (Say.CLASSES, None): M("You have {count} class.", "You have {count} classes."),
    (Say.STUDENTS, None): M("There is {count} student.", "There are {count} students.", M("There are no students.")),
    (Say.EXAMS, None): M("There is {count} exam.", "There are {count} exams."),
    (Say.RELEASED_EXAMS, None): M("{count} exam has been released.", "{count} exams have been released."),
    (Say.MARKED, None): M("{count} student has a final mark.", "{count} students have a final mark."),
    (Say.ABSENT, None): M("{count} student was absent.", "{count} students were absent."),
    (Say.UNMARKED, None): M(
        "The work of {count} student is not all marked yet.", "The work of {count} students is not all marked yet."
    ),
    (Say.NO_ENTRY, None): M(
        "{count} student of the class has no entry for this exam.",
        "{count} students of the class have no entry for this exam.",
    ),
    (Say.MEAN, None): M("Mean: {mean} out of {out_of}."),
    (Say.MEDIAN, None): M("Median: {median} out of {out_of}."),
    (Say.HIGHEST, None): M(
        "Highest mark: {mark} out of {out_of} ({count} student).",
        "Highest mark: {mark} out of {out_of} ({count} students).",
    ),
    (Say.LOWEST, None): M(
        "Lowest mark: {mark} out of {out_of} ({count} student).",
        "Lowest mark: {mark} out of {out_of} ({count} students).",
    ),
    (Say.MEAN_SHARE, None): M(
        "On average {share} of full marks ({count} final mark).",
        "On average {share} of full marks ({count} final marks).",
    ),
    (Say.BEST_EXAM, None): M("Best exam: {exam} ({share})."),
    (Say.WEAKEST_EXAM, None): M("Weakest exam: {exam} ({share})."),
    (Say.MISSED_EXAMS, None): M(
        "{count} released exam was missed.", "{count} released exams were missed.", M("No released exam was missed.")
    ),
    (Say.ABSENCES, None): M(
        "{count} absence over all released exams.",
        "{count} absences over all released exams.",
        M("No absence over all released exams."),
    ),
    (Say.STUDENT_MARK, None): M("Mark of {student}: {mark} out of {out_of}."),
    (Say.STUDENT_ABSENT, None): M("{student} was absent from the exam."),
    (Say.STUDENT_UNMARKED, None): M("The work of {student} is not all marked yet."),
    (Say.STUDENT_NO_ENTRY, None): M("{student} has no entry for this exam."),
    (Say.PLACE, None): M("{student}: place {rank} of {count}, points: {points}."),
    (Say.SHARED_PLACE, None): M("{count} other shares this place.", "{count} others share this place."),
    (Say.TIED, None): M(
        "{count} more is shown than was asked for, as it is level with the last.",
        "{count} more are shown than were asked for, as they are level with the last.",
    ),
    (Say.RANKED_BY_LMS, None): M("The ranking is the platform's own."),
    (Say.TOOK_PART, None): M(
        "{count} of {of} students took the exam ({share}).",
        "{count} of {of} students took the exam ({share}).",
    ),
    (Say.ALL_TOOK_PART, None): M("Everybody took the exam."),
    (Say.NOBODY_TOOK_PART, None): M("Nobody took the exam."),
}
"""Each sentence, and by kind where its words differ."""

HEADINGS: Mapping[tuple[Lookup, Operation], Message] = {
    key: Message(text, context="heading")
    for key, text in {
        (_L.CLASSES, _O.LIST): "Your classes",
        (_L.CLASSES, _O.COUNT): "Number of your classes",
        (_L.STUDENTS, _O.LIST): "Students",
        (_L.STUDENTS, _O.COUNT): "Number of students",
        (_L.EXAMS, _O.LIST): "Exams",
        (_L.EXAMS, _O.COUNT): "Number of exams",
        (_L.CLASS_PERFORMANCE, _O.SUMMARY): "Performance of a class",
        (_L.CLASS_PERFORMANCE, _O.BY_EXAM): "Performance of a class, exam by exam",
        (_L.STUDENT_PERFORMANCE, _O.SUMMARY): "Performance of a student",
        (_L.STUDENT_PERFORMANCE, _O.BY_EXAM): "Performance of a student, exam by exam",
        (_L.EXAM_RESULTS, _O.LIST): "Results of an exam",
        (_L.EXAM_RESULTS, _O.HIGHEST): "Highest marks of an exam",
        (_L.EXAM_RESULTS, _O.LOWEST): "Lowest marks of an exam",
        (_L.EXAM_RESULTS, _O.SUMMARY): "Results of an exam in short",
        (_L.RANKINGS, _O.TOP): "Top of the ranking",
        (_L.RANKINGS, _O.BOTTOM): "Bottom of the ranking",
        (_L.RANKINGS, _O.PLACE): "Place in the ranking",
        (_L.PARTICIPATION, _O.MISSING): "Who did not take an exam",
        (_L.PARTICIPATION, _O.TAKEN): "Who took an exam",
        (_L.PARTICIPATION, _O.RATE): "How many took an exam",
    }.items()
}
"""What was looked up."""

TOPICS: Mapping[Topic, Message] = {
    Topic.STUDENT_RESULT: M("Result of a student", context="heading"),
    Topic.EXAM_STATE: M("State of an exam", context="heading"),
    Topic.PARTICIPATION: M("Participation in an exam", context="heading"),
}
"""What is answered, where that is not what was looked up."""

COLUMNS: Mapping[Column, Message] = {
    column: Message(text, context="column")
    for column, text in {
        Column.CLASS: "Class",
        Column.COURSE: "Course",
        Column.STUDENTS: "Students",
        Column.STUDENT: "Student",
        Column.EXAM: "Exam",
        Column.STATE: "State",
        Column.OPENS: "Opens",
        Column.CLOSES: "Closes",
        Column.MARK: "Mark",
        Column.OUT_OF: "Out of",
        Column.MEAN: "Mean",
        Column.HIGHEST: "Highest",
        Column.LOWEST: "Lowest",
        Column.MARKED: "With a mark",
        Column.ABSENT: "Absent",
        Column.SHARE: "Percent",
        Column.RANK: "Rank",
        Column.POINTS: "Points",
    }.items()
}

WORDS: Mapping[Word | EvaluationState, Message] = {
    Word.ABSENT: M("absent", context="in place of a mark"),
    Word.UNMARKED: M("being marked", context="in place of a mark"),
    EvaluationState.DRAFT: M("draft", context="state of an exam"),
    EvaluationState.SCHEDULED: M("scheduled", context="state of an exam"),
    EvaluationState.RUNNING: M("running", context="state of an exam"),
    EvaluationState.CLOSED: M("closed", context="state of an exam"),
    EvaluationState.RELEASED: M("released", context="state of an exam"),
}

WHICH: Mapping[RecordKind, Message] = {
    _K.CLASS: M("Which class do you mean?"),
    _K.STUDENT: M("Which student do you mean?"),
    _K.EXAM: M("Which exam do you mean?"),
}

MORE_OPTIONS = M(
    "{count} more is not shown: name it more exactly.", "{count} more are not shown: name it more exactly."
)

OTHER_QUESTION = M("Another lookup needs a choice too: ask for it again afterwards.")
OTHER_QUESTIONS = M("{count} other lookups need a choice too: ask for them again afterwards.")

ABOUT = M("{heading}: {names}")
BETWEEN = M("{one}; {other}", context="between names")
"""A title may hold a comma."""
OF_CLASSES = M("class: {titles}", "classes: {titles}")
MORE_CLASSES = M("{titles}; {count} more", "{titles}; {count} more")
AS_OF = M("as of {at}")

NOTHING_LISTED = M("There is nothing to list.")
IS_CUT = M("The platform has more than I read.")
MORE_ON_ASKING = M(
    "{count} more is not shown: ask for up to {most}.", "{count} more are not shown: ask for up to {most}."
)
MORE_THAN_FIT = M(
    "{count} more is not shown: it does not fit into one answer.",
    "{count} more are not shown: they do not fit into one answer.",
)
MORE = M("{count} more is not shown.", "{count} more are not shown.")

UNTITLED = M("(no title)")
UNNAMED = M("(no name)")
NO_DATE = M("no date", context="in place of a date")
NO_VALUE = M("none", context="in place of a number")


def all_messages() -> Iterator[Message]:
    """Every message there is: the catalogues hold these and no others."""
    for table in (SENTENCES, HEADINGS, TOPICS, COLUMNS, WORDS, WHICH):
        for message in table.values():
            yield message
            if message.zero is not None:
                yield message.zero
    yield from (
        MORE_OPTIONS,
        OTHER_QUESTION,
        OTHER_QUESTIONS,
        ABOUT,
        BETWEEN,
        OF_CLASSES,
        MORE_CLASSES,
        AS_OF,
        NOTHING_LISTED,
        IS_CUT,
    )
    yield from (MORE_ON_ASKING, MORE_THAN_FIT, MORE, UNTITLED, UNNAMED, NO_DATE, NO_VALUE)
