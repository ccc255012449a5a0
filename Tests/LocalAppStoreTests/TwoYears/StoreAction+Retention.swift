import AppStoreModel
import LocalAppStore

extension StoreAction {
    static let retention: [StoreAction] = [
        StoreAction("uploadImage", endpoint: .uploadImage) { driver in
            let (id, isPoint) = (driver.nextUUID(), driver.occurs(oneOf: 2))
            let file = isPoint ? bulletPointFile : fullSizeFile
            try driver.store.uploadImage(id, imageSize: isPoint ? "BULLET_POINT" : nil, file: file)
            return driver.store.imageList.line
        },
        StoreAction("deleteImage", endpoint: .deleteImage) { driver in
            let id = driver.nextUUID()
            try driver.store.uploadImage(id, file: fullSizeFile)
            try driver.store.deleteImage(id)
            return driver.store.imageList.line
        },
        StoreAction("reviewImage") { driver in
            let id = driver.nextUUID()
            try driver.store.uploadImage(id, file: fullSizeFile)
            try driver.store.reviewImage(id, state: try driver.pick(ImageState.documented))
            return driver.store.imageList.line
        },
        StoreAction("uploadMessage", endpoint: .uploadMessage) { driver in
            let (image, id) = (driver.nextUUID(), driver.nextUUID())
            try driver.store.uploadImage(image, file: fullSizeFile)
            let content = UploadMessageRequestBody(
                header: "Stay",
                body: "We would miss you.",
                image: UploadMessageImage(imageIdentifier: image, altText: "A door")
            )
            try driver.store.uploadMessage(id, request: content)
            return driver.store.messageList.line
        },
        StoreAction("deleteMessage", endpoint: .deleteMessage) { driver in
            let id = try driver.approvedMessage()
            try driver.store.deleteMessage(id)
            return driver.store.messageList.line
        },
        StoreAction("reviewMessage") { driver in
            let id = try driver.approvedMessage()
            try driver.store.reviewMessage(id, state: try driver.pick(MessageState.documented))
            return driver.store.messageList.line
        },
        StoreAction("configureDefaultMessage", copies: 2, endpoint: .configureDefaultMessage) { driver in
            let (id, productId) = (try driver.approvedMessage(), try driver.pick(["gold", "silver", "bronze"]))
            let request = DefaultConfigurationRequest(messageIdentifier: id)
            try driver.store.configureDefaultMessage(productId: productId, locale: "en-US", request: request)
            return try driver.store.defaultMessage(productId: productId, locale: "en-US").line
        },
        StoreAction("deleteDefaultMessage", endpoint: .deleteDefaultMessage) { driver in
            try driver.store.deleteDefaultMessage(productId: "gold", locale: "en-US")
            return "deleted"
        },
        StoreAction("setPassedPerformanceTest") { driver in
            let hasPassed = driver.occurs(oneOf: 2)
            driver.store.setPassedPerformanceTest(hasPassed)
            return "\(hasPassed)"
        },
        StoreAction("configureRealtimeURL", endpoint: .configureRealtimeURL) { driver in
            try driver.setRealtimeURL()
            return try driver.store.realtimeURL().line
        },
        StoreAction("deleteRealtimeURL", endpoint: .deleteRealtimeURL) { driver in
            try driver.setRealtimeURL()
            try driver.store.deleteRealtimeURL()
            return "deleted"
        },
        StoreAction("openCancelPage", copies: 2) { driver in
            let held = try driver.activeSubscription { $0.autoRenewStatus == .on }
            let opening = try driver.store.openCancelPage(originalTransactionId: held.id)
            return "\(opening.call?.signedPayload ?? "no call") \(try driver.page(opening, answer: nil))"
        },
        StoreAction("openCancelPage: with an answer", copies: 3) { driver in
            let message = try driver.approvedMessage()
            try driver.setRealtimeURL()
            let held = try driver.activeSubscription {
                $0.autoRenewStatus == .on && $0.subscriptionGroupIdentifier == "1"
            }
            let opening = try driver.store.openCancelPage(originalTransactionId: held.id, locale: "de-DE")
            let answers: [RealtimeAnswer] = [
                .answering(.message(message)), .answering(.alternateProduct("bronze", message: message)),
                RealtimeAnswer(httpStatus: 500, body: [], milliseconds: 20),
                RealtimeAnswer(failure: .timedOut, milliseconds: 700),
            ]
            let fault = opening.call?.fault.map { " fault: \($0.name)" } ?? ""
            let answer = try driver.pick(answers)
            let page = try driver.page(opening, answer: answer)
            return "\(opening.call?.signedPayload ?? "no call")\(fault) \(page)"
        },
    ]

    static let performanceTests: [StoreAction] = [
        StoreAction("initiatePerformanceTest", endpoint: .initiatePerformanceTest, in: .sandbox) { driver in
            try driver.performanceTest(answeringCalls: 100)
        },
        StoreAction("duePerformanceCalls", in: .sandbox) { driver in
            try driver.performanceTest(answeringCalls: 90)
        },
        StoreAction("recordPerformanceCall", in: .sandbox) { driver in
            try driver.performanceTest(answeringCalls: 97)
        },
    ]
}

extension RealtimeAnswer {
    /// An answer in time.
    fileprivate static func answering(_ body: RealtimeResponseBody) -> RealtimeAnswer {
        RealtimeAnswer(httpStatus: 200, body: body.jsonBytes, milliseconds: 20)
    }
}

extension TwoYearsDriver {
    /// A message that customers may see.
    fileprivate mutating func approvedMessage() throws -> String {
        let id = nextUUID()
        try store.uploadMessage(id, request: .stay)
        try store.reviewMessage(id, state: .approved)
        return id
    }

    fileprivate mutating func setRealtimeURL() throws {
        store.setPassedPerformanceTest(true)
        try store.configureRealtimeURL(request: RealtimeUrlRequest(realtimeURL: "https://shop.example/retention"))
    }

    /// What the customer sees.
    fileprivate func page(_ opening: CancelPageOpening, answer: RealtimeAnswer?) throws -> String {
        let page = try store.cancelPage(opening, answer: answer)
        let refusal = page.realtimeRefusal?.code.rawValue ?? "-"
        return "\(page.message?.messageIdentifier ?? "no message") refused: \(refusal)"
    }

    /// Carries out a performance test, which takes a minute, and of whose hundred calls some are answered.
    fileprivate mutating func performanceTest(answeringCalls answered: Int) throws -> String {
        try setRealtimeURL()
        let id = try newSubscription(to: "bronze").id
        let request = PerformanceTestRequest(originalTransactionId: id)
        guard let test = try store.initiatePerformanceTest(request: request) else { throw NothingToActOn() }
        let end = store.now + 60_000
        var count = 0
        var payloads: [String] = []
        while let time = store.nextDue(atOrBefore: end) {
            try advance(to: time)
            for call in try store.duePerformanceCalls() {
                count += 1
                let isAnswered = count <= answered
                let answer =
                    isAnswered
                    ? RealtimeAnswer.answering(.message(uuid(404)))
                    : RealtimeAnswer(failure: .socketIssue, milliseconds: 9)
                store.recordPerformanceCall(call, answer: answer)
                let fault = call.call.fault.map { " fault: \($0.name)" } ?? ""
                payloads.append(call.call.signedPayload + fault)
            }
        }
        guard let results = try store.performanceTestResults(requestId: test.requestId) else { throw NothingToActOn() }
        return "\(test.line) \(results.line) \(payloads.joined(separator: " "))"
    }
}
