import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import LocalAppStore
import Testing

@Suite struct `The page where a subscription is cancelled` {
    private static let url = "https://shop.example/retention"
    private let key = InAppPurchaseKey.generate()

    @Test func `the request is signed as Apple's and names customer, product and locale`() throws {
        let authority = try TestAuthority()
        let now = try at("2026-01-15")
        for environment in [AppStoreEnvironment.production, .sandbox] {
            var transcript = try StoreTranscript(at: now, environment: environment, authority: authority)
            _ = try transcript.store.createAccount(accountId: "a")
            let id = try transcript.buy("pro.monthly").originalTransactionId
            try setURL(&transcript.store)
            let opening = try transcript.store.openCancelPage(originalTransactionId: id, locale: "de-de")
            let call = try #require(opening.call)
            #expect(call.url == Self.url)
            #expect(call.deadlineMilliseconds == 700)
            #expect(call.body == RealtimeRequestBody(signedPayload: call.signedPayload).jsonBytes)
            let identity = AppIdentity(
                bundleId: transcript.store.configuration.bundleId,
                appAppleId: 6_400_000_001,
                environment: environment
            )
            let verifier = SignedDataVerifier(roots: [authority.trustedRoot], apps: [identity])
            let request = try verifier.verifyRealtimeRequest(call.signedPayload).get()
            #expect(request == call.request)
            #expect(request.originalTransactionId == id)
            #expect(request.productId == "pro.monthly")
            #expect(request.userLocale == "de-DE")
            #expect(request.signedDate == now)
            let second = try transcript.store.openCancelPage(originalTransactionId: id)
            #expect(second.call?.request.requestIdentifier != request.requestIdentifier)
        }
    }

    @Test func `the message of the answer is shown`() throws {
        let (store, opening) = try visit()
        let page = try store.cancelPage(opening, answer: answer(.message(uuid(2).uppercased())))
        #expect(page.source == .realtime)
        #expect(page.message?.messageIdentifier == uuid(2))
        #expect(page.message?.content == .stay)
        #expect(page.realtimeRefusal == nil)
    }

    @Test func `for any invalid answer, the customer sees the default, and the reason is reported`() throws {
        let table: [(RealtimeAnswer, RetentionRefusal.Code)] = [
            (RealtimeAnswer(failure: .timedOut, milliseconds: 700), .timedOut),
            (RealtimeAnswer(failure: .socketIssue, milliseconds: 1), .unreachable),
            (RealtimeAnswer(failure: .tlsIssue, milliseconds: 1), .unreachable),
            (RealtimeAnswer(failure: .invalidResponse, milliseconds: 1), .answerMalformed),
            (RealtimeAnswer(httpStatus: 204, body: [], milliseconds: 1), .status),
            (
                RealtimeAnswer(httpStatus: 500, body: RealtimeResponseBody.message(uuid(2)).jsonBytes, milliseconds: 1),
                .status
            ),
            (RealtimeAnswer(httpStatus: 200, body: [], milliseconds: 1), .answerMalformed),
            (RealtimeAnswer(httpStatus: 200, body: Array("[]".utf8), milliseconds: 1), .answerMalformed),
            (answer(RealtimeResponseBody()), .answerMalformed),
            (
                answer(
                    RealtimeResponseBody(
                        message: .init(messageIdentifier: uuid(2)),
                        advancedCommerceInfo: .init(messageIdentifier: uuid(2), advancedCommerceData: "e30=")
                    )
                ), .answerMalformed
            ),
            (answer(.message("hello")), .answerMalformed),
            (answer(.message(uuid(99))), .messageNotFound),
            (answer(.message(uuid(3))), .messageNotApproved),
            (answer(.message(uuid(4))), .imageNotApproved),
            (answer(.alternateProduct("pro.yearly", message: uuid(5))), .messageHasImage),
            (answer(.alternateProduct("pro.monthly", message: uuid(2))), .productNotPossible),
            (answer(.alternateProduct("plus.monthly", message: uuid(2))), .productNotPossible),
            (answer(.alternateProduct("coins.100", message: uuid(2))), .productNotPossible),
            (answer(.alternateProduct("pro.yearly", message: uuid(2), billingPlanType: .monthly)), .productNotPossible),
            (answer(.promotionalOffer(signatureV2: "a.b.c", message: uuid(2))), signatureMalformed),
        ]
        let (store, opening) = try visit()
        for (answer, code) in table {
            let page = try store.cancelPage(opening, answer: answer)
            #expect(page.source == .defaultMessage)
            #expect(page.message?.messageIdentifier == uuid(1))
            #expect(page.realtimeRefusal?.code == code)
            #expect(page.offer == nil && page.defaultRefusal == nil)
        }
    }

