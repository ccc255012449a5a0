import Testing

@testable import PerennialCommands

@Suite struct `The list of keys` {
    @Test func `has a header, and shows what each key may do, its dates and its label`() {
        let rows = [
            KeyTable.Row(
                key: "sk_…3f9a",
                id: "key_1",
                kind: "secret",
                scope: "write",
                createdAt: 1_770_000_000_000,
                expiresAt: 1_770_000_001_000,
                isExpired: true,
                lastUsedAt: 1_770_000_000_000,
                label: "the \u{1B}[31mbackend"
            ),
            KeyTable.Row(
                key: "pk_…77c1",
                id: "key_2",
                kind: "publishable",
                scope: nil,
                createdAt: 1_770_000_001_000,
                expiresAt: nil,
                isExpired: false,
                lastUsedAt: nil,
                label: nil
            ),
        ]
        #expect(
            KeyTable(rows).lines == [
                "KEY       ID     KIND         SCOPE  CREATED               EXPIRES  LAST USED             LABEL",
                "sk_…3f9a  key_1  secret       write  2026-02-02T02:40:00Z  expired  2026-02-02T02:40:00Z  "
                    + #"the \u001b[31mbackend"#,
                "pk_…77c1  key_2  publishable  -      2026-02-02T02:40:01Z  -        -                     -",
            ]
        )
        #expect(KeyTable([]).lines == ["KEY  ID  KIND  SCOPE  CREATED  EXPIRES  LAST USED  LABEL"])
    }
}
