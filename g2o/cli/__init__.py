"""Arguments, exit codes and terminal output.

Every command is a module of its own, loaded when it is called, so that `g2o --help` is quick.
"""
