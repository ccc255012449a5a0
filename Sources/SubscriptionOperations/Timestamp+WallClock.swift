import Foundation
package import SubscriptionCore

extension Timestamp {
    /// The wall clock of this machine, read now.
    package static var wallClock: Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
