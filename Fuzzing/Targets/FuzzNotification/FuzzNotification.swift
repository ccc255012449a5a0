import AppStoreModel
import Foundation
import LibFuzzer

/// Decodes a payload, encodes it and decodes that: both must be equal.
private func roundTrip<Payload: JSONRepresentable>(_ type: Payload.Type, _ object: JSONObject) {
    guard let first = try? Payload(json: object) else { return }
    do {
        let second = try Payload(jsonBytes: first.jsonBytes)
        precondition(second == first, "\(type) is another after it was written and read")
    } catch {
        preconditionFailure("\(type) wrote what it does not read: \(error)")
    }
}

/// The input is the JSON of a payload of any kind.
@_cdecl("LLVMFuzzerTestOneInput")
public func tryInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let object = try? JSONParser.parseObject(bytes) else { return 0 }
    do {
        let again = try JSONParser.parseObject(object.serialize())
        precondition(again == object, "an object is another after it was written and read")
    } catch {
        preconditionFailure("the writer wrote what the reader does not read: \(error)")
    }
    roundTrip(ResponseBodyV2.self, object)
    roundTrip(ResponseBodyV2DecodedPayload.self, object)
    roundTrip(JWSTransactionDecodedPayload.self, object)
    roundTrip(JWSRenewalInfoDecodedPayload.self, object)
    roundTrip(JWSAppTransactionDecodedPayload.self, object)
    roundTrip(DecodedRealtimeRequestBody.self, object)
    return 0
}

/// Passes the program to libFuzzer; the linker uses this entry point instead of libFuzzer's own.
@main struct FuzzNotification {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments, tryInput))
    }
}
