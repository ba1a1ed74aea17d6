"""Tools for the site's languages: creating, checking and compiling translations."""
