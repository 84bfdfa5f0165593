"""What transforms, AD and lowering ask about kernels: uniformity, effects, liveness, min-cut."""
