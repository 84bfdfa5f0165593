// Programs may include it where they use nothing of it.
