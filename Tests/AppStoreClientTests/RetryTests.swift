import AppStoreClient
import AppStoreModel
import Testing

@Suite struct `Retries of the client` {
    private typealias Step = ScriptedTransport.Step

    private static let info = Stage.production + "/inApps/v1/transactions/1"

    @Test func `a server error is retried after doubling waits`() async throws {
        let stage = Stage([
            .answer(500), .error(500, 5_000_001), .answer(503, "<html>"), .answer(200, Bodies.transaction),
        ])

        let answer = try await stage.app.getTransactionInfo(transactionId: "1")

        #expect(answer.attempts == 4)
        #expect(
            stage.transport.transcript == [
                "GET \(Self.info) → 500", "GET \(Self.info) → 500", "GET \(Self.info) → 503", "GET \(Self.info) → 200",
            ]
        )
        #expect(stage.clock.sleeps == [500, 1000, 2000])
    }

    @Test(arguments: [(0.0, [Int64(0), 0, 0]), (0.5, [250, 500, 1000]), (1.0, [500, 1000, 2000])])
    func `the wait is a random part of its maximum`(jitter: Double, sleeps: [Int64]) async throws {
        let stage = Stage([.answer(500), .answer(500), .answer(500), .answer(200, Bodies.transaction)], jitter: jitter)

        _ = try await stage.app.getTransactionInfo(transactionId: "1")

        #expect(stage.clock.sleeps == sleeps)
    }

    @Test func `the maximum of the wait has a limit`() async throws {
        let policy = RetryPolicy(
            attemptsMax: 6,
            backOffStart: .seconds(1),
            backOffMax: .seconds(3),
            deadline: .seconds(3600)
        )
        let faults = Array(repeating: Step.answer(500), count: 6)
        let stage = Stage(faults, configuration: .init(retryPolicy: policy))

        let error = await Stage.error {
            try await stage.app.getTransactionInfo(transactionId: "1")
        }

        #expect(error?.code == .serverFault)
        #expect(error?.attempts == 6)
        #expect(error?.isRetryable == true)
        #expect(stage.clock.sleeps == [1000, 2000, 3000, 3000, 3000])
    }

    @Test(arguments: [4_040_002, 4_040_004, 4_040_006] as [Int64])
    func `an error that Apple names retryable is retried`(code: Int64) async throws {
        let stage = Stage([.error(404, code), .answer(200, Bodies.transaction)])

        #expect(try await stage.app.getTransactionInfo(transactionId: "1").attempts == 2)
    }

    @Test(arguments: [(400, 4_000_006), (403, 4_030_004), (404, 4_040_001), (404, 4_040_010), (404, 4_040_003)])
    func `a permanent error is not retried`(status: Int, code: Int64) async throws {
        let stage = Stage([.error(status, code)])

        let error = await Stage.error {
            try await stage.app.getTransactionInfo(transactionId: "1")
        }

        #expect(error?.apiError?.code == code)
        #expect(error?.isRetryable == false)
        #expect(error?.attempts == 1)
    }

    @Test func `an unknown transaction is retried if the policy allows it`() async throws {
        let policy = RetryPolicy(repeatsUnknownTransaction: true)
        let stage = Stage(
            [.error(404, 4_040_010), .answer(200, Bodies.transaction)],
            configuration: .init(retryPolicy: policy)
        )

        #expect(try await stage.app.getTransactionInfo(transactionId: "1").attempts == 2)
    }

    @Test func `a call that is not idempotent is sent once if its result is unknown`() async throws {
        let fates: [Step] = [
            .answer(500), .error(500, 5_000_001), .failure(.timedOut, mayHaveBeenSent: true),
            .failure(.connectionLost, mayHaveBeenSent: true),
        ]
        for fate in fates {
            let stage = Stage([fate])
            let error = await Stage.error {
                try await stage.app.requestTestNotification()
            }
            #expect(error?.attempts == 1)
            #expect(error?.isRetryable == false && error?.mayHaveTakenEffect == true)
            #expect(error?.message.contains("look before you make Request a Test Notification again") == true)
            #expect(stage.transport.isOver)
        }
    }

    @Test func `a call that is not idempotent is retried if it was surely not received`() async throws {
        let stage = Stage([
            .failure(.connectionFailed, mayHaveBeenSent: false), .error(429, 4_290_000),
            .answer(200, "{\"testNotificationToken\":\"t\"}"),
        ])

        #expect(try await stage.app.requestTestNotification().testNotificationToken == "t")
        #expect(stage.transport.transcript.count == 3)
    }

    @Test func `a broken connection and a timeout are retried for idempotent calls`() async throws {
        let stage = Stage([
            .failure(.connectionLost, mayHaveBeenSent: true), .failure(.timedOut, mayHaveBeenSent: true),
            .answer(200, Bodies.transaction),
        ])

        #expect(try await stage.app.getTransactionInfo(transactionId: "1").attempts == 3)
    }

    @Test func `permanent failures are not retried`() async throws {
        for code in [HTTPTransportError.Code.responseTooLarge, .requestInvalid, .cancelled] {
            let stage = Stage([.failure(code, mayHaveBeenSent: false)])
            let error = await Stage.error {
                try await stage.app.getTransactionInfo(transactionId: "1")
            }
            #expect(error?.transportError?.code == code)
            #expect(error?.isRetryable == false)
        }
    }

    @Test(
        arguments: [
            ("\(VirtualClock.start + 7000)", 7000), ("7", 7000), ("Mon, 21 Sep 2026 14:13:27 GMT", 7000),
            ("0", 0), ("\(VirtualClock.start - 5000)", 0),
        ] as [(String, Int64)]
    )
    func `each form of Retry-After delays the retry`(value: String, delay: Int64) async throws {
        let stage = Stage(
            [.error(429, 4_290_000, headers: [.init("Retry-After", value)]), .answer(200, Bodies.transaction)],
            jitter: 0
        )

        _ = try await stage.app.getTransactionInfo(transactionId: "1")

        #expect(stage.clock.sleeps == [delay])
    }

    @Test func `an unreadable Retry-After is ignored`() async throws {
        let stage = Stage([
            .error(429, 4_290_000, headers: [.init("Retry-After", "soon")]), .answer(200, Bodies.transaction),
        ])

        _ = try await stage.app.getTransactionInfo(transactionId: "1")

        #expect(stage.clock.sleeps == [500])
    }

    @Test func `a wait beyond the deadline is not started`() async throws {
        let stage = Stage([.error(429, 4_290_000, headers: [.init("retry-after", "60")])])

        let error = await Stage.error {
            try await stage.app.getTransactionInfo(transactionId: "1")
        }

        #expect(error?.code == .rateLimited)
        #expect(error?.retryAfter?.delay == 60_000)
        #expect(error?.retryAfter?.date == VirtualClock.start + 60_000)
        #expect(error?.isRetryable == true)
        #expect(stage.clock.sleeps.isEmpty)
    }

    @Test func `no attempt may exceed the remaining deadline`() async throws {
        let policy = RetryPolicy(attemptTimeout: .seconds(30), deadline: .seconds(40))
        let stage = Stage(
            [
                .failure(.timedOut, mayHaveBeenSent: true, takes: 30_000),
                .failure(.timedOut, mayHaveBeenSent: true, takes: 9500),
            ],
            configuration: .init(retryPolicy: policy)
        )

        let error = await Stage.error {
            try await stage.app.getTransactionInfo(transactionId: "1")
        }

        #expect(error?.code == .timedOut)
        #expect(stage.transport.timeouts == [.seconds(30), .milliseconds(9500)])
        #expect(stage.clock.monotonicMilliseconds <= 50_000 + 40_000)
    }

    @Test func `a call can have its own deadline`() async throws {
        let stage = Stage([.answer(500, takes: 1000), .answer(500, takes: 800)])

        let error = await Stage.error {
            try await stage.app.within(.seconds(3)).getTransactionInfo(transactionId: "1")
        }

        #expect(error?.attempts == 2)
        #expect(stage.transport.timeouts == [.seconds(3), .milliseconds(1500)])
    }

    @Test func `a deadline of zero sends nothing`() async throws {
        let stage = Stage([])

        for deadline in [Duration.zero, .seconds(-1)] {
            let error = await Stage.error {
                try await stage.app.within(deadline).getTransactionInfo(transactionId: "1")
            }
            #expect(error?.code == .deadlineExceeded)
            #expect(error?.attempts == 0)
        }
    }

    @Test func `no policy and no jitter crashes the client or makes it wait for more than a day`() async throws {
        let durations: [Duration] = [.zero, .seconds(-1), .seconds(Int64.max), .seconds(Int64.min), .nanoseconds(1)]
        for duration in durations {
            for jitter in [Double.nan, .infinity, -1, 0, 2] {
                let policy = RetryPolicy(
                    attemptsMax: 100,
                    backOffStart: duration,
                    backOffMax: duration,
                    attemptTimeout: duration,
                    deadline: .seconds(Int64.max)
                )
                let steps = Array(repeating: Step.answer(500), count: 60) + [.answer(200, Bodies.transaction)]
                let configuration = AppStoreServerAPIClient.Configuration(retryPolicy: policy)
                let stage = Stage(steps, configuration: configuration, jitter: jitter)
                _ = await Stage.error { try await stage.app.getTransactionInfo(transactionId: "1") }
                #expect(stage.clock.sleeps.reduce(0, +) <= 86_400_000)
                #expect(stage.clock.sleeps.allSatisfy { $0 >= 0 })
            }
        }
    }

    @Test func `an answer 503 can have a Retry-After too`() async throws {
        let stage = Stage(
            [.answer(503, headers: [.init("Retry-After", "3")]), .answer(200, Bodies.transaction)],
            jitter: 0
        )

        _ = try await stage.app.getTransactionInfo(transactionId: "1")

        #expect(stage.clock.sleeps == [3000])
    }

    @Test func `a cancelled wait ends the call`() async throws {
        let stage = Stage([.answer(500)])
        stage.clock.cancelSleeps()

        let error = await Stage.error {
            try await stage.app.getTransactionInfo(transactionId: "1")
        }

        #expect(error?.code == .cancelled)
        #expect(error?.isRetryable == false)
        #expect(error?.call == "get-transaction-info")
    }

    @Test func `a cancelled task sends nothing`() async throws {
        let stage = Stage([])
        let app = stage.app

        let task = Task { () -> AppStoreClientError? in
            withUnsafeCurrentTask { $0?.cancel() }
            return await Stage.error {
                try await app.getTransactionInfo(transactionId: "1")
            }
        }

        #expect(await task.value?.code == .cancelled)
        #expect(stage.transport.requests.isEmpty)
    }
}
