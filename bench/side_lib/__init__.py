"""The parts of `bench/side_by_side.py`."""
