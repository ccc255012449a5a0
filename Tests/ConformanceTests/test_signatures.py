"""The form of the signatures, and the data that Apple's verifier refuses."""

import base64

import jwt
import pytest
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import VerificationException, VerificationStatus
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

LEAF_MARKER = x509.ObjectIdentifier("1.2.840.113635.100.6.11.1")
INTERMEDIATE_MARKER = x509.ObjectIdentifier("1.2.840.113635.100.6.2.1")


def test_a_signature_contains_a_chain_with_the_form_of_apples(store):
    signed = store.buy(store.new_account(), "lifetime")["signedTransactionInfo"]
    header = jwt.get_unverified_header(signed)
    assert header["alg"] == "ES256"
    assert "kid" not in header
    chain = [x509.load_der_x509_certificate(base64.b64decode(der, validate=True)) for der in header["x5c"]]
    curves = [certificate.public_key().curve.name for certificate in chain]
    assert curves == ["secp256r1", "secp384r1", "secp384r1"]
    leaf, intermediate, root = chain
    leaf.verify_directly_issued_by(intermediate)
    intermediate.verify_directly_issued_by(root)
    root.verify_directly_issued_by(root)
    assert leaf.extensions.get_extension_for_oid(LEAF_MARKER)
    assert intermediate.extensions.get_extension_for_oid(INTERMEDIATE_MARKER)
    assert root == x509.load_pem_x509_certificate(store.credentials["rootCertificate"].encode())


def test_the_private_key_has_the_form_of_apples(store):
    key = serialization.load_pem_private_key(store.credentials["privateKey"].encode(), None)
    assert isinstance(key.curve, ec.SECP256R1)
    assert store.credentials["privateKey"].startswith("-----BEGIN PRIVATE KEY-----")
    assert len(store.credentials["keyId"]) == 10


def changed_byte(signed):
    header, payload, signature = signed.split(".")
    middle = len(payload) // 2
    return f"{header}.{payload[:middle]}{'A' if payload[middle] != 'A' else 'B'}{payload[middle + 1:]}.{signature}"


def test_a_changed_payload_is_refused(store):
    signed = store.buy(store.new_account(), "lifetime")["signedTransactionInfo"]
    with pytest.raises(VerificationException):
        store.verifier().verify_and_decode_signed_transaction(changed_byte(signed))


def test_the_root_of_another_store_is_not_trusted(start_store):
    store, other = start_store(), start_store(seed=8)
    assert store.credentials["rootCertificate"] != other.credentials["rootCertificate"]
    signed = store.buy(store.new_account(), "lifetime")["signedTransactionInfo"]
    verifier = store.verifier(rootCertificate=other.credentials["rootCertificate"])
    with pytest.raises(VerificationException) as refused:
        verifier.verify_and_decode_signed_transaction(signed)
    assert refused.value.status == VerificationStatus.VERIFICATION_FAILURE


def test_another_app_and_another_environment_are_refused(store):
    signed = store.buy(store.new_account(), "lifetime")["signedTransactionInfo"]
    with pytest.raises(VerificationException) as refused:
        store.verifier(bundleId="com.example.other").verify_and_decode_signed_transaction(signed)
    assert refused.value.status == VerificationStatus.INVALID_APP_IDENTIFIER
    with pytest.raises(VerificationException) as refused:
        store.verifier(environment=Environment.PRODUCTION).verify_and_decode_signed_transaction(signed)
    assert refused.value.status == VerificationStatus.INVALID_ENVIRONMENT
