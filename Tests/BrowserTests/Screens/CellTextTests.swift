import Browser
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Values in cells that are too narrow for them", .gated)
struct CellTextTests {
  private static func cut(_ text: String, to columns: Int, showing needle: Needle?) -> String {
    CellText(.text(text, byteCount: text.utf8.count, isValid: true), glyphs: .unicode).cut(to: columns, showing: needle, ellipsis: "…")
  }

  @Test(
    "a real is written as it reads back",
    arguments: [(Double.infinity, "9e999"), (-.infinity, "-9e999"), (1e20, "1.0e+20"), (0.1, "0.1")])
  func real(number: Double, text: String) {
    #expect(CellText(.real(number), glyphs: .unicode).text == text)
    #expect(DatabaseValue.real(number).plainText == text)
  }

  @Test(
    "a match beyond the cut is shown with what stands around it",
    arguments: [
      ("the salt and the lantern", 10, "salt", "the salt …"), ("the salt and the lantern", 10, "LANTERN", "…e lantern"),
      ("the salt and the lantern", 12, "and", "…lt and the…"), ("the salt and the lantern", 24, "lantern", "the salt and the lantern"),
      ("the salt and the lantern", 10, "sugar", "the salt …"), ("無罪モラトリアム", 9, "トリ", "…トリアム"),
      ("the salt and the lantern", 4, "lantern", "…la…"), ("the salt and the lantern", 1, "lantern", "…"),
    ])
  func matches(text: String, columns: Int, needle: String, shown: String) {
    #expect(Self.cut(text, to: columns, showing: .text(needle)) == shown)
    #expect(Self.cut(text, to: columns, showing: .value(.text(needle))) == Self.cut(text, to: columns, showing: nil))
  }

  @Test(
    "of a blob the size is shown with its unit, or not at all",
    arguments: [
      (16, "blob 10.2 kB PNG"), (15, "blob 10.2 kB"), (12, "blob 10.2 kB"), (11, "10.2 kB"), (7, "10.2 kB"), (6, "blob"), (4, "blob"),
      (3, "…"), (0, ""),
    ])
  func blobs(columns: Int, shown: String) {
    let text = CellText(.blob([0x89, 0x50, 0x4E, 0x47], byteCount: 10_240), glyphs: .unicode)
    #expect(text.cut(to: columns, showing: nil, ellipsis: "…") == shown)
  }

  @Test(
    "dates are told from other texts",
    arguments: [
      ("2024-02-29", true), ("2024-02-29 00:00:00.000", true), ("2024-02-29T12:30:00.123456+01:00", true), ("2024-02-29 a day", false),
      ("2024-02", false), ("2024/02/29", false), ("0800-123-456", false), ("", false),
    ])
  func dates(text: String, isDate: Bool) {
    #expect(DateText.isDate(.text(text, byteCount: text.utf8.count, isValid: true)) == isDate)
  }

  @Test("dates with milliseconds are shown whole, and long texts beside them are cut", arguments: [60, 80, 120])
  func milliseconds(columns: Int) async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(
        in: folder, "CREATE TABLE t(id INTEGER PRIMARY KEY, note TEXT, made DATETIME, sent DATETIME)",
        "INSERT INTO t SELECT value, printf('%0120d', 1), '2024-02-29 12:30:0' || value || '.125', NULL FROM json_each('[1,2,3]')")
      try await onOwnThread {
        let driver = try SessionDriver(path: path, columns: columns, rows: 24)
        driver.press("tab")
        driver.screen.expectLine("2024-02-29 12:30:03.125")
        driver.screen.expectLine("sent")
      }
    }
  }
}
