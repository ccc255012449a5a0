import AppStoreModel
import SubscriptionCore
import SubscriptionStorage

/// A list of products in a request body: this API's form, or an Xcode StoreKit configuration (`.storekit`).
struct ProductList {
    static let countMax = 2_000
    private static let nameBytesMax = 256
    /// Members that only a StoreKit configuration has.
    private static let storeKitMembers = ["subscriptionGroups", "nonRenewingSubscriptions", "version"]

    private(set) var products: [ListedProduct] = []
    private var known: Set<ProductID> = []

    /// Reads a body.
    ///
    /// - Throws: `parameter_missing`, `parameter_invalid`, `parameter_unknown`.
    init(_ body: JSONObject) throws(APIError) {
        if Self.storeKitMembers.contains(where: { body[$0] != nil }) {
            try addStoreKit(body)
            return
        }
        try body.allowOnly(["products"])
        for object in try Self.objects("products", body["products"]) {
            try object.allowOnly(["id", "type", "group_id", "name"])
            guard
                let kind = ProductKind(rawValue: try object.requiredText("type")), kind != .unknown
            else {
                let kinds = ProductKind.allCases.filter { $0 != .unknown }.map(\.rawValue).joined(separator: ", ")
                throw .invalid("type", "type must be one of \(kinds).")
            }
            try add(
                ListedProduct(
                    id: ProductID(try object.requiredText("id")),
                    kind: kind,
                    groupID: try object.optionalText("group_id").map { SubscriptionGroupID($0) },
                    name: try object.optionalText("name", bytesMax: Self.nameBytesMax)
                )
            )
        }
    }

    /// - Source: the file that Xcode writes (File, New, StoreKit Configuration File).
    private mutating func addStoreKit(_ file: JSONObject) throws(APIError) {
        for member in ["products", "nonRenewingSubscriptions"] {
            for object in try Self.objects(member, file[member] ?? .array([])) { try addStoreKit(object, group: nil) }
        }
        for group in try Self.objects("subscriptionGroups", file["subscriptionGroups"] ?? .array([])) {
            let id = SubscriptionGroupID(try group.requiredText("id"))
            for object in try Self.objects("subscriptions", group["subscriptions"] ?? .array([])) {
                try addStoreKit(object, group: id)
            }
        }
    }

    private mutating func addStoreKit(_ object: JSONObject, group: SubscriptionGroupID?) throws(APIError) {
        let kind: ProductKind
        switch try object.requiredText("type") {
        case "Consumable": kind = .consumable
        case "NonConsumable": kind = .nonConsumable
        case "NonRenewingSubscription": kind = .nonRenewing
        case "RecurringSubscription": kind = .autoRenewable
        case let type: throw .invalid("type", "A product of the StoreKit configuration has the unknown type \(type).")
        }
        var name: String?
        // An empty name counts as missing.
        if case .string(let text)? = object["referenceName"], !text.isEmpty {
            name = try text.checkedParameter("referenceName", bytesMax: Self.nameBytesMax)
        }
        let id = ProductID(try object.requiredText("productID"))
        try add(ListedProduct(id: id, kind: kind, groupID: group, name: name))
    }

    private mutating func add(_ product: ListedProduct) throws(APIError) {
        guard products.count < Self.countMax else {
            throw .invalid("products", "A list may have \(Self.countMax) products.")
        }
        guard known.insert(product.id).inserted else {
            throw .invalid("products", "The list names \(product.id) twice. Each product may be in it once.")
        }
        products.append(product)
    }

    private static func objects(_ name: String, _ value: JSONValue?) throws(APIError) -> [JSONObject] {
        guard case .array(let values)? = value else { throw .invalid(name, "\(name) must be a list of objects.") }
        var objects: [JSONObject] = []
        for value in values {
            guard case .object(let object) = value else { throw .invalid(name, "\(name) must be a list of objects.") }
            objects.append(object)
        }
        return objects
    }
}
