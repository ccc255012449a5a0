import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import Foundation
import LibFuzzer
import LocalAppStore

/// A store with an untrusted catalogue.
private struct Stage {
    static let opened: Int64 = 1_760_000_000_000
    static let dayMilliseconds: Int64 = 86_400_000
    static let productsMax = 3

    let signer: JWSSigner

    init() throws {
        signer = try TestAuthority().signer
    }

    /// Buys some products and advances a month; the store may refuse, but must not crash.
    func sell(from catalog: Catalog) {
        var store = LocalAppStore(configuration: .init(), catalog: catalog, signer: signer, now: Self.opened)
        do {
            let account = try store.createAccount().accountId
            for productId in catalog.productIds.prefix(Self.productsMax) {
                _ = try? store.purchase(accountId: account, request: PurchaseRequest(productId: productId))
            }
            try store.step(to: Self.opened + 31 * Self.dayMilliseconds)
            _ = try store.account(account)
        } catch {
            return
        }
    }
}

private let stage = Result { try Stage() }

/// The input is an Xcode StoreKit configuration (`.storekit`).
@_cdecl("LLVMFuzzerTestOneInput")
public func tryInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard case .success(let stage) = stage, let catalog = try? Catalog(storekit: bytes) else { return 0 }
    precondition((try? Catalog(storekit: catalog.source)) == catalog, "a catalogue is another when it is read again")
    stage.sell(from: catalog)
    return 0
}

/// Passes the program to libFuzzer; the linker uses this entry point instead of libFuzzer's own.
@main struct FuzzCatalog {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments, tryInput))
    }
}
