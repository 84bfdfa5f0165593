"""Arguments, exit codes and terminal output."""
