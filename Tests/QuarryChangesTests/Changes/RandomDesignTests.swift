import Foundation
import QuarryChanges
import QuarryEngine
import TestSupport
import Testing

/// Random changes of tables in filled random schemas.
///
/// `QUARRY_TEST_ROUNDS=20 swift test --filter RandomDesign` makes 500 of them.
@Suite(.gated) struct RandomDesignTests {
  @Test(arguments: 0..<testRounds(25))
  func `a random design loses no row, index, trigger, view or reference, and its undo restores all`(_ seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed) &* 7919)
    let file = try RecordedFile()
    for sql in Self.setup(&random) { try file.runElsewhere(sql) }
    let before = try file.contents()
    let bytes = try Data(contentsOf: URL(filePath: file.path))
    let inventory = try file.inventory()
    var design = TableChange(of: try file.read { try $0.tableDefinition(TableReference(name: "item")) })
    for _ in 0..<random.below(4) + 1 { Self.change(&design, &random) }
    do {
      try file.change("item") { $0 = design }
    } catch let error as TableChangeFailure {
      #expect(try Data(contentsOf: URL(filePath: file.path)) == bytes, "\(error)")
      return
    } catch is DefinitionError {
      return #expect(try Data(contentsOf: URL(filePath: file.path)) == bytes)
    } catch let error as DatabaseError {
      return #expect(try Data(contentsOf: URL(filePath: file.path)) == bytes, "\(error)")
    }
    try Self.check(file, design, inventory, seed)
    guard try !file.commits().isEmpty else { return #expect(try file.contents() == before) }
    let summary = try file.undo().summary
    #expect(summary == "done", "seed \(seed)")
    let undone = try difference(before, file.contents())
    #expect(undone == [], "seed \(seed): \(undone)")
  }

  /// Compares the objects and the surviving values before and after, and asks the sqlite3 shell.
  private static func check(_ file: RecordedFile, _ design: TableChange, _ before: Inventory, _ seed: Int) throws {
    let after = try file.inventory()
    let dropped = Set(try #require(design.old).indexes.map(\.name)).subtracting(design.new.indexes.map(\.name))
    let made = Set(design.new.indexes.map(\.name)).subtracting(try #require(design.old).indexes.map(\.name))
    let renamed = before.objects.subtracting(dropped).union(made).subtracting(["item"]).union([design.new.name])
    #expect(after.objects == renamed, "seed \(seed)")
    #expect(after.otherRows == before.otherRows, "seed \(seed)")
    #expect(after.uncompiled.isSubset(of: before.uncompiled), "seed \(seed): \(after.uncompiled)")
    for (origin, column) in zip(design.origins, design.new.columns) {
      guard let origin, before.values[origin] != nil, column.type == design.old?.columns.first(where: { $0.name == origin })?.type else {
        continue
      }
      #expect(after.values[column.name] == before.values[origin], "seed \(seed): \(origin)")
    }
    let shell = try Self.shell(file.path, "PRAGMA integrity_check; PRAGMA foreign_key_check;")
    #expect(shell.split(separator: "\n").first == "ok", "seed \(seed): \(shell)")
    #expect(shell.split(separator: "\n").count - 1 <= before.danglingCount, "seed \(seed): \(shell)")
    try file.read { db in
      // A check for the same reference of other rows.
      let sql = "SELECT count(*) FROM pragma_foreign_key_list('child') WHERE \"table\" = '\(design.new.name)' COLLATE NOCASE"
      let references = try Int.fetchOne(db, sql: sql)
      #expect(references == 1, "seed \(seed)")
    }
  }

  private static func shell(_ arguments: String...) throws -> String {
    let program = try ChildProcess(["/usr/bin/env", "sqlite3"] + arguments, output: .pipe)
    let output = try program.output?.readToEnd() ?? Data()
    #expect(program.wait() == .exit(0))
    return String(decoding: output, as: UTF8.self)
  }

  private static func setup(_ random: inout SplitMix) -> [String] {
    let strict = random.below(4) == 0
    let key = ["id INTEGER PRIMARY KEY", "id INTEGER PRIMARY KEY AUTOINCREMENT", "id INT NOT NULL UNIQUE", "id TEXT PRIMARY KEY"]
    let keyed = key[random.below(key.count)]
    let withoutRowID = keyed.hasSuffix("TEXT PRIMARY KEY") && random.below(2) == 0
    let options = [strict ? "STRICT" : nil, withoutRowID ? "WITHOUT ROWID" : nil].compactMap(\.self).joined(separator: ", ")
    let text = ["TEXT", "TEXT COLLATE NOCASE", "TEXT DEFAULT 'x'"][random.below(3)]
    let rows = (1...random.below(30) + 2).map { row in
      "(\(keyed.contains("TEXT") ? "'k\(row)'" : "\(row * 3)"), 'name \(row % 7)', \(row % 5 == 0 ? "NULL" : "\(row % 4)"), \(row)"
        + ".5, \(row % 3 == 0 ? "NULL" : "x'0\(row % 10)'"), \(row % 2 + 1))"
    }
    return [
      "PRAGMA foreign_keys = OFF; CREATE TABLE parent(id INTEGER PRIMARY KEY, n TEXT); INSERT INTO parent VALUES (1, 'a'), (2, 'b')",
      "CREATE TABLE item(\(keyed), name \(text), n INT CHECK (n < 9), r REAL, b BLOB, p INT REFERENCES parent(id) ON DELETE CASCADE"
        + (random.below(2) == 0 ? ", g INT AS (n + 1) \(random.below(2) == 0 ? "STORED" : "VIRTUAL")" : "") + ") \(options)",
      "INSERT INTO item(id, name, n, r, b, p) VALUES \(rows.joined(separator: ", "))",
      "CREATE INDEX byname ON item(name, n DESC) WHERE n IS NOT NULL", "CREATE INDEX bylength ON item(length(name))",
      "CREATE TABLE child(id INTEGER PRIMARY KEY, item REFERENCES item(id)); PRAGMA foreign_keys = OFF;"
        + " INSERT INTO child(item) SELECT id FROM item; INSERT INTO child(item) VALUES (777)",
      "CREATE VIEW named AS SELECT id, name FROM item WHERE n > 1", "CREATE TABLE log(a, b)",
      random.below(3) == 0 ? "CREATE VIEW broken AS SELECT * FROM missing" : "CREATE VIEW other AS SELECT a FROM log",
      "CREATE TRIGGER noted AFTER UPDATE OF n ON item BEGIN INSERT INTO log VALUES (old.n, new.name); END",
      "CREATE TRIGGER far AFTER INSERT ON log BEGIN UPDATE item SET n = n WHERE id = new.a; END",
      "PRAGMA foreign_keys = OFF; DELETE FROM item WHERE id = (SELECT max(id) FROM item)", random.below(2) == 0 ? "ANALYZE" : "SELECT 1",
    ]
  }

  /// Makes one random change.
  private static func change(_ design: inout TableChange, _ random: inout SplitMix) {
    let place = random.below(design.new.columns.count)
    func constrain(_ kind: ColumnConstraint.Kind) { design.new.columns[place].constraints.append(ColumnConstraint(kind)) }
    switch random.below(14) {
    case 0: design.renameColumn(at: place, to: "c\(random.below(1000)) x")
    case 1: design.renameTable(to: ["things", "Item", "a b"][random.below(3)])
    case 2:
      let column = ColumnDefinition(name: "new\(random.below(100))", type: .text)
      design.insertColumn(column, at: random.below(design.new.columns.count + 1))
    case 3: design.removeColumn(at: place)
    case 4: design.moveColumn(from: place, to: random.below(design.new.columns.count))
    case 5: constrain(.notNull(onConflict: .ignore))
    case 6: constrain(.check(sql: "\(SQLIdentifier.quoted(design.new.columns[place].name)) IS NOT 2"))
    case 7: design.new.constraints.append(TableConstraint(.unique([.init(design.new.columns[place].name)], onConflict: .replace)))
    case 8: design.new.options.formSymmetricDifference(.strict)
    case 9: design.new.columns[place].type = [.text, .integer, .blob, .any, .double][random.below(5)]
    case 10:
      let column = ColumnDefinition(
        name: "parent\(random.below(100))", type: .integer,
        constraints: [
          ColumnConstraint(.notNull(onConflict: nil)), ColumnConstraint(.defaults(.literal(sql: random.below(2) == 0 ? "1" : "9"))),
          ColumnConstraint(.references(ForeignKeyDefinition(columns: ["x"], table: "parent"))),
        ])
      design.insertColumn(column, at: design.new.columns.count)
    case 11: if !design.new.indexes.isEmpty { design.new.indexes.removeLast() }
    case 12:
      let index = IndexDefinition("i\(random.below(100))", on: design.new.name, columns: [design.new.columns[place].name])
      design.new.indexes.append(index)
    default: design.new.options.formSymmetricDifference(.withoutRowID)
    }
  }

  /// What a database contains, to be compared after a change.
  struct Inventory {
    var objects: Set<String>
    /// The rows of all tables but `item`.
    var otherRows: [String]
    /// The stored values of the columns of `item`, sorted.
    var values: [String: [String]]
    /// The views that do not compile.
    var uncompiled: Set<String>
    var danglingCount: Int
  }
}

extension RecordedFile {
  fileprivate func inventory() throws -> RandomDesignTests.Inventory {
    try read { db in
      let objects = try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%'")
      let views = try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'view'")
      let others = ["parent", "child", "log"]
      let rows = try others.flatMap { try Row.fetchAll(db, sql: "SELECT * FROM \($0)").map(\.description) }
      let tables = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
      let item = tables.first { !others.contains($0) } ?? ""
      let columns = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_xinfo(?)", arguments: [item])
      let values = try columns.map { ($0, try StoredValues.rows([$0], of: SQLIdentifier.quoted(item), in: db).map { $0[0] }) }
      return RandomDesignTests.Inventory(
        objects: Set(objects), otherRows: rows, values: Dictionary(values, uniquingKeysWith: { first, _ in first }),
        uncompiled: Set(views.filter { (try? db.makeStatement(sql: "SELECT * FROM \($0)")) == nil }),
        danglingCount: try Int.fetchOne(db, sql: "SELECT count(*) FROM pragma_foreign_key_check") ?? 0)
    }
  }
}
