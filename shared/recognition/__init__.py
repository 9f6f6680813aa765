"""Recognizers: a document in, suggestions (where, as what, how sure, by whom) out."""
