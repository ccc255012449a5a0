import Testing

@testable import PerennialCommands

@Suite struct `The list of keys` {
    @Test func `has a header, and shows each key's kind, creation date and label`() {
        let rows = [
            KeyTable.Row(
                key: "sk_…3f9a",
                kind: "secret",
                createdAt: 1_770_000_000_000,
                label: "the \u{1B}[31mbackend"
            ),
            KeyTable.Row(key: "pk_…77c1", kind: "publishable", createdAt: 1_770_000_001_000, label: nil),
        ]
        #expect(
            KeyTable(rows).lines == [
                "KEY       KIND         CREATED               LABEL",
                #"sk_…3f9a  secret       2026-02-02T02:40:00Z  the \u001b[31mbackend"#,
                "pk_…77c1  publishable  2026-02-02T02:40:01Z  -",
            ]
        )
        #expect(KeyTable([]).lines == ["KEY  KIND  CREATED  LABEL"])
    }
}
