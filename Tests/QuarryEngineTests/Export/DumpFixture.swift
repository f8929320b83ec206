import QuarryEngine

/// Tables of any names, types and keys, with rows of any values.
enum RandomSchema {
  private static let names = ["a", "b c", "select", "x\"y", "q'r", "é", "ROWID", "oid", "1x", "A.b"]
  private static let pieces = ["a", "'", "\n", "\r", "\r\n", "\0", "é", "😀", "\\r", "\\0", ";", "--", "\"", "/*"]

  static func sql(_ random: inout SplitMix) -> String {
    let encoding = ["UTF-8", "UTF-8", "UTF-16le"].randomElement(using: &random) ?? "UTF-8"
    return "PRAGMA encoding = '\(encoding)';\n" + (1...3).map { table("\($0)", &random) }.joined()
  }

  private static func table(_ number: String, _ random: inout SplitMix) -> String {
    let name = SQLIdentifier.quoted((names.randomElement(using: &random) ?? "t") + number)
    let columns = names.shuffled(using: &random).prefix(Int.random(in: 1...5, using: &random)).map(SQLIdentifier.quoted)
    let types = ["", "TEXT", "INTEGER", "REAL", "BLOB", "NUMERIC"]
    let key =
      ["", "pk INTEGER PRIMARY KEY, ", "pk INTEGER PRIMARY KEY AUTOINCREMENT, ", "pk PRIMARY KEY, "].randomElement(using: &random) ?? ""
    let definitions = columns.map { "\($0) \(types.randomElement(using: &random) ?? "")" }.joined(separator: ", ")
    let isWithoutRowID = key.hasPrefix("pk PRIMARY KEY")
    let rows = (0..<Int.random(in: 0...8, using: &random)).map { row in
      let values = columns.map { _ in value(&random).sqlLiteral }.joined(separator: ", ")
      return "INSERT INTO \(name) VALUES (\(key.isEmpty ? "" : "\(row * row), ")\(values));\n"
    }
    return "CREATE TABLE \(name)(\(key)\(definitions))\(isWithoutRowID ? " WITHOUT ROWID" : "");\n" + rows.joined()
      + "CREATE INDEX \(SQLIdentifier.quoted("index" + number)) ON \(name)(\(columns[0]) DESC);\n"
  }

  private static func value(_ random: inout SplitMix) -> DatabaseValue {
    switch Int.random(in: 0...5, using: &random) {
    case 0: return .null
    case 1: return .integer([0, -1, .max, .min, 41].randomElement(using: &random) ?? 0)
    case 2:
      let real = Double(bitPattern: random.next())
      return real.isNaN ? .real(.infinity) : .real(real)
    case 3: return .blob((0..<5).map { _ in UInt8.random(in: 0...255, using: &random) })
    default: return .text((0..<6).map { _ in pieces.randomElement(using: &random) ?? "" }.joined())
    }
  }
}

/// All that a database has: its objects, the rows of its tables with their rowids and storage classes, and its settings.
struct DatabaseContents: Equatable {
  private var settings: [String] = []
  private var objects: [String] = []
  private var tables: [String: [String]] = [:]

  init(path: String) throws {
    try DatabaseQueue(path: path).read { db in
      settings = try ["encoding", "user_version", "application_id"].map { name in
        try String.fetchOne(db, sql: "SELECT CAST(\(name) AS TEXT) FROM pragma_\(name)") ?? ""
      }
      objects = try String.fetchAll(
        db, sql: "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || hex(coalesce(sql, '')) FROM sqlite_schema"
      )
      .sorted()
      let names = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL TABLE %'")
      for name in names { tables[name] = try Self.rows(of: name, in: db) }
    }
  }

  private static func rows(of name: String, in db: Database) throws -> [String] {
    let schema = try db.tableSchema(TableReference(name: name))
    let names = Set(schema.columns.map { $0.name.lowercased() })
    let id = schema.entry.isWithoutRowID ? nil : ["rowid", "oid"].first { !names.contains($0) }
    // Of a real all bits, as a blob would not tell them.
    let values = schema.columns.map(\.name).map(SQLIdentifier.quoted).map { name in
      "typeof(\(name)) || coalesce(CASE typeof(\(name)) WHEN 'real' THEN printf('%!.30e', \(name)) ELSE hex(CAST(\(name) AS BLOB)) END, '')"
    }
    // What AUTOINCREMENT keeps is known by the names, in any order.
    let isSequence = name == "sqlite_sequence"
    let sql = "SELECT \((isSequence ? values : [id].compactMap(\.self) + values).joined(separator: " || ' ' || ")) FROM "
    let rows = try String.fetchAll(db, sql: sql + SQLIdentifier.quoted(name))
    return isSequence ? rows.sorted() : rows
  }
}
