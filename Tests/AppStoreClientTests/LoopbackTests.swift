#if Client
    import AppStoreClient
    import AppStoreModel
    import Testing

    @Suite struct `The production transport on local sockets` {
        private static let body = "{\"signedTransactionInfo\":\"a.b.c\"}"

        private static func http(_ status: String, _ headers: [String] = [], _ body: String = "") -> String {
            (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers).joined(separator: "\r\n")
                + "\r\n\r\n" + body
        }

        /// Runs a body with a transport, and shuts it down.
        private func withTransport<Value>(
            _ body: (AsyncHTTPClientTransport) async throws -> Value
        ) async throws -> Value {
            let transport = AsyncHTTPClientTransport(connectTimeout: .seconds(5))
            do {
                let value = try await body(transport)
                try await transport.shutdown()
                return value
            } catch {
                try await transport.shutdown()
                throw error
            }
        }

        private func get(
            _ url: String,
            timeout: Duration = .seconds(20),
            bodyBytesMax: Int = 1000
        ) async throws -> Result<AppStoreHTTPResponse, HTTPTransportError> {
            try await withTransport { transport in
                do throws(HTTPTransportError) {
                    let request = AppStoreHTTPRequest(method: "GET", url: url)
                    return .success(try await transport.send(request, timeout: timeout, bodyBytesMax: bodyBytesMax))
                } catch {
                    return .failure(error)
                }
            }
        }

        private func error(_ result: Result<AppStoreHTTPResponse, HTTPTransportError>) -> HTTPTransportError? {
            if case .failure(let error) = result { error } else { nil }
        }

        @Test func `a call goes over the wire and back`() async throws {
            let server = try LoopbackServer([.answer(Self.http("200 OK", ["X-Request-Id: r1"], Self.body))])
            let configuration = AppStoreServerAPIClient.Configuration(hosts: AppStoreHosts(everywhere: server.url))

            let answer = try await withTransport { transport in
                try await AppStoreServerAPIClient.App(
                    Stage.bundleId,
                    in: .sandbox,
                    key: Stage.key,
                    transport: transport,
                    configuration: configuration
                ).getTransactionInfo(transactionId: "1")
            }

            #expect(answer.signedTransactionInfo == "a.b.c")
            #expect(answer.requestId == "r1")
            let request = try #require(server.requests.first).lowercased()
            #expect(request.hasPrefix("get /inapps/v1/transactions/1 http/1.1\r\n"))
            #expect(request.contains("\r\nauthorization: bearer ey"))
            #expect(request.contains("\r\naccept: application/json\r\n"))
            #expect(!request.contains("content-type"))
        }

        @Test func `no call waits for a connection while others wait for their answers`() async throws {
            let count = 16
            let server = try LoopbackServer(Self.http("200 OK", [], Self.body), toRequestsTogether: count)
            let request = AppStoreHTTPRequest(method: "GET", url: server.url)

            let statuses = try await withTransport { transport in
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<count {
                        group.addTask {
                            try await transport.send(request, timeout: .seconds(20), bodyBytesMax: 1000).status
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
            }

            #expect(statuses == Array(repeating: 200, count: count))
            #expect(server.requests.count == count)
        }

        @Test func `a body arrives byte for byte`() async throws {
            let server = try LoopbackServer([.answer(Self.http("202 Accepted"))])
            let body: [UInt8] = Array("{\"é\":\"\\u0000\"}".utf8)
            let headers = HTTPHeaders([.init("Content-Type", "application/json")])
            let request = AppStoreHTTPRequest(method: "PUT", url: server.url + "/x", headers: headers, body: body)

            let response = try await withTransport { transport in
                try await transport.send(request, timeout: .seconds(20), bodyBytesMax: 10)
            }

            #expect(response.status == 202)
            #expect(response.body.isEmpty)
            let received = try #require(server.requests.first)
            #expect(received.hasSuffix("\r\n\r\n{\"é\":\"\\u0000\"}"))
            #expect(received.lowercased().contains("content-length: \(body.count)\r\n"))
        }

        @Test func `a refused connection was surely not received`() async throws {
            let error = try await error(get("http://127.0.0.1:1"))

            #expect(error?.code == .connectionFailed)
            #expect(error?.mayHaveBeenSent == false)
        }

        @Test func `an unknown host name is a failed connection`() async throws {
            let error = try await error(get("http://name.invalid"))

            #expect(error?.code == .connectionFailed)
        }

        @Test(arguments: ["", "no url", "ftp://127.0.0.1", "http://"])
        func `an invalid URL is refused`(url: String) async throws {
            let error = try await error(get(url))

            #expect(error?.code == .requestInvalid)
            #expect(error?.mayHaveBeenSent == false)
        }

        @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhal"])
        func `a missing and a partial answer end by the timeout`(sent: String) async throws {
            let server = try LoopbackServer([.stall(sent)])

            let error = try await error(get(server.url, timeout: .milliseconds(200)))

            #expect(error?.code == .timedOut)
            #expect(error?.mayHaveBeenSent == true)
        }

        private func put(
            _ url: String,
            timeout: Duration = .seconds(20)
        ) async throws -> Result<AppStoreHTTPResponse, HTTPTransportError> {
            try await withTransport { transport in
                do throws(HTTPTransportError) {
                    let request = AppStoreHTTPRequest(method: "PUT", url: url, body: Array("{}".utf8))
                    return .success(try await transport.send(request, timeout: timeout, bodyBytesMax: 1000))
                } catch {
                    return .failure(error)
                }
            }
        }

        @Test func `a body that waits for a connection until the timeout was surely not received`() async throws {
            // The server accepts the connection, and does not answer the TLS handshake.
            let server = try LoopbackServer([.stall("")])
            let url = server.url.replacing("http://", with: "https://")

            let error = try await error(put(url, timeout: .milliseconds(200)))

            #expect(error?.code == .connectionFailed)
            #expect(error?.mayHaveBeenSent == false)
        }

        @Test(arguments: [LoopbackServer.Behaviour.stall(""), .disconnect])
        func `a body that was sent may have been received`(behaviour: LoopbackServer.Behaviour) async throws {
            let server = try LoopbackServer([behaviour])

            let error = try await error(put(server.url, timeout: .milliseconds(500)))

            #expect(error?.code == .timedOut || error?.code == .connectionLost)
            #expect(error?.mayHaveBeenSent == true)
        }

        @Test(arguments: [
            LoopbackServer.Behaviour.disconnect, .answer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhal"),
            .answer("no HTTP at all\r\n\r\n"),
        ])
        func `a broken connection may have transferred the request`(behaviour: LoopbackServer.Behaviour) async throws {
            let server = try LoopbackServer([behaviour])

            let error = try await error(get(server.url))

            #expect(error?.code == .connectionLost)
            #expect(error?.mayHaveBeenSent == true)
        }

        @Test(arguments: [true, false])
        func `a body beyond the limit is refused, with or without a Content-Length`(hasContentLength: Bool)
            async throws
        {
            let body = String(repeating: "x", count: 1001)
            let withLength = Self.http("200 OK", [], body)
            let withoutLength = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + body
            let server = try LoopbackServer([.answer(hasContentLength ? withLength : withoutLength)])

            #expect(try await error(get(server.url))?.code == .responseTooLarge)
        }

        @Test func `a body at the limit is accepted`() async throws {
            let server = try LoopbackServer([.answer(Self.http("200 OK", [], String(repeating: "x", count: 1000)))])

            #expect(try await get(server.url).get().body.count == 1000)
        }

        @Test func `a redirect is returned and not followed`() async throws {
            let server = try LoopbackServer([.answer(Self.http("302 Found", ["Location: /elsewhere"]))])

            #expect(try await get(server.url).get().status == 302)
            #expect(server.requests.count == 1)
        }

        @Test func `a cancelled task ends at once`() async throws {
            let server = try LoopbackServer([.stall("")])
            let task = Task { try await get(server.url) }
            task.cancel()

            #expect(try await error(task.value)?.code == .cancelled)
        }

        @Test func `a transport that is shut down reports it`() async throws {
            let transport = AsyncHTTPClientTransport()
            try await transport.shutdown()

            await #expect(throws: HTTPTransportError.self) {
                try await transport.send(
                    AppStoreHTTPRequest(method: "GET", url: "http://127.0.0.1:1"),
                    timeout: .seconds(1),
                    bodyBytesMax: 1
                )
            }
        }
    }
#endif
