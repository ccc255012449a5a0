public import AppStoreModel

extension LocalAppStore {
    /// When the developer is told that nothing was reported about a token; Apple publishes no number.
    private static let reportDeadline = 30 * Instant.day

    /// How often the developer is reminded of the token of a custom link.
    private static let reminderPeriod = CalendarPeriod(months: 1)

    /// Makes a token, as a customer's device gets one when it leaves the app for a purchase elsewhere.
    ///
    /// - Parameters:
    ///   - accountId: Whose it is.
    ///   - type: What the token of a custom link is for; `nil` for the other tokens.
    ///   - lifetime: How long the token of a custom link is active; half a year for acquisition and a year for the
    ///     others when absent.
    /// - Throws: `account_not_found`, `token_type_unknown`, `token_lifetime_invalid`, `signing_failed`.
    public mutating func createExternalPurchaseToken(
        accountId: String,
        type: ExternalPurchaseTokenType? = nil,
        lifetime: CalendarPeriod? = nil
    ) throws(StoreError) -> ExternalPurchaseTokenRecord {
        let account = try accountIndex(accountId)
        if let type, !type.isDocumented {
            let types = ExternalPurchaseTokenType.documented.map(\.rawValue).joined(separator: ", ")
            let message = "\"\(type.rawValue)\" is no type of token; use one of \(types), or none."
            throw StoreError(.tokenTypeUnknown, kind: .invalid, message: message, path: "tokenType")
        }
        let end = (lifetime ?? type?.usualLifetime)?.added(to: now)
        guard lifetime == nil || type != nil, end.map({ $0 > now }) ?? true else {
            let message = "Only tokens of custom links end: give a tokenType, and a lifetime above zero."
            throw StoreError(.tokenLifetimeInvalid, kind: .invalid, message: message, path: "lifetime")
        }
        let prefix = configuration.environment == .production ? "" : "SANDBOX_"
        let position = externalPurchases.append(
            ExternalPurchaseTokenRecord(
                externalPurchaseId: prefix + identifiers.nextUUID(),
                accountId: ledger[account].accountId,
                creationDate: now,
                type: type,
                expirationDate: end
            )
        )
        if type != nil {
            announceToken(position, .created)
            schedule.push(.tokenReminder(position), dueAt: Self.reminderPeriod.added(to: now))
        }
        schedule.push(.tokenReportDue(position), dueAt: now + Self.reportDeadline)
        try settle()
        return externalPurchases[position]
    }

    /// The external purchase tokens of an account, oldest first.
    ///
    /// - Throws: `account_not_found`.
    public func externalPurchaseTokens(accountId: String) throws(StoreError) -> [ExternalPurchaseTokenRecord] {
        let id = ledger[try accountIndex(accountId)].accountId
        return externalPurchases.tokens.filter { $0.accountId == id }
    }

    /// A token as payloads have it.
    public func payload(of token: ExternalPurchaseTokenRecord) -> ExternalPurchaseToken {
        ExternalPurchaseToken(
            externalPurchaseId: token.externalPurchaseId,
            bundleId: configuration.bundleId,
            tokenCreationDate: token.creationDate,
            appAppleId: configuration.appAppleId,
            tokenExpirationDate: token.expirationDate,
            tokenType: token.type
        )
    }

    /// Takes a report of what came of a token.
    ///
    /// Where anything is wrong, nothing of it is kept.
    ///
    /// - Source: External Purchase Server API, Send External Purchase Report.
    /// - Throws: ``ExternalPurchaseRefusal``.
    public mutating func sendExternalPurchaseReport(
        _ json: JSONObject
    ) throws(ExternalPurchaseRefusal) -> SendReportSuccessResponse {
        var check = ExternalPurchaseReportCheck(against: externalPurchases, now: now)
        let report = try check.read(json)
        externalPurchases.accept(report, check.items)
        return SendReportSuccessResponse(requestIdentifier: report.requestIdentifier)
    }

    /// A report that was accepted, as it was sent.
    ///
    /// - Source: External Purchase Server API, Retrieve External Purchase Report.
    /// - Throws: ``ExternalPurchaseRefusal`` with NotFound.
    public func externalPurchaseReport(
        requestIdentifier: String
    ) throws(ExternalPurchaseRefusal) -> RetrieveReportSuccessResponse {
        guard let report = externalPurchases.report(requestIdentifier) else {
            throw ExternalPurchaseRefusal(.notFound, "requestIdentifier")
        }
        return RetrieveReportSuccessResponse(report: report)
    }

    /// Whether nothing was reported about a token yet.
    func lacksReport(_ position: Int) -> Bool { externalPurchases[position].reportedStatus == nil }

    /// Whether the developer is still to be reminded of a token.
    func needsReminder(_ position: Int) -> Bool {
        let token = externalPurchases[position]
        return token.reportedStatus != .duplicateToken
            && nextReminder(of: token) < token.expirationDate ?? .min
    }

    /// Reminds the developer of a token that is active, and will do so again.
    mutating func remindOfToken(_ position: Int) {
        externalPurchases[position].reminders += 1
        announceToken(position, .activeTokenReminder)
        if needsReminder(position) {
            schedule.push(.tokenReminder(position), dueAt: nextReminder(of: externalPurchases[position]))
        }
    }

    private func nextReminder(of token: ExternalPurchaseTokenRecord) -> Int64 {
        Self.reminderPeriod.added(to: token.creationDate, times: token.reminders + 1)
    }

    /// Tells the developer of a token; version 1 of notifications has nothing of the kind.
    mutating func announceToken(_ position: Int, _ subtype: NotificationSubtype) {
        guard !isSilent, settings.notificationVersion == .v2 else { return }
        var announcement = Announcement(
            type: .externalPurchaseToken,
            subtype: subtype,
            notificationUUID: identifiers.nextUUID(),
            signedDate: now,
            transaction: nil,
            renewalInfo: nil,
            status: nil
        )
        announcement.externalPurchaseToken = payload(of: externalPurchases[position])
        announcements.append(announcement)
    }
}

extension ExternalPurchaseTokenType {
    /// How long a token is active unless the call says otherwise; Apple publishes no number here.
    fileprivate var usualLifetime: CalendarPeriod { CalendarPeriod(months: self == .acquisition ? 6 : 12) }
}
