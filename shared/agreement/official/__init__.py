"""The evaluators of two shared tasks, quirks and all: their rules, in own code.

These reproduce what the scripts print, so that figures can be put beside published ones. Where a
quirk misleads, `shared.agreement.measures` does it otherwise; guidelines/agreement_measures.md
says what differs.
"""
