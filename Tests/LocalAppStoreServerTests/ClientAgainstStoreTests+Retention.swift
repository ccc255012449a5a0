import AppStoreClient
import AppStoreModel
import Testing

/// Retention Messaging.
extension `The client against the store` {
    @Test func `images, messages and the realtime URL are set, tested and removed`() async throws {
        let made = try await withClient { store, app in
            try await uploadImages(with: app)
            try await showMessage(with: app)
            try await deleteImages(with: app)
            try await withDeveloperServer { developer in
                let id = try #require(try await store.buy("pro.weekly")["originalTransactionId"].stringValue)
                try await testRealtimeURL(developer.retentionURL, about: id, of: store, with: app)
            }
        }
        #expect(missing(AppStoreServerCall.retentionMessaging, in: made) == [])
    }

    /// Uploads an image for a message and one for a bullet point.
    private func uploadImages(with app: AppStoreServerAPIClient.App) async throws {
        let image = try await app.uploadImage(imageIdentifier: uuid(1), png: fullSizeFile)
        #expect(image.response.status == 200 && image.response.body.isEmpty)
        try await app.uploadImage(imageIdentifier: uuid(2), png: bulletPointFile, imageSize: .bulletPoint)
        let images = try await app.getImageList().imageIdentifiers
        #expect(Set(images.map(\.imageIdentifier)) == [uuid(1), uuid(2)])
        #expect(images.allSatisfy { $0.imageState == .approved })
        #expect(images.first { $0.imageIdentifier == uuid(2) }?.imageSize == .bulletPoint)
    }

    /// Uploads a message, makes it the default, and removes both.
    private func showMessage(with app: AppStoreServerAPIClient.App) async throws {
        let uploaded = try await app.uploadMessage(
            messageIdentifier: uuid(3),
            UploadMessageRequestBody(
                header: "Stay",
                body: "We would miss you.",
                image: UploadMessageImage(imageIdentifier: uuid(1), altText: "A door")
            )
        )
        #expect(uploaded.response.status == 200 && uploaded.response.body.isEmpty)
        let messages = try await app.getMessageList().messageIdentifiers
        #expect(messages.map(\.messageIdentifier) == [uuid(3)])
        #expect(messages.map(\.messageState) == [.approved])

        let (productId, locale) = ("pro.weekly", "en-US")
        let configured = try await app.configureDefaultMessage(
            productId: productId,
            locale: locale,
            DefaultConfigurationRequest(messageIdentifier: uuid(3))
        )
        #expect(configured.response.status == 200 && configured.response.body.isEmpty)
        #expect(try await app.getDefaultMessage(productId: productId, locale: locale).messageIdentifier == uuid(3))

        try await app.deleteDefaultMessage(productId: productId, locale: locale)
        await #expect(throws: AppStoreClientError.self) {
            try await app.getDefaultMessage(productId: productId, locale: locale)
        }
        try await app.deleteMessage(messageIdentifier: uuid(3))
        #expect(try await app.getMessageList().messageIdentifiers == [])
    }

    /// Deletes what ``uploadImages(with:)`` uploaded.
    private func deleteImages(with app: AppStoreServerAPIClient.App) async throws {
        for number in 1...2 {
            let deleted = try await app.deleteImage(imageIdentifier: uuid(number))
            #expect(deleted.response.status == 200 && deleted.response.body.isEmpty)
        }
        #expect(try await app.getImageList().imageIdentifiers == [])
    }

    /// Sets the URL, tests it for a minute of the store's clock, and removes it.
    private func testRealtimeURL(
        _ url: String,
        about id: String,
        of store: RunningStore,
        with app: AppStoreServerAPIClient.App
    ) async throws {
        let configured = try await app.configureRealtimeURL(RealtimeUrlRequest(realtimeURL: url))
        #expect(configured.response.status == 200 && configured.response.body.isEmpty)
        #expect(try await app.getRealtimeURL().realtimeURL == url)

        let begun = try await app.initiatePerformanceTest(PerformanceTestRequest(originalTransactionId: id))
        let total = try #require(begun.config?.totalRequests)
        // The answer has its own `requestId`, which identifies the call in Apple's logs.
        let pending = try await app.getPerformanceTestResults(requestId: begun.value.requestId)
        #expect(pending.result == .pending && pending.numPending == Int32(total))
        _ = try await store.advance(by: "PT1M")
        let over = try await app.getPerformanceTestResults(requestId: begun.value.requestId)
        // Whether it passed depends on the load of the machine.
        #expect(over.result != .pending && over.numPending == 0)
        #expect(over.target == url && over.config == begun.config)

        try await app.deleteRealtimeURL()
        await #expect(throws: AppStoreClientError.self) { try await app.getRealtimeURL() }
    }
}
