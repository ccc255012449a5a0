import CZlib

/// Compresses the payloads of signed inputs: raw deflate with a preset dictionary (RFC 1951, zlib).
///
/// A payload has about 1,500 bytes, mostly the same field names. The dictionary contains them, so a notification
/// shrinks to about a quarter. Each payload is compressed separately.
package enum PayloadCompression {
    /// A window of 8 KiB and small tables, because zlib clears them for each payload and few payloads are longer.
    private static let windowBits: Int32 = -13
    private static let memoryLevel: Int32 = 5
    private static let level: Int32 = 3
    /// The maximum length before compression; no request may be longer.
    private static let lengthMax = 16 << 20
    private static let lengthBytes = 4

    /// The length of the payload (four bytes, big-endian) and the stream; nil if that is not shorter.
    package static func compressed(_ payload: ArraySlice<UInt8>) -> [UInt8]? {
        guard payload.count > lengthBytes, payload.count <= lengthMax else { return nil }
        var stream = z_stream()
        guard
            deflateInit2_(
                &stream,
                level,
                Z_DEFLATED,
                windowBits,
                memoryLevel,
                Z_DEFAULT_STRATEGY,
                ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)
            ) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        guard deflateSetDictionary(&stream, dictionary, uInt(dictionary.count)) == Z_OK else { return nil }
        let room = payload.count - lengthBytes - 1
        let stored = [UInt8](unsafeUninitializedCapacity: lengthBytes + room) { buffer, count in
            for index in 0..<lengthBytes {
                buffer[index] = UInt8(truncatingIfNeeded: payload.count >> ((lengthBytes - 1 - index) * 8))
            }
            count = payload.withUnsafeBufferPointer { input in
                // zlib does not write through this pointer.
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = uInt(input.count)
                stream.next_out = buffer.baseAddress.map { $0 + lengthBytes }
                stream.avail_out = uInt(room)
                guard deflate(&stream, Z_FINISH) == Z_STREAM_END else { return 0 }
                return lengthBytes + room - Int(stream.avail_out)
            }
        }
        return stored.isEmpty ? nil : stored
    }

    /// Restores a payload; nil if the bytes are damaged.
    package static func payload(_ stored: ArraySlice<UInt8>) -> [UInt8]? {
        let length = stored.prefix(lengthBytes).reduce(0) { $0 << 8 | Int($1) }
        guard stored.count > lengthBytes, length > 0, length <= lengthMax else { return nil }
        var stream = z_stream()
        guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        guard inflateSetDictionary(&stream, dictionary, uInt(dictionary.count)) == Z_OK else { return nil }
        let payload = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            count = stored.dropFirst(lengthBytes).withUnsafeBufferPointer { input in
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = uInt(input.count)
                stream.next_out = buffer.baseAddress
                stream.avail_out = uInt(length)
                guard inflate(&stream, Z_FINISH) == Z_STREAM_END, stream.avail_out == 0 else { return 0 }
                return length
            }
        }
        return payload.isEmpty ? nil : payload
    }

    /// The common text of payloads, the most frequent last. It is part of the stored form: stored payloads cannot be
    /// read with another dictionary, so a changed dictionary needs a new form.
    ///
    /// Source: the field names of Apple's JWSTransactionDecodedPayload, JWSRenewalInfoDecodedPayload and
    /// responseBodyV2DecodedPayload.
    private static let dictionary = Array(
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
