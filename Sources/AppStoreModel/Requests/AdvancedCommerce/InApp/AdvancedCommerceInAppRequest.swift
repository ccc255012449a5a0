/// A request that the developer's server signs and the app passes to StoreKit.
///
/// - Source: Advanced Commerce API, the in-app requests; each property is the field of the same name.
public protocol AdvancedCommerceInAppRequest: JSONRepresentable {
    /// The operation of the request.
    var operation: AdvancedCommerceOperation { get }
    /// The version of the request's format.
    var version: String { get }
    /// Identifies the request.
    var requestInfo: AdvancedCommerceRequestInfo { get }
    /// The customer's storefront, ISO 3166-1 alpha-3.
    var storefront: String? { get }
}
