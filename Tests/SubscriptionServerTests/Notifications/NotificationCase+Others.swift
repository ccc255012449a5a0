import AppStoreModel
import SubscriptionCore

extension NotificationCase {
    private static let refunded = SentNotification(
        .refund,
        day: 5,
        status: .revoked,
        transaction: Sample.period(0, signed: 5) { $0.revocationDate = Sample.time(5) }
    )

    private static let consumable = Sample.purchase(.consumable, signed: 5)

    static let money = [
        NotificationCase(refunded, produces: [.refunded, .entitlementWithdrawn]),
        NotificationCase(
            SentNotification(.refundReversed, day: 6, status: .active, transaction: Sample.period(0, signed: 6)),
            after: [refunded],
            produces: [.refundReversed, .entitlementGranted]
        ),
        NotificationCase(
            SentNotification(
                .refund,
                .seats,
                day: 5,
                status: .active,
                transaction: Sample.period(0, signed: 5) { $0.quantity = 5 }
            ),
            produces: [.seatsRefunded]
        ),
        NotificationCase(
            SentNotification(.refundDeclined, day: 5, status: .active, transaction: Sample.period(0, signed: 5)),
            produces: [.refundDeclined]
        ),
        NotificationCase(
            SentNotification(.consumptionRequest, day: 5, status: .active, transaction: Sample.period(0, signed: 5)),
            produces: [.refundRequested]
        ),
        NotificationCase(
            SentNotification(.consumptionRequest, day: 5, transaction: consumable),
            produces: [.purchaseMade, .purchaseRefundRequested]
        ),
        NotificationCase(
            SentNotification(.refundDeclined, day: 5, transaction: consumable),
            produces: [.purchaseMade, .purchaseRefundDeclined]
        ),
        NotificationCase(
            SentNotification(
                .revoke,
                day: 5,
                status: .revoked,
                transaction: Sample.purchase(.autoRenewableSubscription, signed: 5) { transaction in
                    transaction.inAppOwnershipType = .familyShared
                    transaction.revocationDate = Sample.time(5)
                    transaction.revocationType = .familyRevoke
                }
            ),
            produces: [.started, .revoked]
        ),
        NotificationCase(SentNotification(.oneTimeCharge, day: 5, transaction: consumable), produces: [.purchaseMade]),
        NotificationCase(
            SentNotification(.oneTimeCharge, day: 5, transaction: Sample.purchase(.nonConsumable, signed: 5)),
            produces: [.purchaseMade]
        ),
        NotificationCase(
            SentNotification(.oneTimeCharge, day: 5, transaction: Sample.purchase(.nonRenewingSubscription, signed: 5)),
            produces: [.purchaseMade]
        ),
    ]

    private static func token(_ subtype: NotificationSubtype) -> SentNotification {
        SentNotification(.externalPurchaseToken, subtype, day: 5) { _, payload in
            payload.externalPurchaseToken = ExternalPurchaseToken(
                externalPurchaseId: "b2158121-7af9-49d4-9561-1f588205523e",
                bundleId: ServerFixture.bundle,
                tokenCreationDate: Sample.time(5),
                appAppleId: ServerFixture.appleID
            )
        }
    }

    private static func sent(_ type: NotificationType, _ subtype: NotificationSubtype? = nil) -> SentNotification {
        SentNotification(type, subtype, day: 5, status: .active, transaction: Sample.period(0, signed: 5))
    }

    /// Notifications that change no purchase.
    static let others = [
        NotificationCase(sent(.renewalExtension, .failure), produces: [.extensionFailed]),
        NotificationCase(
            SentNotification(.renewalExtension, .summary, day: 5) { _, payload in
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
            produces: [.extensionsFinished]
        ),
        NotificationCase(token(.created), produces: [.externalTokenCreated]),
        NotificationCase(token(.activeTokenReminder), produces: [.externalTokenReminder]),
        NotificationCase(token(.unreported), produces: [.externalTokenUnreported]),
        NotificationCase(sent(.metadataUpdate), produces: [.metadataChanged]),
        NotificationCase(sent(.priceChange), produces: [.priceChanged]),
        NotificationCase(sent(.migration), produces: [.migrated]),
        NotificationCase(sent(.migrate), produces: [.migrated]),
        NotificationCase(
            SentNotification(.unclaimSeats, day: 5) { _, payload in
                payload.unclaimInfo = UnclaimInfo(
                    unclaimSeatIds: ["5a2b7c1e-0b57-4f33-8b57-5a3a3c1c8a01"],
                    unknownFields: [
                        "bundleId": .string(ServerFixture.bundle), "environment": .string("Production"),
                        "appAppleId": .integer(ServerFixture.appleID),
                    ]
                )
            },
            produces: [.seatsReleased]
        ),
        NotificationCase(
            SentNotification(.rescindConsent, day: 5) { server, payload in
                let transaction = JWSAppTransactionDecodedPayload(
                    bundleId: ServerFixture.bundle,
                    originalApplicationVersion: "1",
                    originalPurchaseDate: Sample.time(0),
                    receiptCreationDate: Sample.time(0),
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
            produces: [.consentWithdrawn]
        ),
        NotificationCase(SentNotification(.test, day: 5), produces: []),
    ]
}
