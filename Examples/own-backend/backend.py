"""A backend that takes App Store notifications. Needs Apple's library: pip install app-store-server-library"""

import json
import os
import ssl
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException

STORE = os.environ["STORE"]  # in production: Apple's root, your bundle id, and the machine's clock


def ask(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(STORE + "/_store/" + path, data, method="PUT" if data else "GET")
    return json.load(urllib.request.urlopen(request, timeout=10))


credentials = ask("credentials")
root = ssl.PEM_cert_to_DER_cert(credentials["rootCertificate"])
verifier = SignedDataVerifier(
    [root], False, Environment(credentials["environment"]), credentials["bundleId"], credentials["appAppleId"]
)
lock, facts = Lock(), {}  # customer -> kind of record and purchase -> the newest record


def take(body):
    """Keeps the newest record of each purchase, so that order and copies do not matter."""
    data = verifier.verify_and_decode_notification(json.loads(body)["signedPayload"]).data
    if data is None or data.signedTransactionInfo is None:
        return
    transaction = verifier.verify_and_decode_signed_transaction(data.signedTransactionInfo)
    records = [("transaction", transaction.transactionId, transaction)]
    if data.signedRenewalInfo is not None:
        renewal = verifier.verify_and_decode_renewal_info(data.signedRenewalInfo)
        records.append(("renewal", renewal.originalTransactionId, renewal))
    with lock:
        held = facts.setdefault(transaction.appAccountToken, {})
        for kind, identifier, record in records:
            if (kind, identifier) not in held or held[kind, identifier].signedDate <= record.signedDate:
                held[kind, identifier] = record


def is_active(customer):
    now = ask("clock")["now"]  # the store's clock, which the test moves
    with lock:
        held = dict(facts.get(customer, {}))
    transactions = [record for (kind, _), record in held.items() if kind == "transaction"]
    ends = [t.expiresDate or now + 1 for t in transactions if t.revocationDate is None]
    renewals = [record for (kind, _), record in held.items() if kind == "renewal"]
    return any(end > now for end in ends + [r.gracePeriodExpiresDate or 0 for r in renewals])


class Handler(BaseHTTPRequestHandler):
    def answer(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        try:
            take(self.rfile.read(int(self.headers["Content-Length"])))
            self.answer(200)
        except (VerificationException, ValueError, KeyError):
            self.answer(400)

    def do_GET(self):
        self.answer(200, json.dumps({"active": is_active(self.path.removeprefix("/access/"))}).encode())

    def do_DELETE(self):  # for tests only: a snapshot that is restored sends the same ids again
        facts.clear()
        self.answer(200)

    def log_message(self, *arguments):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), Handler)
address = f"http://127.0.0.1:{server.server_port}"
ask("notification-endpoint", {"url": address + "/notifications", "version": "V2"})
print("listening on", address, flush=True)
server.serve_forever()
