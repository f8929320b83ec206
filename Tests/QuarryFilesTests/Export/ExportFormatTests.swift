import QuarryEngine
import QuarryFiles
import TestSupport
import Testing

@Suite(.gated) struct ExportFormatTests {
  private let values: [DatabaseValue] = [.null, .integer(-7), .real(1), .text(""), .text("it's \"so\""), .blob([0, 0xff])]
  private let columns = ["a", "b c", "d", "e", "f", "g"]

  @Test func `CSV quotes as the sqlite3 shell does`() {
    #expect(
      ExportFormat.csv.text(columns: columns, rows: [values]) == """
        a,"b c",d,e,f,g
        ,-7,1.0,"","it's ""so""\",x'00ff'

        """)
    #expect(
      ExportFormat.csv.text(columns: ["a"], rows: [[.text("1,2")], [.text("é")], [.text("a\nb")], [.text("x-y_z")]]) == """
        a
        "1,2"
        "é"
        "a
        b"
        x-y_z

        """)
  }

  @Test func `TSV has quotes where a value would be read otherwise without them, and backslashes as they are`() {
    let rows: [[DatabaseValue]] = [[.text("x\ty\r\n\""), .null], [.text(#"C:\temp\new, "x" "#), .text("")], [.text("\"q"), .text("é")]]
    #expect(
      ExportFormat.tsv.text(columns: ["a\t", "b"], rows: rows)
        == "\"a\t\"\tb\n\"x\ty\r\n\"\"\"\t\nC:\\temp\\new, \"x\" \t\"\"\n\"\"\"q\"\té\n")
  }

  @Test func `JSON is an array of objects`() {
    #expect(
      ExportFormat.json.text(columns: ["a", "b"], rows: [[.integer(1), .null], [.real(0.5), .blob([1, 2, 3, 4])]])
        == "[{\"a\":1,\"b\":null},\n{\"a\":0.5,\"b\":{\"blob\":\"AQIDBA==\"}}]\n")
  }

  @Test func `JSON escapes what a string cannot hold as it is`() {
    #expect(
      ExportFormat.ndjson.text(columns: ["\"k\\"], rows: [[.text("a\u{0}\u{1}\u{1b}\u{7f}\n\r\t\"\\/é😀")]])
        == #"{"\"k\\":"a\u0000\u0001\u001b\u007f\n\r\t\"\\/é😀"}"# + "\n")
  }

  @Test func `infinities are numbers that are too great for any reader, and so read back as infinities`() {
    let row: [DatabaseValue] = [.real(.infinity), .real(-.infinity)]
    #expect(ExportFormat.ndjson.text(columns: ["a", "b"], rows: [row]) == "{\"a\":9e999,\"b\":-9e999}\n")
    #expect(ExportFormat.csv.text(columns: ["a", "b"], rows: [row]) == "a,b\n9e999,-9e999\n")
    #expect(ExportFormat.sql.text(columns: ["a"], rows: [[.real(.infinity)]]) == "INSERT INTO result(a) VALUES(9e999);\n")
  }

  @Test func `a NaN, which SQLite cannot store, is NULL`() {
    #expect(ExportFormat.ndjson.text(columns: ["a"], rows: [[.real(.nan)]]) == "{\"a\":null}\n")
  }

  @Test func `columns of one name are told apart in JSON`() {
    #expect(
      ExportFormat.ndjson.text(columns: ["id", "id", "id:1", "id"], rows: [[.null, .null, .null, .null]])
        == "{\"id\":null,\"id:2\":null,\"id:1\":null,\"id:3\":null}\n")
  }

  @Test func `Markdown shows values as they are`() {
    #expect(
      ExportFormat.markdown.text(columns: ["user_id", "b"], rows: [[.text("a|b\nc"), .null], [.text("_x_ *<b>*"), .blob([1])]]) == """
        | user_id | b |
        | --- | --- |
        | a\\|b<br>c | NULL |
        | \\_x\\_ \\*\\<b\\>\\* | x'01' |

        """)
  }

  @Test func `HTML is a whole table, in which no value is markup, and NULL and blobs are told from texts`() {
    let rows: [[DatabaseValue]] = [
      [.text("<b>\"x\" & y</b>\r\nz\u{1b}"), .null, .integer(-7)], [.text("NULL"), .blob([1, 0xff]), .real(0.5)],
    ]
    #expect(
      ExportFormat.html.text(columns: ["a<", "b", "c"], rows: rows) == """
        <table>
        <thead>
        <tr><th scope="col">a&lt;</th><th scope="col">b</th><th scope="col">c</th></tr>
        </thead>
        <tbody>
        <tr><td>&lt;b&gt;&quot;x&quot; &amp; y&lt;/b&gt;<br>z␛</td><td><span class="null">NULL</span></td><td class="number">-7</td></tr>
        <tr><td>NULL</td><td><span class="blob">x'01ff'</span></td><td class="number">0.5</td></tr>
        </tbody>
        </table>

        """)
  }

  @Test(arguments: [
    ("a.csv", ExportFormat.csv), ("a.b/c.TSV", .tsv), ("x.tab", .tsv), ("x.json", .json), ("x.jsonl", .ndjson), ("x.ndjson", .ndjson),
    ("x.md", .markdown),
    ("x.htm", .html), ("x.sql", .sql), ("csv", nil), ("a.csv/b", nil), ("a.txt", nil), ("", nil),
  ])
  func `the ending of a path says the format`(path: String, format: ExportFormat?) {
    #expect(ExportFormat(pathEnding: path) == format)
    if let format { #expect(ExportFormat(pathEnding: "x." + format.ending) == format) }
  }

  @Test func `INSERT statements quote names and texts`() {
    #expect(
      ExportFormat.sql.text(
        columns: ["a\"b", "c"], rows: [[.text("it's"), .null], [.text("a\u{0}b"), .blob([])]], table: "Order Details") == """
          INSERT INTO "Order Details"("a""b",c) VALUES('it''s',NULL);
          INSERT INTO "Order Details"("a""b",c) VALUES(replace('a\\0b','\\0',char(0)),x'');

          """)
  }

  @Test(arguments: [
    (ExportFormat.csv, "a,b\n"), (.tsv, "a\tb\n"), (.json, "[]\n"), (.ndjson, ""), (.markdown, "| a | b |\n| --- | --- |\n"),
    (.html, "<table>\n<thead>\n<tr><th scope=\"col\">a</th><th scope=\"col\">b</th></tr>\n</thead>\n<tbody>\n</tbody>\n</table>\n"),
    (.sql, ""),
  ])
  func `no rows leave the header`(format: ExportFormat, expected: String) {
    #expect(format.text(columns: ["a", "b"], rows: []) == expected)
  }
}

