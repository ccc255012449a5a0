package import AppStoreSigning
package import SubscriptionCore
package import SubscriptionOperations
package import SubscriptionStorage

/// The use cases of one server, wired once.
package struct Services: Sendable {
    /// Where everything is kept.
    package let database: any SubscriptionDatabase
    /// Where "now" comes from.
    package let time: any TimeSource
    /// Takes signed data in.
    package let ingestion: Ingestion
    /// Answers what a customer may use.
    package let reading: CustomerReading
    /// Changes which products give which entitlement.
    package let administration: EntitlementAdministration
    /// Follows the clock.
    package let duePurchases: DuePurchases

    /// Wires the use cases.
    package init(
        database: any SubscriptionDatabase,
        verifier: SignedDataVerifier,
        policy: AccessPolicy,
        time: any TimeSource
    ) {
        self.database = database
        self.time = time
        ingestion = Ingestion(database: database, verifier: verifier, policy: policy, time: time)
        reading = CustomerReading(database: database, policy: policy, time: time)
        administration = EntitlementAdministration(database: database, time: time)
        duePurchases = DuePurchases(database: database, policy: policy)
    }
}
