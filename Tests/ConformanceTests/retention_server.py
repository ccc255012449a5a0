"""A developer's server for Retention Messaging. It records Apple's requests and returns the response of the test."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from appstoreserverlibrary.models.LibraryUtility import _get_cattrs_converter

from loopback_ports import reserved_port


class RetentionServer:
    """Listens on a free port of the loopback interface."""

    def __init__(self):
        self.signed_payloads = []
        self._status = 200
        self._body = b"{}"
        self._answers = True
        self._stopped = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.signed_payloads.append(body["signedPayload"])
                if not server._answers:
                    server._stopped.wait()
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

        self._server = ThreadingHTTPServer(("127.0.0.1", reserved_port()), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/retention"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def set_response(self, response, *, status=200, answers=True):
        """Sets the response to all later requests: one of Apple's objects, or bytes. None is sent without `answers`."""
        if not isinstance(response, bytes):
            response = json.dumps(_get_cattrs_converter(type(response)).unstructure(response)).encode()
        self._status, self._body, self._answers = status, response, answers

    def stop(self):
        self._stopped.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