    @Test func `another product is shown, with the plan that the customer's country has`() throws {
        let (store, opening) = try visit(storefront: "DEU")
        let monthly = RealtimeResponseBody.alternateProduct("pro.yearly", message: uuid(2), billingPlanType: .monthly)
        let page = try store.cancelPage(opening, answer: answer(monthly))
        #expect(page.offer == .alternateProduct(productId: "pro.yearly", billingPlanType: .monthly))
        let weekly = try store.cancelPage(opening, answer: answer(.alternateProduct("pro.weekly", message: uuid(2))))
        #expect(weekly.offer == .alternateProduct(productId: "pro.weekly", billingPlanType: nil))
    }

    @Test func `a promotional offer is shown in either form when it is the customer's own and not redeemed`() throws {
        var (store, opening) = try visit(catalog: try offerCatalog(), product: "silver")
        let signer = StoreKitRequestSigner(key: key, bundleId: store.configuration.bundleId)
        let id = opening.originalTransactionId
        let stranger = try store.createAccount(accountId: "b").appTransactionId
        func second(_ offer: String, _ product: String, of customer: String) throws -> RealtimeAnswer {
            let claims = PromotionalOfferV2(productId: product, offerIdentifier: offer, transactionId: customer)
            return answer(
                try signer.realtimeResponse(offering: claims, message: uuid(2), nonce: .random(), at: store.now)
            )
        }
        let good = try store.cancelPage(opening, answer: second("silver.half", "silver", of: id))
        #expect(good.source == .realtime)
        let refused: [(RealtimeAnswer, RetentionRefusal.Code)] = [
            (try second("silver.half", "silver", of: stranger), .signatureCustomerMismatch),
            (try second("silver.double", "silver", of: id), .offerNotPossible),
            (try second("silver.half", "lifetime", of: id), .offerNotPossible),
        ]
        for (answer, code) in refused {
            #expect(try store.cancelPage(opening, answer: answer).realtimeRefusal?.code == code)
        }
        let nonce = SignatureNonce.random()
        let offer = PromotionalOffer(productId: "silver", offerIdentifier: "silver.half")
        let first = try signer.realtimeResponse(offering: offer, message: uuid(2), nonce: nonce, at: store.now)
        #expect(try store.cancelPage(opening, answer: answer(first)).source == .realtime)
        let signature = try #require(first.promotionalOffer?.promotionalOfferSignatureV1)
        let redeemed = PurchaseRequest.Offer(
            type: "promotional",
            identifier: "silver.half",
            signature: signature.encodedSignature,
            keyId: signature.keyId,
            nonce: signature.nonce,
            timestamp: signature.timestamp
        )
        _ = try store.purchase(accountId: "a", request: PurchaseRequest(productId: "silver", offer: redeemed))
        #expect(try store.cancelPage(opening, answer: answer(first)).realtimeRefusal?.code == .signatureNonceUsed)
    }

