"""Retention Messaging with Apple's client. Apple's verifier checks the requests to the developer's real-time URL."""

import struct
import zlib
from datetime import datetime, timezone
from uuid import UUID, uuid4

import pytest
from appstoreserverlibrary.api_client import APIError, APIException
from appstoreserverlibrary.jws_signature_creator import PromotionalOfferV2SignatureCreator
from appstoreserverlibrary.models.AlternateProduct import AlternateProduct
from appstoreserverlibrary.models.BulletPoint import BulletPoint
from appstoreserverlibrary.models.DefaultConfigurationRequest import DefaultConfigurationRequest
from appstoreserverlibrary.models.HeaderPosition import HeaderPosition
from appstoreserverlibrary.models.ImageSize import ImageSize
from appstoreserverlibrary.models.ImageState import ImageState
from appstoreserverlibrary.models.Message import Message
from appstoreserverlibrary.models.MessageState import MessageState
from appstoreserverlibrary.models.PerformanceTestRequest import PerformanceTestRequest
from appstoreserverlibrary.models.PerformanceTestStatus import PerformanceTestStatus
from appstoreserverlibrary.models.PromotionalOffer import PromotionalOffer
from appstoreserverlibrary.models.PromotionalOfferSignatureV1 import PromotionalOfferSignatureV1
from appstoreserverlibrary.models.RealtimeResponseBody import RealtimeResponseBody
from appstoreserverlibrary.models.RealtimeUrlRequest import RealtimeUrlRequest
from appstoreserverlibrary.models.SendAttemptResult import SendAttemptResult
from appstoreserverlibrary.models.UploadMessageImage import UploadMessageImage
from appstoreserverlibrary.models.UploadMessageRequestBody import UploadMessageRequestBody
from appstoreserverlibrary.promotional_offer import PromotionalOfferSignatureCreator

from retention_server import RetentionServer

# On a busy machine a response can take longer than Apple's 700 milliseconds.
LONG_DEADLINE = {"realtimeDeadlineMilliseconds": 20_000}


@pytest.fixture
def developer():
    server = RetentionServer()
    yield server
    server.stop()


