import CZstd
import Synchronization

/// Compresses the payloads of signed inputs: zstd with a preset dictionary (RFC 8878).
///
/// A payload has about 1,500 bytes, mostly the same field names. The dictionary contains them, so a notification takes
/// less than a third. Each payload is compressed alone and can be read alone.
package enum PayloadCompression {
    /// The negative levels of zstd are its fastest. A higher level takes two to four times as long and saves 10 to 50
    /// bytes.
    private static let level: Int32 = -1
    /// Before compression. No request may have more.
    private static let lengthMax: UInt64 = 16 << 20

    private static let codec = Mutex(Codec())

    /// A frame of zstd; nil where that is not shorter than the payload.
    package static func compressed(_ payload: ArraySlice<UInt8>) -> [UInt8]? {
        guard payload.count > 1, payload.count <= lengthMax else { return nil }
        let frame = codec.withLock { codec in
            [UInt8](unsafeUninitializedCapacity: payload.count - 1) { buffer, count in
                let output = UnsafeMutableRawBufferPointer(buffer)
                count = payload.withUnsafeBytes { codec.compress($0, into: output) } ?? 0
            }
        }
        return frame.isEmpty ? nil : frame
    }

    /// The payload again; nil where the bytes are damaged.
    package static func payload(_ frame: ArraySlice<UInt8>) -> [UInt8]? {
        // For bytes that are not a frame, zstd returns a number above any limit.
        let length = frame.withUnsafeBytes { ZSTD_getFrameContentSize($0.baseAddress, $0.count) }
        guard length > 0, length <= lengthMax else { return nil }
        let payload = codec.withLock { codec in
            [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
                let output = UnsafeMutableRawBufferPointer(buffer)
                let written = frame.withUnsafeBytes { codec.decompress($0, into: output) }
                count = written == Int(length) ? Int(length) : 0
            }
        }
        return payload.isEmpty ? nil : payload
    }

    /// The contexts of zstd, and the dictionary in its forms. They exist as long as the process: creating them takes
    /// longer than compressing a payload.
    private struct Codec: ~Copyable {
        private let compression = ZSTD_createCCtx()
        private let decompression = ZSTD_createDCtx()
        private let compressionDictionary = dictionaryBytes.withUnsafeBytes {
            ZSTD_createCDict($0.baseAddress, $0.count, level)
        }
        private let decompressionDictionary = dictionaryBytes.withUnsafeBytes {
            ZSTD_createDDict($0.baseAddress, $0.count)
        }

        /// Returns how many bytes were written; nil if there is no room or no memory.
        func compress(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int? {
            guard let compression, let compressionDictionary else { return nil }
            let written = ZSTD_compress_usingCDict(
                compression,
                output.baseAddress,
                output.count,
                input.baseAddress,
                input.count,
                compressionDictionary
            )
            return ZSTD_isError(written) == 0 ? written : nil
        }

        /// Returns how many bytes were written; nil if the input is damaged.
        func decompress(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int? {
            guard let decompression, let decompressionDictionary else { return nil }
            let written = ZSTD_decompress_usingDDict(
                decompression,
                output.baseAddress,
                output.count,
                input.baseAddress,
                input.count,
                decompressionDictionary
            )
            return ZSTD_isError(written) == 0 ? written : nil
        }
    }

    /// The common text of payloads, the most frequent last. It is part of the stored form: stored payloads cannot be
    /// read with another dictionary, so a changed dictionary needs a new form.
    ///
    /// Source: the field names of Apple's JWSTransactionDecodedPayload, JWSRenewalInfoDecodedPayload and
    /// responseBodyV2DecodedPayload.
    private static let dictionaryBytes = Array(
        """
        {"advancedCommerceInfo":{"descriptors":{"description":"","displayName":""},"estimatedTax":0,"instanceId":"\
        ","items":[{"SKU":"","offer":{"period":"P1M","periodCount":1,"price":0,"reason":"ACQUISITION"},"refunds":[{\
        "refundAmount":0,"refundDate":"refundReason":"refundType":"FULL"}],"taxCode":"C003-00-1","taxExclusivePrice"\
        :0,"taxRate":"0"}],"period":"P1M","requestReferenceId":"","consistencyToken":""}\
        "summary":{"requestIdentifier":"","storefrontCountryCodes":["USA"],"succeededCount":0,"failedCount":0}\
        "externalPurchaseToken":{"externalPurchaseId":"","tokenCreationDate":"consumptionRequestReason":"UNINTENDED_\
        PURCHASE","appAppleId":1,"revocationDate":1,"revocationPercentage":100000,"revocationReason":1,"revocation\
        Type":"REFUND_FULL","isUpgraded":true,"offerType":1,"offerIdentifier":"","offerDiscountType":"FREE_TRIAL"\
        "PAY_AS_YOU_GO""PAY_UP_FRONT""offerPeriod":"P1W""P3M""P1Y","eligibleWinBackOfferIds":["gracePeriodExpiresDate\
        ":17"isInBillingRetryPeriod":true,"expirationIntent":1,"priceIncreaseStatus":0"appTransactionId":"70\
        "PURCHASE""FAMILY_SHARED""Non-Consumable""Consumable""Non-Renewing Subscription"\
        {"notificationType":"SUBSCRIBED","subtype":"INITIAL_BUY""RESUBSCRIBE""DID_CHANGE_RENEWAL_STATUS"\
        "AUTO_RENEW_DISABLED""AUTO_RENEW_ENABLED""DID_CHANGE_RENEWAL_PREF""DID_FAIL_TO_RENEW""EXPIRED","subtype"\
        :"VOLUNTARY""BILLING_RETRY""BILLING_RECOVERY""GRACE_PERIOD""UPGRADE""DOWNGRADE""REFUND""REVOKE""ONE_TIME_\
        CHARGE"\
        {"notificationType":"DID_RENEW","notificationUUID":"","version":"2.0","signedDate":17"data":{"bundleId":"com.\
        ","bundleVersion":"1","environment":"Production""Sandbox","status":1,"signedTransactionInfo":"\
        {"transactionId":"2000000","originalTransactionId":"2000000","webOrderLineItemId":"2000000","bundleId":"com.\
        ","productId":"monthly","subscriptionGroupIdentifier":"2","purchaseDate":17000,"originalPurchaseDate":17\
        000,"expiresDate":17000,"quantity":1,"type":"Auto-Renewable Subscription","appAccountToken":"\
        ","inAppOwnershipType":"PURCHASED","signedDate":17,"environment":"Sandbox","storefront":"USA","storefrontId":\
        "143441","transactionReason":"RENEWAL","price":9990,"currency":"USD","appTransactionId":"70000000000000"}\
        ,"signedRenewalInfo":"{"originalTransactionId":"2000000","productId":"monthly","autoRenewProductId":"monthly\
        ","autoRenewStatus":1,"signedDate":17,"environment":"Sandbox","recentSubscriptionStartDate":17000,"renewal\
        Date":17000,"renewalPrice":9990,"currency":"USD","appTransactionId":"70000000000000","appAccountToken":"
        """.utf8
    )
}
