import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Retention images` {
    @Test(arguments: [(AppStoreEnvironment.sandbox, ImageState.approved), (.production, .pending)])
    func `the sandbox approves an image at once, production reviews it`(
        environment: AppStoreEnvironment,
        state: ImageState
    ) throws {
        var store = try StoreTranscript(at: 0, environment: environment).store
        try store.uploadImage(uuid(1).uppercased(), file: fullSizeFile)
        try store.uploadImage(uuid(2), imageSize: "BULLET_POINT", file: bulletPointFile)
        let list = store.imageList.imageIdentifiers
        #expect(list.map(\.imageIdentifier) == [uuid(1), uuid(2)])
        #expect(list.map(\.imageSize) == [.fullSize, .bulletPoint])
        #expect(list.map(\.imageState) == [state, state])
        try store.reviewImage(uuid(1), state: .rejected)
        #expect(store.imageList.imageIdentifiers.map(\.imageState) == [.rejected, state])
    }

    @Test(arguments: [
        (3840, 160, "FULL_SIZE", nil), (3840, 2160, "FULL_SIZE", nil), (1024, 1024, "BULLET_POINT", nil),
        (3840, 159, "FULL_SIZE", AppStoreServerAPIError.invalidImage), (3840, 2161, "FULL_SIZE", .invalidImage),
        (3839, 160, "FULL_SIZE", .invalidImage), (3841, 160, "FULL_SIZE", .invalidImage),
        (1024, 1024, "FULL_SIZE", .invalidImage), (3840, 160, "BULLET_POINT", .invalidImage),
        (1024, 1023, "BULLET_POINT", .invalidImage), (3840, 160, "HUGE", .badRequestImageSize),
    ])
    func `an image has exactly the dimensions of its purpose`(
        width: Int,
        height: Int,
        size: String,
        error: AppStoreServerAPIError?
    ) throws {
        var store = try StoreTranscript(at: 0).store
        let outcome = result {
            try store.uploadImage(uuid(1), imageSize: size, file: pngFile(width: width, height: height))
        }
        #expect(outcome == error)
        #expect(store.imageList.imageIdentifiers.count == (error == nil ? 1 : 0))
    }

    @Test func `an image has no transparency`() throws {
        let files: [([UInt8], AppStoreServerAPIError?)] = [
            (pngFile(width: 3840, height: 160, colourType: 0), nil),
            (pngFile(width: 3840, height: 160, colourType: 3, parts: [("PLTE", [1, 2, 3])]), nil),
            (
                pngFile(width: 3840, height: 160, colourType: 3, parts: [("PLTE", [1, 2, 3]), ("tRNS", [0])]),
                .invalidImage
            ),
            (pngFile(width: 3840, height: 160, colourType: 4), .invalidImage),
            (pngFile(width: 3840, height: 160, colourType: 6), .invalidImage),
            (pngFile(width: 3840, height: 160, colourType: 7), .invalidImage),
        ]
        for (file, error) in files {
            var store = try StoreTranscript(at: 0).store
            #expect(result { try store.uploadImage(uuid(1), file: file) } == error)
        }
    }

    @Test func `a file that is truncated or changed in any byte is not an image`() throws {
        var store = try StoreTranscript(at: 0).store
        for length in fullSizeFile.indices {
            let file = Array(fullSizeFile.prefix(length))
            #expect(result { try store.uploadImage(uuid(1), file: file) } == .invalidImage)
        }
        for position in fullSizeFile.indices {
            for bit in 0..<8 {
                var file = fullSizeFile
                file[position] ^= 1 << UInt8(bit)
                #expect(result { try store.uploadImage(uuid(1), file: file) } == .invalidImage)
            }
        }
        #expect(result { try store.uploadImage(uuid(1), file: fullSizeFile + [0]) } == .invalidImage)
        #expect(result { try store.uploadImage(uuid(1), file: fullSizeFile) } == nil)
    }

    @Test func `uploads and deletions are not repeated, and an image in use stays`() throws {
        var store = try StoreTranscript(at: 0).store
        #expect(result { try store.deleteImage(uuid(1)) } == .imageNotFound)
        try store.uploadImage(uuid(1), file: fullSizeFile)
        #expect(result { try store.uploadImage(uuid(1), file: fullSizeFile) } == .imageAlreadyExists)
        var message = UploadMessageRequestBody.stay
        message.image = UploadMessageImage(imageIdentifier: uuid(1).uppercased(), altText: "A door")
        try store.uploadMessage(uuid(9), request: message)
        #expect(result { try store.deleteImage(uuid(1)) } == .imageInUse)
        try store.deleteMessage(uuid(9))
        try store.deleteImage(uuid(1))
        #expect(result { try store.deleteImage(uuid(1)) } == .imageNotFound)
        try store.uploadImage(uuid(1), file: fullSizeFile)
        #expect(result { try store.uploadImage("door", file: fullSizeFile) } == .generalBadRequest)
        #expect(result { try store.deleteImage("door") } == .generalBadRequest)
    }

    @Test func `an app has at most 2000 images`() throws {
        var store = try StoreTranscript(at: 0).store
        for number in 0..<2_000 { try store.uploadImage(uuid(number), file: fullSizeFile) }
        #expect(result { try store.uploadImage(uuid(2_000), file: fullSizeFile) } == .maximumNumberOfImagesReached)
        #expect(result { try store.uploadImage(uuid(7), file: fullSizeFile) } == .imageAlreadyExists)
        try store.deleteImage(uuid(7))
        try store.uploadImage(uuid(2_000), file: fullSizeFile)
        #expect(store.imageList.imageIdentifiers.count == 2_000)
    }

    @Test func `a review needs an existing image, and ends in one of Apple's states`() throws {
        var store = try StoreTranscript(at: 0).store
        expectRefusal(.imageNotFound, .notFound) { try store.reviewImage(uuid(1), state: .approved) }
        try store.uploadImage(uuid(1), file: fullSizeFile)
        expectRefusal(.reviewStateUnknown, .invalid) {
            try store.reviewImage(uuid(1), state: ImageState(rawValue: "LOVELY"))
        }
    }
}

/// The error of a call of Apple's API; `nil` if it succeeds.
func result(_ call: () throws -> Void) -> AppStoreServerAPIError? {
    do { try call() } catch { return error as? AppStoreServerAPIError ?? .generalInternal }
    return nil
}
