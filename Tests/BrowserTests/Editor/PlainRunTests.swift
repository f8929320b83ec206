import Terminal
import Testing

@testable import Browser

@Suite("Characters measured quickly")
struct PlainRunTests {
  @Test("are as wide as they are drawn, with and without a mark")
  func widths() {
    for value in Array(UInt32(0x20)..<0x3200) + stride(from: 0x3200, to: 0x1_0000, by: 41) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for text in ["a\(scalar)b", "a\(scalar)\u{301}b", "日\(scalar)\u{FE0F}"] {
        let line = TextLine(text: text)
        let width = text.reduce(0) { $0 + TextLine.columns(of: $1, at: $0) }
        if line.columns(before: line.count) != width { Issue.record("U+\(String(value, radix: 16))") }
      }
    }
  }

  @Test("a stop never exceeds the column and is where a character begins")
  func stops() {
    let line = TextLine(text: "SELECT 'abcdefgh', \t日本語e\u{301}©\u{FE0F}👨‍👩‍👧x\ty 한글\u{301} Ünïcode Кириллица")
    let places = line.text.indices.map { line.text.utf8.distance(from: line.text.startIndex, to: $0) } + [line.count]
    for column in 0..<100 {
      let stop = line.stop(atColumn: column)
      #expect(stop.column <= column && places.contains(stop.offset) && line.columns(before: stop.offset) == stop.column)
      #expect(stop.offset == line.count || line.stop(atColumn: column + 4).offset > stop.offset)
    }
  }
}
