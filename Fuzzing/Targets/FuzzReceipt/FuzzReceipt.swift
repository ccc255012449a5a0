import AppStoreSigning
import Foundation
import LibFuzzer

/// The root of the receipts that the corpus was made from, so that the good ones among them verify.
///
/// `scripts/fuzz.sh` names its file in the environment; without it only forms are tried.
private let roots: [ReceiptRoot] = {
    guard
        let path = ProcessInfo.processInfo.environment["PERENNIAL_FUZZ_RECEIPT_ROOT"],
        let pem = try? String(contentsOfFile: path, encoding: .utf8),
        let root = try? ReceiptRoot(pem: pem)
    else { return [.appleRootCA] }
    return [.appleRootCA, root]
}()

/// The input is a receipt in its bytes; it is also tried as the text that it may be.
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

/// Hands the program to libFuzzer, where the linker takes this entry point and not libFuzzer's own.
@main struct FuzzReceipt {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments, tryInput))
    }
}
