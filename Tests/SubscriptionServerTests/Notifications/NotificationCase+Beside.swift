import AppStoreModel
import SubscriptionCore

extension NotificationCase {
    private static let refunded = Told(
        .refund,
        day: 5,
        status: .revoked,
        transaction: Told.period(0, signed: 5) { $0.revocationDate = Told.instant(5) }
    )

    private static let consumable = Told.purchase(.consumable, signed: 5)

    static let money = [
        NotificationCase(refunded, brings: [.refunded, .entitlementWithdrawn]),
        NotificationCase(
            Told(.refundReversed, day: 6, status: .active, transaction: Told.period(0, signed: 6)),
            after: [refunded],
            brings: [.refundReversed, .entitlementGranted]
        ),
        NotificationCase(
            Told(.refund, .seats, day: 5, status: .active, transaction: Told.period(0, signed: 5) { $0.quantity = 5 }),
            brings: [.seatsRefunded]
        ),
        NotificationCase(
            Told(.refundDeclined, day: 5, status: .active, transaction: Told.period(0, signed: 5)),
            brings: [.refundDeclined]
        ),
        NotificationCase(
            Told(.consumptionRequest, day: 5, status: .active, transaction: Told.period(0, signed: 5)),
            brings: [.refundRequested]
        ),
        NotificationCase(
            Told(.consumptionRequest, day: 5, transaction: consumable),
            brings: [.purchaseMade, .purchaseRefundRequested]
        ),
        NotificationCase(
            Told(.refundDeclined, day: 5, transaction: consumable),
            brings: [.purchaseMade, .purchaseRefundDeclined]
        ),
        NotificationCase(
            Told(
                .revoke,
                day: 5,
                status: .revoked,
                transaction: Told.purchase(.autoRenewableSubscription, signed: 5) { transaction in
                    transaction.inAppOwnershipType = .familyShared
                    transaction.revocationDate = Told.instant(5)
                    transaction.revocationType = .familyRevoke
                }
            ),
            brings: [.started, .revoked]
        ),
        NotificationCase(Told(.oneTimeCharge, day: 5, transaction: consumable), brings: [.purchaseMade]),
        NotificationCase(
            Told(.oneTimeCharge, day: 5, transaction: Told.purchase(.nonConsumable, signed: 5)),
            brings: [.purchaseMade]
        ),
        NotificationCase(
            Told(.oneTimeCharge, day: 5, transaction: Told.purchase(.nonRenewingSubscription, signed: 5)),
            brings: [.purchaseMade]
        ),
    ]

    private static func token(_ subtype: NotificationSubtype) -> Told {
        Told(.externalPurchaseToken, subtype, day: 5) { _, payload in
            payload.externalPurchaseToken = ExternalPurchaseToken(
                externalPurchaseId: "b2158121-7af9-49d4-9561-1f588205523e",
                bundleId: ServerFixture.bundle,
                tokenCreationDate: Told.instant(5),
                appAppleId: ServerFixture.appleID
            )
        }
    }

    private static func told(_ type: NotificationType, _ subtype: NotificationSubtype? = nil) -> Told {
        Told(type, subtype, day: 5, status: .active, transaction: Told.period(0, signed: 5))
    }

    /// What changes no purchase.
    static let beside = [
        NotificationCase(told(.renewalExtension, .failure), brings: [.extensionFailed]),
        NotificationCase(
            Told(.renewalExtension, .summary, day: 5) { _, payload in
                payload.summary = NotificationSummary(
                    environment: .production,
                    bundleId: ServerFixture.bundle,
                    requestIdentifier: "758883e8-151b-47b7-abd0-60c4d804c2f5",
                    appAppleId: ServerFixture.appleID,
                    productId: "pro.monthly",
                    succeededCount: 5,
                    failedCount: 2
                )
            },
            brings: [.extensionsFinished]
        ),
        NotificationCase(token(.created), brings: [.externalTokenCreated]),
        NotificationCase(token(.activeTokenReminder), brings: [.externalTokenReminder]),
        NotificationCase(token(.unreported), brings: [.externalTokenUnreported]),
        NotificationCase(told(.metadataUpdate), brings: [.metadataChanged]),
        NotificationCase(told(.priceChange), brings: [.priceChanged]),
        NotificationCase(told(.migration), brings: [.migrated]),
        NotificationCase(told(.migrate), brings: [.migrated]),
        NotificationCase(
            Told(.unclaimSeats, day: 5) { _, payload in
                payload.unclaimInfo = UnclaimInfo(
                    unclaimSeatIds: ["5a2b7c1e-0b57-4f33-8b57-5a3a3c1c8a01"],
                    unknownFields: [
                        "bundleId": .string(ServerFixture.bundle), "environment": .string("Production"),
                        "appAppleId": .integer(ServerFixture.appleID),
                    ]
                )
            },
            brings: [.seatsReleased]
        ),
        NotificationCase(
            Told(.rescindConsent, day: 5) { server, payload in
                let transaction = JWSAppTransactionDecodedPayload(
                    bundleId: ServerFixture.bundle,
                    originalApplicationVersion: "1",
                    originalPurchaseDate: Told.instant(0),
                    receiptCreationDate: Told.instant(0),
                    receiptType: .production,
                    appAppleId: ServerFixture.appleID,
                    appTransactionId: "704000000000000001"
                )
                payload.appData = NotificationAppData(
                    bundleId: ServerFixture.bundle,
                    environment: .production,
                    appAppleId: ServerFixture.appleID,
                    signedAppTransactionInfo: try server.apple.sign(transaction)
                )
            },
            brings: [.consentWithdrawn]
        ),
        NotificationCase(Told(.test, day: 5), brings: []),
    ]
}
