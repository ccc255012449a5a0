import AppStoreClient

/// A process's way to Apple's API.
struct SimulatedTransport: HTTPTransport {
    let store: SimulatedAppStore
    let process: ServerProcess
    let world: SimulatedWorld

    func send(
        _ request: AppStoreHTTPRequest,
        timeout: Duration,
        bodyBytesMax: Int
    ) async throws(HTTPTransportError) -> AppStoreHTTPResponse {
        try await cross()
        if world.happens(.loss, 0.005) { throw try await lost(after: timeout) }
        let answer = try store.answer(request)
        if world.happens(.delay, 0.02) { await world.time.pause(milliseconds: world.random(in: 0...20 * .second)) }
        if world.happens(.loss, 0.005) { throw try await lost(after: timeout) }
        try await cross()
        return answer
    }

    private func cross() async throws(HTTPTransportError) {
        do throws(ServerProcess.Ended) {
            try await process.cross(20...200)
        } catch {
            throw HTTPTransportError(code: .connectionLost, message: "The process ended.", mayHaveBeenSent: true)
        }
    }

    /// Waits until the client gives up.
    private func lost(after timeout: Duration) async throws(HTTPTransportError) -> HTTPTransportError {
        do throws(CancellationError) {
            try await world.time.sleep(milliseconds: timeout.components.seconds * .second)
        } catch {
            throw HTTPTransportError(code: .cancelled, message: "cancelled", mayHaveBeenSent: true)
        }
        return HTTPTransportError(code: .timedOut, message: "No answer.", mayHaveBeenSent: true)
    }
}

/// The client's clock in a process.
struct SimulatedClientClock: ClientClock {
    let time: VirtualTime

    var wallMilliseconds: Int64 { time.now }
    var monotonicMilliseconds: Int64 { time.now }

    func sleep(milliseconds: Int64) async throws(CancellationError) {
        try await time.sleep(milliseconds: milliseconds)
    }
}

/// The local store's API in the simulation accepts every token.
struct SimulatedTokens: BearerTokenSource {
    func credential(bundleId: String, now: Int64) async throws -> BearerCredential {
        BearerCredential(token: "simulated")
    }

    func discard(_ credential: BearerCredential, bundleId: String) async {}
}
