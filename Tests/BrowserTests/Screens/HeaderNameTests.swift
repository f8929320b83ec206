import Browser
import Terminal
import TestSupport
import Testing

@Suite("The name of a column in its head", .gated)
struct HeaderNameTests {
  @Test(
    "is broken between its words where it does not fit on one line",
    arguments: [
      ("TrackId", "◆", 8, ["TrackId"]), ("TrackId", "◆", 5, ["Track", "Id"]), ("MediaTypeId", "→", 7, ["Media", "TypeId"]),
      ("MediaTypeId", "→", 9, ["Media", "TypeId"]), ("album_id", "", 6, ["album_", "id"]), ("Unit Price", "", 5, ["Unit", "Price"]),
      ("Milliseconds", "", 8, ["Millise…"]), ("QuantityPerUnit", "", 9, ["Quantity", "PerUnit"]), ("", "→", 3, [""]),
      ("ABC", "", 2, ["A…"]), ("long_column_name_of_all", "", 8, ["long_", "column_…"]), ("__", "", 1, ["…"]),
    ])
  func lines(name: String, marks: String, columns: Int, lines: [String]) {
    #expect(HeaderName(name: name, marks: marks, rows: 2).lines(columns: columns, ellipsis: "…") == lines)
  }

  @Test("needs no more cells than its words, of a long word the beginning; on one line it needs more")
  func widths() {
    let name = HeaderName(name: "MediaTypeId", marks: "→", rows: 2)
    #expect((name.leastWidth, name.readableWidth, name.width) == (7, 7, 12))
    #expect(HeaderName(name: "MediaTypeId", marks: "→", rows: 1).leastWidth == 9)
    let word = HeaderName(name: "Milliseconds", marks: "▼", rows: 2)
    #expect((word.leastWidth, word.readableWidth, word.width) == (9, 13, 13))
    #expect(HeaderName(name: "id", marks: "", rows: 2).leastWidth == 2)
  }

  @Test("has all of its letters wherever it is broken")
  func whole() {
    for name in ["TrackId", "a_b_c", "x y", "日本Id", "aB", "Aa Bb_CcDd"] {
      for columns in 0...14 {
        let lines = HeaderName(name: name, marks: "→", rows: 2).lines(columns: columns, ellipsis: "…")
        let letters = lines.joined().filter { $0 != " " }
        #expect(letters == name.filter { $0 != " " } || lines.last?.hasSuffix("…") == true || columns < 2, "\(name) in \(columns)")
        #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= columns }, "\(name) in \(columns)")
      }
    }
  }

  @Test(
    "stands above the type, of which its size is left out first, and a beginning that says nothing",
    arguments: [
      ("integer", 7, "integer"), ("integer", 6, "int"), ("integer", 2, ""), ("nvarchar(200)", 9, "nvarchar"),
      ("nvarchar(200)", 7, "nvarch…"), ("datetime", 4, ""), ("numeric(10,2)", 13, "numeric(10,2)"), ("", 3, ""),
    ])
  func types(type: String, columns: Int, text: String) {
    #expect(HeaderType.text(type, columns: columns, ellipsis: "…") == text)
  }
}
