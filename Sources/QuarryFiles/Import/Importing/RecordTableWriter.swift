internal import QuarryEngine

/// A new table that is made of the columns of a file, and made anew where values show that their types are others.
final class RecordTableWriter {
  /// A column of the table.
  struct Column: Hashable {
    var name: String
    var type: ImportType
  }

  let table: TableReference
  private(set) var columns: [Column]
  private let db: Database
  private let execute: (String) throws -> Void
  /// The columns of the file that the columns of the table are.
  private var places: [Int]
  private var insertion: RecordInsertion
  private var rowCount = 0

  /// Makes the table.
  ///
  ///     CREATE TABLE main.sales(region TEXT, total REAL)
  ///
  /// - Parameters:
  ///   - places: The columns of the file that the columns of the table are.
  ///   - execute: Runs statements that change the schema.
  init(
    _ table: TableReference, columns: [Column], places: [Int], in db: Database, execute: @escaping (String) throws -> Void
  ) throws {
    (self.table, self.columns, self.places, self.db, self.execute) = (table, columns, places, db, execute)
    try execute(Self.definition(table, columns))
    insertion = try RecordInsertion(into: table, columns, places, db)
  }

  /// Writes the records of a block.
  ///
  /// - Parameter reject: Takes a record that SQLite refuses, and why.
  /// - Returns: How many were written.
  func write(_ block: RecordStream.Block, reject: (_ record: Int, DatabaseError) throws -> Void) throws -> Int {
    let count = try insertion.insert(block, reject: reject)
    rowCount += count
    return count
  }

  /// Makes the table one of these columns; those that it has keep their places.
  func adopt(_ wanted: [Column], places: [Int]) throws {
    guard wanted != columns else { return }
    self.places = places
    // SQLite reads the whole definition for each column that it adds: for many columns, few rows are written anew sooner.
    let isCheaper = (wanted.count - columns.count) * columns.count <= max(rowCount, 256)
    if wanted.starts(with: columns), isCheaper {
      for column in wanted.dropFirst(columns.count) {
        try execute("ALTER TABLE \(table.sql) ADD COLUMN \(Self.definition(column))")
      }
    } else {
      try remake(wanted)
    }
    columns = wanted
    insertion = try RecordInsertion(into: table, columns, places, db)
  }

  /// Makes the table anew with its rows: where a column becomes one of texts, a number becomes the text that it was read from.
  ///
  ///     CREATE TABLE main."sales anew"(region TEXT, total TEXT);
  ///     INSERT INTO main."sales anew"(rowid, region, total) SELECT rowid, region, quarry_written(total) FROM main.sales;
  ///     DROP TABLE main.sales; ALTER TABLE main."sales anew" RENAME TO sales
  private func remake(_ wanted: [Column]) throws {
    try db.create(function: "quarry_written", argumentCount: 1, options: [.deterministic, .directOnly], Self.written)
    defer { try? db.drop(function: "quarry_written", argumentCount: 1) }
    let anew = TableReference(database: table.database, name: try freeName())
    try execute(Self.definition(anew, wanted))
    let expressions = zip(wanted, columns).map { new, old in
      let name = SQLIdentifier.quoted(new.name)
      return new.type == .text && old.type != .text ? "quarry_written(\(name))" : name
    }
    let rowID = rowIDName.map { [$0] } ?? []
    let names = rowID + columns.map { SQLIdentifier.quoted($0.name) }
    try db.execute(
      sql: """
        INSERT INTO \(anew.sql)(\(names.joined(separator: ", ")))
        SELECT \((rowID + expressions).joined(separator: ", ")) FROM \(table.sql)
        """)
    try execute("DROP TABLE \(table.sql)")
    try execute("ALTER TABLE \(anew.sql) RENAME TO \(SQLIdentifier.quoted(table.name))")
  }

