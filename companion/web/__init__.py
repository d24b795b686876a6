"""The page and the API that phones use (Flask), and the server that carries them."""

from companion.web.app import create_app
from companion.web.server import PortTaken, RunningServer, serve

__all__ = ["PortTaken", "RunningServer", "create_app", "serve"]
