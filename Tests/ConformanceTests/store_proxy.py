"""A proxy in front of a local store that answers some requests itself, as Apple may and the store does not."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import requests

from local_store import CALL_SECONDS_MAX
from loopback_ports import reserved_port


class StoreProxy:
    """Answers the paths in `answers` with their status and object, and passes other requests on to the store."""

    def __init__(self, store, answers):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                if own := answers.get(self.path):
                    status, content = own[0], json.dumps(own[1]).encode()
                else:
                    kept = {name: value for name, value in self.headers.items()
                            if name.lower() in ("authorization", "content-type", "accept")}
                    response = requests.request(
                        self.command, store.url + self.path, data=body or None, headers=kept, timeout=CALL_SECONDS_MAX
                    )
                    status, content = response.status_code, response.content
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_DELETE = answer

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", reserved_port()), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def stop(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
