internal import QuarryEngine

/// Fills one table of a private database from a file.
final class FileTableFill {
  /// The index of the table in the file.
  let index: Int
  private let number: Int
  private let name: String
  private let reader: any RecordReader
  private let status: FileTableStatus
  private var writer: RecordTableWriter?
  private var shown: FileTable
  private var rejects: Statement?
  private var dropped = DroppedLines()
  private var typeNotes: [String] = []
  private let given: [String: ImportType]
  private let recordText: RecordText

  /// Reserves a name for the table.
  ///
  /// - Parameter given: The column types set by the user.
  init(_ table: RecordTable, of path: String, _ reader: any RecordReader, given: [String: ImportType], _ status: FileTableStatus) {
    (index, self.reader, self.given, self.status) = (table.index, reader, given, status)
    name = Self.name(of: table, in: path, status)
    recordText = RecordText(dialect: reader.dialect)
    shown = FileTable(name: name, path: path, nameInFile: table.name, dialect: reader.dialect, encoding: reader.encoding)
    number = status.add(shown)
  }

  /// Reserves and returns the name of a table: its own if the file has several, else that of the file.
  static func name(of table: RecordTable, in path: String, _ status: FileTableStatus) -> String {
    let ownName = table.isOnly ? nil : table.name
    return status.takeName(ownName ?? stem(of: path))
  }

  /// Returns the table name for a file: its name without the extension.
  static func stem(of path: String) -> String {
    if path == "-" { return "stdin" }
    let file = path.split(separator: "/").last.map { PathText.shown(String($0)) } ?? path
    let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    let name = stem.isEmpty ? file : stem
    // SQLite reserves such names.
    return name.asciiLowercased.hasPrefix("sqlite_") ? "_" + name : name
  }

  // MARK: Writing

  /// Writes the records of a block inside a transaction.
  func write(_ block: RecordStream.Block, in db: Database) throws {
    try adopt(block.records.table.columns, block.types, in: db)
    dropped.add(block.records)
    var faults = FaultsInOrder(block.records.faults)
    guard let writer else { return try rejectAll(block, &faults, in: db) }
    shown.rows += try writer.write(block) { record, error in
      let line = block.records.line(of: record)
      try faults.take(before: line) { try reject($0, in: db) }
      try reject(ImportReject(line: line, reason: error.message), recordText.text(of: record, in: block.records), in: db)
    }
    try faults.take { try reject($0, in: db) }
  }

  /// Rejects objects without keys, from which no table can be created.
  private func rejectAll(_ block: RecordStream.Block, _ faults: inout FaultsInOrder, in db: Database) throws {
    for record in 0..<block.records.count {
      let line = block.records.line(of: record)
      try faults.take(before: line) { try reject($0, in: db) }
      try reject(ImportReject(line: line, reason: "it has no values"), Array("{}".utf8), in: db)
    }
    try faults.take { try reject($0, in: db) }
  }

  /// Creates a table without rows, with the columns named in the file.
  func makeEmpty(_ columns: [RecordColumn], in db: Database) throws {
    try adopt(columns, columns.map { _ in .any }, in: db)
  }

  private func adopt(_ columns: [RecordColumn], _ types: [ImportType], in db: Database) throws {
    let wanted = zip(columns, types).map { RecordTableWriter.Column(name: $0.name, type: $1) }
    if let writer {
      guard wanted != writer.columns else { return }
      try writer.adopt(wanted, places: Array(wanted.indices))
    } else if !wanted.isEmpty {
      writer = try RecordTableWriter(TableReference(name: name), columns: wanted, places: Array(wanted.indices), in: db) {
        try db.execute(sql: $0)
      }
    }
    shown.columns = zip(columns, types).map { column, type in
      ImportColumn(
        source: column, target: column.name, type: type, declaredType: type.declaration?.rawValue ?? "",
        isTypeGiven: given.keys.contains { column.isNamed($0) })
    }
  }

  /// Stores a malformed record in the table of rejects.
  func reject(_ fault: RecordFault, in db: Database) throws {
    try reject(ImportReject(line: fault.line, reason: fault.description), fault.bytes, in: db)
  }

  /// Stores a reject in a separate table.
  ///
  ///     INSERT INTO sales_rejects VALUES (12, 'It has 3 fields instead of 4.', 'a,b,c')
  private func reject(_ reject: ImportReject, _ record: [UInt8], in db: Database) throws {
    shown.rejected += 1
    if shown.rejects.count < RejectedRows.keptCount { shown.rejects.append(reject) }
    let statement = try rejects ?? makeRejectsTable(in: db)
    rejects = statement
    try statement.bindInteger(Int64(reject.line), at: 1)
    try statement.bindText(reject.reason, at: 2)
    try record.withUnsafeBytes { try statement.bindText($0, at: 3) }
    try statement.step()
    try statement.reset()
  }

  private func makeRejectsTable(in db: Database) throws -> Statement {
    let table = status.takeName("\(name)_rejects")
    shown.rejectsTable = table
    let identifier = SQLIdentifier.quoted(table)
    try db.execute(sql: "CREATE TABLE \(identifier)(line INTEGER, reason TEXT, record TEXT)")
    return try db.makeStatement(sql: "INSERT INTO \(identifier) VALUES (?, ?, ?)", options: .persistent)
  }

  // MARK: Reporting

  /// Stores notes about the column types.
  func noteTypes(_ notes: [String]) { typeNotes = notes }

  /// Marks the table as complete.
  func complete() {
    shown.isComplete = true
    publish()
  }

  /// Publishes the current state of the table.
  func publish() {
    shown.losses = RecordNotes.notes(onPreambleOf: reader) + dropped.notes
    shown.notes = RecordNotes.notes(on: reader, columns: shown.columns.map(\.source)) + typeNotes + shown.losses
    let shown = shown
    status.change(number) { $0 = shown }
  }
}