def png(width, height, *, alpha=False):
    """A complete PNG image of one colour."""
    channels = 4 if alpha else 3

    def chunk(name, content):
        checksum = zlib.crc32(name + content)
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", checksum)

    header = struct.pack(">IIBBBBB", width, height, 8, 6 if alpha else 2, 0, 0, 0)
    pixels = zlib.compress((b"\0" + b"\x7f" * width * channels) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def refused(code, call, *arguments):
    with pytest.raises(APIException) as error:
        call(*arguments)
    assert error.value.api_error == code


def upload(client, header="Stay", **more):
    """Uploads a message and returns its identifier."""
    identifier = uuid4()
    client.upload_message(identifier, UploadMessageRequestBody(header=header, body="We would miss you.", **more))
    return identifier


def subscriber(store, product="pro.monthly"):
    return store.buy(store.new_account(), product)["originalTransactionId"]


def cancel_page(store, original_transaction_id, **body):
    return store.post(f"subscriptions/{original_transaction_id}/cancel-page", body)


def message_of(page):
    return UUID(page["message"]["messageIdentifier"])


def test_images_are_uploaded_listed_and_deleted(store):
    client = store.client()
    wide, point = uuid4(), uuid4()
    client.upload_image(wide, png(3840, 160))
    client.upload_image(point, png(1024, 1024), ImageSize.BULLET_POINT)
    listed = client.get_image_list().imageIdentifiers
    assert [(i.imageIdentifier, i.imageState, i.imageSize) for i in listed] == [
        (wide, ImageState.APPROVED, ImageSize.FULL_SIZE),
        (point, ImageState.APPROVED, ImageSize.BULLET_POINT),
    ]
    refused(APIError.IMAGE_ALREADY_EXISTS, client.upload_image, wide, png(3840, 160))
    for image in [png(3840, 160, alpha=True), png(3839, 160), png(3840, 159), png(3840, 160)[:-1], b"soup"]:
        refused(APIError.INVALID_IMAGE, client.upload_image, uuid4(), image)
    using = upload(client, image=UploadMessageImage(imageIdentifier=wide, altText="A door"))
    refused(APIError.IMAGE_IN_USE, client.delete_image, wide)
    client.delete_message(using)
    client.delete_image(wide)
    refused(APIError.IMAGE_NOT_FOUND, client.delete_image, wide)


def test_messages_are_uploaded_listed_and_deleted(store):
    client = store.client()
    wide, point = uuid4(), uuid4()
    client.upload_image(wide, png(3840, 160), ImageSize.FULL_SIZE)
    client.upload_image(point, png(1024, 1024), ImageSize.BULLET_POINT)
    points = [BulletPoint(text="Everything", imageIdentifier=point, altText="A star")] * 5
    image = UploadMessageImage(imageIdentifier=wide, altText="A door")
    rich = upload(client, image=image, headerPosition=HeaderPosition.ABOVE_IMAGE, bulletPoints=points)
    [listed] = client.get_message_list().messageIdentifiers
    assert (listed.messageIdentifier, listed.messageState) == (rich, MessageState.APPROVED)
    body = UploadMessageRequestBody(header="Stay", body="Again")
    refused(APIError.MESSAGE_ALREADY_EXISTS, client.upload_message, rich, body)
    above = UploadMessageRequestBody(header="Stay", body="", headerPosition=HeaderPosition.ABOVE_IMAGE)
    refused(APIError.BAD_REQUEST_ABOVE_IMAGE_REQUIRES_AN_IMAGE, client.upload_message, uuid4(), above)
    small = UploadMessageRequestBody(
        header="Stay", body="", image=UploadMessageImage(imageIdentifier=point, altText="A star")
    )
    refused(APIError.BAD_REQUEST_IMAGE_SIZE, client.upload_message, uuid4(), small)
    client.delete_message(rich)
    refused(APIError.MESSAGE_NOT_FOUND, client.delete_message, rich)
    assert client.get_message_list().messageIdentifiers == []


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"header": "é" * 67}, APIError.HEADER_TOO_LONG),
        ({"body": "é" * 145}, APIError.BODY_TOO_LONG),
        ({"image": {"imageIdentifier": str(uuid4()), "altText": "é" * 151}}, APIError.ALT_TEXT_TOO_LONG),
        (
            {"bulletPoints": [{"text": "", "imageIdentifier": str(uuid4()), "altText": ""}] * 6},
            APIError.BAD_REQUEST_TOO_MANY_BULLET_POINTS,
        ),
        (
            {"bulletPoints": [{"text": "é" * 67, "imageIdentifier": str(uuid4()), "altText": ""}]},
            APIError.BAD_REQUEST_BULLET_POINT_TEXT_TOO_LONG,
        ),
    ],
)
def test_the_store_also_refuses_requests_that_apples_client_refuses(store, change, error):
    """Apple's client checks the lengths itself. The test therefore uses the internal methods of the client."""
    client = store.client()
    body = {"header": "é" * 66, "body": "é" * 144} | change
    url = f"{store.url}/inApps/v1/messaging/message/{uuid4()}"
    response = client._execute_request("PUT", url, {}, client._get_headers(), body, None)
    assert response.status_code == 400
    assert APIError(response.json()["errorCode"]) == error


def test_a_default_message_is_set_read_and_deleted(store):
    client = store.client()
    first, second = upload(client), upload(client)
    for message in (first, second):
        request = DefaultConfigurationRequest(messageIdentifier=message)
        client.configure_default_message("pro.monthly", "en-US", request)
        assert client.get_default_message("pro.monthly", "en-US").messageIdentifier == message
    page = cancel_page(store, subscriber(store))
    assert (page["shown"], message_of(page)) == ("default", second)
    assert page["realtimeRefusal"]["code"] == "realtime_url_not_set"
    unknown = DefaultConfigurationRequest(messageIdentifier=uuid4())
    known = DefaultConfigurationRequest(messageIdentifier=first)
    configure = client.configure_default_message
    refused(APIError.MESSAGE_NOT_FOUND, configure, "pro.monthly", "en-US", unknown)
    refused(APIError.INVALID_PRODUCT_ID, configure, "coins.100", "en-US", known)
    refused(APIError.INVALID_LOCALE, configure, "pro.monthly", "english", known)
    client.delete_default_message("pro.monthly", "en-US")
    refused(APIError.DEFAULT_MESSAGE_NOT_FOUND, client.get_default_message, "pro.monthly", "en-US")
    assert cancel_page(store, subscriber(store))["shown"] == "nothing"


