"""How everything that a lookup can say reads in English, written down apart from the catalogues of the service."""

from collections.abc import Mapping

ENGLISH: Mapping[str, tuple[str, ...]] = {
    "no_classes": ("You have no class on the platform.",),
    "no_such class": ("You have no class of that name.",),
    "no_such student": ("There is no student of that name in your classes.",),
    "no_such exam": ("There is no exam of that name in your classes.",),
    "no_such student in_class": ("There is no student of that name in this class.",),
    "no_such exam in_class": ("There is no exam of that name in this class.",),
    "no_such selected": ("What you selected is not there any more, or no longer yours.",),
    "no_such selected in_class": ("What you selected is not in this class.",),
    "closest": ("No name is exactly as it was written: this is what comes closest.",),
    "name_one student": ("Which student? Ask again with the name.",),
    **{
        f"not_released {state}": (f"The results of … have not been released. State of the exam: {state}.",)
        for state in ("draft", "scheduled", "running", "closed")
    },
    "no_marks": ("There is no final mark yet.",),
    "no_ranking": ("There is no ranking yet.",),
    "classes": ("You have # class.", "You have # classes."),
    "students": ("There is # student.", "There are # students.", "There are no students."),
    "exams": ("There is # exam.", "There are # exams.", "There are no exams."),
    "released_exams": (
        "# exam has been released.",
        "# exams have been released.",
        "No exam has been released yet.",
    ),
    "marked": ("# student has a final mark.", "# students have a final mark."),
    "absent": ("# student was absent.", "# students were absent."),
    "unmarked": (
        "The work of # student is not all marked yet.",
        "The work of # students is not all marked yet.",
    ),
    "no_entry": (
        "# student of the class has no entry for this exam.",
        "# students of the class have no entry for this exam.",
    ),
    "mean": ("Mean: # out of #.",),
    "median": ("Median: # out of #.",),
    "highest": ("Highest mark: # out of # (# student).", "Highest mark: # out of # (# students)."),
    "lowest": ("Lowest mark: # out of # (# student).", "Lowest mark: # out of # (# students)."),
    "mean_share": (
        "On average # of full marks (# final mark).",
        "On average # of full marks (# final marks).",
    ),
    "best_exam": ("Best exam: … (#).",),
    "weakest_exam": ("Weakest exam: … (#).",),
    "missed_exams": (
        "# released exam was missed.",
        "# released exams were missed.",
        "No released exam was missed.",
    ),
    "absences": (
        "# absence over all released exams.",
        "# absences over all released exams.",
        "No absence over all released exams.",
    ),
    "student_mark": ("Mark of …: # out of #.",),
    "student absent": ("… was absent from the exam.",),
    "student unmarked": ("The work of … is not all marked yet.",),
    "student without entry": ("… has no entry for this exam.",),
    "place": ("…: place # of #, points: #.",),
    "shared_place": ("# other shares this place.", "# others share this place."),
    "tied": (
        "# more is shown than was asked for, as it is level with the last.",
        "# more are shown than were asked for, as they are level with the last.",
    ),
    "ranked_by_lms": ("The ranking is the platform's own.",),
    "took_part": ("# of # students took the exam (#).",),
    "all_took_part": ("Everybody took the exam.",),
    "nobody_took_part": ("Nobody took the exam.",),
    "nobody_has_entry": ("Nobody has an entry for this exam.",),
    "more on asking": ("# more is not shown: ask for up to #.", "# more are not shown: ask for up to #."),
    "more": ("# more is not shown.", "# more are not shown."),
    "which class": ("Which class do you mean?",),
    "which student": ("Which student do you mean?",),
    "which exam": ("Which exam do you mean?",),
    "more options": (
        "# more is not shown: name it more exactly.",
        "# more are not shown: name it more exactly.",
    ),
    "heading query_classes list": ("Your classes",),
    "heading query_classes count": ("Number of your classes",),
    "heading query_students list": ("Students",),
    "heading query_students count": ("Number of students",),
    "heading query_exams list": ("Exams",),
    "heading query_exams count": ("Number of exams",),
    "heading query_class_performance summary": ("Performance of a class",),
    "heading query_class_performance by_exam": ("Performance of a class, exam by exam",),
    "heading query_student_performance summary": ("Performance of a student",),
    "heading query_student_performance by_exam": ("Performance of a student, exam by exam",),
    "heading query_exam_results list": ("Results of an exam",),
    "heading query_exam_results highest": ("Highest marks of an exam",),
    "heading query_exam_results lowest": ("Lowest marks of an exam",),
    "heading query_exam_results summary": ("Results of an exam in short",),
    "heading query_rankings top": ("Top of the ranking",),
    "heading query_rankings bottom": ("Bottom of the ranking",),
    "heading query_rankings place": ("Place in the ranking",),
    "heading query_participation missing": ("Who did not take an exam",),
    "heading query_participation taken": ("Who took an exam",),
    "heading query_participation rate": ("How many took an exam",),
    "heading topic student_result": ("Result of a student",),
    "heading topic exam_state": ("State of an exam",),
    "heading topic participation": ("Participation in an exam",),
    "column class": ("Class",),
    "column course": ("Course",),
    "column students": ("Students",),
    "column student": ("Student",),
    "column exam": ("Exam",),
    "column state": ("State",),
    "column opens": ("Opens",),
    "column closes": ("Closes",),
    "column mark": ("Mark",),
    "column out of": ("Out of",),
    "column mean": ("Mean",),
    "column highest": ("Highest",),
    "column lowest": ("Lowest",),
    "column marked": ("With a mark",),
    "column absent": ("Absent",),
    "column share": ("Percent",),
    "column rank": ("Rank",),
    "column points": ("Points",),
    "word absent": ("absent",),
    "word unmarked": ("being marked",),
    "word none": ("none",),
    "word no date": ("no date",),
    **{f"word state {state}": (state,) for state in ("draft", "scheduled", "running", "closed", "released")},
}
"""For one, for many, and for none where that has words of its own. A name is …, a figure #."""

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "query_classes": ("class", "course", "students"),
    "query_students": ("student", "class"),
    "query_exams": ("exam", "class", "state", "opens", "closes"),
    "query_class_performance": ("exam", "out of", "mean", "highest", "lowest", "marked", "absent"),
    "query_student_performance": ("exam", "mark", "out of", "share", "mean"),
    "query_exam_results": ("student", "mark"),
    "query_rankings": ("rank", "student", "points"),
    "query_participation": ("student",),
}
"""The class is left out where one was named."""


def english(key: str, count: int | None) -> str:
    """The one sentence that it must be."""
    one, *others = ENGLISH[key]
    if count is None or count == 1 or not others:
        return one
    return others[1] if count == 0 and len(others) > 1 else others[0]