@Suite(.gated) struct RowExporterTests {
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

  @Test(arguments: ExportFormat.allCases)
  func `rows on many pages, with large values among them, are written as those on one`(format: ExportFormat) throws {
    let sql = """
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 20000)
      SELECT x, x / 7.0, 'row ' || x || char(34, 9), CASE WHEN x % 3 THEN zeroblob(x % 5) END,
        CASE WHEN x % 4000 = 1 THEN hex(zeroblob(50000)) WHEN x % 4000 = 2 THEN zeroblob(100000) ELSE '' END
      FROM n
      """
    let (columns, rows) = try makeDatabase().read { db in
      let statement = try db.makeStatement(sql: sql)
      return (statement.columnNames, try Row.fetchAll(statement).map { try $0.databaseValues })
    }
    let written = try export(format, sql).bytes
    #expect(String(decoding: written, as: UTF8.self) == format.text(columns: columns, rows: rows))
  }

  @Test func `rows written before a failure are handed on without the format's end`() throws {
    var text = ""
    let exporter = RowExporter(.json, columns: ["a"]) { text += String(decoding: $0, as: UTF8.self) }
    try exporter.write([.integer(1)])
    try exporter.flush()
    #expect(text == #"[{"a":1}"#)
  }

  @Test(arguments: [1, 2, 3])
  func `what the sink throws ends the export`(calls: Int) throws {
    struct Full: Error {}
    var room = calls
    let exporter = RowExporter(.csv, columns: ["a", "b"]) { _ in
      room -= 1
      if room == 0 { throw Full() }
    }
    try makeDatabase().read { db in
      let sql = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x, hex(zeroblob(x % 40000)) FROM n"
      let statement = try db.makeStatement(sql: sql)
      #expect(throws: Full.self) { while try statement.step() { try exporter.write(statement) } }
    }
  }
}

@Suite(.gated) struct RealTextTests {
  private func text(_ value: Double) -> String {
    String(ExportFormat.csv.text(columns: ["a"], rows: [[.real(value)]]).dropFirst(2).dropLast())
  }

  @Test(
    arguments: [
      (0.0, "0.0"), (-0.0, "-0.0"), (1, "1.0"), (-1.5, "-1.5"), (0.1, "0.1"), (0.99, "0.99"), (1234.5678, "1234.5678"), (0.0001, "0.0001"),
      (0.00001, "1.0e-05"), (0.00012345, "0.00012345"), (123_456_789_012_345, "123456789012345.0"), (1e14, "100000000000000.0"),
      (1e15, "1.0e+15"), (1e100, "1.0e+100"), (.leastNonzeroMagnitude, "5.0e-324"), (1.7976931348623157e308, "1.7976931348623157e+308"),
      (0.1 + 0.2, "0.30000000000000004"), (1.0 / 3, "0.3333333333333333"), (12.000001, "12.000001"),
      (99_999_999_999.9999, "99999999999.9999"),
    ] as [(Double, String)])
  func `a real is written in the shell's shape`(value: Double, expected: String) {
    #expect(text(value) == expected)
  }

  @Test func `every real reads back the same`() {
    for index in 1...20_000 as ClosedRange<UInt64> {
      let bits = index &* 0x9e37_79b9_7f4a_7c15
      let value = Double(bitPattern: bits)
      if value.isFinite { #expect(Double(text(value))?.bitPattern == value.bitPattern) }
      let price = Double(bits % 1_000_000_000) / 10_000
      #expect(Double(text(price)) == price)
    }
  }

  @Test func `every integer is written whole`() {
    let integers: [Int64] = [0, 9, 10, -1, 1_000_000, .max, .min]
    #expect(
      ExportFormat.csv.text(columns: ["a"], rows: integers.map { [.integer($0)] })
        == "a\n" + integers.map { "\($0)\n" }.joined())
  }
}