def test_production_requires_a_review_and_a_performance_test(start_store):
    store = start_store(environment="production")
    client = store.client()
    message = upload(client)
    [listed] = client.get_message_list().messageIdentifiers
    assert listed.messageState == MessageState.PENDING
    request = DefaultConfigurationRequest(messageIdentifier=message)
    configure = client.configure_default_message
    refused(APIError.MESSAGE_NOT_APPROVED, configure, "pro.monthly", "en-US", request)
    store.put(f"retention/messages/{message}", {"state": "APPROVED"})
    configure("pro.monthly", "en-US", request)
    url = RealtimeUrlRequest(realtimeURL="https://shop.example/retention")
    refused(APIError.FORBIDDEN_NO_PASSING_TEST, client.configure_realtime_url, url)
    store.put("retention", {"performanceTestPassed": True})
    client.configure_realtime_url(url)
    assert client.get_realtime_url().realtimeURL == "https://shop.example/retention"


def test_the_real_time_url_is_set_read_and_deleted(store):
    client = store.client()
    refused(APIError.REALTIME_URL_NOT_FOUND, client.get_realtime_url)
    bad = RealtimeUrlRequest(realtimeURL="http://shop.example/retention")
    refused(APIError.BAD_REQUEST_REALTIME_URL, client.configure_realtime_url, bad)
    client.configure_realtime_url(RealtimeUrlRequest(realtimeURL="https://shop.example/retention"))
    assert client.get_realtime_url().realtimeURL == "https://shop.example/retention"
    client.delete_realtime_url()
    refused(APIError.REALTIME_URL_NOT_FOUND, client.delete_realtime_url)


def test_the_developers_response_determines_what_the_customer_sees(store_of_each_environment, developer):
    store = store_of_each_environment
    client = store.client()
    store.put("settings", LONG_DEADLINE)
    store.put("retention", {"performanceTestPassed": True})
    shown, default = upload(client), upload(client)
    for message in (shown, default):
        store.put(f"retention/messages/{message}", {"state": "APPROVED"})
    client.configure_default_message("pro.monthly", "de-DE", DefaultConfigurationRequest(messageIdentifier=default))
    client.configure_realtime_url(RealtimeUrlRequest(realtimeURL=developer.url))
    original = subscriber(store)

    developer.set_response(RealtimeResponseBody(message=Message(messageIdentifier=shown)))
    page = cancel_page(store, original, locale="de-DE")
    assert (page["shown"], message_of(page)) == ("realtime", shown)
    [signed] = developer.signed_payloads
    request = store.verifier().verify_and_decode_realtime_request(signed)
    assert request.originalTransactionId == original
    assert (request.productId, request.userLocale) == ("pro.monthly", "de-DE")
    assert request.appAppleId == store.credentials["appAppleId"]
    assert request.requestIdentifier == UUID(page["request"]["requestIdentifier"])
    assert request.signedDate == store.get("clock")["now"]

    developer.set_response(
        RealtimeResponseBody(alternateProduct=AlternateProduct(messageIdentifier=shown, productId="pro.yearly"))
    )
    page = cancel_page(store, original, locale="de-DE")
    assert (page["shown"], page["alternateProduct"]) == ("realtime", {"productId": "pro.yearly"})

    unknown = RealtimeResponseBody(message=Message(messageIdentifier=uuid4()))
    for answer, options, reason in [
        (unknown, {}, "message_not_found"),
        (RealtimeResponseBody(message=Message(messageIdentifier=shown)), {"status": 500}, "realtime_status"),
        (b"soup", {}, "realtime_answer_malformed"),
    ]:
        developer.set_response(answer, **options)
        page = cancel_page(store, original, locale="de-DE")
        assert (page["shown"], message_of(page)) == ("default", default)
        assert page["realtimeRefusal"]["code"] == reason


def test_a_late_response_is_not_shown(store, developer):
    client = store.client()
    message = upload(client)
    client.configure_realtime_url(RealtimeUrlRequest(realtimeURL=developer.url))
    developer.set_response(RealtimeResponseBody(message=Message(messageIdentifier=message)), answers=False)
    page = cancel_page(store, subscriber(store))
    assert page["realtimeRefusal"]["code"] == "realtime_timed_out"
    assert page["request"]["deadlineMilliseconds"] == 700
    assert page["request"]["milliseconds"] >= 700


