"""What a process knows of a table: its rows, position, chat and history, all of one version."""
