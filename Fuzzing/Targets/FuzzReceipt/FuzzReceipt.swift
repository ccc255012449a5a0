import AppStoreSigning
import Foundation
import LibFuzzer

/// The root of the corpus receipts, so that the valid ones among them verify.
///
/// `scripts/fuzz.sh` sets its file in the environment; without it only the form is tested.
private let roots: [ReceiptRoot] = {
    guard
        let path = ProcessInfo.processInfo.environment["PERENNIAL_FUZZ_RECEIPT_ROOT"],
        let pem = try? String(contentsOfFile: path, encoding: .utf8),
        let root = try? ReceiptRoot(pem: pem)
    else { return [.appleRootCA] }
    return [.appleRootCA, root]
}()

/// The input is a binary receipt; it is also tested as a text.
@_cdecl("LLVMFuzzerTestOneInput")
public func tryInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let verification = ReceiptVerifier(roots: roots).verify(bytes)
    let decoded = try? UnverifiedReceipt.decode(bytes)
    if let receipt = verification.payload {
        precondition(receipt == decoded?.receipt, "a verified receipt is not what its bytes say")
        precondition(receipt.creationDate != nil, "a verified receipt does not say when it was made")
    }

    let found = ReceiptTransactions.extract(from: bytes)
    precondition(found.transactions.isEmpty == (found.absence != nil), "transactions and the reason for none")

    let text = String(decoding: bytes, as: UTF8.self)
    let foundInText = ReceiptTransactions.extract(from: text)
    precondition(foundInText.transactions.isEmpty == (foundInText.absence != nil), "as above, in a text")
    _ = ReceiptVerifier(roots: roots).verify(text)
    _ = decoded?.receipt.belongs(toDevice: Array(bytes.prefix(16)))
    return 0
}

/// Passes the program to libFuzzer; the linker uses this entry point instead of libFuzzer's own.
@main struct FuzzReceipt {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments, tryInput))
    }
}
