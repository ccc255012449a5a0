import AppStoreModel

extension LocalAppStore {
    /// The number of single-use codes that can be created at once.
    private static let singleCodesRange = 1...25_000

    /// The maximum length of a custom code.
    private static let customCodeLengthMax = 64

    /// The maximum lifetime of single-use codes.
    ///
    /// - Source: App Store Connect Help, Set up offer codes.
    private static let singleCodeLife = CalendarPeriod(months: 6)

    /// Creates codes for an offer that one customer each can redeem once.
    ///
    /// - Parameters:
    ///   - productId: The product that the offer belongs to.
    ///   - offer: The offer's reference name.
    ///   - count: The number of codes.
    ///   - expirationDate: When they expire, milliseconds since 1970; the default and maximum is six months from now.
    /// - Throws: `product_not_found`, `offer_not_found`, `offer_code_limit_invalid`, `expiration_date_invalid`.
    public mutating func makeSingleCodes(
        productId: String,
        offer: String,
        count: Int,
        expirationDate: Int64? = nil
    ) throws(StoreError) -> OfferCodeBatch {
        try checkHasCodes(offer, productId: productId)
        try checkRedemptions(count, in: Self.singleCodesRange, path: "count")
        let last = Self.singleCodeLife.added(to: now)
        let end = expirationDate ?? last
        guard end > now, end <= last else {
            let message = "Single codes end after \(now), the current time, and at \(last) at the latest."
            throw StoreError(.expirationDateInvalid, message, path: "expirationDate")
        }
        return append(.single, of: offer, productId: productId, limit: count, expirationDate: end)
    }

    /// Creates a custom code for an offer that many customers can redeem, each once.
    ///
    /// - Parameters:
    ///   - productId: The product that the offer belongs to.
    ///   - offer: The offer's reference name.
    ///   - code: 1 to 64 letters and digits; case is ignored.
    ///   - redemptionLimit: The maximum number of redemptions.
    ///   - expirationDate: When it expires, milliseconds since 1970; the default is never.
    /// - Throws: `product_not_found`, `offer_not_found`, `offer_code_invalid`, `offer_code_exists`,
    ///   `offer_code_limit_invalid`, `expiration_date_invalid`.
    public mutating func makeCustomCode(
        productId: String,
        offer: String,
        code: String,
        redemptionLimit: Int,
        expirationDate: Int64? = nil
    ) throws(StoreError) -> OfferCodeBatch {
        try checkHasCodes(offer, productId: productId)
        let isPlain = code.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) }
        guard isPlain, (1...Self.customCodeLengthMax).contains(code.utf8.count) else {
            let message = "A code is 1 to \(Self.customCodeLengthMax) letters and digits of ASCII, such as SPRING26."
            throw StoreError(.offerCodeInvalid, message, path: "code")
        }
        let customCode = code.uppercased()
        guard ledger.offerCodes.position(of: customCode, seed: configuration.seed) == nil else {
            let message =
                "There is a code \"\(customCode)\" already; codes are unique in the app, including expired ones."
            throw StoreError(.offerCodeExists, message, path: "code")
        }
        try checkRedemptions(redemptionLimit, in: 1...OfferCodeLedger.quarterMax, path: "redemptionLimit")
        if let expirationDate, expirationDate <= now {
            let message = "The code must end after \(now), the current time; without the member it never expires."
            throw StoreError(.expirationDateInvalid, message, path: "expirationDate")
        }
        return append(
            .custom,
            of: offer,
            productId: productId,
            limit: redemptionLimit,
            expirationDate: expirationDate,
            customCode: customCode
        )
    }

    /// The codes of a product's offers, oldest first.
    ///
    /// - Throws: `product_not_found`.
    public func offerCodes(productId: String) throws(StoreError) -> [OfferCodeBatch] {
        _ = try catalogProduct(productId, path: nil)
        return ledger.offerCodes.batches.filter { $0.productId == productId }
    }

    /// A batch of codes.
    ///
    /// - Throws: `offer_codes_not_found`.
    public func offerCodes(_ offerCodesId: String) throws(StoreError) -> OfferCodeBatch {
        ledger.offerCodes.batches[try batchIndex(offerCodesId)]
    }

    /// The texts of the codes of a batch, in the order of creation.
    public func codes(of batch: OfferCodeBatch) -> [String] {
        if let customCode = batch.customCode { return [customCode] }
        return batch.numbers.map { SingleCode.text(number: $0, seed: configuration.seed) }
    }

    /// Deactivates the codes of a batch; earlier redemptions stay.
    ///
    /// - Throws: `offer_codes_not_found`.
    public mutating func deactivateOfferCodes(_ offerCodesId: String) throws(StoreError) -> OfferCodeBatch {
        let position = try batchIndex(offerCodesId)
        ledger.offerCodes.deactivate(at: position)
        return ledger.offerCodes.batches[position]
    }

    private mutating func append(
        _ kind: OfferCodeBatch.Kind,
        of offer: String,
        productId: String,
        limit: Int,
        expirationDate: Int64?,
        customCode: String? = nil
    ) -> OfferCodeBatch {
        let batch = OfferCodeBatch(
            offerCodesId: ledger.offerCodes.nextId,
            productId: productId,
            offer: offer,
            kind: kind,
            customCode: customCode,
            redemptionLimit: limit,
            createdDate: now,
            expirationDate: expirationDate,
            firstNumber: ledger.offerCodes.singleCodes
        )
        ledger.offerCodes.append(batch)
        return batch
    }

    private func batchIndex(_ id: String) throws(StoreError) -> Int {
        guard let position = ledger.offerCodes.batches.firstIndex(where: { $0.offerCodesId == id }) else {
            let message = "There are no codes \"\(id)\"; GET /_store/products/{productId}/offer-codes lists them."
            throw StoreError(.offerCodesNotFound, message)
        }
        return position
    }

    private func checkHasCodes(_ offer: String, productId: String) throws(StoreError) {
        let product = try catalogProduct(productId, path: nil)
        let names = product.terms?.codeOffers.map(\.referenceName) ?? product.codeOffers.map(\.referenceName)
        guard names.contains(offer) else {
            let possible = names.isEmpty ? "none" : names.joined(separator: ", ")
            let message = "The product has no offer \"\(offer)\" with codes; it has: \(possible)."
            throw StoreError(.offerNotFound, message, path: "offer")
        }
    }

    private func checkRedemptions(
        _ count: Int,
        in range: ClosedRange<Int>,
        path: String
    ) throws(StoreError) {
        let quarter = Self.quarter(of: now)
        let given = ledger.offerCodes.batches.reduce(0) {
            Self.quarter(of: $1.createdDate) == quarter ? $0 + $1.redemptionLimit : $0
        }
        let left = OfferCodeLedger.quarterMax - given
        guard range.contains(count), count <= left else {
            let most = min(range.upperBound, left)
            let message = "\(path) must be from 1 to \(range.upperBound); in this quarter \(most) at most are possible."
            throw StoreError(.offerCodeLimitInvalid, message, path: path)
        }
    }

    /// The number of a quarter, counted over all years.
    private static func quarter(of time: Int64) -> Int {
        let date = CivilDate(daysSinceEpoch: Int(time.dividedRoundingDown(by: Milliseconds.day)))
        return date.year * 4 + (date.month - 1) / 3
    }
}
