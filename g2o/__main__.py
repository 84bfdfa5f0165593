"""`python -m g2o`, where the command is not in PATH."""

from g2o.cli.main import main

main()