def test_promotional_offers_that_apples_creators_sign_are_shown(start_store, developer):
    # The newer creator signs with the time of this machine.
    store = start_store(now=datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"))
    client = store.client()
    store.put("settings", LONG_DEADLINE)
    message = upload(client)
    client.configure_realtime_url(RealtimeUrlRequest(realtimeURL=developer.url))
    original = subscriber(store)
    key = store.credentials
    pem = key["privateKey"].encode()
    newer = PromotionalOfferV2SignatureCreator(pem, key["keyId"], key["issuerId"], key["bundleId"])
    older = PromotionalOfferSignatureCreator(pem, key["keyId"], key["bundleId"])
    nonce, timestamp = uuid4(), store.get("clock")["now"]
    signature_v1 = PromotionalOfferSignatureV1(
        encodedSignature=older.create_signature("pro.monthly", "pro.monthly.stay", "", nonce, timestamp),
        productId="pro.monthly",
        nonce=nonce,
        timestamp=timestamp,
        keyId=key["keyId"],
        offerIdentifier="pro.monthly.stay",
    )
    for offer in [
        {"promotionalOfferSignatureV2": newer.create_signature("pro.monthly", "pro.monthly.stay", original)},
        {"promotionalOfferSignatureV1": signature_v1},
    ]:
        developer.set_response(
            RealtimeResponseBody(promotionalOffer=PromotionalOffer(messageIdentifier=message, **offer))
        )
        page = cancel_page(store, original)
        assert page["shown"] == "realtime", page
        assert page["promotionalOffer"] == {"productId": "pro.monthly", "offerIdentifier": "pro.monthly.stay"}
    other_signature = newer.create_signature("pro.monthly", "pro.monthly.stay", subscriber(store))
    developer.set_response(
        RealtimeResponseBody(
            promotionalOffer=PromotionalOffer(messageIdentifier=message, promotionalOfferSignatureV2=other_signature)
        )
    )
    page = cancel_page(store, original)
    assert (page["shown"], page["realtimeRefusal"]["code"]) == ("nothing", "signature_customer_mismatch")


def test_a_performance_test_calls_the_url_and_passes_or_fails(store, developer):
    client = store.client()
    original = subscriber(store)
    request = PerformanceTestRequest(originalTransactionId=original)
    refused(APIError.INVALID_PERFORMANCE_TEST_REQUEST, client.initiate_performance_test, request)
    store.put("settings", LONG_DEADLINE)
    client.configure_realtime_url(RealtimeUrlRequest(realtimeURL=developer.url))
    developer.set_response(RealtimeResponseBody(message=Message(messageIdentifier=uuid4())))

    started = client.initiate_performance_test(request)
    total = started.config.totalRequests
    pending = client.get_performance_test_results(started.requestId)
    assert (pending.result, pending.numPending) == (PerformanceTestStatus.PENDING, total)
    refused(APIError.EXISTING_PERFORMANCE_TEST_RUN, client.initiate_performance_test, request)
    store.advance("PT1M")
    results = client.get_performance_test_results(started.requestId)
    assert (results.result, results.successRate, results.numPending) == (PerformanceTestStatus.PASS, 100, 0)
    assert results.target == developer.url
    assert results.config == started.config
    times = results.responseTimes
    assert 0 <= times.p50 <= times.p90 <= times.p95 <= times.p99 <= LONG_DEADLINE["realtimeDeadlineMilliseconds"]
    assert len(set(developer.signed_payloads)) == total
    verifier = store.verifier()
    for signed in developer.signed_payloads:
        assert verifier.verify_and_decode_realtime_request(signed).originalTransactionId == original

    developer.set_response(b"", status=503)
    failing = client.initiate_performance_test(request)
    store.advance("PT1M")
    results = client.get_performance_test_results(failing.requestId)
    assert (results.result, results.successRate) == (PerformanceTestStatus.FAIL, 0)
    assert results.failures == {SendAttemptResult.UNSUCCESSFUL_HTTP_RESPONSE_CODE: total}
    refused(APIError.INVALID_REQUEST_ID, client.get_performance_test_results, "soup")
    refused(APIError.PERFORMANCE_TEST_RUN_NOT_FOUND, client.get_performance_test_results, str(uuid4()))
