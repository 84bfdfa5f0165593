"""How much of a body of CUDA programs g2o carries from source to agreeing CPU results."""
