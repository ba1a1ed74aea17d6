"""Keep pytest from importing two of these modules: they are servers, to be run as programs."""

collect_ignore = ["counted.py", "echo.py"]
