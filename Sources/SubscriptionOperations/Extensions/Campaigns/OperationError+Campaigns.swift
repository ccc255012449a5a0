import SubscriptionCore
import SubscriptionStorage

extension OperationError {
    static let campaignNotFound = OperationError(
        "extension_campaign_not_found",
        "There is no such extension campaign. List them with perennial extend campaign list, or GET "
            + "/v1/extension_campaigns.",
        kind: .notFound
    )

    static func productUnknown(_ name: String) -> OperationError {
        OperationError(
            "product_unknown",
            "No subscription of the product \(name) was ever sold, and it is not in the list of products. Check its "
                + "spelling.",
            kind: .invalidRequest,
            parameter: "product_ids"
        )
    }

    static let campaignWindowInvalid = OperationError(
        "extension_campaign_window_invalid",
        "The window must begin before it ends, and end before now: a campaign is about an outage that is over.",
        kind: .invalidRequest,
        parameter: "window"
    )

    static let campaignMethodInvalid = OperationError(
        "extension_campaign_method_invalid",
        "A mass order extends all who are subscribed now, so it cannot have a window. Use the method single, or leave "
            + "the window out.",
        kind: .invalidRequest,
        parameter: "method"
    )

    static let campaignNotTried = OperationError(
        "extension_campaign_not_tried",
        "The campaign has no dry run. Make one (perennial extend campaign dry-run, or POST …/dry_run), look at it when "
            + "it is finished, and approve it then.",
        kind: .conflict
    )

    static let campaignDryRunRunning = OperationError(
        "extension_campaign_dry_run_running",
        "The dry run is still running. Wait until it is finished (perennial extend campaign show, or "
            + "dry_run.finished_at of GET /v1/extension_campaigns/{id}).",
        kind: .conflict
    )

    /// Whoever drafted a campaign approves it too.
    ///
    /// - Parameter isAllowed: Whether the settings allow that. Then the approval only has to say so.
    static func campaignOwnApproval(isAllowed: Bool) -> OperationError {
        let remedy =
            isAllowed
            ? "To approve it with the same, add --approve-own (over HTTP approve_own: true)."
            : "To approve it with the same, set campaigns.approve_own to true, restart the server, and approve it with "
                + "--approve-own (over HTTP approve_own: true)."
        return OperationError(
            "extension_campaign_own_approval",
            "This key or operator drafted the campaign. Approve it with another one. \(remedy)",
            kind: .conflict
        )
    }

    /// The step is not possible in the campaign's state.
    static func campaignState(_ state: ExtensionCampaign.State, _ remedy: String) -> OperationError {
        OperationError(
            "extension_campaign_\(state.rawValue)",
            "The campaign is \(state.text). \(remedy)",
            kind: .conflict
        )
    }

    static let campaignsTooMany = OperationError(
        "extension_campaigns_busy",
        "\(ExtensionCampaigns.openMax) campaigns or dry runs are open. Wait until one ends, or cancel one. "
            + "Then send it again.",
        kind: .unavailable
    )
}

extension OperationError {
    /// Whether what is against an extension may be over soon.
    var passes: Bool { self == OperationError(.renewalAwaited) || self == .extensionInDoubt }

    /// Answers of Apple were lost, so that others are not asked for now.
    static let answerLost = OperationError(
        "app_store_unavailable",
        "An answer of the App Store Server API was lost. The server finds out what happened to that member, and asks "
            + "about the others later.",
        kind: .unavailable
    )

    /// The same error about a call that the server repeats by itself. Earlier calls of the campaign had an effect.
    ///
    /// - Parameter ofOrder: Whether the call was an order, which Apple may have got.
    func repeatedByCampaign(ofOrder: Bool) -> OperationError {
        let again = "The server asks again by itself."
        let remedy = ofOrder ? "It is not known whether Apple has the order. \(Self.orderIsSentAgain)" : again
        // Only an earlier attempt may have reached Apple.
        let refused = ofOrder ? "Apple did not take this attempt. \(Self.orderIsSentAgain)" : again
        let text =
            switch code {
            case "app_store_unavailable": "Apple does not answer, or asks to try again. \(remedy)"
            case "app_store_rate_limited": "Apple's limit for this call is reached. \(refused)"
            case "app_store_busy": "As many calls as this server allows are open. \(refused)"
            default: ofOrder ? "\(message) \(remedy)" : message
            }
        var error = OperationError(
            code,
            text,
            kind: kind,
            parameter: parameter,
            isRetryable: isRetryable,
            detail: detail
        )
        (error.isRepeatAsked, error.retryAt) = (isRepeatAsked, retryAt)
        return error
    }

    private static let orderIsSentAgain =
        "If Apple has the order, it carries it out. The server sends the order again by itself, under the same "
        + "identifier. To extend nobody else, cancel the campaign: that does not stop an order that Apple has."

    static let campaignCancelled = OperationError(
        "extension_campaign_cancelled",
        "The campaign was cancelled before Apple had the order.",
        kind: .conflict
    )

    /// Whether Apple has an order of a cancelled campaign is not known.
    static let orderUnconfirmed = OperationError(
        MassExtensionOrder.unfinished,
        "The campaign was cancelled, and Apple did not say within a week whether it has the order. Apple may still "
            + "carry it out.",
        kind: .conflict
    )
}

extension ExtensionCampaign.State {
    fileprivate var text: String {
        switch self {
        case .draft: "a draft"
        case .approved: "approved already"
        case .running: "running"
        case .finished: "finished"
        case .cancelled: "cancelled"
        }
    }
}
