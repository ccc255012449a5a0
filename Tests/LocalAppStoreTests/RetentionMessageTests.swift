import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Retention messages and defaults` {
    @Test func `each text has a maximum number of characters`() throws {
        let limits: [(Int, AppStoreServerAPIError, (inout UploadMessageRequestBody, String) -> Void)] = [
            (66, .headerTooLong, { $0.header = $1 }), (144, .bodyTooLong, { $0.body = $1 }),
            (150, .altTextTooLong, { $0.image = UploadMessageImage(imageIdentifier: uuid(1), altText: $1) }),
            (66, .badRequestBulletPointTextTooLong, { $0.bulletPoints = [point(text: $1)] }),
            (150, .altTextTooLong, { $0.bulletPoints = [point(altText: $1)] }),
        ]
        for (limit, error, set) in limits {
            var store = try storeWithImages()
            for (length, expected) in [(limit, nil), (limit + 1, error)] {
                var message = UploadMessageRequestBody.stay
                // Two bytes each: characters are counted.
                set(&message, String(repeating: "é", count: length))
                #expect(result { try store.uploadMessage(uuid(length), request: message) } == expected)
            }
        }
    }

    @Test func `images must exist with the size of their position`() throws {
        var store = try storeWithImages()
        let images: [((inout UploadMessageRequestBody) -> Void, AppStoreServerAPIError?)] = [
            ({ $0.image = UploadMessageImage(imageIdentifier: uuid(1), altText: "") }, nil),
            ({ $0.image = UploadMessageImage(imageIdentifier: uuid(2), altText: "") }, .badRequestImageSize),
            ({ $0.image = UploadMessageImage(imageIdentifier: uuid(3), altText: "") }, .imageNotFound),
            ({ $0.image = UploadMessageImage(imageIdentifier: "door", altText: "") }, .generalBadRequest),
            ({ $0.headerPosition = .aboveBody }, nil),
            ({ $0.headerPosition = .aboveImage }, .badRequestAboveImageRequiresAnImage),
            ({ $0.headerPosition = HeaderPosition(rawValue: "BELOW") }, .generalBadRequest),
            ({ $0.bulletPoints = Array(repeating: point(), count: 5) }, nil),
            ({ $0.bulletPoints = Array(repeating: point(), count: 6) }, .badRequestTooManyBulletPoints),
            (
                { $0.bulletPoints = [BulletPoint(text: "", imageIdentifier: uuid(1), altText: "")] },
                .badRequestImageSize
            ),
        ]
        for (number, (change, error)) in images.enumerated() {
            var message = UploadMessageRequestBody.stay
            change(&message)
            #expect(result { try store.uploadMessage(uuid(100 + number), request: message) } == error)
        }
    }

    @Test func `a body is decoded as by Apple`() throws {
        for text in ["{}", #"{"header": 1, "body": ""}"#, #"{"header": "", "body": "", "image": {}}"#] {
            #expect(
                result { _ = try UploadMessageRequestBody(appleBody: JSONParser.parseObject(Array(text.utf8))) }
                    == .generalBadRequest
            )
        }
    }

    @Test(arguments: [(AppStoreEnvironment.sandbox, MessageState.approved), (.production, .pending)])
    func `the sandbox approves a message at once, production reviews it`(
        environment: AppStoreEnvironment,
        state: MessageState
    ) throws {
        var store = try StoreTranscript(at: 0, environment: environment).store
        try store.uploadStay(1)
        #expect(store.messageList.messageIdentifiers.map(\.messageState) == [state])
        #expect(result { try store.uploadStay(1) } == .messageAlreadyExists)
        try store.deleteMessage(uuid(1))
        #expect(result { try store.deleteMessage(uuid(1)) } == .messageNotFound)
        #expect(store.messageList.messageIdentifiers.isEmpty)
    }

    @Test func `an app has at most 2000 messages`() throws {
        var store = try StoreTranscript(at: 0).store
        for number in 0..<2_000 { try store.uploadStay(number) }
        #expect(result { try store.uploadStay(2_000) } == .maximumNumberOfMessagesReached)
        try store.deleteMessage(uuid(3))
        try store.uploadStay(2_000)
    }

    @Test func `a default must be approved with its images, can be replaced, and is removed with its message`() throws {
        var store = try storeWithImages(environment: .production)
        var message = UploadMessageRequestBody.stay
        message.image = UploadMessageImage(imageIdentifier: uuid(1), altText: "A door")
        try store.uploadMessage(uuid(11), request: message)
        try store.uploadStay(12)
        let first = DefaultConfigurationRequest(messageIdentifier: uuid(11))
        func configure(_ request: DefaultConfigurationRequest, _ locale: String = "en-US") -> AppStoreServerAPIError? {
            result { try store.configureDefaultMessage(productId: "pro.monthly", locale: locale, request: request) }
        }
        #expect(configure(first) == .messageNotApproved)
        try store.reviewMessage(uuid(11), state: .approved)
        #expect(configure(first) == .imageNotApproved)
        try store.reviewImage(uuid(1), state: .approved)
        #expect(configure(first) == nil)
        #expect(configure(DefaultConfigurationRequest(messageIdentifier: uuid(13))) == .messageNotFound)
        #expect(try store.defaultMessage(productId: "pro.monthly", locale: "EN-us").messageIdentifier == uuid(11))
        try store.reviewMessage(uuid(12), state: .approved)
        #expect(configure(DefaultConfigurationRequest(messageIdentifier: uuid(12))) == nil)
        #expect(try store.defaultMessage(productId: "pro.monthly", locale: "en-US").messageIdentifier == uuid(12))
        #expect(configure(first, "de") == nil)
        #expect(store.retentionReport.defaultMessages.map(\.locale) == ["de", "en-US"])
        try store.deleteMessage(uuid(12))
        #expect(
            result { _ = try store.defaultMessage(productId: "pro.monthly", locale: "en-US") }
                == .defaultMessageNotFound
        )
        for _ in 0..<2 { try store.deleteDefaultMessage(productId: "pro.monthly", locale: "de") }
        #expect(store.retentionReport.defaultMessages.isEmpty)
    }

    @Test(arguments: [
        ("pro.monthly", "en-US", nil), ("pro.monthly", "zh-Hant-TW", nil), ("pro.monthly", "es-419", nil),
        ("pro.monthly", "fil", nil), ("pro.monthly", "en_US", AppStoreServerAPIError.invalidLocale),
        ("pro.monthly", "english", .invalidLocale), ("pro.monthly", "e", .invalidLocale),
        ("pro.monthly", "en-", .invalidLocale), ("pro.monthly", "en-US-x", .invalidLocale),
        ("pro.monthly", "", .invalidLocale), ("coins.100", "en-US", .invalidProductId),
        ("pro.daily", "en-US", .invalidProductId),
    ])
    func `a default is for a subscription and a locale`(
        product: String,
        locale: String,
        error: AppStoreServerAPIError?
    ) throws {
        var store = try StoreTranscript(at: 0, environment: .sandbox).store
        try store.uploadStay(1)
        let request = DefaultConfigurationRequest(messageIdentifier: uuid(1))
        #expect(
            result { try store.configureDefaultMessage(productId: product, locale: locale, request: request) } == error
        )
        #expect(result { _ = try store.defaultMessage(productId: product, locale: locale) } == error)
        #expect(result { try store.deleteDefaultMessage(productId: product, locale: locale) } == error)
    }

    /// A store with an image for a message and one for a bullet point.
    private func storeWithImages(environment: AppStoreEnvironment = .sandbox) throws -> LocalAppStore {
        var store = try StoreTranscript(at: 0, environment: environment).store
        try store.uploadImage(uuid(1), file: fullSizeFile)
        try store.uploadImage(uuid(2), imageSize: "BULLET_POINT", file: bulletPointFile)
        return store
    }
}

private func point(text: String = "", altText: String = "") -> BulletPoint {
    BulletPoint(text: text, imageIdentifier: uuid(2), altText: altText)
}
