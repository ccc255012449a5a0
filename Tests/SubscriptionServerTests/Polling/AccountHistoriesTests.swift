import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import SubscriptionCore
import Testing

@testable import SubscriptionOperations

/// The pages of long histories, which are kept in memory between two looks.
@Suite(.timeLimit(.minutes(2)))
struct `Histories in memory` {
    private static let first = OriginalTransactionID("2000000000000001")
    private static let second = OriginalTransactionID("2000000000000002")

    private struct Scene {
        let store = ScriptedAppStore()
        let apple: SignedApple
        let histories: AccountHistories

        init(bytesMax: Int) throws {
            apple = try SignedApple()
            let app = AppIdentity(
                bundleId: ServerFixture.bundle,
                appAppleId: ServerFixture.appleID,
                environment: .production
            )
            let inquiry = StatusInquiry(
                verifier: SignedDataVerifier(roots: [apple.authority.trustedRoot], apps: [app]),
                access: try store.access(to: ServerFixture.bundle),
                metrics: IntakeMetrics(),
                time: FollowedTimeSource(Timestamp(milliseconds: ServerFixture.now))
            )
            let pace = QueryPace(PollingSettings(queriesPerSecond: 10), clock: ImmediateClock())
            histories = AccountHistories(inquiry: inquiry, pace: pace, bytesMax: bytesMax)
        }

        /// Takes one look at a history of more than 100 pages: the first look does not reach the end, and a second one
        /// does if it continues.
        ///
        /// - Returns: Whether the end was reached.
        func look(at purchase: OriginalTransactionID) async throws -> Bool {
            let path = "/inApps/v2/history/\(purchase.rawValue)"
            store.setEndless(path, transaction: try apple.sign(SignedApple.period()))
            switch await histories.read(of: purchase, app: ServerFixture.app) {
            case .read: return true
            case .unfinished: return false
            case .failed(let error): throw error
            }
        }
    }

    @Test func `are all continued while there is space for them`() async throws {
        let scene = try Scene(bytesMax: 64 << 20)
        #expect(try await scene.look(at: Self.first) == false)
        #expect(try await scene.look(at: Self.second) == false)
        #expect(try await scene.look(at: Self.first))
        #expect(try await scene.look(at: Self.second))
    }

    /// A hundred pages of one transaction are larger than a byte.
    @Test func `are kept one at a time if there is no space for more`() async throws {
        let scene = try Scene(bytesMax: 1)
        #expect(try await scene.look(at: Self.first) == false)
        #expect(try await scene.look(at: Self.second) == false)
        #expect(try await scene.look(at: Self.second) == false, "it was not kept")
        // The end of the first one frees its space.
        #expect(try await scene.look(at: Self.first))
        #expect(try await scene.look(at: Self.second) == false)
        #expect(try await scene.look(at: Self.second))
    }
}
