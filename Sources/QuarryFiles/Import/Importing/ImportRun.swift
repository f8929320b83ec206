internal import QuarryEngine
internal import Synchronization

/// The writer of the rows of one import, in an open transaction.
final class ImportRun {
  private let plan: ImportPlan
  private let db: Database
  private var matching: ColumnMatching
  private let table: TableReference
  /// The writer of a new table, or nil for an existing table.
  private var writer: RecordTableWriter?
  /// The INSERTs into an existing table, or nil for a new table.
  private var insertions: RowInsertions?
  let rejected: RejectedRows
  private let recordText: RecordText
  private let execute: (String) throws -> Void

  /// The number of rows written.
  private(set) var rowCount = 0
  private var ignored = 0
  /// The number of existing rows that were updated.
  private var updated = 0
  /// The number of existing rows for which the file has no values besides the key.
  private var unchanged = 0
  /// The number of rows that triggers have prevented.
  private var keptOut = 0
  private let upserts = Upserts()
  private var countBefore = 0
  private var referring: ReferringRows?
  /// The records whose references an earlier run found to be dangling: the referenced tables, by record number.
  private let leftOut: [Int: String]
  /// The number of records read so far.
  private var recordCount = 0
  private var notes: [String]
  private var dropped = DroppedLines()
  private var otherTables = OtherTables()

  /// The existing rows that SQL functions have found by the key.
  private final class Upserts: Sendable {
    /// The number of updates, including failed ones and ones prevented by a trigger.
    let updates = Atomic<Int>(0)
    /// The rowid of the last row to update.
    let rowID = Atomic<Int64>(0)
    /// The number of rows for which there is nothing to update.
    let unchanged = Atomic<Int>(0)

    /// Defines `quarry_updated()` and `quarry_unchanged()`.
    func define(in db: Database) throws {
      try db.create(function: "quarry_updated", argumentCount: 1, options: .directOnly) { [self] values in
        updates.add(1, ordering: .relaxed)
        if case .integer(let rowID) = values[0] { self.rowID.store(rowID, ordering: .relaxed) }
        return true
      }
      try db.create(function: "quarry_unchanged", argumentCount: 0, options: .directOnly) { [self] _ in
        unchanged.add(1, ordering: .relaxed)
        return false
      }
    }

    static func remove(from db: Database) {
      try? db.drop(function: "quarry_updated", argumentCount: 1)
      try? db.drop(function: "quarry_unchanged", argumentCount: 0)
    }
  }

  init(
    _ plan: ImportPlan, _ preview: ImportPreview, _ matching: ColumnMatching, leavingOut leftOut: [Int: String] = [:], in db: Database,
    execute: @escaping (String) throws -> Void
  ) throws {
    (self.plan, self.matching, self.leftOut, self.db, self.execute) = (plan, matching, leftOut, db, execute)
    table = plan.target.table
    recordText = RecordText(dialect: preview.dialect)
    notes = preview.notes
    let paths = try Row.fetchAll(db, sql: "PRAGMA database_list").compactMap { try $0[2] as String? }.filter { !$0.isEmpty }
    rejected = try RejectedRows(path: plan.rejectsPath, databases: paths)
    try prepareTable()
  }

  private func prepareTable() throws {
    guard let schema = matching.schema else { return }
    if plan.onConflict == .replace || firesTriggers { countBefore = try count() }
    if !schema.foreignKeys.isEmpty, schema.entry.kind == .table { referring = ReferringRows() }
    // Rows may refer to rows that come later in the file.
    let refersToItself = schema.foreignKeys.contains { $0.table.isSameTable(as: schema.entry.reference) }
    if refersToItself { try db.execute(sql: "PRAGMA defer_foreign_keys = ON") }
    try upserts.define(in: db)
    try prepareInsertion()
  }

  /// Whether triggers may prevent insertions or delete inserted rows.
  private var firesTriggers: Bool { matching.schema?.triggers.isEmpty == false }

