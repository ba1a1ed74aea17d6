"""What `manage.py play` is made of: one supervisor, and the processes that are the site.

    data.py        the folder that outlasts a run: secrets, database, the lock on it
    address.py     where the site listens, and by which names it may be called
    valkey.py      the bundled Redis-compatible server, on a private socket
    prepare.py     what is done before anything starts: migrations, static files
    processes.py   the command line of each process
    child.py       one running process: its output, its end
    lifeline.py    no process outlives the supervisor, even a killed one
    supervisor.py  starts, watches and stops them
    probe.py       asks over HTTP whether the site answers
    log.py         the one log

The processes are those of production; only who starts them differs (README.md).
"""
