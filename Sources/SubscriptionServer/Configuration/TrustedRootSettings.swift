import AppStoreModel
import AppStoreSigning
import Foundation
import SubscriptionCore

/// The root certificates of the setting `trusted_roots`: `FILE`, or `BUNDLE_ID:ENVIRONMENT=FILE` for one app.
struct TrustedRootSettings {
    /// Trusted for every app.
    private(set) var roots: [TrustedRoot] = []
    /// Trusted for one app in one environment.
    private(set) var scopedRoots: [ScopedRoot] = []
    private(set) var problems: [String] = []
    private(set) var warnings: [String] = []

    init(_ texts: [String]) {
        for text in texts {
            let (app, path) = Self.parts(of: text)
            do {
                let certificates = try Self.certificates(in: path)
                if let app {
                    scopedRoots += certificates.map { ScopedRoot($0, for: [app]) }
                } else {
                    roots += certificates
                    warnings.append(
                        "trusted_roots: \(path) is trusted for every app, also in production. "
                            + "Name one app to limit it: BUNDLE_ID:sandbox=\(path)"
                    )
                }
            } catch {
                problems.append("\"\(path)\" is not a readable file with root certificates (PEM or DER)")
            }
        }
    }

    /// The app and the path of a text. A text in any other form is a path.
    private static func parts(of text: String) -> (app: AppIdentity?, path: String) {
        let halves = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard halves.count == 2, let colon = halves[0].lastIndex(of: ":"), colon != halves[0].startIndex,
            let environment = StoreEnvironment(rawValue: String(halves[0][halves[0].index(after: colon)...]))
        else { return (nil, text) }
        let app = AppIdentity(
            bundleId: String(halves[0][..<colon]),
            environment: environment == .production ? .production : .sandbox
        )
        return (app, halves[1])
    }

    /// One certificate as DER, or any number as PEM.
    private static func certificates(in path: String) throws -> [TrustedRoot] {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        guard let text = String(validating: bytes, as: UTF8.self), let start = text.range(of: "-----BEGIN") else {
            return [try TrustedRoot(der: bytes)]
        }
        let end = "-----END CERTIFICATE-----"
        var rest = text[start.lowerBound...]
        var roots: [TrustedRoot] = []
        while let close = rest.range(of: end) {
            roots.append(try TrustedRoot(pem: String(rest[..<close.upperBound])))
            rest = rest[close.upperBound...].drop { $0.isWhitespace }
        }
        // Invalid remaining text is reported as the problem.
        if roots.isEmpty || !rest.isEmpty { roots.append(try TrustedRoot(pem: String(rest))) }
        return roots
    }
}