    @Test func `Advanced Commerce data is for its own subscriptions, which accept nothing else`() throws {
        let data = RealtimeResponseBody.advancedCommerce(data: "e30=", message: uuid(2))
        let switching = RealtimeResponseBody.alternateProduct("pro.yearly", message: uuid(2))
        let (ordinary, visited) = try visit()
        #expect(
            try ordinary.cancelPage(visited, answer: answer(data)).realtimeRefusal?.code == .advancedCommerceMismatch
        )
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().originalTransactionId
        var store = shop.transcript.store
        try store.uploadStay(2)
        try setURL(&store)
        let opening = try store.openCancelPage(originalTransactionId: id)
        #expect(try store.cancelPage(opening, answer: answer(data)).offer == .advancedCommerce(data: "e30="))
        let refused = try store.cancelPage(opening, answer: answer(switching))
        #expect(refused.realtimeRefusal?.code == .advancedCommerceMismatch)
        #expect(try store.cancelPage(opening, answer: answer(.message(uuid(2)))).source == .realtime)
    }

    @Test func `a family member has nothing to cancel`() throws {
        var (store, _) = try visit(product: "pro.yearly")
        _ = try store.createAccount(accountId: "b")
        try store.addFamilyMember(accountId: "a", member: "b")
        let shared = try #require(try store.account("b").subscriptions.first).originalTransactionId
        expectRefusal(.familyShared, .conflict) { try store.openCancelPage(originalTransactionId: shared) }
    }

    @Test func `without a URL there is no request, and without a default the page is plain`() throws {
        var (store, _) = try visit()
        try store.deleteRealtimeURL()
        let id = StoreIdentifierSample.first
        let asked = try store.openCancelPage(originalTransactionId: id)
        #expect(asked.call == nil)
        let page = try store.cancelPage(asked, answer: nil)
        #expect(page.source == .defaultMessage && page.realtimeRefusal?.code == .urlNotSet)
        let french = try store.openCancelPage(originalTransactionId: id, locale: "fr-FR")
        #expect(try store.cancelPage(french, answer: nil).defaultRefusal?.code == .defaultNotSet)
        try store.reviewMessage(uuid(1), state: .rejected)
        let plain = try store.cancelPage(asked, answer: nil)
        #expect(plain.source == .nothing && plain.message == nil)
        #expect(plain.defaultRefusal?.code == .messageNotApproved)
    }

    @Test func `only customers who can cancel see the page`() throws {
        var (store, _) = try visit()
        let id = StoreIdentifierSample.first
        expectRefusal(.subscriptionNotFound, .notFound) { try store.openCancelPage(originalTransactionId: "7") }
        expectRefusal(.localeInvalid, .invalid) {
            try store.openCancelPage(originalTransactionId: id, locale: "en_US")
        }
        try store.setAutoRenew(originalTransactionId: id, enabled: false)
        expectRefusal(.autoRenewOff, .conflict) { try store.openCancelPage(originalTransactionId: id) }
        while let time = store.nextDue(atOrBefore: try at("2027-01-01")) { try store.step(to: time) }
        expectRefusal(.subscriptionNotActive, .conflict) { try store.openCancelPage(originalTransactionId: id) }
    }

    /// A subscriber with the messages 1 (the default), 2 (plain), 3 (rejected), 4 (with a rejected image) and 5 (with
    /// an image).
    private func visit(
        catalog: Catalog? = nil,
        product: String = "pro.monthly",
        storefront: String = "USA"
    ) throws -> (LocalAppStore, CancelPageOpening) {
        var transcript = try StoreTranscript(at: try at("2026-01-15"), environment: .sandbox, catalog: catalog)
        _ = try transcript.store.createAccount(storefront: storefront, accountId: "a")
        let id = try transcript.buy(product).originalTransactionId
        #expect(id == StoreIdentifierSample.first)
        var store = transcript.store
        try store.setNotificationEndpoint(url: nil)
        store.acceptSignatures(by: [key.publicKey])
        for number in 1...3 { try store.uploadStay(number) }
        for number in 4...5 {
            try store.uploadImage(uuid(10 + number), file: fullSizeFile)
            var message = UploadMessageRequestBody.stay
            message.image = UploadMessageImage(imageIdentifier: uuid(10 + number), altText: "A door")
            try store.uploadMessage(uuid(number), request: message)
        }
        try store.reviewMessage(uuid(3), state: .rejected)
        try store.reviewImage(uuid(14), state: .rejected)
        let request = DefaultConfigurationRequest(messageIdentifier: uuid(1))
        try store.configureDefaultMessage(productId: product, locale: "en-US", request: request)
        try setURL(&store)
        return (store, try store.openCancelPage(originalTransactionId: id))
    }

    private func setURL(_ store: inout LocalAppStore) throws {
        store.setPassedPerformanceTest(true)
        try store.configureRealtimeURL(request: RealtimeUrlRequest(realtimeURL: Self.url))
    }

    private func answer(_ response: RealtimeResponseBody) -> RealtimeAnswer {
        RealtimeAnswer(httpStatus: 200, body: response.jsonBytes, milliseconds: 20)
    }

    private let signatureMalformed = RetentionRefusal.Code(rawValue: SignatureRefusal.Code.malformed.rawValue)
}

/// The identifier of the first purchase of a store.
private enum StoreIdentifierSample {
    static let first = "2000000000000001"
}
