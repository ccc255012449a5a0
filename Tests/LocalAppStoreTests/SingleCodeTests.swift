import Testing

@testable import LocalAppStore

@Suite struct `Single codes` {
    @Test(arguments: [0, 7, UInt64.max]) func `a code gives its number, and no two are equal`(seed: UInt64) {
        var texts: Set<String> = []
        for number in Array(0..<2_000) + [24_999, 999_999, 1 << 39] {
            let text = SingleCode.text(number: number, seed: seed)
            #expect(text.utf8.count == 18)
            #expect(SingleCode.number(of: text, seed: seed) == number)
            #expect(SingleCode.number(of: text, seed: seed &+ 1) == nil)
            texts.insert(text)
        }
        #expect(texts.count == 2_003)
    }

    @Test func `a code with one wrong character is invalid`() {
        let text = Array(SingleCode.text(number: 41, seed: 7).utf8)
        for position in text.indices {
            for other in "ABZ239I0-".utf8 where other != text[position] {
                var wrong = text
                wrong[position] = other
                #expect(SingleCode.number(of: String(decoding: wrong, as: UTF8.self), seed: 7) == nil)
            }
        }
        for wrong in ["", "SPRING26", String(repeating: "A", count: 18), String(repeating: "Ä", count: 9)] {
            #expect(SingleCode.number(of: wrong, seed: 7) == nil)
        }
    }
}
