import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Texts with a NUL are looked at whole, as those without are.
@Suite struct FilterNULTests {
  private static let texts = ["acct\0/home/a.db", "acct\0/Home/b.db", "acct", "\0", "", "a%b\0c_d", "é\0Ü", "50\0%", "x\0\0y"]

  private static func database() throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.withoutTransaction { db in
      try db.execute(sql: "CREATE TABLE r(k TEXT)")
      for text in texts { try db.execute(sql: "INSERT INTO r VALUES (?)", arguments: [text]) }
    }
    return queue
  }

  private static func found(_ filter: String, _ parameters: [String: DatabaseValue] = [:]) throws -> [String] {
    try database().read { db in
      let schema = try db.tableSchema(TableReference(name: "r"))
      let compiled = try Filter.compile(filter, columns: FilterColumns(of: schema, in: db), parameters: parameters)
      let condition = try #require(compiled.sqlText)
      return try String.fetchAll(db, sql: "SELECT k FROM r WHERE \(condition.sql)", arguments: condition.arguments)
    }
  }

  @Test(arguments: ["home", "b.db", "acct", "\0", "", "c_d", "%", "_", "Ü", "0\0%", "\0\0", "db"])
  func `contains, starts and ends look behind a NUL`(part: String) throws {
    func isSame(_ first: some StringProtocol, _ second: some StringProtocol) -> Bool { first.asciiFolded == second.asciiFolded }
    let expected: [(sign: String, matches: (String) -> Bool)] = [
      ("~", { part.isEmpty || $0.asciiFolded.contains(part.asciiFolded) }),
      ("!~", { !part.isEmpty && !$0.asciiFolded.contains(part.asciiFolded) }),
      ("^=", { isSame(String($0.unicodeScalars.prefix(part.unicodeScalars.count)), part) }),
      ("$=", { isSame(String($0.unicodeScalars.suffix(part.unicodeScalars.count)), part) }),
    ]
    for (sign, matches) in expected {
      let wanted = Self.texts.filter(matches)
      #expect(try Self.found("k \(sign) :part", ["part": .text(part)]) == wanted, "\(sign) \(part.debugDescription)")
      guard !part.utf8.contains(0) else { continue }
      #expect(try Self.found("k \(sign) '\(part)'") == wanted, "\(sign) '\(part)'")
    }
  }

  @Test(arguments: [
    ("k ~ Love", "(typeof(k) <> 'blob' AND instr(lower(k), 'love') > 0)"),
    ("k !~ x", "((typeof(k) = 'blob' OR instr(lower(k), 'x') = 0) OR (k IS NULL))"), ("k ^= E", "(k LIKE 'E%')"),
    ("k $= E", "(typeof(k) <> 'blob' AND substr(CAST(lower(k) AS BLOB), -length(CAST('e' AS BLOB))) = CAST('e' AS BLOB))"),
    ("k $= ''", "(typeof(k) <> 'blob' AND instr(lower(k), '') > 0)"), ("love", "(typeof(k) <> 'blob' AND instr(lower(k), 'love') > 0)"),
  ])
  func `a server is asked by functions of SQLite's own`(text: String, sql: String) throws {
    var columns = FilterColumns([FilterColumn("k", type: .text)])
    columns.isServed = true
    let filter = try Filter.compile(text, columns: columns)
    #expect(filter.sqlText?.queryString == sql)
    let found = try Self.database().read { db in try String.fetchAll(db, sql: "SELECT k FROM r WHERE \(sql)") }
    #expect(try found == Self.found(text))
  }

  @Test func `LIKE with ESCAPE is SQLite's own where no text has a NUL`() throws {
    let queue = try DatabaseQueue()
    let texts = ["", "a", "A", "ab", "a%b", "a_b", "%", "é", "É", "aXb", "abab", "axbxb", "\\"]
    let patterns = ["", "%", "_", "a%", "%b", "%a%b", "a\\%b", "a\\_b", "\\%", "é", "_b", "%%", "a%b%b", "\\\\", "a\\b", "%\\"]
    try queue.read { db in
      for text in texts {
        for pattern in patterns {
          func matches(_ text: String, _ pattern: String) throws -> Int? {
            try Int.fetchOne(db, sql: "SELECT ? LIKE ? ESCAPE '\\'", arguments: [text, pattern])
          }
          // A NUL at the same place of both changes nothing, and one that the pattern does not foresee matches nothing.
          let plain = try matches(text, pattern)
          #expect(try matches("\0" + text, "\0" + pattern) == plain, "\(text) LIKE \(pattern)")
          let foresees = pattern.first == "%" || pattern.first == "_"
          let expected = try foresees ? matches("x" + text, pattern) : 0
          #expect(try matches("\0" + text, pattern) == expected, "NUL \(text) LIKE \(pattern)")
        }
      }
      #expect(try Int.fetchOne(db, sql: "SELECT NULL LIKE 'a' ESCAPE '\\' IS NULL AND 'a' LIKE NULL ESCAPE '\\' IS NULL") == 1)
      #expect(try Int.fetchOne(db, sql: "SELECT 'a%' LIKE 'a%%' ESCAPE '%' AND 'ab' NOT LIKE 'a%%' ESCAPE '%'") == 1)
      #expect(throws: DatabaseError.self) { try Int.fetchOne(db, sql: "SELECT 'a' LIKE 'a' ESCAPE 'xy'") as Int? }
      #expect(try Int.fetchOne(db, sql: "SELECT 15 LIKE '1%' ESCAPE '\\'") == 1)
      // Builds of SQLite differ in whether a blob matches.
      #expect(try Int.fetchOne(db, sql: "SELECT (x'6162' LIKE 'AB' ESCAPE '\\') = (x'6162' LIKE 'AB')") == 1)
    }
  }
}

extension StringProtocol {
  /// The scalars, ASCII letters in lower case.
  fileprivate var asciiFolded: String {
    String(String.UnicodeScalarView(unicodeScalars.map { ("A"..."Z").contains($0) ? Unicode.Scalar(UInt8($0.value) | 0x20) : $0 }))
  }
}
