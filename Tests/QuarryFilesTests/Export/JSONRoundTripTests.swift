import QuarryEngine
import QuarryFiles
import TestSupport
import Testing

/// What is exported as JSON is imported as the same values.
@Suite(.gated) struct JSONRoundTripTests {
  /// Exports the rows of a SELECT, and reads them as a file.
  private func read(_ format: ExportFormat, _ sql: String) throws -> ReadFile {
    var bytes: [UInt8] = []
    try DatabaseQueue().read { db in
      let statement = try db.makeStatement(sql: sql)
      let exporter = RowExporter(format, columns: statement.columnNames) { bytes += $0 }
      while try statement.step() { try exporter.write(statement) }
      try exporter.finish()
    }
    return try ReadFile(bytes)
  }

  @Test(arguments: [ExportFormat.json, .ndjson])
  func `values of each storage class read back as they were`(format: ExportFormat) throws {
    let file = try read(
      format,
      """
      SELECT NULL AS a, 9223372036854775807 AS b, 9e999 AS c, -9e999 AS d, 0.1 AS e, 'é' || char(0, 10, 34, 92, 31) AS f, '' AS g,
        CAST(x'61ff' AS TEXT) AS h, x'00ff' AS i, x'' AS j, '{"blob":"AP8="}' AS k, '007' AS l, -0.0 AS m
      """)
    #expect(file.columns == ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"])
    #expect(
      file.rows == [
        [
          .null, .integer(.max), .real(.infinity), .real(-.infinity), .real(0.1), .text("é\0\n\"\\\u{1f}"), .text(""),
          .bytes([0x61, 0xff]),
          .blob([0, 0xff]), .blob([]), .text("{\"blob\":\"AP8=\"}"), .text("007"), .real(-0.0),
        ]
      ])
    #expect(file.faults.isEmpty && file.failure == nil)
  }
}
