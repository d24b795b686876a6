"""The page and the API that phones use (Flask), and the server that carries them."""

from companion.web.app import create_app
from companion.web.server import PortTaken, RunningServer, check_port, serve

__all__ = ["PortTaken", "RunningServer", "check_port", "create_app", "serve"]
