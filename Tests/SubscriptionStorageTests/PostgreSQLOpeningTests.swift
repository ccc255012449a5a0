import PostgreSQLTesting
import SubscriptionStorage
import SubscriptionStoragePostgreSQL
import Testing

@Suite struct `Opening a PostgreSQL database` {
    private let server: PostgreSQLTestServer

    init() throws {
        server = try PostgreSQLTestServer.shared()
    }

    private func refusal(of url: String, _ options: PostgreSQLOptions = PostgreSQLOptions()) async -> StorageError? {
        do {
            try await PostgreSQLDatabase.open(url: url, options: options).close()
            return nil
        } catch {
            return error
        }
    }

    @Test func `refuses a wrong password with a suggestion, and does not print it`() async throws {
        let user = PostgreSQLTestServer.guardedUser
        try server.run("DROP ROLE IF EXISTS \(user); CREATE ROLE \(user) LOGIN SUPERUSER PASSWORD 'right-word'")
        let wrong = await refusal(of: server.url(user: user, password: "wrong-word"))
        #expect(wrong?.code == .accessDenied)
        #expect(wrong?.message.contains("Check user and password") == true)
        #expect("\(String(describing: wrong)) \(wrong?.detail ?? "")".contains("wrong-word") == false)
        let schema = try server.makeSchema()
        #expect(await refusal(of: server.url(schema: schema, user: user, password: "right-word")) == nil)
    }

    @Test func `reports the name of a database that does not exist`() async throws {
        let error = await refusal(of: server.url(database: "missing"))
        #expect(error?.code == .notFound)
        #expect(error?.message.contains("database missing") == true)
    }

    @Test func `reports a schema that does not exist, with search_path`() async throws {
        let error = await refusal(of: server.url(schema: "missing"))
        #expect(error?.code == .notFound)
        #expect(error?.message.contains("search_path") == true)
    }

    @Test func `reports the address of an unavailable server`() async throws {
        let error = await refusal(of: "postgres://perennial:secret-word@127.0.0.1:1/postgres")
        #expect(error?.code == .unavailable)
        #expect(error?.isRetryable == true)
        #expect(error?.message.contains("127.0.0.1:1") == true)
        #expect("\(String(describing: error)) \(error?.detail ?? "")".contains("secret-word") == false)
    }

    @Test(arguments: [
        "postgres://user:secret%zz@127.0.0.1/x", "postgres://127.0.0.1/x?nonsense=secret",
        "host=a,b port=1,2,3 user=secret", "host=a secret",
    ])
    func `refuses an invalid address without printing it`(url: String) async throws {
        let error = await refusal(of: url)
        #expect(error?.code == .addressMalformed)
        #expect("\(String(describing: error)) \(error?.detail ?? "")".contains("secret") == false)
    }

    @Test(arguments: ["sslmode", "channel_binding", "ssl_min_protocol_version", "keepalives"])
    func `reports an option with an invalid value, without printing the value`(option: String) async throws {
        let error = await refusal(of: server.url() + "?\(option)=secret")
        #expect(error?.code == .addressMalformed)
        #expect(error?.isRetryable == false)
        #expect(error?.message.contains(" \(option) ") == true)
        #expect("\(String(describing: error)) \(error?.detail ?? "")".contains("secret") == false)
    }

    @Test(arguments: ["http", "99999"])
    func `reports an invalid port`(port: String) async throws {
        let error = await refusal(of: "postgres://perennial@127.0.0.1:\(port)/postgres")
        #expect(error?.code == .addressMalformed)
        #expect(error?.message.contains(" port ") == true)
    }

    @Test func `uses the available and writable one of several hosts`() async throws {
        let schema = try server.makeSchema()
        let url = server.url(schema: schema).replacing("127.0.0.1:", with: "127.0.0.1:1,127.0.0.1:")
        #expect(await refusal(of: url) == nil)
    }

    @Test func `refuses a read-only database`() async throws {
        let user = "reader"
        try server.run("DROP ROLE IF EXISTS \(user); CREATE ROLE \(user) LOGIN SUPERUSER")
        try server.run("ALTER ROLE \(user) SET default_transaction_read_only = on")
        #expect(await refusal(of: server.url(schema: try server.makeSchema(), user: user))?.code == .readOnly)
    }

    @Test func `reports missing rights of a user who may not create tables`() async throws {
        let user = "visitor"
        let schema = try server.makeSchema()
        try server.run("DROP ROLE IF EXISTS \(user); CREATE ROLE \(user) LOGIN")
        try server.run("GRANT USAGE ON SCHEMA \(schema) TO \(user)")
        let error = await refusal(of: server.url(schema: schema, user: user))
        #expect(error?.code == .accessDenied)
        #expect(error?.message.contains("GRANT") == true)
        try server.run("DROP OWNED BY \(user)")
    }

    @Test func `refuses tables of another program with the same names, and does not change them`() async throws {
        let schema = try server.makeSchema()
        try server.run("CREATE TABLE events (theirs TEXT)", schema: schema)
        #expect(await refusal(of: server.url(schema: schema))?.code == .notADatabase)
        let count = "SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
        #expect(try server.run(count, schema: schema) == "1")
    }

    @Test func `refuses an unreleased schema with its own code, and does not change it`() async throws {
        let schema = try server.makeSchema()
        #expect(await refusal(of: server.url(schema: schema)) == nil)
        let first = "apps, evidence, facts, purchases, claims, events"
        try server.run("UPDATE perennial_schema SET name = '\(first)'", schema: schema)
        #expect(await refusal(of: server.url(schema: schema))?.code == .schemaUnreleased)
        #expect(try server.run("SELECT name FROM perennial_schema", schema: schema) == first)
    }

    @Test func `refuses a database of a newer version, and does not change it`() async throws {
        let schema = try server.makeSchema()
        #expect(await refusal(of: server.url(schema: schema)) == nil)
        try server.run("INSERT INTO perennial_schema VALUES (9999, 'from the future')", schema: schema)
        #expect(await refusal(of: server.url(schema: schema))?.code == .schemaTooNew)
        #expect(try server.run("SELECT max(step) FROM perennial_schema", schema: schema) == "9999")
    }

    @Test func `refuses a schema without tables if creating tables is disabled, and does not change it`() async throws {
        let schema = try server.makeSchema()
        let error = await refusal(of: server.url(schema: schema), PostgreSQLOptions(makesTables: false))
        #expect(error?.code == .notFound)
        let count = "SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
        #expect(try server.run(count, schema: schema) == "0")
    }

    @Test func `refuses a server that is too old or has another encoding`() throws {
        func code(_ version: Int32, _ encoding: String) -> StorageError.Code? {
            do throws(StorageError) {
                try PostgreSQLDatabase.requireSuitable(version: version, encoding: encoding)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code(130_021, "UTF8") == .serverUnsuitable)
        #expect(code(140_000, "LATIN1") == .serverUnsuitable)
        #expect(code(140_000, "UTF8") == nil)
    }
}
