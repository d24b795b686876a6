"""The API told in OpenAPI 3.1, from one table of operations; docs/openapi.json is what this makes."""

from companion.web.openapi.description import describe

__all__ = ["describe"]