  private func count() throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table.sql)") ?? 0
  }

  /// Prepares the INSERTs for the known columns.
  private func prepareInsertion() throws {
    guard let schema = matching.schema else { return }
    let places = matching.columns.indices.filter { matching.columns[$0].target != nil }
    // JSON without records has no columns.
    if places.isEmpty { return }
    let sql = ImportSQL(schema: schema, columns: places.compactMap { matching.columns[$0].target }, rule: plan.onConflict)
    insertions = try RowInsertions(sql, places: places, in: db)
  }

  // MARK: Rows

  /// Writes the records of a block.
  ///
  /// - Parameter check: Called at least once per block. An error that it throws ends the import.
  func write(_ block: RecordStream.Block, check: () throws -> Void) throws {
    try adoptColumns(of: block)
    dropped.add(block.records)
    var faults = FaultsInOrder(block.records.faults)
    if let writer {
      try check()
      rowCount += try writer.write(block) { record, error in
        try faults.take(before: block.records.line(of: record), reject)
        try reject(record, of: block, error)
      }
    } else if let insertions {
      for record in 0..<block.records.count {
        if record % 1000 == 0 { try check() }
        try faults.take(before: block.records.line(of: record), reject)
        try write(record, of: block, by: insertions)
      }
      recordCount += block.records.count
    } else {
      for record in 0..<block.records.count {
        let line = block.records.line(of: record)
        try faults.take(before: line, reject)
        try rejected.add(ImportReject(line: line, reason: "it has no values"), record: Array("{}".utf8))
      }
    }
    try faults.take(reject)
  }

  private func write(_ record: Int, of block: RecordStream.Block, by insertions: RowInsertions) throws {
    let place = ReferringRows.Place(record: recordCount + record, line: block.records.line(of: record))
    if !leftOut.isEmpty, let parent = leftOut[place.record] {
      let reject = BrokenReferences.reject(line: place.line, parent: parent)
      return try rejected.add(reject, record: recordText.text(of: record, in: block.records))
    }
    let (updates, unchanged) = (upserts.updates.load(ordering: .relaxed), upserts.unchanged.load(ordering: .relaxed))
    do {
      try insertions.insert(record, of: block)
    } catch let error as DatabaseError where error.isOfRow {
      return try reject(record, of: block, error)
    }
    if matching.schema?.entry.kind == .table, db.changesCount == 0 {
      if plan.onConflict == .ignore {
        ignored += 1
      } else if upserts.unchanged.load(ordering: .relaxed) > unchanged {
        self.unchanged += 1
      } else {
        keptOut += 1
      }
    } else {
      rowCount += 1
      let isUpdate = upserts.updates.load(ordering: .relaxed) > updates
      if isUpdate { updated += 1 }
      // An upsert that updates a row does not change the last rowid.
      referring?.add(isUpdate ? upserts.rowID.load(ordering: .relaxed) : db.lastInsertedRowID, at: place)
    }
  }

  /// Rejects a record that SQLite has rejected.
  private func reject(_ record: Int, of block: RecordStream.Block, _ error: DatabaseError) throws {
    // A conflict rule or a trigger may have rolled the transaction back.
    guard db.isInsideTransaction else { throw error }
    let reject = ImportReject(
      line: block.records.line(of: record), reason: try reason(of: error, record, block), isOfTakenKey: TakenKey.isOne(error))
    try rejected.add(reject, record: recordText.text(of: record, in: block.records))
  }

  /// Returns the reason why a row cannot be written.
  ///
  /// SQLite itself does not name the violated foreign key or its values.
  private func reason(of error: DatabaseError, _ record: Int, _ block: RecordStream.Block) throws -> String {
    let message = error.message
    if TakenKey.isOne(error) {
      let values = TakenKey.columns(in: message, of: table).compactMap { name -> String? in
        guard let place = matching.columns.firstIndex(where: { $0.target?.isSameIdentifier(as: name) == true }) else { return nil }
        guard place < block.records.columnCount, let value = block.records.value(record, place) else { return nil }
        return "\(name) \(value.sqlLiteral)"
      }
      return values.isEmpty ? message : "\(message): there is already a row with \(values.joined(separator: ", "))"
    }
    guard error.extendedResultCode == DatabaseError.SQLITE_CONSTRAINT_FOREIGNKEY else { return message }
    for key in matching.schema?.foreignKeys ?? [] where key.columns.count == 1 && key.referencedColumns.count == 1 {
      guard let place = matching.columns.firstIndex(where: { $0.target?.isSameIdentifier(as: key.columns[0]) == true }),
        place < block.records.columnCount, let value = block.records.value(record, place),
        try !hasRow(value, in: key.table, key.referencedColumns[0])
      else { continue }
      return "\(message): \(key.columns[0]) \(value.sqlLiteral) does not exist in \(key.table.name).\(key.referencedColumns[0])"
    }
    return message
  }

  private func hasRow(_ value: DatabaseValue, in table: TableReference, _ column: String) throws -> Bool {
    let sql: SQLText = "SELECT count(*) FROM \(table.sqlText) WHERE \(identifier: column) = \(value)"
    return try Int.fetchOne(db.makeStatement(literal: sql)) != 0
  }

  /// Rejects a part of the file that cannot be parsed as a record.
  func reject(_ fault: RecordFault) throws {
    try rejected.add(ImportReject(line: fault.line, reason: fault.description), record: fault.bytes)
  }

  func noteOtherTable(_ other: RecordTable) { otherTables.add(other) }

  // MARK: Columns

  /// Adopts new columns of the file and changed types.
  private func adoptColumns(of block: RecordStream.Block) throws {
    let known = matching.columns.count
    let columns = block.records.table.columns
    if columns.count > known {
      let problems = matching.problems.count
      matching.add(columns.dropFirst(known))
      let added = matching.problems.dropFirst(problems)
      if !added.isEmpty { throw ImportFailure(reason: .plan(Array(added))) }
      try prepareInsertion()
    }
    guard matching.schema == nil else { return }
    matching.setFoundTypes(block.types)
    try adoptNewTable()
  }

  private func adoptNewTable() throws {
    let places = matching.columns.indices.filter { matching.columns[$0].target != nil }
    let columns = places.map { RecordTableWriter.Column(name: matching.columns[$0].target ?? "", type: matching.columns[$0].type) }
    if let writer {
      try writer.adopt(columns, places: places)
    } else if !columns.isEmpty {
      writer = try RecordTableWriter(table, columns: columns, places: places, in: db, execute: execute)
    }
  }

  // MARK: The end

  /// Releases the statements and the SQL functions.
  func end() {
    (insertions, writer) = (nil, nil)
    if matching.schema != nil { Upserts.remove(from: db) }
  }

  /// Checks the foreign keys and returns the result of the import.
  ///
  /// - Parameter typing: Notes about the column types.
  func finish(notes typing: [String]) throws -> ImportResult {
    if matching.schema == nil, writer == nil { try adoptNewTable() }
    try settleForeignKeys()
    var result = ImportResult(table: table, isNewTable: matching.schema == nil)
    (result.inserted, result.updated, result.unchanged) = (rowCount - updated, updated, unchanged)
    if plan.onConflict == .replace { result.replaced = try max(0, countBefore + rowCount - count()) }
    if firesTriggers, plan.onConflict != .replace {
      // Count only rows that exist.
      let missing = max(0, result.inserted - (try count() - countBefore))
      result.inserted -= missing
      keptOut += missing
    }
    if keptOut > 0 { notes.append("triggers of \(table.name) skipped \(Plural.of(keptOut, "row"))") }
    (result.ignored, result.rejected, result.rejects) = (ignored, rejected.count, rejected.first)
    result.columns = matching.columns
    result.notes = notes + typing + finalNotes
    return result
  }

  private var finalNotes: [String] {
    dropped.notes + [otherTables.note].compactMap(\.self)
  }

  /// Rejects rows with dangling references once all rows are written.
  ///
  ///     PRAGMA main.foreign_key_check(Employee)
  ///
  /// - Throws: ``RecordsToLeaveOut`` if the rows have replaced or changed other rows, which deleting them would not restore.
  private func settleForeignKeys() throws {
    while db.hasUnresolvedForeignKeys, let schema = matching.schema {
      let broken = try BrokenReferences(of: table, origins: referring ?? ReferringRows(), in: db)
      guard let first = broken.imported.first else {
        throw ImportFailure(reason: .references(try broken.sentence(schema, in: db)))
      }
      if plan.rejectsPath == nil { throw ImportFailure(reason: .row(first.reject)) }
      guard plan.onConflict == .abort || plan.onConflict == .ignore else { throw RecordsToLeaveOut(broken.imported) }
      for row in broken.imported {
        try rejected.add(row.reject, record: try record(ofRow: row.rowID), isLate: true)
        try db.execute(literal: "DELETE FROM \(table.sqlText) WHERE rowid = \(row.rowID)")
        rowCount -= 1
      }
    }
  }
}

