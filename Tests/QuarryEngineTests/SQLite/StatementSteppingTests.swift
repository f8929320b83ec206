import Foundation
import QuarryEngine
import TestSupport
import Testing

@Suite("Binding and stepping", .gated)
struct StatementSteppingTests {
  private let queue: DatabaseQueue

  init() throws {
    queue = try makeDatabase(
      "CREATE TABLE logs (level TEXT, message TEXT, created_at TEXT)", "CREATE TABLE orders (id INTEGER, customer_id, created_by)")
  }

  @Test("values are bound by index from 1, stepped, reset and stepped again")
  func byIndex() throws {
    let rows = try queue.write { db throws in
      let insert = try db.makeStatement(sql: "INSERT INTO logs(level, message, created_at) VALUES (?, ?, ?)")
      try insert.bind("info", at: 1)
      try insert.bind("Cache warmed", at: 2)
      try insert.bind(Date(timeIntervalSince1970: 0), at: 3)
      #expect(try !insert.step())
      try insert.reset()
      try insert.bind("Cache cold", at: 2)
      try insert.step()
      return try Row.fetchAll(db, sql: "SELECT * FROM logs").map(\.description)
    }
    #expect(
      rows == [
        #"[level:"info" message:"Cache warmed" created_at:"1970-01-01 00:00:00.000"]"#,
        #"[level:"info" message:"Cache cold" created_at:"1970-01-01 00:00:00.000"]"#,
      ])
  }

  @Test("a numbered placeholder defines its own index")
  func numbered() throws {
    try queue.read { db throws in
      let select = try db.makeStatement(sql: "SELECT ?3 AS c, ?1 AS a")
      #expect(select.parameterCount == 3)
      #expect(select.parameterName(at: 3) == "?3" && select.parameterName(at: 2) == nil && select.parameterName(at: 4) == nil)
      try select.bind("c", by: "?3")
      try select.bind("a", at: 1)
      #expect(try select.step())
      #expect(try select.currentRow()?.description == #"[c:"c" a:"a"]"#)
    }
  }

  @Test("values are bound by the whole token, and one binding serves all its places")
  func byName() throws {
    try queue.write { db throws in
      try db.execute(sql: "INSERT INTO orders VALUES (1, 42, 7), (2, 7, 42), (3, 7, 7)")
      let sales = try db.makeStatement(
        sql: "SELECT id FROM orders WHERE customer_id = :client OR created_by = :client LIMIT @limit + $more")
      #expect(sales.parameterCount == 3)
      try sales.bind(42, by: ":client")
      try sales.bind(50, by: "@limit")
      try sales.bind(0, by: "$more")
      #expect(sales.parameterIndex(named: "@limit") == 2 && sales.parameterIndex(named: "limit") == nil)
      var ids: [Int] = []
      while try sales.step() { ids.append(try sales.columnValue(at: 0)) }
      #expect(ids == [1, 2])
      expectError(DatabaseError.SQLITE_MISUSE) { try sales.bind(1, by: "client") }
    }
  }

  @Test("positional and named placeholders are numbered in the order in which they appear")
  func mixed() throws {
    try queue.read { db throws in
      let search = try db.makeStatement(sql: "SELECT ?, ?, ?, :since")
      #expect(search.parameterIndex(named: ":since") == 4)
      for index in 1...3 { try search.bind(index, at: index) }
      try search.bind("now", by: ":since")
      #expect(try search.step())
      #expect(try (0..<4).map { try search.columnValue(at: $0) as DatabaseValue } == [.integer(1), .integer(2), .integer(3), .text("now")])
    }
  }

  @Test("a statement that ran to its end must be reset before it is stepped again")
  func stepAfterEnd() throws {
    try queue.read { db throws in
      let select = try db.makeStatement(sql: "SELECT 1")
      #expect(try select.step())
      #expect(try !select.step())
      #expect(try select.currentRow() == nil)
      expectError(DatabaseError.SQLITE_MISUSE) { try select.step() }
      try select.reset()
      #expect(try select.step())
    }
  }

  @Test("a value that is bound by hand replaces one argument, and the others stay")
  func byHandAfterArguments() throws {
    try queue.read { db throws in
      let sql = "SELECT ?1, :b"
      func values(_ statement: Statement) throws -> [DatabaseValue] {
        try statement.bind(9, at: 2)
        return try #require(try Row.fetchOne(statement)).databaseValues
      }
      let expected: [DatabaseValue] = [.integer(1), .integer(9)]
      let set = try db.makeStatement(sql: sql)
      set.arguments = [1, 2]
      #expect(try values(set) == expected)
      try set.setArguments([1, 3])
      #expect(try values(set) == expected)
      set.setUncheckedArguments([1])
      #expect(try values(set) == expected)
      #expect(try values(db.makeStatement(literal: "SELECT \(1), \(2)")) == expected)
      #expect(try values(db.cachedStatement(literal: "SELECT \(1), \(2)")) == expected)
      #expect(try values(#require(try db.allStatements(sql: "SELECT ?, ?", arguments: [1, 2]).next())) == expected)
      let open = try db.makeStatement(literal: "SELECT \(1), ?, ?")
      open.arguments = [2, 3]
      try open.bind(9, at: 3)
      #expect(try Row.fetchOne(open)?.databaseValues == [.integer(1), .integer(2), .integer(9)])
    }
  }

  @Test("arguments that do not match are refused before a single value is bound, and are not in errors after it")
  func byHandAfterWrongArguments() throws {
    var configuration = Configuration()
    configuration.errorsKeepArguments = true
    try DatabaseQueue(configuration: configuration).write { db in
      try db.execute(sql: "CREATE TABLE t(a NOT NULL, b)")
      let insert = try db.makeStatement(sql: "INSERT INTO t VALUES (:a, :b)")
      insert.arguments = ["zzz": 1]
      let refused = expectError(DatabaseError.SQLITE_MISUSE) { try insert.bind(9, by: ":b") }
      #expect(refused?.message == "missing statement arguments: a, b")
      insert.arguments = ["a": nil, "b": "former"]
      try insert.bind("secret", by: ":b")
      let failed = expectError(DatabaseError.SQLITE_CONSTRAINT) { try insert.execute() }
      #expect(failed?.expandedDescription.contains("former") == false)
    }
  }

  @Test("nothing is bound to a statement in the midst of a run")
  func bindWhileRunning() throws {
    try queue.read { db throws in
      let select = try db.makeStatement(sql: "SELECT ? UNION ALL SELECT 2")
      try select.bind("first", at: 1)
      _ = try select.step()
      expectError(DatabaseError.SQLITE_MISUSE) { try select.bind("other", at: 1) }
      expectError(DatabaseError.SQLITE_MISUSE) { try select.bind(1, at: 1) }
      #expect(try select.columnValue(at: 0) as String == "first")
    }
  }

  @Test("parameters and columns that are not there are out of range", arguments: [-1, 0, 2, (1 << 32) + 1, Int.max])
  func range(index: Int) throws {
    try queue.read { db throws in
      let select = try db.makeStatement(sql: "SELECT ?")
      expectError(DatabaseError.SQLITE_RANGE) { try select.bind(1, at: index) }
      expectError(DatabaseError.SQLITE_RANGE) { try select.bind("text", at: index) }
      _ = try select.step()
      expectError(DatabaseError.SQLITE_RANGE) { try select.columnValue(at: index == 0 ? 1 : index) as DatabaseValue }
      try select.reset()
      expectError(DatabaseError.SQLITE_MISUSE) { try select.columnValue(at: 0) as DatabaseValue }
    }
  }

  @Test("bindings stay when a statement is reset, and are NULL when they are cleared")
  func clearing() throws {
    try queue.read { db throws in
      let select = try db.makeStatement(sql: "SELECT ?")
      try select.bind(7, at: 1)
      _ = try select.step()
      try select.reset()
      _ = try select.step()
      #expect(try select.columnValue(at: 0) as Int == 7)
      try select.reset()
      try select.clearBindings()
      _ = try select.step()
      #expect(try select.columnStorageClass(at: 0) == .null)
      expectError(DatabaseError.SQLITE_MISUSE) { try select.execute() }
    }
  }

  @Test(
    "values survive the way in and out",
    arguments: [
      .null, .integer(.min), .integer(.max), .real(.infinity), .real(-.infinity), .real(.leastNonzeroMagnitude), .real(0.1), .text(""),
      .text("a\0b"),
      .text("\u{FEFF}äöü👨‍👩‍👧"),
      .text(String(repeating: "long ", count: 5000)), .blob([]), .blob([0, 255, 0]), .blob(Array(repeating: 7, count: 5000)),
    ] as [DatabaseValue])
  func roundTrip(value: DatabaseValue) throws {
    try queue.read { db throws in
      #expect(try DatabaseValue.fetchOne(db, sql: "SELECT ?", arguments: [value]) ?? .null == value)
      #expect(try String.fetchOne(db, sql: "SELECT typeof(?)", arguments: [value])?.uppercased() == value.storageClass.rawValue)
    }
  }

  @Test("an empty text, an empty blob and NULL are three values; NaN is NULL")
  func emptiness() throws {
    try queue.read { db throws in
      let row = try Row.fetchOne(db, sql: "SELECT ?, ?, ?, ?", arguments: ["", [UInt8](), nil, Double.nan])
      #expect(try row?.databaseValues == [.text(""), .blob([]), .null, .null])
    }
  }

  @Test("text that is not UTF-8 is never repaired: it is no String, and its bytes are all there")
  func malformedText() throws {
    try queue.read { db throws in
      let row = try #require(try Row.fetchOne(db, sql: "SELECT CAST(x'61ff62' AS TEXT) AS t"))
      #expect(try row.storageClass(at: 0) == .text)
      #expect(try row.bytes(at: 0) == [0x61, 0xFF, 0x62])
      let error = expectError(DatabaseError.SQLITE_MISMATCH) { try row["t"] as String }
      let message = #"column 0 ("t"): text that is not valid UTF-8 X'61FF62' cannot be read as String in the row [t:X'61FF62']"#
      #expect(error?.message == message)
      #expect(row.description == "[t:X'61FF62']")
      let statement = try db.makeStatement(sql: "SELECT CAST(x'61ff62' AS TEXT)")
      _ = try statement.step()
      #expect(try statement.withColumnBytes(at: 0) { Array($0) } == [0x61, 0xFF, 0x62])
      expectError(DatabaseError.SQLITE_MISMATCH) { try statement.columnValue(at: 0) as DatabaseValue }
    }
  }

  @Test("bytes are bound as a text as they are")
  func bindBytesAsText() throws {
    try queue.read { db throws in
      let select = try db.makeStatement(sql: "SELECT hex(?1), typeof(?1)")
      try [UInt8]([0x61, 0xFF]).withUnsafeBytes { try select.bindText($0, at: 1) }
      _ = try select.step()
      #expect(try select.currentRow()?.databaseValues == [.text("61FF"), .text("text")])
    }
  }

  @Test("a database in UTF-16 is read as UTF-8")
  func utf16() throws {
    let queue = try DatabaseQueue()
    try queue.withoutTransaction { db throws in
      try db.execute(sql: "PRAGMA encoding = 'UTF-16'; CREATE TABLE t (x)")
      try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: ["äöü\0👋"])
      #expect(try String.fetchOne(db, sql: "SELECT x FROM t") == "äöü\0👋")
    }
  }

  @Test("texts of any length are bound with all their bytes, one after the other")
  func lengths() throws {
    try DatabaseQueue().read { db in
      let select = try db.makeStatement(sql: "SELECT ?")
      for count in (0...130) + (0...130).reversed() {
        let text = String(decoding: (0..<count).map { UInt8(32 + ($0 * 7 + count) % 95) }, as: UTF8.self)
        for place in [0, count / 2, count] {
          for part in ["", "é"] {
            let bound = text.prefix(place) + part + text.dropFirst(place)
            try select.reset()
            try select.bind(String(bound), at: 1)
            try select.step()
            #expect(try select.columnText(at: 0) == bound)
          }
        }
      }
    }
  }

  @Test("a database in UTF-16 keeps U+FFFE and U+FFFF in texts of any length")
  func noncharacters() throws {
    let queue = try DatabaseQueue()
    try queue.withoutTransaction { db throws in
      try db.execute(sql: "PRAGMA encoding = 'UTF-16'; CREATE TABLE t (x)")
      let select = try db.makeStatement(sql: "SELECT ?")
      for (count, noncharacter) in (0...70).flatMap({ [($0, "\u{FFFE}"), ($0, "\u{FFFF}")] }) {
        for before in [0, count / 2, count] {
          let text = String(repeating: "a", count: before) + noncharacter + String(repeating: "b", count: count - before)
          try select.reset()
          try select.bind(text, at: 1)
          try select.step()
          #expect(try select.columnText(at: 0) == text)
        }
      }
    }
  }
}
