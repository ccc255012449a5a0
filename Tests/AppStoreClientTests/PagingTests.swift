import AppStoreClient
import AppStoreModel
import Testing

@Suite struct `Answers in pages` {
    private typealias Step = ScriptedTransport.Step

    private static let history = Stage.sandbox + "/inApps/v2/history/1"

    @Test func `a history is read page after page with the same filters`() async throws {
        let stage = Stage([
            .answer(200, Bodies.history(["a", "b"], revision: "r1", hasMore: true)),
            .answer(200, Bodies.history(["c"], revision: "r 2", hasMore: false)),
        ])
        let filter = TransactionHistoryFilter(productIds: ["pro"], sort: .descending)
        var pages: [[String]] = []
        var cursors: [String?] = []

        for try await page in stage.app(.sandbox).transactionHistory(anyTransactionId: "1", filter: filter) {
            pages.append(page.signedTransactions)
            cursors.append(page.cursor?.text)
        }

        #expect(pages == [["a", "b"], ["c"]])
        #expect(cursors == ["Sandbox:r1", "Sandbox:r 2"])
        #expect(
            stage.transport.transcript == [
                "GET \(Self.history)?productId=pro&sort=DESCENDING → 200",
                "GET \(Self.history)?productId=pro&sort=DESCENDING&revision=r1 → 200",
            ]
        )
    }

    @Test func `reading continues from a stored cursor, in its environment`() async throws {
        let stage = Stage([.answer(200, Bodies.history(["d"], revision: "r3", hasMore: false))])
        let cursor = try #require(PageCursor(text: "Sandbox:r 2:x"))
        var transactions: [String] = []

        for try await page in stage.app(.productionThenSandbox).transactionHistory(anyTransactionId: "1", from: cursor)
        {
            transactions += page.elements
        }

        #expect(transactions == ["d"])
        #expect(stage.transport.transcript == ["GET \(Self.history)?revision=r%202%3Ax → 200"])
    }

    @Test func `all pages come from the environment of the first one`() async throws {
        let stage = Stage([
            .error(404, 4_040_010), .answer(200, Bodies.history(["a"], revision: "r1", hasMore: true)),
            .answer(200, Bodies.history(["b"], revision: "r2", hasMore: false)),
        ])
        var environments: [AppStoreEnvironment] = []

        for try await page in stage.app(.productionThenSandbox).transactionHistory(anyTransactionId: "1") {
            environments.append(page.answeredBy)
        }

        #expect(environments == [.sandbox, .sandbox])
        #expect(stage.transport.transcript.last == "GET \(Self.history)?revision=r1 → 200")
    }

    @Test func `elements are returned one by one, each with its cursor`() async throws {
        let stage = Stage([
            .answer(200, Bodies.history(["a", "b"], revision: "r1", hasMore: true)),
            .answer(200, Bodies.history([], revision: "r2", hasMore: true)),
            .answer(200, Bodies.history(["c", "d"], revision: "r3", hasMore: false)),
        ])
        var seen: [String] = []

        for try await element in stage.app(.sandbox).transactionHistory(anyTransactionId: "1").elements {
            seen.append("\(element.value) \(element.cursor?.token ?? "beginning")")
        }

        #expect(seen == ["a beginning", "b r1", "c r2", "d r3"])
    }

    @Test func `refunds are read from the last revision on`() async throws {
        let page = "{\"hasMore\":false,\"revision\":\"r9\",\"signedTransactions\":[\"x\"]}"
        let stage = Stage([
            .answer(200, page), .answer(200, "{\"hasMore\":false,\"revision\":\"r9\",\"signedTransactions\":[]}"),
        ])
        var cursor: PageCursor?

        for try await page in stage.app.refundHistory(anyTransactionId: "1") { cursor = page.cursor }
        for try await page in stage.app.refundHistory(anyTransactionId: "1", from: cursor) {
            #expect(page.elements.isEmpty)
        }

        let url = Stage.production + "/inApps/v2/refund/lookup/1"
        #expect(stage.transport.transcript == ["GET \(url) → 200", "GET \(url)?revision=r9 → 200"])
    }

    @Test func `notifications are requested with the same body on every page`() async throws {
        let first =
            "{\"paginationToken\":\"t=1\",\"hasMore\":true,\"notificationHistory\":["
            + "{\"signedPayload\":\"p1\",\"sendAttempts\":[]}]}"
        let last = "{\"hasMore\":false,\"notificationHistory\":[{\"signedPayload\":\"p2\",\"sendAttempts\":[]}]}"
        let stage = Stage([.answer(200, first), .answer(200, last)])
        let request = NotificationHistoryRequest(startDate: 1, endDate: 2, onlyFailures: true)
        var payloads: [String] = []

        for try await element in stage.app(.sandbox).notificationHistory(request).elements {
            payloads.append("\(element.value.signedPayload) \(element.cursor?.token ?? "none")")
        }

        // The last page has no token: the cursor after it is that of the page itself.
        #expect(payloads == ["p1 t=1", "p2 t=1"])
        let url = Stage.sandbox + "/inApps/v1/notifications/history"
        #expect(stage.transport.transcript == ["POST \(url) → 200", "POST \(url)?paginationToken=t%3D1 → 200"])
        #expect(stage.transport.requests.map(\.body) == [request.jsonBytes, request.jsonBytes])
    }

    @Test func `members of a group are read with the page size on every page`() async throws {
        let stage = Stage([
            .answer(200, "{\"members\":[{\"appTransactionId\":\"7\"}],\"paginationToken\":\"t\",\"hasMore\":true}"),
            .answer(200, "{\"members\":[{\"appTransactionId\":\"8\"}],\"hasMore\":false}"),
        ])
        var members: [String] = []

        for try await element in stage.app(.sandbox).groupMembers(groupId: "9", limit: 1).elements {
            members.append(element.value.appTransactionId)
        }

        #expect(members == ["7", "8"])
        let url = Stage.sandbox + "/groups/v1/group/9"
        #expect(
            stage.transport.transcript == ["GET \(url)?limit=1 → 200", "GET \(url)?paginationToken=t&limit=1 → 200"]
        )
    }

    @Test func `raw pages follow either kind of cursor, and their content is unchanged`() async throws {
        let last = " {\"hasMore\":false,\"revision\":\"c\",\"new\":1}"
        let stage = Stage([
            .error(404, 4_040_010), .answer(200, Bodies.history(["a"], revision: "b", hasMore: true)),
            .answer(200, last),
        ])
        let query = [QueryItem("revision", "a"), QueryItem("sort", "DESCENDING")]
        var bodies: [[UInt8]] = []
        for try await page in stage.app(.productionThenSandbox).pages(
            of: .getTransactionHistory,
            path: ["anyTransactionId": "1"],
            query: query
        ) {
            bodies.append(page.answer.response.body)
        }

        #expect(bodies.last == Array(last.utf8))
        let url = "/inApps/v2/history/1?"
        #expect(
            stage.transport.transcript == [
                "GET \(Stage.production)\(url)revision=a&sort=DESCENDING → 404",
                "GET \(Stage.sandbox)\(url)revision=a&sort=DESCENDING → 200",
                "GET \(Stage.sandbox)\(url)sort=DESCENDING&revision=b → 200",
            ]
        )
    }

    @Test(arguments: [
        ["{\"hasMore\":true,\"signedTransactions\":[\"a\"]}"],
        ["{\"hasMore\":true,\"revision\":\"r\",\"signedTransactions\":[\"a\"]}"],
        ["{\"hasMore\":true,\"revision\":7,\"signedTransactions\":[\"a\"]}"],
        (1...8).map { "{\"hasMore\":true,\"revision\":\"\($0)\",\"signedTransactions\":[]}" },
    ])
    func `raw pages without a next page are returned before the error`(answers: [String]) async throws {
        let stage = Stage(answers.map { .answer(200, $0) })
        var given = 0
        let error = await Stage.error {
            let query = [QueryItem("revision", "r")]
            for try await _ in stage.app.pages(of: .getRefundHistory, path: ["anyTransactionId": "1"], query: query) {
                given += 1
            }
        }
        #expect(given == answers.count)
        #expect(error?.code == .pagingStuck && error?.isRetryable == true && error?.call == "get-refund-history")
    }

    @Test func `endless paging is detected: empty pages, the same cursor, no cursor`() async throws {
        let empty = (1...8).map { Step.answer(200, Bodies.history([], revision: "r\($0)", hasMore: true)) }
        let same = [
            Step.answer(200, Bodies.history(["a"], revision: "r", hasMore: true)),
            Step.answer(200, Bodies.history(["a"], revision: "r", hasMore: true)),
        ]
        for steps in [empty, same] {
            let stage = Stage(steps)
            let error = await Stage.error {
                for try await _ in stage.app(.sandbox).transactionHistory(anyTransactionId: "1") {}
            }
            #expect(error?.code == .pagingStuck)
            #expect(error?.call == "get-transaction-history")
            #expect(stage.transport.isOver)
        }
        let none = Stage([.answer(200, "{\"hasMore\":true,\"notificationHistory\":[]}")])
        let request = NotificationHistoryRequest(startDate: 1, endDate: 2)
        let error = await Stage.error {
            for try await _ in none.app.notificationHistory(request) {}
        }
        #expect(error?.code == .pagingStuck)
    }

    @Test func `a page's content is returned before the error about its next page`() async throws {
        let same = Bodies.history(["b"], revision: "r", hasMore: true)
        let none = "{\"hasMore\":true,\"notificationHistory\":[{\"signedPayload\":\"p\",\"sendAttempts\":[]}]}"
        let stage = Stage([
            .answer(200, Bodies.history(["a"], revision: "r", hasMore: true)), .answer(200, same),
            .answer(200, none),
        ])
        var seen: [String] = []
        var payloads: [String] = []

        let stuck = await Stage.error {
            for try await element in stage.app(.sandbox).transactionHistory(anyTransactionId: "1").elements {
                seen.append("\(element.value) \(element.cursor?.token ?? "beginning")")
            }
        }
        let request = NotificationHistoryRequest(startDate: 1, endDate: 2)
        var iterator = stage.app.notificationHistory(request).makeAsyncIterator()
        payloads += try await iterator.next()?.elements.map(\.signedPayload) ?? []
        let lost = await Stage.error { try await iterator.next() }

        #expect(stuck?.code == .pagingStuck)
        #expect(seen == ["a r", "b r"])
        #expect(lost?.code == .pagingStuck)
        #expect(payloads == ["p"])
        #expect(try await iterator.next() == nil)
    }

    @Test func `a cyclic history ends at its first repeated page`() async throws {
        let stage = Stage([
            .answer(200, Bodies.history(["a"], revision: "A", hasMore: true)),
            .answer(200, Bodies.history(["b"], revision: "B", hasMore: true)),
            .answer(200, Bodies.history(["c"], revision: "A", hasMore: true)),
        ])
        var seen: [String] = []

        let error = await Stage.error {
            for try await page in stage.app(.sandbox).transactionHistory(anyTransactionId: "1") {
                seen += page.signedTransactions
            }
        }

        #expect(error?.code == .pagingStuck)
        #expect(seen == ["a", "b", "c"])
        #expect(stage.transport.isOver)
    }

    @Test(
        arguments: [
            (4_000_005, .cursorInvalid), (4_000_014, .cursorInvalid), (4_000_017, .cursorExpired),
        ] as [(Int64, AppStoreClientError.Code)]
    )
    func `a cursor that Apple refuses is explained, and ends the sequence`(
        code: Int64,
        expected: AppStoreClientError.Code
    ) async throws {
        let stage = Stage([.error(400, code)])
        var iterator = stage.app(.sandbox).transactionHistory(
            anyTransactionId: "1",
            from: PageCursor(environment: .sandbox, token: "old")
        ).makeAsyncIterator()

        let error = await Stage.error { try await iterator.next() }

        #expect(error?.code == expected)
        #expect(error?.message.contains("tart again") == true)
        #expect(try await iterator.next() == nil)
    }

    @Test func `a cursor survives its text`() {
        let cursor = PageCursor(environment: .production, token: "a:b c=")

        #expect(PageCursor(text: cursor.text) == cursor)
        for text in ["", ":", "Sandbox", "Sandbox:", ":token"] { #expect(PageCursor(text: text) == nil) }
    }
}
