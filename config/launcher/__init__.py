"""The implementation of `manage.py play`: a supervisor and the processes of the site.

    data.py        the data folder, kept between runs: secrets, database, and its lock
    address.py     the listening address and the allowed host names
    valkey.py      the bundled Redis-compatible server, on a private socket
    prepare.py     the work before anything starts: catalogs, migrations, static files
    processes.py   the command line of each process
    supervisor.py  starts them, restarts those that die, and stops them
    lifeline.py    no process outlives the supervisor, even a killed one
    probe.py       asks over HTTP whether the site answers
    log.py         the shared log

Production runs the same processes but starts them by other means (README.md).
"""
