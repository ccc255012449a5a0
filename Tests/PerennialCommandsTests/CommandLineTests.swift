import AppStoreModel
import AppStoreSigning
import ArgumentParser
import Testing

@testable import PerennialCommands

/// Accepted and refused command lines; every command has an example in its help.
@Suite struct `The command line` {
    @Test(arguments: ["decode", "verify", "receipt", "token", "api", "customer", "refunds"])
    func `each tool is a command of perennial, and its help has an example`(name: String) throws {
        let command = try #require(
            Perennial.configuration.subcommands.first { $0.configuration.commandName == name }
        )
        #expect(command.configuration.discussion.contains("Example:\n  perennial \(name) "))
        #expect(!command.configuration.abstract.isEmpty)
        let examples = command.configuration.discussion.split(separator: "\n").filter { $0.hasPrefix("  ") }
        #expect(
            examples.allSatisfy { $0.count <= 80 },
            "the help breaks longer lines, and a broken one cannot be copied"
        )
    }

    @Test func `verify reads all its options`() throws {
        let command = try VerifyCommand.parse([
            "-", "--bundle-id", "b", "--environment", "Production", "--root", "a.pem", "--root", "b.pem",
            "--app-apple-id", "7", "--kind", "app_transaction", "--at", "1769850000000", "--explain", "--json",
        ])
        #expect(command.file.path == "-" && command.root.map(\.path) == ["a.pem", "b.pem"])
        #expect(command.environment.environment == .production && command.kind == .appTransaction)
        #expect(command.at?.milliseconds == 1_769_850_000_000 && command.explain && command.json)
    }

    @Test(arguments: [
        ["decode"], ["decode", ""], ["verify", "-", "--bundle-id", "b"], ["receipt", "-", "--environment", "moon"],
        ["token", "--lifetime", "3601"], ["token", "--lifetime", "0"], ["api"], ["api", "x", "--deadline", "0"],
        ["api", "x", "--body", "-", "--field", "a=b"], ["api", "x", "--store", "http://a", "--base-url", "http://b"],
        ["api", "--list", "x", "y"], ["extend", "one"], ["extend", "one", "2", "--days", "7"],
        ["extend", "one", "2", "--reason", "outage"], ["extend", "one", "", "--dry-run"],
        ["extend", "one", "2", "--dry-run", "--idempotency-key", "a b"],
        ["extend", "one", "2", "--dry-run", "--idempotency-key", ""], ["account-token", "set", "2"],
        ["account-token", "set", "2", "--token", "u_1"],
        ["account-token", "set", "", "--token", "0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e"], ["transaction", "finish"],
        ["transaction", "finish", ""],
        ["refunds", "rates", "--by", "customer"], ["refunds", "list", "--from", "yesterday"],
        ["refunds", "list", "--customer", ""],
    ])
    func `wrong usage ends with 64`(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { _ = try Perennial.parseAsRoot(arguments) }
        #expect(error.map { Perennial.exitCode(for: $0) } == .validationFailure)
    }
}
