import AppStoreModel
import Foundation
import Testing

@testable import PerennialSimulation

/// The second, simple derivation of access and revenue, against cases whose answer is obvious.
@Suite struct `What signed payloads say about access` {
    private static let hour: Int64 = 3_600_000
    private static let day = 24 * hour

    private var oracle = EvidenceOracle()

    @Test mutating func `a paid period gives access from its start until its end`() throws {
        try take(period("1", from: 10, to: 40, signed: 10))
        #expect(!must(9) && must(10) && must(39) && !must(40))
        #expect(!may(9) && may(10) && may(39) && !may(40))
        // It may be charged a day before.
        #expect(oracle.mayGiveAccess("1", at: 9 * Self.day, lead: Self.day))
        #expect(!oracle.mayGiveAccess("1", at: 8 * Self.day, lead: Self.day))
        #expect(oracle.revenue == 9_990)
    }

    @Test mutating func `the newest signature counts, in any order`() throws {
        try take(period("1", from: 10, to: 40, signed: 20, isRevoked: true))
        try take(period("1", from: 10, to: 40, signed: 10))
        #expect(!may(15) && oracle.revenue == 0)
    }

    @Test mutating func `a renewal that is late keeps access for two hours, if the subscription renews`() throws {
        try take(period("1", from: 10, to: 40, signed: 10))
        try take(renewal(signed: 11, renews: true))
        #expect(!must(40) && may(40))
        #expect(oracle.mayGiveAccess("1", at: 40 * Self.day + 2 * Self.hour - 1))
        #expect(!oracle.mayGiveAccess("1", at: 40 * Self.day + 2 * Self.hour))
        try take(renewal(signed: 12, renews: false))
        #expect(!may(40))
    }

    @Test mutating func `a grace period gives access until it ends`() throws {
        try take(period("1", from: 10, to: 40, signed: 10))
        try take(renewal(signed: 40, renews: true, graceEnd: 46, isInRetry: true))
        #expect(!must(45) && may(45) && !may(46))
    }

    @Test mutating func `a status that says expired or revoked ends access, until something newer is signed`() throws {
        for status: Int64 in [2, 5] {
            oracle = EvidenceOracle()
            try take(period("1", from: 10, to: 40, signed: 10))
            try take(notification(status: status, signed: 20, period("1", from: 10, to: 40, signed: 20)))
            #expect(!must(25) && !may(25))
            try take(notification(status: 1, signed: 15, period("1", from: 10, to: 40, signed: 15)))
            #expect(!may(25))
            try take(renewal(signed: 21, renews: true))
            #expect(must(25))
        }
    }

    @Test mutating func `an active status gives access until the renewal date, unless something newer is signed`()
        throws
    {
        let refunded = period("1", from: 10, to: 40, signed: 39, isRevoked: true)
        try take(renewal(signed: 39, renews: true, renewalDate: 70))
        try take(refunded)
        #expect(!may(41))
        try take(notification(status: 1, signed: 39, refunded))
        #expect(!must(41) && may(41) && may(69))
        #expect(oracle.mayGiveAccess("1", at: 70 * Self.day + 2 * Self.hour - 1))
        #expect(!oracle.mayGiveAccess("1", at: 70 * Self.day + 2 * Self.hour))
        try take(period("1", from: 10, to: 40, signed: 42, isRevoked: true))
        #expect(!may(43))
    }

    @Test mutating func `a purchase without an end gives access until it is refunded`() throws {
        try take(period("1", from: 10, to: nil, signed: 10))
        #expect(!must(9) && must(10) && must(10_000))
        try take(period("1", from: 10, to: nil, signed: 11, isRevoked: true))
        #expect(!may(12))
    }

    @Test mutating func `the revenue of overlapping periods is not known`() throws {
        try take(period("1", from: 10, to: 40, signed: 10))
        try take(period("2", from: 40, to: 70, signed: 40, original: "1"))
        #expect(oracle.revenue == 19_980)
        try take(period("3", from: 60, to: 90, signed: 60, original: "1"))
        #expect(oracle.revenue == nil)
        try take(period("3", from: 60, to: 90, signed: 61, original: "1", isRevoked: true))
        #expect(oracle.revenue == nil)
        try take(period("2", from: 40, to: 70, signed: 62, original: "1", isRevoked: true))
        #expect(oracle.revenue == 9_990)
    }

    private func must(_ day: Int64) -> Bool { oracle.mustGiveAccess("1", at: day * Self.day) }
    private func may(_ day: Int64) -> Bool { oracle.mayGiveAccess("1", at: day * Self.day) }

    private mutating func take(_ payload: JSONObject) throws {
        try oracle.take(Array(Self.signed(payload).utf8))
    }

    private static func signed(_ payload: JSONObject) -> String {
        let encoded = Data(JSONValue.object(payload).serialize()).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        return "e30.\(encoded).AA"
    }

    private func notification(status: Int64, signed: Int64, _ transaction: JSONObject) -> JSONObject {
        let data: JSONObject = [
            "status": .integer(status), "signedTransactionInfo": .string(Self.signed(transaction)),
        ]
        return ["signedDate": .integer(signed * Self.day), "data": .object(data)]
    }

    private func period(
        _ id: String,
        from start: Int64,
        to end: Int64?,
        signed: Int64,
        original: String? = nil,
        isRevoked: Bool = false
    ) -> JSONObject {
        var payload: JSONObject = [
            "transactionId": .string(id), "originalTransactionId": .string(original ?? id),
            "purchaseDate": .integer(start * Self.day), "signedDate": .integer(signed * Self.day),
            "price": .integer(9_990),
        ]
        if let end { payload["expiresDate"] = .integer(end * Self.day) }
        if isRevoked { payload["revocationDate"] = .integer(signed * Self.day) }
        return payload
    }

    private func renewal(
        signed: Int64,
        renews: Bool,
        renewalDate: Int64? = nil,
        graceEnd: Int64? = nil,
        isInRetry: Bool = false
    ) -> JSONObject {
        var payload: JSONObject = [
            "originalTransactionId": .string("1"), "signedDate": .integer(signed * Self.day),
            "autoRenewStatus": .integer(renews ? 1 : 0), "isInBillingRetryPeriod": .bool(isInRetry),
        ]
        if let renewalDate { payload["renewalDate"] = .integer(renewalDate * Self.day) }
        if let graceEnd { payload["gracePeriodExpiresDate"] = .integer(graceEnd * Self.day) }
        return payload
    }
}
