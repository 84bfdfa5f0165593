"""What `bench/analysis.py` is made of."""
