import Foundation
import GRDB
import PostgreSQLTesting
import SubscriptionCore
import SubscriptionStorage
import SubscriptionStoragePostgreSQL
import SubscriptionStorageSQLite
import Testing

/// Databases of versions that did not convert UUIDs to lower case.
@Suite struct `A database with UUIDs in upper case` {
    typealias Engine = `Every storage engine`.Engine
    private static let app = AppID("com.example.perennial/sandbox")
    private static let lower = "6f1d2a52-5c3b-4c1e-9a57-0d6c2a9be001"

    @Test(arguments: [Engine.sqlite, .postgresql])
    func `finds customers by either spelling`(engine: Engine) async throws {
        let old = try FirstVersion.dump(engine.rawValue).split(separator: "\n", omittingEmptySubsequences: false)
        // Facts have always had account tokens in lower case.
        let dump = old.map { line -> String in
            let isFact = line.contains("_facts VALUES")
            return isFact ? String(line) : String(line.replacing(Self.lower, with: Self.lower.uppercased()))
        }.joined(separator: "\n")
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "old.db").path
            let database: any SubscriptionDatabase
            if engine == .sqlite {
                let raw = try DatabaseQueue(path: path)
                try await raw.writeWithoutTransaction { db in try db.execute(sql: dump) }
                try raw.close()
                database = try SQLiteDatabase.open(path: path)
            } else {
                let fixture = try PostgreSQLFixture()
                try fixture.run(dump)
                database = try await fixture.open()
            }
            try await FirstVersion.check(database)
            let found = try await database.read { storage throws(StorageError) in
                let customer = CustomerID(Self.lower.uppercased())
                return (
                    try storage.customer(customer, of: Self.app), try storage.purchases(of: customer, app: Self.app),
                    try storage.events(about: customer, of: Self.app, after: 0, through: 100)
                )
            }
            #expect(found.0?.id.rawValue == Self.lower)
            #expect(found.0?.stateVersion == 4, "one more than before: responses contain another identifier")
            #expect(found.1.count == 1)
            #expect(found.2.count == 4)
            try await database.close()
        }
    }

    @Test(arguments: [Engine.sqlite, .postgresql])
    func `has one customer for two spellings after the migration`(engine: Engine) async throws {
        try await withTemporaryFolder { folder in
            let rows = Self.twoSpellings
            let database: any SubscriptionDatabase
            if engine == .sqlite {
                let path = folder.appending(path: "old.db").path
                try await SQLiteDatabase.open(path: path).close()
                let raw = try DatabaseQueue(path: path)
                let statements = rows + SQLiteTables.lowerCaseCustomerIDs.statements
                try await raw.write { db in for statement in statements { try db.execute(sql: statement) } }
                try raw.close()
                database = try SQLiteDatabase.open(path: path)
            } else {
                let fixture = try PostgreSQLFixture()
                try await fixture.open().close()
                let statements = rows + PostgreSQLTables.lowerCaseCustomerIDs.statements
                try fixture.run(statements.joined(separator: ";\n"))
                database = try await fixture.open()
            }
            try await Self.checkTwoSpellings(database)
            try await database.close()
        }
    }

    /// A query that reads all rows of an app for each row takes the square of the time.
    @Test func `is converted on SQLite with an index for each repeated query`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "old.db").path
            try await SQLiteDatabase.open(path: path).close()
            let plans = try await DatabaseQueue(path: path).write { db in
                var plans: [String] = []
                for statement in SQLiteTables.lowerCaseCustomerIDs.statements {
                    plans += try Self.repeatedSearches(in: statement, db)
                    try db.execute(sql: statement)
                }
                return plans
            }
            #expect(plans.count > 10)
            for step in plans {
                #expect(step.hasPrefix("SEARCH"), "\(step)")
                #expect(!step.hasSuffix("(app_id=?)"), "\(step)")
            }
        }
    }

    /// The steps of a statement's plan that run for each row and read a table.
    private static func repeatedSearches(in statement: String, _ db: Database) throws -> [String] {
        // What is no table: results of other steps, and the entries of a JSON text.
        let others: Set<Substring> = ["a", "t", "entry", "CONSTANT"]
        var repeated: Set<Int> = []
        var searches: [String] = []
        // A step follows the step that it belongs to.
        for row in try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(statement)") {
            let (id, parent, detail): (Int, Int, String) = (row["id"], row["parent"], row["detail"])
            guard detail.hasPrefix("CORRELATED") || repeated.contains(parent) else { continue }
            repeated.insert(id)
            let words = detail.split(separator: " ")
            guard words.count > 1, ["SCAN", "SEARCH"].contains(words[0]) else { continue }
            if !others.contains(words[1]), !words[1].hasPrefix("(") { searches.append(detail) }
        }
        return searches
    }

    // One customer of each kind, named by the first letter of the identifier.
    private static func id(_ letter: String) -> String { "\(letter)0000000-0000-4000-8000-00000000000\(letter)" }

    /// A: by account token and by submission. B: as an alias, and by account token. C: as an alias of itself. D: two
    /// spellings in upper case, and two identifiers that are not UUIDs.
    private static var twoSpellings: [String] {
        let a = id("a"), b = id("b"), c = id("c"), d = id("d")
        let profile = #"{"aliases":[],"attributes":{"name":{"setAt":5,"value":"Ann"},"plan":{"setAt":1,"value":"x"}}}"#
        let newer = #"{"aliases":[],"attributes":{"name":{"setAt":9,"value":"Anna"}}}"#
        let customers = [
            (a, 20, 3, newer), (a.uppercased(), 10, 7, profile),
            ("u_b", 30, 2, #"{"aliases":["\#(b.uppercased())"],"attributes":{}}"#),
            (b, 15, 9, ""), (c, 1, 1, #"{"aliases":["\#(c.uppercased())"],"attributes":{}}"#),
            (d.uppercased(), 2, 1, ""), ("D" + d.dropFirst(), 1, 5, ""), ("U_D", 1, 1, ""), ("u_d", 1, 1, ""),
        ]
        var rows = customers.map { id, seen, version, profile in
            """
            INSERT INTO customers (app_id, customer_id, first_seen_at, state_version, profile)
            VALUES ('\(app)', '\(id)', \(seen), \(version), nullif('\(profile)', ''))
            """
        }
        for (alias, customer) in [(b.uppercased(), "u_b"), (c.uppercased(), c)] {
            rows.append("INSERT INTO aliases VALUES ('\(app)', '\(alias)', '\(customer)', 1)")
        }
        let purchases = [("1", a), ("2", a.uppercased()), ("3", b), ("4", d.uppercased()), ("5", "D" + d.dropFirst())]
        for (purchase, customer) in purchases {
            rows.append(
                """
                INSERT INTO purchases (app_id, original_transaction_id, customer_id, claim, evaluated_at)
                VALUES ('\(app)', '\(purchase)', '\(customer)', 'submitted', 1)
                """
            )
            rows.append(
                """
                INSERT INTO claims (app_id, original_transaction_id, sequence, customer_id, evidence_id, claimed_at)
                VALUES ('\(app)', '\(purchase)', 1, '\(customer)', 'e\(purchase)', 1)
                """
            )
        }
        for (purchase, customer) in [("1", a.uppercased()), ("3", a), ("3", a.uppercased())] {
            rows.append("INSERT INTO purchase_shares VALUES ('\(app)', '\(customer)', '\(purchase)')")
        }
        return rows
    }

    private static func checkTwoSpellings(_ database: any SubscriptionDatabase) async throws {
        let (customers, purchases, sharers, claims, aliases) = try await database.read { storage throws(StorageError) in
            var purchases: [String: [String]] = [:]
            var claims: [String] = []
            let customers = try storage.customers(of: app, after: nil, limit: 100)
            for customer in customers {
                purchases[customer.id.rawValue] = try storage.purchases(of: customer.id, app: app).map(\.id.rawValue)
                claims += try storage.claims(by: customer.id, app: app).map(\.purchaseID.rawValue)
            }
            let sharers = try ["1", "3"].map { id throws(StorageError) in
                try storage.sharers(of: OriginalTransactionID(id), app: app).map(\.rawValue)
            }
            var aliases: [String: String] = [:]
            for name in ["b", "c"].map(id) {
                aliases[name] = try storage.alias(CustomerID(name.uppercased()), of: app)?.customerID.rawValue
            }
            return (customers, purchases, sharers, claims, aliases)
        }
        #expect(customers.map(\.id.rawValue) == ["U_D", id("a"), id("c"), id("d"), "u_b", "u_d"])
        #expect(customers.map(\.firstSeenAt.milliseconds) == [1, 10, 1, 1, 15, 1])
        #expect(customers.map(\.stateVersion) == [1, 8, 1, 6, 10, 1])
        let profiles = customers.map(\.profile)
        #expect(profiles[1].attributes.mapValues(\.value) == ["name": "Anna", "plan": "x"])
        #expect(profiles[4].aliases == [CustomerID(id("b"))])
        #expect(profiles.indices.allSatisfy { [1, 4].contains($0) || profiles[$0].isEmpty })
        #expect(purchases[id("a")] == ["1", "2", "3"], "the last is shared with this customer")
        #expect(purchases["u_b"] == ["3"])
        #expect(purchases[id("d")] == ["4", "5"])
        #expect(sharers == [[], [id("a")]])
        #expect(claims.sorted() == ["1", "2", "3", "4", "5"])
        #expect(aliases == [id("b"): "u_b"])
    }
}
