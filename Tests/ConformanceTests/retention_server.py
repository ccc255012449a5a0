"""A developer's server for Retention Messaging. It records Apple's requests and returns the response of the test."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from appstoreserverlibrary.models.LibraryUtility import _get_cattrs_converter


class RetentionServer:
    """Listens on a free port of the loopback interface."""

    def __init__(self):
        self.signed_payloads = []
        self._status = 200
        self._body = b"{}"
        self._seconds = 0
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.signed_payloads.append(body["signedPayload"])
                time.sleep(server._seconds)
                try:
                    self.send_response(server._status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(server._body)))
                    self.end_headers()
                    self.wfile.write(server._body)
                except (BrokenPipeError, ConnectionResetError):
                    # The client has closed the connection.
                    self.close_connection = True

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/retention"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def set_response(self, response, *, status=200, seconds=0):
        """Sets the response to all later requests: one of Apple's objects, or bytes."""
        if not isinstance(response, bytes):
            response = json.dumps(_get_cattrs_converter(type(response)).unstructure(response)).encode()
        self._status, self._body, self._seconds = status, response, seconds

    def stop(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
