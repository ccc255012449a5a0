extension BinaryInteger {
    /// The quotient rounded towards negative infinity, so that days before 1970 are correct.
    func dividedRoundingDown(by divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
