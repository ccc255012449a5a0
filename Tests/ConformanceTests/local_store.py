"""A running `perennial store`, and its control calls under `/_store`."""

import os
import queue
import subprocess
import threading
from pathlib import Path

import requests
from appstoreserverlibrary.api_client import AppStoreServerAPIClient
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from loopback_ports import reserved_port

REPOSITORY = Path(__file__).resolve().parents[2]
# What takes longer hangs. A busy machine takes much longer than usual.
START_SECONDS_MAX = 180
STOP_SECONDS_MAX = 60
CALL_SECONDS_MAX = 120


def binary():
    """The program under test: `PERENNIAL_BINARY`, or the debug build."""
    return Path(os.environ.get("PERENNIAL_BINARY") or REPOSITORY / ".build/debug/perennial").resolve()


class LocalStore:
    """One store process on a reserved port."""

    def __init__(self, log_path, *, environment="sandbox", catalog=None, now="2026-01-31T09:00:00Z", seed=7,
                 data=None, options=()):
        self.environment = Environment.PRODUCTION if environment == "production" else Environment.SANDBOX
        arguments = [
            "store", "--port", str(reserved_port()), "--environment", environment, "--seed", str(seed), "--now", now,
        ]
        if catalog is not None:
            arguments += ["--catalog", str(catalog)]
        if data is not None:
            arguments += ["--data", str(data)]
        arguments += options
        self._log_path = log_path
        self._log = open(log_path, "wb")
        self._process = subprocess.Popen(
            [str(binary()), *arguments], stdout=subprocess.PIPE, stderr=self._log, text=True
        )
        try:
            self.url = self._listening_address()
            self.credentials = self.get("credentials")
        except BaseException:
            self.stop()
            raise

    def _listening_address(self):
        """The address from the first line of standard output."""
        lines = queue.Queue()
        threading.Thread(target=lambda: lines.put(self._process.stdout.readline()), daemon=True).start()
        try:
            line = lines.get(timeout=START_SECONDS_MAX)
        except queue.Empty:
            line = ""
        prefix = "listening on "
        assert line.startswith(prefix), f"the store did not start: {line!r}\n{Path(self._log_path).read_text()}"
        return line.removeprefix(prefix).strip()

    def stop(self):
        """Stops the process with SIGTERM, or with SIGKILL after a timeout. Returns its exit status."""
        self._process.terminate()
        try:
            return self._process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait(STOP_SECONDS_MAX)
        finally:
            self._process.stdout.close()
            self._log.close()

    def kill(self):
        """Kills the process with SIGKILL."""
        self._process.kill()
        self._process.wait(STOP_SECONDS_MAX)

    # The control calls of the store.

    def call(self, method, path, body=None, **parameters):
        """Makes one call under `/_store` and returns the response, whatever its status."""
        return requests.request(
            method, f"{self.url}/_store/{path}", json=body, params=parameters, timeout=CALL_SECONDS_MAX
        )

    def _checked(self, method, path, body=None, **parameters):
        response = self.call(method, path, body, **parameters)
        assert response.ok, f"{method} /_store/{path}: {response.status_code} {response.text}"
        return response.json()

    def get(self, path, **parameters):
        return self._checked("GET", path, **parameters)

    def post(self, path, body):
        return self._checked("POST", path, body)

    def put(self, path, body):
        return self._checked("PUT", path, body)

    def new_account(self, storefront="USA"):
        return self.post("accounts", {"storefront": storefront})["accountId"]

    def buy(self, account, product, **options):
        return self.post(f"accounts/{account}/purchases", {"productId": product, **options})

    def advance(self, duration):
        return self.post("clock/advance", {"by": duration})

    def set_payment(self, account, state):
        return self.put(f"accounts/{account}/payment", {"state": state})

    def set_auto_renew(self, original_transaction_id, enabled):
        return self.post(f"subscriptions/{original_transaction_id}/auto-renew", {"enabled": enabled})

    def refund(self, transaction_id, **options):
        return self.post(f"transactions/{transaction_id}/refund", options)

    def send_notifications_to(self, url):
        return self.put("notification-endpoint", {"url": url, "version": "V2"})

    def notifications(self):
        """All notifications of the store, from all pages."""
        notifications, cursor = [], None
        while True:
            page = self.get("notifications", **({"cursor": cursor} if cursor else {}))
            notifications += page["notifications"]
            cursor = page.get("nextCursor")
            if cursor is None:
                return notifications

    # Apple's official library, configured for this store.

    def client(self, **changed):
        """Apple's client. Only its base URL and the credentials in `changed` differ from normal use."""
        credentials = self.credentials | changed
        client = AppStoreServerAPIClient(
            credentials["privateKey"].encode(),
            credentials["keyId"],
            credentials["issuerId"],
            credentials["bundleId"],
            self.environment,
        )
        client._base_url = self.url
        return client

    def verifier(self, **changed):
        """Apple's verifier with the store's root certificate. Only the calls to Apple's OCSP server are disabled."""
        credentials = self.credentials | changed
        root = x509.load_pem_x509_certificate(credentials["rootCertificate"].encode())
        return SignedDataVerifier(
            root_certificates=[root.public_bytes(Encoding.DER)],
            enable_online_checks=False,
            environment=changed.get("environment", self.environment),
            bundle_id=credentials["bundleId"],
            app_apple_id=credentials.get("appAppleId"),
        )
