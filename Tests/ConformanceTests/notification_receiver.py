"""A developer's server for notifications. It records each request and returns the status in `answer_status`."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from loopback_ports import reserved_port


class NotificationReceiver:
    """Listens on a free port of the loopback interface."""

    def __init__(self):
        self.answer_status = 200
        self.bodies = []
        self.content_types = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.bodies.append(json.loads(body))
                receiver.content_types.append(self.headers["Content-Type"])
                self.send_response(receiver.answer_status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", reserved_port()), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/notifications"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def signed_payloads(self):
        return [body["signedPayload"] for body in self.bodies]

    def stop(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
