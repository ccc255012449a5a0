import AppStoreSigning
import AppStoreTestAuthorities
import Crypto
import Foundation
import SwiftASN1
import Synchronization
import Testing
import X509

/// A scripted OCSP responder: signed answers about the certificates of a test chain.
final class OCSPResponder: OCSPTransport {
    /// The reaction to a query.
    enum Behaviour: Sendable {
        /// Answers that the certificate is good.
        case good
        /// Answers that the certificate is revoked.
        case revoked
        /// Answers that the certificate is unknown.
        case unknown
        /// Does not answer.
        case unreachable
        /// Answers with data other than OCSP.
        case garbage
        /// Answers that it is too busy.
        case tryLater
        /// Answers "good" or "revoked" with an answer that expired an hour before the time.
        case outdated(revoked: Bool)
        /// Answers "good" or "revoked" with a signature of another key.
        case forged(revoked: Bool)
        /// Answers "good" to another query: the nonce differs.
        case replayed
        /// Answers "revoked" for every certificate that the intermediate issued and "good" for the intermediate.
        case leafRevoked
        /// Does not answer for the leaf and answers "revoked" for the intermediate.
        case intermediateRevoked
        /// Answers "good" until the query with a number, "revoked" to that one, and then stops answering.
        case revokedThenUnreachable(question: Int)
    }

    /// The error for a missing answer.
    struct Unreachable: Error {}

    private struct State {
        var behaviour: Behaviour
        var questions = 0
        var addresses: Set<String> = []
        var isOpen = true
        var waiting: [CheckedContinuation<Void, Never>] = []

        func behaviour(at question: Int) -> Behaviour {
            guard case .revokedThenUnreachable(let number) = behaviour else { return behaviour }
            return question < number ? .good : question == number ? .revoked : .unreachable
        }
    }

    /// Signs for an issuer.
    struct Signer: Sendable {
        let key: P384.Signing.PrivateKey
        let certificate: Certificate
    }

    private let root: Signer
    private let intermediate: Signer
    private let time: @Sendable () -> Int64
    private let state: Mutex<State>

    /// Answers for a chain at a time in milliseconds since 1970.
    init(
        chain: TestChain,
        keys: TestAuthorityKeys,
        behaviour: Behaviour,
        time: @escaping @Sendable () -> Int64
    ) throws {
        root = Signer(
            key: try P384.Signing.PrivateKey(pemRepresentation: keys.rootPEM),
            certificate: try Certificate(derEncoded: chain.root)
        )
        intermediate = Signer(
            key: try P384.Signing.PrivateKey(pemRepresentation: keys.intermediatePEM),
            certificate: try Certificate(derEncoded: chain.intermediate)
        )
        self.time = time
        state = Mutex(State(behaviour: behaviour))
    }

    /// The number of queries.
    var questions: Int { state.withLock { $0.questions } }

    /// Their URLs.
    var addresses: Set<String> { state.withLock { $0.addresses } }

    /// Changes the behaviour.
    func become(_ behaviour: Behaviour) {
        state.withLock { $0.behaviour = behaviour }
    }

    /// Delays queries from now on.
    func close() {
        state.withLock { $0.isOpen = false }
    }

    /// Answers the delayed queries, and later ones at once.
    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func post(_ request: [UInt8], to address: String) async throws -> [UInt8] {
        let behaviour = state.withLock { state in
            state.questions += 1
            state.addresses.insert(address)
            return state.behaviour(at: state.questions)
        }
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if goesOn { continuation.resume() }
        }
        return try answer(OCSPRequestReader(request), behaviour)
    }

    private func answer(_ question: OCSPRequestReader, _ behaviour: Behaviour) throws -> [UInt8] {
        let isAboutLeaf = try question.isAbout(issuer: intermediate.certificate)
        var signer = isAboutLeaf ? intermediate : root
        var answer = OCSPAnswer(question: question, status: .good, time: time())
        switch behaviour {
        case .good, .revokedThenUnreachable: break
        case .revoked: answer.status = .revoked
        case .unknown: answer.status = .unknown
        case .unreachable: throw Unreachable()
        case .garbage: return Array("<html>proxy</html>".utf8)
        case .tryLater: return [0x30, 0x03, 0x0A, 0x01, 0x03]
        case .outdated(let revoked):
            answer.status = revoked ? .revoked : .good
            answer.time -= 7 * 86_400_000
        case .forged(let revoked):
            answer.status = revoked ? .revoked : .good
            signer = Signer(key: P384.Signing.PrivateKey(), certificate: signer.certificate)
        case .replayed: answer.nonce = [0x04, 0x02, 0x12, 0x34]
        case .leafRevoked: answer.status = isAboutLeaf ? .revoked : .good
        case .intermediateRevoked:
            if isAboutLeaf { throw Unreachable() }
            answer.status = .revoked
        }
        return try answer.signed(by: signer)
    }
}

