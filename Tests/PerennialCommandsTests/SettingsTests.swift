import AppStoreClient
import AppStoreModel
import ArgumentParser
import Foundation
import Testing

@testable import PerennialCommands

/// Settings come from the source with the highest priority, and an invalid one is reported by name.
@Suite struct `Settings of commands` {
    private let folder = URL(fileURLWithPath: "/etc/perennial")

    @Test func `the source with the higher priority wins, setting by setting`() throws {
        let near = APISettings(credentials: CredentialSettings(keyId: "near"), environment: .production)
        let far = APISettings(
            credentials: CredentialSettings(keyId: "far", issuerId: "far"),
            environment: .sandbox,
            target: .server(try HTTPBaseURL("http://far", setting: "--base-url"))
        )
        let settings = near.withDefaults(far)
        #expect(settings.credentials == CredentialSettings(keyId: "near", issuerId: "far"))
        #expect(settings.environment == .production)
        #expect(settings.target == .server(try HTTPBaseURL("http://far", setting: "--base-url")))
    }

    @Test func `the environment has a variable for each setting`() throws {
        let settings = try APISettings(variables: [
            "PERENNIAL_API_KEY_FILE": "key.p8", "PERENNIAL_API_KEY_ID": "k", "PERENNIAL_API_ISSUER_ID": "i",
            "PERENNIAL_API_BUNDLE_ID": "b", "PERENNIAL_API_ENVIRONMENT": "production-then-sandbox",
            "PERENNIAL_API_BASE_URL": "http://127.0.0.1:8081/",
        ])
        #expect(
            settings.credentials
                == CredentialSettings(keyFile: InputFile(path: "key.p8"), keyId: "k", issuerId: "i", bundleId: "b")
        )
        #expect(settings.environment == .productionThenSandbox)
        #expect(settings.target == .server(try HTTPBaseURL("http://127.0.0.1:8081", setting: "--base-url")))
    }

    @Test func `a file has the same settings, its key beside it`() throws {
        let settings = try file(
            #"{"serve":{"x":1},"api":{"key_file":"keys/a.p8","key_id":"k","environment":"sandbox"}}"#
        )
        #expect(settings.credentials.keyFile?.path == "/etc/perennial/keys/a.p8")
        #expect(settings.credentials.keyId == "k" && settings.environment == .sandbox)
        #expect(try file("{}") == APISettings() && file("") == APISettings() && file("api:") == APISettings())
        let yaml = try file("server:\n  port: 1\napi:\n  key_file: a.p8\n  key_id: 1234567890\n")
        #expect(yaml.credentials.keyFile?.path == "/etc/perennial/a.p8" && yaml.credentials.keyId == "1234567890")
        #expect(try file(#"{"api":{"key_file":"/a.p8"}}"#).credentials.keyFile?.path == "/a.p8")
    }

    @Test(arguments: [
        "[]", "api: [", "a text", #"{"api":[]}"#, #"{"api":{"keyId":"k"}}"#, #"{"api":{"key_id":[1]}}"#,
        #"{"api":{"key_id":""}}"#, "api: {key_id: }",
    ])
    func `a file that cannot be used is refused`(text: String) {
        let error = #expect(throws: CredentialError.self) { try file(text) }
        #expect(error?.code == "config_malformed")
    }

    @Test func `a file that is not text is refused, not treated as empty`() {
        let error = #expect(throws: CredentialError.self) {
            try APIConfigurationFile.settings(in: [0xFF, 0xFE, 0x00], named: "perennial.yaml", folder: folder)
        }
        #expect(error?.code == "config_malformed")
    }

    @Test(arguments: [
        "", "localhost", "localhost:80", "ftp://a", "http://", "http:///x", "http://u:p@a", "http://a?x", "http://a#x",
        "file:///etc",
    ])
    func `an invalid server URL is refused`(text: String) {
        #expect(throws: CredentialError.self) { try HTTPBaseURL(text, setting: "--base-url") }
    }

    @Test(arguments: ["http://user:secret@127.0.0.1", "http://user:secret@127.0.0.1:99999", "user:secret@a"])
    func `a password in an address is not repeated`(text: String) {
        let error = #expect(throws: CredentialError.self) { try HTTPBaseURL(text, setting: "--base-url") }
        #expect(error?.message.contains("secret") == false && error?.message.contains("--base-url") == true)
    }

    @Test func `an empty variable is ignored, and one replaced by an option is not read`() throws {
        let empty = ["PERENNIAL_API_ENVIRONMENT": "", "PERENNIAL_API_BASE_URL": ""]
        #expect(try APISettings(variables: empty) == APISettings())
        let options = try APITargetOptions.parse(["--environment", "production", "--base-url", "http://127.0.0.1:1"])
        let wrong = ["PERENNIAL_API_ENVIRONMENT": "nowhere", "PERENNIAL_API_BASE_URL": "nowhere"]
        let settings = try options.settings(credentials: try CredentialOptions.parse([]), environment: wrong)
        #expect(settings.environment == .production)
        #expect(settings.target == .server(try HTTPBaseURL("http://127.0.0.1:1", setting: "--base-url")))
        let error = #expect(throws: CredentialError.self) { try APISettings(variables: wrong) }
        #expect(error?.message.contains("PERENNIAL_API_ENVIRONMENT") == true)
    }

    @Test func `an address ends without a slash`() throws {
        #expect(
            try HTTPBaseURL("https://a.example:8443/base//", setting: "--base-url").text
                == "https://a.example:8443/base"
        )
    }

    @Test(arguments: [
        ("http://store.example", true), ("http://127.evil.example", true), ("https://store.example", false),
        ("http://localhost:8081", false), ("http://127.0.0.1", false), ("http://[::1]:80", false),
    ])
    func `plain HTTP to another machine is reported as exposed`(address: String, isExposed: Bool) throws {
        #expect(try HTTPBaseURL(address, setting: "--base-url").isExposed == isExposed)
    }

    @Test func `all missing settings are reported at once`() {
        let error = #expect(throws: MissingSetting.self) {
            try CredentialSettings(keyFile: InputFile(path: "k"), keyId: "").credentials()
        }
        #expect(error?.settings == [.keyId, .issuerId, .bundleId])
    }

    @Test func `the response of a store contains the credentials for calls`() throws {
        let object: JSONObject = [
            "keyId": "k", "issuerId": "i", "bundleId": "b", "environment": "Sandbox", "privateKey": "no key",
        ]
        let credentials = try #require(StoreCredentials(object))
        #expect(credentials.environment == .sandbox)
        #expect(throws: CredentialError.self) { try credentials.key(keyId: nil, issuerId: nil) }
        for key in object.keys {
            var incomplete = object
            incomplete[key] = nil
            #expect(StoreCredentials(incomplete) == nil)
        }
    }

    private func file(_ text: String) throws -> APISettings {
        try APIConfigurationFile.settings(in: Array(text.utf8), named: "perennial.json", folder: folder)
    }
}
