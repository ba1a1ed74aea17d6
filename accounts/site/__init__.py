"""The switches, notices and header of the whole site."""
