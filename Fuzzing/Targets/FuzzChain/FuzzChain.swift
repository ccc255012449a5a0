import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import Crypto
import Foundation
import LibFuzzer

/// Certificates from the input in one JWS; the last one is a trusted root if it can be.
private struct Stage {
    static let certificatesMax = 5
    static let identity = AppIdentity(bundleId: "com.example.perennial", environment: .sandbox)

    let key = P256.Signing.PrivateKey()
    let ownRoot: TrustedRoot
    let payload = Array(#"{"signedDate":1760000000000}"#.utf8)

    init() throws {
        ownRoot = try TestAuthority().trustedRoot
    }

    func verify(_ certificates: [[UInt8]]) throws {
        var roots = [ownRoot]
        if let last = certificates.last, let root = try? TrustedRoot(der: last) {
            roots.append(root)
        }
        let text = try JWSSigner(chain: certificates, key: key).sign(payload: payload)
        let verifier = SignedDataVerifier(roots: roots, expecting: Self.identity)
        let failure = verifier.verifyTransaction(text).failure
        // The leaf's key is the input's; this process signs with a key that no input contains.
        precondition(failure != nil, "a chain was taken for one that holds this process's key")
        _ = try? TrustedRoot(pem: String(decoding: certificates.first ?? [], as: UTF8.self))
    }
}

private let stage = Result { try Stage() }

/// The input is certificates, each after a two-byte length; a length beyond the end takes the rest.
@_cdecl("LLVMFuzzerTestOneInput")
public func tryInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var rest = Array(UnsafeBufferPointer(start: start, count: count))[...]
    var certificates: [[UInt8]] = []
    while rest.count >= 2, certificates.count < Stage.certificatesMax {
        let length = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(2)
        certificates.append(Array(rest.prefix(length)))
        rest = rest.dropFirst(length)
    }
    do {
        try stage.get().verify(certificates)
    } catch {
        preconditionFailure("could not sign: \(error)")
    }
    return 0
}

/// Passes the program to libFuzzer; the linker uses this entry point instead of libFuzzer's own.
@main struct FuzzChain {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments, tryInput))
    }
}
