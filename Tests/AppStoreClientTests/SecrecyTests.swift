import AppStoreClient
import AppStoreModel
import AppStoreSigning
import Testing

@Suite struct `Secrets of the client` {
    /// Every form in which a log might show a value.
    private func shown(_ value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return dumped + String(describing: value) + String(reflecting: value) + "\(value)"
    }

    private func token(in stage: Stage) throws -> String {
        let header = try #require(stage.transport.requests.first?.headers["Authorization"])
        #expect(header.hasPrefix("Bearer ey"))
        return String(header.dropFirst("Bearer ".count))
    }

    @Test(arguments: [200, 400, 401, 404, 429, 500])
    func `a token repeated by the server never appears in an error or an answer`(status: Int) async throws {
        let echo = ScriptedTransport.Step.echo { request in
            let all = request.headers.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
            let token = request.headers["authorization"] ?? ""
            let headers = HTTPHeaders([.init("X-Echo", token), .init("X-Request-Id", token)])
            return AppStoreHTTPResponse(status: status, headers: headers, body: Array("\(all)\n\(token)\(token)".utf8))
        }
        let stage = Stage([echo], configuration: .init(retryPolicy: .never))

        let error = try #require(await Stage.error { try await stage.app.getTransactionInfo(transactionId: "1") })

        let token = try token(in: stage)
        #expect(!shown(error).contains(token))
        #expect(!String(decoding: error.body, as: UTF8.self).contains(token))
        #expect(String(decoding: error.body, as: UTF8.self).contains("Bearer <hidden>"))
        #expect(error.headers.fields.allSatisfy { !$0.value.contains(token) })
        #expect(error.requestId == "Bearer <hidden>")
    }

    @Test func `a token at the ends of a body, and next to another, is found; a short one is not a secret`()
        async throws
    {
        let echo = ScriptedTransport.Step.echo { request in
            let token = (request.headers["authorization"] ?? "").dropFirst("Bearer ".count)
            return AppStoreHTTPResponse(status: 200, body: Array("\(token)\(token)e\(token.prefix(20))e\(token)".utf8))
        }
        let stage = Stage([echo])
        let answer = try await stage.app.perform(.getTransactionInfo, path: ["transactionId": "1"])
        let start = try token(in: stage).prefix(20)
        #expect(String(decoding: answer.value, as: UTF8.self) == "<hidden><hidden>e\(start)e<hidden>")

        struct Short: BearerTokenSource {
            func credential(bundleId: String, now: Int64) async throws -> BearerCredential {
                BearerCredential(token: "t")
            }
            func discard(_ credential: BearerCredential, bundleId: String) async {}
        }
        let local = Stage([.answer(200, Bodies.transaction)], tokens: Short())
        #expect(try await local.app.getTransactionInfo(transactionId: "1").signedTransactionInfo == "a.b.c")
    }

    @Test func `a raw answer contains no token either`() async throws {
        let echo = ScriptedTransport.Step.echo { request in
            AppStoreHTTPResponse(status: 200, body: Array((request.headers["authorization"] ?? "").utf8))
        }
        let stage = Stage([echo])

        let answer = try await stage.app.perform(.getTransactionInfo, path: ["transactionId": "1"])

        #expect(answer.value == Array("Bearer <hidden>".utf8))
        #expect(!shown(answer).contains(try token(in: stage)))
    }

    @Test func `a token in a transport's error never appears in an error`() async throws {
        struct Talkative: HTTPTransport {
            func send(
                _ request: AppStoreHTTPRequest,
                timeout: Duration,
                bodyBytesMax: Int
            ) async throws(HTTPTransportError) -> AppStoreHTTPResponse {
                let message = "failed: \(request.headers["authorization"] ?? "")"
                throw HTTPTransportError(code: .connectionLost, message: message, mayHaveBeenSent: true)
            }
        }
        let client = AppStoreServerAPIClient(
            transport: Talkative(),
            tokens: CachedBearerTokens(key: Stage.key),
            configuration: .init(retryPolicy: .never),
            clock: VirtualClock()
        )

        let error = await Stage.error {
            try await client.app("com.example", in: .production).getTransactionInfo(transactionId: "1")
        }

        #expect(error?.message == "failed: Bearer <hidden>")
        #expect(error.map(shown)?.contains("eyJ") == false)
    }

    @Test func `requests, credentials, clients and token sources show no token and no key`() async throws {
        let stage = Stage([.answer(200, Bodies.transaction)])
        _ = try await stage.app.getTransactionInfo(transactionId: "1")
        let token = try token(in: stage)
        let request = try #require(stage.transport.requests.first)
        let tokens = CachedBearerTokens(key: Stage.key)
        let credential = try await tokens.credential(bundleId: "a", now: VirtualClock.start)

        let texts = [
            shown(request), shown(request.headers), shown(request.headers.fields), shown(stage.client),
            shown(stage.app),
            shown(tokens), shown(credential), credential.debugDescription, request.headers.debugDescription,
        ]

        let keyText = Stage.key.pem.split(separator: "\n").dropFirst().first.map(String.init) ?? ""
        for text in texts {
            #expect(!text.contains(token))
            #expect(!text.contains(credential.token))
            #expect(!text.contains(keyText))
        }
        #expect(texts[1].contains("Authorization: <hidden>"))
    }
}
