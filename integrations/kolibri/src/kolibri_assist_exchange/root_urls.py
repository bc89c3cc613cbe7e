"""The fixed paths the service knows."""

from django.urls import path

from kolibri_assist_exchange import embedding, oauth, views
from kolibri_assist_exchange.configuration import configuration

configuration()  # at start, not at the first question: a plugin without its settings would answer nobody

urlpatterns = [
    path(".well-known/jwks.json", views.jwks),
    path("oauth/token", oauth.token),
    path("oauth/revoke", oauth.revoke),
    path("api/assist/session", views.SessionView.as_view()),
    path(embedding.PATH, embedding.page),
    path(f"{embedding.PATH}host.js", embedding.host),
    path("api/assist/standing/<str:sub>", views.standing),
]
