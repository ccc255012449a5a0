/// A request that the app gives, signed by the developer's server, to StoreKit.
///
/// - Source: Advanced Commerce API, the in-app requests; each property is the field of the same name.
public protocol AdvancedCommerceInAppRequest: JSONRepresentable {
    /// What the request asks for.
    var operation: AdvancedCommerceOperation { get }
    /// The version of the request's format.
    var version: String { get }
    /// Identifies the request.
    var requestInfo: AdvancedCommerceRequestInfo { get }
    /// The customer's storefront, ISO 3166-1 alpha-3.
    var storefront: String? { get }
}
