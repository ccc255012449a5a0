import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import Foundation
import LibFuzzer

/// A verifier with a root whose key exists only in this process.
private struct Stage {
    static let bundleId = "com.example.perennial"

    let signer: JWSSigner
    let verifier: SignedDataVerifier

    init() throws {
        let authority = try TestAuthority()
        signer = authority.signer
        verifier = SignedDataVerifier(
            roots: [authority.trustedRoot],
            expecting: AppIdentity(bundleId: Self.bundleId, environment: .sandbox)
        )
    }

    /// An untrusted text: it must be refused, with equal results of the trace and the verifier.
    func verifyStrange(_ text: [UInt8], as kind: SignedDataKind) {
        let failure = verifier.verify(text, as: kind).failure
        precondition(failure != nil, "a text that nobody signed was verified")
        precondition(verifier.trace(text, as: kind).failure?.code == failure?.code, "the trace says otherwise")
        _ = try? UnverifiedJWS.decode(text)
    }

    /// A payload signed by the trusted key: it may be refused, but not for its signature.
    func verifySigned(_ payload: [UInt8], as kind: SignedDataKind) throws {
        let text = Array(try signer.sign(payload: payload).utf8)
        let verification = verifier.verify(text, as: kind)
        precondition(verification.failure?.code != .signatureInvalid, "a good signature was refused")
        precondition(
            verifier.trace(text, as: kind).failure?.code == verification.failure?.code,
            "the trace says otherwise"
        )
    }
}

private let stage = Result { try Stage() }

/// The first byte selects whether the rest is a whole text (even) or a payload to sign (odd), and its kind.
@_cdecl("LLVMFuzzerTestOneInput")
public func tryInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let choice = bytes.first, case .success(let stage) = stage else { return 0 }
    let rest = Array(bytes.dropFirst())
    let kinds = SignedDataKind.allCases
    let kind = kinds[Int(choice / 2) % kinds.count]
    if choice % 2 == 0 {
        stage.verifyStrange(rest, as: kind)
        return 0
    }
    do {
        try stage.verifySigned(rest, as: kind)
    } catch {
        preconditionFailure("could not sign: \(error)")
    }
    return 0
}

/// Passes the program to libFuzzer; the linker uses this entry point instead of libFuzzer's own.
@main struct FuzzJWS {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments, tryInput))
    }
}
