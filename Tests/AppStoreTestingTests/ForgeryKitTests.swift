import AppStoreModel
import AppStoreSigning
import AppStoreTesting
import Testing

/// Examples of a user's unit tests of refusals.
@Suite struct `Forgeries of the test kit` {
    private let kit: AppStoreTestKit

    init() throws {
        kit = try AppStoreTestKit()
    }

    @Test(arguments: Forgery.allCases)
    func `every forgery is refused for its own reason`(forgery: Forgery) throws {
        let transaction = try kit.forge(forgery, of: kit.transaction())
        #expect(kit.verifier.verifyTransaction(transaction).failure?.code == forgery.expectedCode)
        let renewalInfo = try kit.forge(forgery, of: kit.renewalInfo())
        #expect(kit.verifier.verifyRenewalInfo(renewalInfo).failure?.code == forgery.expectedCode)
        let notification = try kit.forge(forgery, of: kit.notification(.didRenew))
        #expect(kit.verifier.verifyNotification(notification).failure?.code == forgery.expectedCode)
        let download = try kit.forge(forgery, of: kit.appTransaction())
        #expect(kit.verifier.verifyAppTransaction(download).failure?.code == forgery.expectedCode)
    }

    @Test func `a forgery is refused even by a verifier with the valid chain in its cache`() throws {
        let purchase = try kit.transaction()
        let verifier = kit.verifier
        #expect(verifier.verifyTransaction(purchase.jws).payload != nil)

        for forgery in Forgery.allCases {
            let forged = try kit.forge(forgery, of: purchase)
            #expect(verifier.verifyTransaction(forged).failure?.code == forgery.expectedCode)
        }
        #expect(verifier.verifyTransaction(purchase.jws).payload != nil)
    }

    @Test func `a verifier with only Apple's root refuses a kit's data`() throws {
        let production = SignedDataVerifier(apps: [kit.app])

        #expect(production.verifyTransaction(try kit.transaction().jws).failure?.code == .chainNotTrusted)
    }

    @Test func `a kit refuses another kit's data`() throws {
        let other = try AppStoreTestKit()

        #expect(kit.verifier.verifyTransaction(try other.transaction().jws).failure?.code == .chainNotTrusted)
    }
}
