import AppStoreModel

extension JWSTransactionDecodedPayload {
    /// What the customer paid in total.
    ///
    /// - Source: App Store Server Notifications, `multiSeatInfo`: with it, `price` is the average price of a seat.
    var totalPrice: Int64? {
        guard let multiSeatInfo else { return price }
        return SeatPriceTier.total(of: multiSeatInfo.priceTiers, seats: Int64(quantity), average: price)
    }
}

extension JWSRenewalInfoDecodedPayload {
    /// What the next renewal costs in total; nil if it is for an unknown number of seats.
    ///
    /// - Source: App Store Server Notifications, `multiSeatInfo`: with it, `renewalPrice` is the average price of a
    ///   seat, and `renewalQuantity` is the number of seats.
    var totalRenewalPrice: Int64? {
        guard let multiSeatInfo else { return renewalPrice }
        let seats = renewalQuantity.map { Int64($0) }
        return SeatPriceTier.total(of: multiSeatInfo.renewalPriceTiers, seats: seats, average: renewalPrice)
    }
}

extension SeatPriceTier {
    /// The price of all seats: the sum of the tiers if they describe all seats, otherwise that of the average. Nil if
    /// neither is known, or if the price needs more than 64 bits.
    fileprivate static func total(of tiers: [SeatPriceTier]?, seats: Int64?, average: Int64?) -> Int64? {
        let tiers = tiers ?? []
        let described = tiers.reduce(into: 0 as Int64) { $0 += Int64($1.quantity ?? 0) }
        guard !tiers.isEmpty, tiers.allSatisfy({ $0.price != nil && $0.quantity != nil }),
            described == seats ?? described
        else {
            guard let average, let seats else { return nil }
            return product(average, seats)
        }
        return tiers.reduce(into: 0 as Int64?) { sum, tier in
            guard let subtotal = sum, let more = product(tier.price ?? 0, Int64(tier.quantity ?? 0)) else {
                return sum = nil
            }
            let (whole, isTooMuch) = subtotal.addingReportingOverflow(more)
            sum = isTooMuch ? nil : whole
        }
    }

    private static func product(_ price: Int64, _ count: Int64) -> Int64? {
        let (product, isTooMuch) = price.multipliedReportingOverflow(by: count)
        return isTooMuch ? nil : product
    }
}
