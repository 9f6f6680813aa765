"""Parts that know nothing of records: tables, popups, messages, work beside the window."""
