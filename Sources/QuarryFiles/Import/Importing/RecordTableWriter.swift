internal import QuarryEngine

/// A new table with the columns of a file.
///
/// The table is created again if values show that its types are wrong.
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
  /// The indexes in the file of the table's columns.
  private var places: [Int]
  private var insertion: RecordInsertion
  private var rowCount = 0

  /// Creates the table.
  ///
  ///     CREATE TABLE main.sales(region TEXT, total REAL)
  ///
  /// - Parameters:
  ///   - places: The indexes in the file of the table's columns.
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
  /// - Parameter reject: Called with a record that SQLite rejects, and the error.
  /// - Returns: The number of written records.
  func write(_ block: RecordStream.Block, reject: (_ record: Int, DatabaseError) throws -> Void) throws -> Int {
    let count = try insertion.insert(block, reject: reject)
    rowCount += count
    return count
  }

  /// Changes the table to these columns.
  ///
  /// Existing columns keep their positions.
  func adopt(_ wanted: [Column], places: [Int]) throws {
    guard wanted != columns else { return }
    self.places = places
    // SQLite parses the whole definition for each added column. With many columns and few rows, it is faster to rewrite the rows.
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

  /// Creates the table again with its rows.
  ///
  /// If a column becomes a text column, its numbers become the original texts.
  ///
  /// ```sql
  /// CREATE TABLE main."sales anew"(region TEXT, total TEXT);
  /// INSERT INTO main."sales anew"(rowid, region, total) SELECT rowid, region, quarry_written(total) FROM main.sales;
  /// DROP TABLE main.sales; ALTER TABLE main."sales anew" RENAME TO sales
  /// ```
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

  /// Returns the original text of a number.
  @Sendable private static func written(_ values: [DatabaseValue]) -> (any DatabaseValueConvertible)? {
    switch values[0] {
    case .integer(let value): return String(value)
    case .real(let value): return RealText.shortest(value)
    default: return values[0]
    }
  }

  /// A name of the rowid that is not a column name.
  ///
  /// Nil if columns have all of these names, or if the column limit leaves no room for it.
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

/// Inserts records into a new table.
///
/// One statement inserts many rows, which takes half as long as one statement per row.
private struct RecordInsertion {
  private let one: RowInsertion
  /// A statement for ``rowCount`` rows, or nil if the number of columns allows only one row.
  private let many: RowInsertion?
  private let rowCount: Int

  /// The maximum number of rows and parameters of a statement.
  ///
  /// SQLite's own limits have always been higher.
  private static let (mostRows, mostParameters) = (64, 512)
  /// The maximum size in bytes of a batch whose records are certainly too short to be rejected by SQLite.
  private static let longestSafeBatch = 1 << 24

  /// Prepares the statements.
  ///
  ///     INSERT INTO main.sales(region, total) VALUES (?, ?), (?, ?), …
  init(into table: TableReference, _ columns: [RecordTableWriter.Column], _ places: [Int], _ db: Database) throws {
    let names = columns.map { SQLIdentifier.quoted($0.name) }.joined(separator: ", ")
    let row = "(\(SQLText.parameters(columns.count)))"
    func insertion(ofRows count: Int) throws -> RowInsertion {
      let rows = repeatElement(row, count: count).joined(separator: ", ")
      return try RowInsertion(sql: "INSERT INTO \(table.sql)(\(names)) VALUES \(rows)", places: places, in: db)
    }
    rowCount = min(Self.mostRows, Self.mostParameters / columns.count)
    one = try insertion(ofRows: 1)
    many = rowCount > 1 ? try insertion(ofRows: rowCount) : nil
  }

  /// Inserts the records of a block, and returns the number of inserted records.
  func insert(_ block: RecordStream.Block, reject: (Int, DatabaseError) throws -> Void) throws -> Int {
    let records = block.records
    var (record, rejected) = (0, 0)
    // The table has no constraints, so only the length of a row can make SQLite reject it.
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
  /// Returns a name, with a number if the name is taken: `sales`, `sales2`.
  ///
  /// - Parameter taken: The taken names in lowercase.
  static func free(_ name: String, among taken: Set<String>) -> String {
    if !taken.contains(name.asciiLowercased) { return name }
    return (2...).lazy.map { "\(name)\($0)" }.first { !taken.contains($0.asciiLowercased) } ?? name
  }
}
