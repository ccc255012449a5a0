import Foundation
import Testing

@testable import PerennialCommands

/// Where the secret key of a command comes from.
@Suite struct `The secret key` {
    /// The key that a file with this text gives, or the message of the error.
    private static func key(inFile text: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
        try Data(text.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            return try ServerOptions.key(InputFile(path: path), environment: ["PERENNIAL_API_SECRET_KEY": "sk_other"])
        } catch let error as CredentialError {
            #expect(error.code == "secret_key_missing")
            return error.message.replacing(path, with: "FILE")
        }
    }

    private static func message(_ environment: [String: String]) -> String? {
        let error = #expect(throws: CredentialError.self) {
            try ServerOptions.key(nil, environment: environment)
        }
        return error?.message
    }

    @Test(arguments: ["sk_1", " sk_1\r\n", "\u{FEFF}sk_1\n"])
    func `is all that a file has`(text: String) throws {
        #expect(try Self.key(inFile: text) == "sk_1")
    }

    @Test(arguments: ["\n", "sk_1\nsk_2\n", "sk_ 1", "key: sk_1", "sk_é"])
    func `in a file with something else is refused, with the name of the file`(text: String) throws {
        let message = try Self.key(inFile: text)
        #expect(message.hasPrefix("FILE must have one secret key (sk_…) and nothing else;"))
    }

    @Test func `comes from the environment without a file`() throws {
        let both = ["PERENNIAL_API_SECRET_KEY": "sk_1", "PERENNIAL_DEV_SECRET_KEY": "sk_2"]
        #expect(try ServerOptions.key(nil, environment: both) == "sk_1")
        #expect(try ServerOptions.key(nil, environment: ["PERENNIAL_DEV_SECRET_KEY": "sk_2"]) == "sk_2")
        #expect(Self.message([:])?.hasPrefix("Give a secret key (sk_…) with --key-file") == true)
        for name in both.keys {
            #expect(Self.message([name: "x"])?.hasPrefix("\(name) must have one secret key") == true)
        }
        #expect(Self.message(["PERENNIAL_API_SECRET_KEY": "pk_1"])?.hasPrefix("This is a publishable key") == true)
    }
}
