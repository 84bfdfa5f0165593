"""Source text to kernel IR and host edits."""
