# One image for all processes of the site: web, workers, beat and commands. See compose.yaml.
FROM python:3.11-slim-bookworm

ENV PYTHONUNBUFFERED=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    CHANCELLERY_DATA=/srv/chancellery/data

WORKDIR /srv/chancellery

COPY requirements.lock ./
RUN pip install --no-cache-dir --require-hashes -r requirements.lock

COPY . ./
RUN python manage.py prepare --files
RUN python -m compileall -q accounts config games

# The processes write only temporary files, so the user needs neither a name nor a home.
USER 10001:10001

EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "config/observability/ready.py", "http://127.0.0.1:8000/healthz/ready"]
CMD ["python", "manage.py", "serve", "--host", "0.0.0.0", "--port", "8000"]
