"""Integer sets over named dimensions: polynomials, formulas, and the questions that isl answers.

The only importer of islpy.
"""
