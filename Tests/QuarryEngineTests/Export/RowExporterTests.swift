import QuarryEngine
import TestSupport
import Testing

@Suite struct RowExporterTests {
  private func export(_ format: ExportFormat, _ sql: String) throws -> (bytes: [UInt8], chunks: Int) {
    var bytes: [UInt8] = []
    var chunks = 0
    try makeDatabase().read { db in
      let statement = try db.makeStatement(sql: sql)
      let exporter = RowExporter(format, columns: statement.columnNames) {
        bytes += $0
        chunks += 1
      }
      while try statement.step() { try exporter.write(statement) }
      try exporter.finish()
    }
    return (bytes, chunks)
  }

  @Test(arguments: ExportFormat.allCases)
  func `a statement's rows are written as their values are`(format: ExportFormat) throws {
    let values: [DatabaseValue] = [.null, .integer(7), .real(0.1), .text("é\u{0}\"'\n"), .text(""), .blob([0, 1]), .blob([])]
    let sql = "SELECT NULL AS a, 7 AS b, 0.1 AS c, 'é' || char(0, 34, 39, 10) AS d, '' AS e, x'0001' AS f, x'' AS g"
    let written = String(decoding: try export(format, sql).bytes, as: UTF8.self)
    #expect(written == format.text(columns: ["a", "b", "c", "d", "e", "f", "g"], rows: [values]))
  }

  @Test func `bytes that are no UTF-8 come out as they are, or in JSON as base64`() throws {
    let sql = "SELECT CAST(x'61ff' AS TEXT) AS a"
    #expect(try export(.csv, sql).bytes == Array("a\n\"a".utf8) + [0xff] + Array("\"\n".utf8))
    #expect(try export(.ndjson, sql).bytes == Array("{\"a\":{\"text\":\"Yf8=\"}}\n".utf8))
    #expect(try export(.sql, sql).bytes == Array("INSERT INTO result(a) VALUES(CAST(x'61ff' AS TEXT));\n".utf8))
  }

  @Test(arguments: ["c080", "e08080", "eda080", "f0808080", "f4908080", "f5808080", "80", "c3", "e282", "f09f98"])
  func `what only looks like UTF-8 is none`(hexadecimal: String) throws {
    let sql = "SELECT CAST(x'\(hexadecimal)' AS TEXT) AS a"
    #expect(String(decoding: try export(.ndjson, sql).bytes, as: UTF8.self).contains("{\"text\":"))
  }

  @Test func `many rows are handed on in chunks`() throws {
    let (bytes, chunks) = try export(
      .csv, "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 50000) SELECT x, 'abcdefgh' FROM n")
    #expect(bytes.split(separator: UInt8(ascii: "\n")).count == 50001)
    #expect((2...10).contains(chunks))
  }
}