  /// Returns the text that a number was read from.
  @Sendable private static func written(_ values: [DatabaseValue]) -> (any DatabaseValueConvertible)? {
    switch values[0] {
    case .integer(let value): return String(value)
    case .real(let value): return RealText.shortest(value)
    default: return values[0]
    }
  }

  /// A name of the rowid that no column has; nil where all are taken, or the columns leave no room for it.
  private var rowIDName: String? {
    guard columns.count < db.columnLimit else { return nil }
    return ["rowid", "_rowid_", "oid"].first { name in !columns.contains { $0.name.isSameIdentifier(as: name) } }
  }

  private func freeName() throws -> String {
    let taken = try Set(db.catalog().databases.flatMap(\.entries).map(\.reference.name.asciiLowercased))
    return NumberedNames.free("\(table.name) anew", among: taken)
  }

  private static func definition(_ table: TableReference, _ columns: [Column]) -> String {
    "CREATE TABLE \(table.sql)(\(columns.map(definition).joined(separator: ", ")))"
  }

  private static func definition(_ column: Column) -> String {
    ColumnDefinition(name: column.name, type: column.type.declaration).sql
  }
}

/// What writes records into a new table: many by one statement, which takes half as long as one statement for each.
private struct RecordInsertion {
  private let one: RowInsertion
  /// A statement of ``rowCount`` rows; nil where so many columns leave no room for a second row.
  private let many: RowInsertion?
  private let rowCount: Int

  /// The most rows of a statement, and the most parameters: SQLite has always had more.
  private static let (mostRows, mostParameters) = (64, 512)
  /// The longest batch whose records are all so short that SQLite refuses none of them, in bytes.
  private static let longestSafeBatch = 1 << 24

  /// Prepares the statements.
  ///
  ///     INSERT INTO main.sales(region, total) VALUES (?, ?), (?, ?), …
  init(into table: TableReference, _ columns: [RecordTableWriter.Column], _ places: [Int], _ db: Database) throws {
    let names = columns.map { SQLIdentifier.quoted($0.name) }.joined(separator: ", ")
    let row = "(" + columns.map { _ in "?" }.joined(separator: ", ") + ")"
    func insertion(ofRows count: Int) throws -> RowInsertion {
      let rows = repeatElement(row, count: count).joined(separator: ", ")
      return try RowInsertion(sql: "INSERT INTO \(table.sql)(\(names)) VALUES \(rows)", places: places, in: db)
    }
    rowCount = min(Self.mostRows, Self.mostParameters / columns.count)
    one = try insertion(ofRows: 1)
    many = rowCount > 1 ? try insertion(ofRows: rowCount) : nil
  }

  /// Inserts the records of a block, and returns how many there were that SQLite did not refuse.
  func insert(_ block: RecordStream.Block, reject: (Int, DatabaseError) throws -> Void) throws -> Int {
    let records = block.records
    var (record, rejected) = (0, 0)
    // The table has no rules that a row could break, so that only its length can be the matter with it.
    if let many, records.byteRoom <= Self.longestSafeBatch {
      while record + rowCount <= records.count {
        try many.insert(record..<record + rowCount, of: records, as: block.types)
        record += rowCount
      }
    }
    while record < records.count {
      do {
        try one.insert(record..<record + 1, of: records, as: block.types)
      } catch let error as DatabaseError where error.isOfRow {
        try reject(record, error)
        rejected += 1
      }
      record += 1
    }
    return records.count - rejected
  }
}

/// Names that are made unique by a number.
enum NumberedNames {
  /// Returns a name, with a number where it is taken: `sales`, `sales2`.
  ///
  /// - Parameter taken: The names that are taken, in small letters.
  static func free(_ name: String, among taken: Set<String>) -> String {
    if !taken.contains(name.asciiLowercased) { return name }
    return (2...).lazy.map { "\(name)\($0)" }.first { !taken.contains($0.asciiLowercased) } ?? name
  }
}
