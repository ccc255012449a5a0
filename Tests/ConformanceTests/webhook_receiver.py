"""A developer's server for webhooks. It verifies each one with the library of Standard Webhooks."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook

from loopback_ports import reserved_port


class WebhookReceiver:
    """Listens on a free port of the loopback interface.

    `status` decides about each request: a number, or a function of the message.
    """

    def __init__(self, secret=None, status=204):
        self.secret = secret
        self.status = status
        self.taken = []  # (webhook-id, message)
        self.refused = []
        self.headers = []
        self.problems = []
        # The port of the connection whose request this thread handles.
        self.sender = threading.local()
        self._lock = threading.Lock()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.sender.port = self.client_address[1]
                status = receiver.take(dict(self.headers), body)
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", reserved_port()), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/webhooks"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def take(self, headers, body):
        try:
            message = Webhook(self.secret).verify(body, headers) if self.secret else json.loads(body)
        except Exception as problem:
            self.problems.append(repr(problem))
            return 400
        status = self.status(message) if callable(self.status) else self.status
        with self._lock:
            self.headers.append(headers)
            (self.taken if 200 <= status < 300 else self.refused).append((headers["webhook-id"], message))
        return status

    @property
    def events(self):
        """The events that were taken, each once, in the order of their first arrival."""
        found = {}
        for webhook_id, message in self.taken:
            if message["type"] != "webhook_endpoint.test":
                found.setdefault(webhook_id, message["data"])
        return list(found.values())

    def stop(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
