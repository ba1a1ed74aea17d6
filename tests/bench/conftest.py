"""Two of these modules are servers: they are run, and nobody imports them."""

collect_ignore = ["counted.py", "echo.py"]
