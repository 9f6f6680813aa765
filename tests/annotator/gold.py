"""Projects whose annotators may see the gold standard, and an adjudicator who is quick."""

from adjudicator.session import AdjudicationSession
from shared.project.project import Project
from tests.adjudicator.projects import make_project


def project_that_shows_gold(root, *sides, **others) -> Project:
    return let_gold_be_shown(make_project(root, *sides, **others))


def let_gold_be_shown(project: Project, shown: bool = True) -> Project:
    path = project.root / "tandem.toml"
    line = "show_gold_to_annotators = true\n"
    text = path.read_text().replace(line, "")
    path.write_text(line + text if shown else text)
    return Project.open(project.root)


def adjudicate(project: Project, patient_id: str = "110", reasons=(), done=True, **marked) -> None:
    """Decide everything: as `marked` (text="TYPE", "" for no tag) says, else for ana."""
    with AdjudicationSession(project, patient_id, "carol") as session:
        types = {each.phi_type.name: each.phi_type for each in project.schema.types()}
        reasons = dict(reasons)
        for each in list(session.queue):
            text = each.span.text_in(session.view.text)
            mine = each.key.sides[0]
            if text in marked:
                wanted = types.get(marked[text])
                session.queue.decide_with(each, [(each.key.span, wanted)] if wanted else [])
            else:
                session.queue.decide_with(each, mine)
            if text in reasons:
                session.queue.remark(each, reasons[text], discuss=False)
        if done:
            session.finish()


def reopen(project: Project, patient_id: str = "110") -> None:
    with AdjudicationSession(project, patient_id, "carol") as session:
        session.reopen()
