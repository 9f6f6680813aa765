"""Reading what was drawn for an audit, and what is known of what may be left."""
