import Crypto
import PerennialPrimitives
import SubscriptionOperations

extension ServerRequestContext {
    /// The identifier of a new object: the same for each copy of a request with an idempotency key, so that copies make
    /// one object; otherwise random.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of the kind of object, such as `gr_`.
    ///   - scope: What the key's objects belong to, if one key may make objects in several.
    func newID(_ prefix: String, in scope: String? = nil) -> String {
        guard let idempotencyKey else { return prefix + RandomName.make() }
        let seed = scope.map { "\($0.utf8.count) \($0) \(idempotencyKey)" } ?? idempotencyKey
        return prefix + SHA256.hash(data: Array(seed.utf8)).prefix(12).hexadecimal
    }
}