/// The parts of a query that an answer repeats.
struct OCSPRequestReader {
    /// The `CertID`, DER.
    let certificateID: [UInt8]
    /// The value of the nonce extension.
    let nonce: [UInt8]?

    /// Parses a query (RFC 6960, section 4.1.1).
    init(_ request: [UInt8]) throws {
        let root = try DER.parse(request)
        (certificateID, nonce) = try DER.sequence(root, identifier: .sequence) { nodes in
            try DER.sequence(try Self.next(&nodes), identifier: .sequence) { nodes in
                var node = try Self.next(&nodes)
                if node.identifier.tagClass == .contextSpecific { node = try Self.next(&nodes) }
                let certificateID = try DER.sequence(node, identifier: .sequence) { requests in
                    try DER.sequence(try Self.next(&requests), identifier: .sequence) { parts in
                        Array(try Self.next(&parts).encodedBytes)
                    }
                }
                let nonce = try DER.optionalExplicitlyTagged(&nodes, tagNumber: 2, tagClass: .contextSpecific) { node in
                    try DER.sequence(node, identifier: .sequence) { extensions in
                        Array(try Certificate.Extension(derEncoded: try Self.next(&extensions)).value)
                    }
                }
                return (certificateID, nonce)
            }
        }
    }

    private static func next(_ nodes: inout ASN1NodeCollection.Iterator) throws -> ASN1Node {
        let node = nodes.next()
        return try #require(node)
    }

    /// Whether the certificate in the query was issued under a name.
    func isAbout(issuer: Certificate) throws -> Bool {
        var serializer = DER.Serializer()
        try serializer.serialize(issuer.subject)
        let hash = Array(Insecure.SHA1.hash(data: serializer.serializedBytes))
        return certificateID.indices.contains { certificateID[$0...].starts(with: hash) }
    }
}

/// An answer to one query (RFC 6960, section 4.2.1), written out in DER.
struct OCSPAnswer {
    enum Status { case good, revoked, unknown }

    var certificateID: [UInt8]
    var nonce: [UInt8]?
    var status: Status
    /// When it was created, in milliseconds since 1970; it is valid for a day.
    var time: Int64

    init(question: OCSPRequestReader, status: Status, time: Int64) {
        certificateID = question.certificateID
        nonce = question.nonce
        self.status = status
        self.time = time
    }

    func signed(by signer: OCSPResponder.Signer) throws -> [UInt8] {
        let data = try responseData(responder: signer.certificate.subject)
        let signature = try signer.key.signature(for: SHA384.hash(data: data))
        let algorithm = DERBytes.sequence([0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03])
        let bits = DERBytes.wrap(0x03, [0x00] + Array(signature.derRepresentation))
        let basic = DERBytes.sequence(data + algorithm + bits)
        let basicType: [UInt8] = [0x06, 0x09, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01, 0x01]
        let bytes = DERBytes.sequence(basicType + DERBytes.wrap(0x04, basic))
        return DERBytes.sequence([0x0A, 0x01, 0x00] + DERBytes.wrap(0xA0, bytes))
    }

    private func responseData(responder: DistinguishedName) throws -> [UInt8] {
        var name = DER.Serializer()
        try name.serialize(responder)
        let statusBytes: [UInt8] =
            switch status {
            case .good: [0x80, 0x00]
            case .revoked: DERBytes.wrap(0xA1, DERBytes.time(time - 3_600_000))
            case .unknown: [0x82, 0x00]
            }
        let single = DERBytes.sequence(
            certificateID + statusBytes + DERBytes.time(time)
                + DERBytes.wrap(0xA0, DERBytes.time(time + 86_400_000))
        )
        var data = DERBytes.wrap(0xA1, name.serializedBytes) + DERBytes.time(time) + DERBytes.sequence(single)
        if let nonce {
            let oid: [UInt8] = [0x06, 0x09, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01, 0x02]
            let extensions = DERBytes.sequence(DERBytes.sequence(oid + DERBytes.wrap(0x04, nonce)))
            data += DERBytes.wrap(0xA1, extensions)
        }
        return DERBytes.sequence(data)
    }
}

/// Tag, length and content.
enum DERBytes {
    static func wrap(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            count < 0x80
            ? [UInt8(count)]
            : count < 0x100 ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
        return [tag] + length + content
    }

    static func sequence(_ content: [UInt8]) -> [UInt8] { wrap(0x30, content) }

    /// A GeneralizedTime.
    static func time(_ milliseconds: Int64) -> [UInt8] {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601)
        return wrap(0x18, Array(date.utf8.filter { (0x30...0x39).contains($0) }) + [UInt8(ascii: "Z")])
    }
}
