import QuarryEngine
import Testing

@Suite struct ExportFormatTests {
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

  @Test func `TSV keeps a row on its line`() {
    #expect(ExportFormat.tsv.text(columns: ["a", "b"], rows: [[.text("x\ty\r\n\\"), .null]]) == "a\tb\nx\\ty\\r\\n\\\\\t\n")
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

  @Test func `infinities are strings in JSON and read back as infinities elsewhere`() {
    let row: [DatabaseValue] = [.real(.infinity), .real(-.infinity)]
    #expect(ExportFormat.ndjson.text(columns: ["a", "b"], rows: [row]) == "{\"a\":\"9e999\",\"b\":\"-9e999\"}\n")
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

  @Test func `INSERT statements quote names and texts`() {
    #expect(
      ExportFormat.sql.text(
        columns: ["a\"b", "c"], rows: [[.text("it's"), .null], [.text("a\u{0}b"), .blob([])]], table: "Order Details") == """
          INSERT INTO "Order Details"("a""b",c) VALUES('it''s',NULL);
          INSERT INTO "Order Details"("a""b",c) VALUES(CAST(x'610062' AS TEXT),x'');

          """)
  }

  @Test(arguments: [
    (ExportFormat.csv, "a,b\n"), (.tsv, "a\tb\n"), (.json, "[]\n"), (.ndjson, ""), (.markdown, "| a | b |\n| --- | --- |\n"), (.sql, ""),
  ])
  func `no rows leave the header`(format: ExportFormat, expected: String) {
    #expect(format.text(columns: ["a", "b"], rows: []) == expected)
  }
}
