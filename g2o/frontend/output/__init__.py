"""Translations as a host compiler sees them: parsed by libclang before they are written."""
