"""What operators ask: is it alive, is it ready, what has it counted."""

from fastapi import APIRouter
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import JSONResponse, PlainTextResponse, Response

from assist_service import telemetry
from assist_service.services.health import Readiness
from assist_service.web.deps import ServiceDep

router = APIRouter()


@router.get("/healthz", response_class=PlainTextResponse, operation_id="alive")
async def alive() -> PlainTextResponse:
    """Answers as long as the process runs."""
    return PlainTextResponse("ok")


@router.get(
    "/readyz",
    responses={200: {"model": Readiness}, 503: {"model": Readiness, "description": "Not ready"}},
    operation_id="ready",
)
async def ready(service: ServiceDep) -> Response:
    """Says whether questions can be answered, check by check."""
    readiness = await service.health()
    return JSONResponse(readiness.model_dump(mode="json"), status_code=200 if readiness.ready else 503)


@router.get("/.well-known/jwks.json", operation_id="client_keys")
async def client_keys(service: ServiceDep) -> JSONResponse:
    """The public keys that this service signs with as the LMS's client (RFC 7517)."""
    return JSONResponse(dict(service.client_jwks), headers={"Cache-Control": "max-age=300"})


@router.get("/metrics", response_class=PlainTextResponse, operation_id="metrics")
async def metrics(service: ServiceDep) -> Response:
    """The counters of this process, for Prometheus, and the day's money as all replicas share it."""
    await service.gauges()
    return Response(generate_latest(telemetry.REGISTRY), media_type=CONTENT_TYPE_LATEST)
