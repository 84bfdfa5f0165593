"""Spans, diagnostics, remarks and their rendering."""
