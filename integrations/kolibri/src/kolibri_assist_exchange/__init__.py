"""A Kolibri plugin: Kolibri as the identity provider and token exchange that assist-service asks for."""