/// The tables of a file that are not imported: the first names and their number.
///
/// Several tables of a file may have the same name.
private struct OtherTables {
  private var indexes: Set<Int> = []
  private var first: [String] = []

  private static let most = 20

  /// Adds a table, once for all of its blocks.
  mutating func add(_ table: RecordTable) {
    if indexes.insert(table.index).inserted, first.count < Self.most { first.append(table.name ?? "") }
  }

  var note: String? {
    if indexes.isEmpty { return nil }
    let more = indexes.count > first.count ? " and \(Plural.grouped(indexes.count - first.count)) more" : ""
    return "the file has other tables, which were skipped: \(first.joined(separator: ", "))\(more)"
  }
}

/// An error for records with dangling references, found after all rows were written.
///
/// The file must be read again without them.
struct RecordsToLeaveOut: Error {
  /// The tables to which they refer, by record number in the file.
  let parents: [Int: String]
  /// The first of the records.
  let first: ImportReject

  /// The error message if the file cannot be read again.
  var sentence: String {
    "\(first.clause); data from a pipe cannot be read again without such rows: save it to a file, and import the file"
  }

  fileprivate init(_ rows: [BrokenReferences.Row]) {
    parents = Dictionary(rows.map { ($0.place.record, $0.parent) }, uniquingKeysWith: { first, _ in first })
    first = rows.first?.reject ?? ImportReject(line: 0, reason: "")
  }
}

extension ImportRun {
  /// Returns a written row in the format of the file.
  private func record(ofRow rowID: Int64) throws -> [UInt8] {
    let columns = matching.columns.compactMap { column in column.target.map { (name: column.source.nameInFile, target: $0) } }
    let names = columns.map { SQLIdentifier.quoted($0.target) }.joined(separator: ", ")
    let row = try Row.fetchOne(db, sql: "SELECT \(names) FROM \(table.sql) WHERE rowid = ?", arguments: [rowID])
    return recordText.text(of: try row?.databaseValues ?? [], names: columns.map(\.name))
  }
}

extension RecordBatch {
  /// Returns the value of a field, or nil for NULL.
  fileprivate func value(_ record: Int, _ column: Int) -> DatabaseValue? {
    let field = field(record, column)
    return switch field.kind {
    case .null: nil
    case .integer: .integer(field.integer)
    case .real: .real(field.real)
    case .plain, .text: .text(String(decoding: bytes(of: field), as: UTF8.self))
    case .blob: .blob(Array(bytes(of: field)))
    }
  }
}
