"""A backend that takes App Store notifications. Needs Apple's library: pip install app-store-server-library"""

import json
import os
import ssl
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import urlopen

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException


def ask(path):
    with urlopen(f"{os.environ['STORE']}/_store/{path}", timeout=10) as answer:
        return json.load(answer)


app = ask("credentials")  # in production: Apple's root, your bundle id, and the machine's clock
root = ssl.PEM_cert_to_DER_cert(app["rootCertificate"])
verifier = SignedDataVerifier([root], False, Environment(app["environment"]), app["bundleId"], app["appAppleId"])
stored = {}  # by notificationUUID, so that copies change nothing; in production: a table with that key


def take(body):
    notification = verifier.verify_and_decode_notification(json.loads(body)["signedPayload"])
    data = notification.data
    if data and data.signedTransactionInfo:
        transaction = verifier.verify_and_decode_signed_transaction(data.signedTransactionInfo)
        renewal = data.signedRenewalInfo and verifier.verify_and_decode_renewal_info(data.signedRenewalInfo)
        stored.setdefault(notification.notificationUUID, (transaction, renewal))


def newest(records, identifier):
    """Of each purchase the record that was signed last, in whatever order they came."""
    return {getattr(r, identifier): r for r in sorted(records, key=lambda r: r.signedDate)}.values()


def is_active(customer):
    now = ask("clock")["now"]  # the store's clock, which the test moves
    held = [pair for pair in list(stored.values()) if pair[0].appAccountToken == customer]
    transactions = newest([t for t, _ in held], "transactionId")
    renewals = newest([r for _, r in held if r], "originalTransactionId")
    ends = [t.expiresDate or now + 1 for t in transactions if t.revocationDate is None]
    return any(end > now for end in ends + [r.gracePeriodExpiresDate or 0 for r in renewals])


class Handler(BaseHTTPRequestHandler):
    def answer(self, body=b""):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        try:
            take(self.rfile.read(int(self.headers["Content-Length"])))
            self.answer()
        except (VerificationException, ValueError, KeyError, TypeError):
            self.send_error(400)

    def do_GET(self):
        self.answer(json.dumps({"active": is_active(self.path.removeprefix("/access/"))}).encode())

    def do_DELETE(self):  # for tests only: a snapshot that is restored sends the same ids again
        stored.clear()
        self.answer()


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), Handler)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
