extension AppStoreHTTPResponse {
    /// Header fields in which Apple's servers were observed to name a request; none is documented.
    private static let requestIdNames = ["x-apple-request-uuid", "x-request-id", "x-apple-jingle-correlation-key"]

    /// The part of an error body that is searched for a request identifier.
    private static let textBytesMax = 4096

    /// The request identifier in Apple's logs, if the answer contains it.
    var requestId: String? {
        for name in Self.requestIdNames {
            if let value = headers[name]?.trimmingBlanks, !value.isEmpty { return value }
        }
        return requestIdInText
    }

    /// A 401 has a text body with a line `Request ID: …`.
    private var requestIdInText: String? {
        guard status == 401 else { return nil }
        for line in String(decoding: body.prefix(Self.textBytesMax), as: UTF8.self).split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, String(parts[0]).trimmingBlanks.lowercased() == "request id" else { continue }
            let value = String(parts[1]).trimmingBlanks
            if !value.isEmpty { return value }
        }
        return nil
    }

    /// When the server created the answer by its own clock, in milliseconds since 1970.
    func date(now: Int64) -> Int64? {
        headers["date"].flatMap { HTTPDate.milliseconds($0.trimmingBlanks, now: now) }
    }

    /// Shorter texts are not secrets: removing them would only damage the answer.
    private static let secretBytesMin = 16

    /// The same answer without any occurrence of a secret.
    func redacting(_ secret: String) -> AppStoreHTTPResponse {
        guard secret.utf8.count >= Self.secretBytesMin else { return self }
        return AppStoreHTTPResponse(
            status: status,
            headers: headers.redacting(secret),
            body: Self.redacting(body, Array(secret.utf8))
        )
    }

    private static func redacting(_ body: [UInt8], _ secret: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var start = 0
        while let found = index(of: secret, in: body, from: start) {
            result += body[start..<found]
            result += HTTPHeaders.hidden.utf8
            start = found + secret.count
        }
        return start == 0 ? body : result + body[start...]
    }

    /// The position of a text. Bodies may have megabytes, so only its first byte is searched for until a match.
    private static func index(of text: [UInt8], in body: [UInt8], from start: Int) -> Int? {
        guard let first = text.first, body.count >= text.count else { return nil }
        return body.withUnsafeBufferPointer { body in
            for index in start..<max(start, body.count - text.count + 1)
            where body[index] == first && body[index..<index + text.count].elementsEqual(text) {
                return index
            }
            return nil
        }
    }
}
