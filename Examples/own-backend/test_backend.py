"""What a backend must get right, whatever it is written in. STORE and BACKEND are addresses; see run-tests.sh."""

import json
import os
import unittest
import urllib.error
import urllib.request
import uuid


def call(method, url, body=None):
    request = urllib.request.Request(url, None if body is None else json.dumps(body).encode(), method=method)
    with urllib.request.urlopen(request, timeout=120) as answer:
        text = answer.read()
    return json.loads(text) if text else None


def store(method, path, body=None):
    return call(method, f"{os.environ['STORE']}/_store/{path}", body)


def advance(duration):
    store("POST", "clock/advance", {"by": duration})


class Subscribing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        store("PUT", "notification-endpoint", {"url": f"{os.environ['BACKEND']}/notifications", "version": "V2"})
        cls.fresh = store("POST", "snapshots")["id"]

    def setUp(self):
        store("POST", f"snapshots/{self.fresh}/restore")
        call("DELETE", os.environ["BACKEND"])
        self.customer = str(uuid.uuid4())
        self.account = store("POST", "accounts", {"storefront": "USA"})["accountId"]

    def buy(self, product="pro.monthly"):
        purchase = {"productId": product, "appAccountToken": self.customer}
        return store("POST", f"accounts/{self.account}/purchases", purchase)

    def card(self, state):
        store("PUT", f"accounts/{self.account}/payment", {"state": state})

    def assert_access(self, expected):
        self.assertEqual(call("GET", f"{os.environ['BACKEND']}/access/{self.customer}"), {"active": expected})

    def test_a_purchase_gives_access_and_renews_for_a_year(self):
        self.assert_access(False)
        self.buy()
        for _ in range(12):
            self.assert_access(True)
            advance("P1M")
        self.assert_access(True)

    def test_a_declined_card_ends_access_and_a_good_one_brings_it_back(self):
        self.buy()
        self.card("declined")
        advance("P2M")
        self.assert_access(False)
        self.card("ok")
        self.assert_access(True)

    def test_a_grace_period_is_access(self):
        store("PUT", "settings", {"gracePeriod": "twenty_eight_days"})
        self.buy()
        advance("P1M")
        self.card("declined")
        advance("P1M")
        self.assert_access(True)
        advance("P17D")
        self.assert_access(False)

    def test_a_refund_ends_access(self):
        purchase = self.buy("lifetime")
        self.assert_access(True)
        store("POST", f"transactions/{purchase['transactionId']}/refund", {})
        self.assert_access(False)

    def test_lost_late_doubled_and_exchanged_notifications_end_in_the_same_answer(self):
        faults = [{"fault": "drop", "probability": 0.3}, {"fault": "delay", "by": "PT3H", "probability": 0.3},
                  {"fault": "duplicate", "probability": 0.3}, {"fault": "reorder", "probability": 0.3}]
        store("PUT", "faults", {"seed": 1, "deliveries": faults})
        self.buy()
        self.card("declined")
        advance("P2M")
        self.card("ok")
        store("PUT", "faults", {})
        advance("P7D")  # Apple tries again for six and a half days
        self.assert_access(True)

    def test_what_the_app_store_did_not_sign_is_refused(self):
        self.buy()
        forged = store("GET", "notifications")["notifications"][-1]["signedPayload"]
        for body in ({"signedPayload": forged[:-4] + "AAAA"}, {"signedPayload": "a.b.c"}, {}):
            with self.assertRaises(urllib.error.HTTPError):
                call("POST", f"{os.environ['BACKEND']}/notifications", body)


if __name__ == "__main__":
    unittest.main()
