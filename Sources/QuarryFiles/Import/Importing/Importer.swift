package import QuarryChanges
public import QuarryEngine
internal import Synchronization

/// Imports a file into a table of a database in one transaction.
///
/// ```swift
/// let importer = try Importer(plan, in: db)
/// for problem in importer.preview.problems { print(problem) }
/// let result = try importer.run(in: db) { progress in print(progress.rows) }
/// print(result.inserted)
/// ```
///
/// Rows are parsed on one thread and written on another, in blocks, so that memory use is bounded. A failed row rolls back the import,
/// unless the plan names a rejects file. An importer runs once. Only ``cancel()`` may be called from another thread.
public final class Importer: @unchecked Sendable {
  // Sendable because only the thread that runs the import changes its state.

  /// The preview of the import.
  public let preview: ImportPreview

  private let plan: ImportPlan
  private let stream: RecordStream
  private let selection: TableSelection
  private let matching: ColumnMatching
  private let typer: RecordTyper
  private var head: [RecordStream.Block]
  /// The tables at the beginning of the file that are not imported.
  private let otherTables: [RecordTable]
  /// The stream that reads the file again.
  private let successor = Mutex<RecordStream?>(nil)

  /// The number of bytes from which types are inferred.
  static let headSize = 1 << 20

  /// Opens the file, reads its first megabyte, and assigns the columns.
  ///
  /// Writes nothing.
  ///
  /// - Parameter check: Called several times a second while waiting for a pipe. Its errors are thrown.
  /// - Throws: ``FileReadError``, or ``DatabaseError`` if the table cannot be read.
  public init(_ plan: ImportPlan, in db: Database, check: () throws -> Void = {}) throws {
    self.plan = plan
    let schema: TableSchema? =
      switch plan.target {
      case .new: nil
      case .existing(let table): try db.tableSchema(table)
      }
    let stream = try RecordStream(path: plan.path, options: plan.readingOptions(into: schema))
    let start = try stream.head(bytes: Self.headSize, check: check)
    let reader = start.reader
    let selection = TableSelection(plan, among: start.blocks.map(\.records.table))
    var head = start.blocks.filter { selection.contains($0.records.table) }
    otherTables = start.blocks.map(\.records.table).filter { !selection.contains($0) }
    let columns = (head.last?.records.table ?? reader.firstTable).columns

    // An export without rows contains no column names.
    if schema == nil, columns.isEmpty { throw start.failure(path: plan.path) }
    var matching = ColumnMatching(plan, schema: schema, hasNames: reader.dialect?.hasHeader != false)
    matching.add(columns)
    matching.checkPlan()
    let typer = RecordTyper(isOfText: reader.dialect != nil, matching)
    for block in head { typer.type(block.records) }
    // A column without a type in an existing table stores the numbers and texts of JSON as they are.
    if schema != nil, reader.dialect == nil { typer.settle() }
    let types = typer.types
    for index in head.indices { head[index].types = types }
    if schema != nil { typer.settle() }
    stream.resume { batch in
      guard selection.contains(batch.table) else { return [] }
      typer.type(batch)
      return typer.types
    }

    matching.setFoundTypes(types)
    (self.stream, self.selection, self.matching, self.typer, self.head) = (stream, selection, matching, typer, head)
    var preview = ImportPreview(
      dialect: reader.dialect, encoding: reader.encoding, byteCount: reader.byteCount, tableInFile: head.first?.records.table.name,
      columns: matching.columns)
    preview.tablesInFile = start.blocks.compactMap(\.records.table.name).reduce(into: []) { names, name in
      if !names.contains(name) { names.append(name) }
    }
    preview.faults = head.flatMap(\.records.faults)
    preview.notes = RecordNotes.notes(on: reader, columns: columns) + RecordNotes.notes(onPreambleOf: reader) + matching.notes
    preview.problems = try matching.problems + Self.problems(of: plan.target, in: db)
    try preview.readRows(head, schema: schema)
    self.preview = preview
  }

  /// Returns the problems of the target table.
  private static func problems(of target: ImportPlan.Target, in db: Database) throws -> [String] {
    guard case .new(let table) = target else { return [] }
    let isTaken = try db.catalog().databases.first { $0.name.isSameIdentifier(as: table.database) }?.entries.contains {
      $0.reference.name.isSameIdentifier(as: table.name)
    }
    guard let isTaken else { return ["there is no database \(table.database)"] }
    return isTaken ? ["there is already a table \(table.name): import into it, or choose another name"] : []
  }

  /// Imports the rows.
  ///
  ///     BEGIN IMMEDIATE; INSERT INTO main.Track(Name, AlbumId) VALUES (?, ?); …; COMMIT
  ///
  /// - Parameter progress: Called several times a second. An error that it throws rolls back the import.
  /// - Throws: ``ImportFailure``, ``FileReadError``, ``DatabaseError``, or `CancellationError` after ``cancel()``. Nothing is written in
  ///   that case.
  public func run(in db: Database, progress: (ImportProgress) throws -> Void = { _ in }) throws -> ImportResult {
    try run(in: db, recorder: nil, progress: progress)
  }

  /// Imports the rows and records them for undo.
  package func run(
    in db: Database, recorder: ChangeRecorder?, progress: (ImportProgress) throws -> Void
  ) throws -> ImportResult {
    let source = plan.path == "-" ? "standard input" : PathText.shown(plan.path)
    let transaction = ImportTransaction(recorder: recorder, isDryRun: plan.isDryRun)
    let statement = "import of \(source) into \(plan.target.table.name)"
    guard let result = try transaction.run(1, in: db, as: statement, importer: { _ in self }, progress: progress).first else {
      throw CancellationError()
    }
    return result
  }

  /// Writes the rows in an open transaction.
  ///
  /// - Throws: The errors of ``run(in:progress:)``. The caller must then roll back the transaction.
  func write(
    in db: Database, _ recorder: ChangeRecorder?, _ progress: (ImportProgress) throws -> Void
  ) throws -> (result: ImportResult, rejected: RejectedRows) {
    defer { stream.stop() }
    if !preview.problems.isEmpty { throw ImportFailure(reason: .plan(preview.problems)) }
    func execute(_ sql: String) throws {
      if let recorder { try recorder.execute(sql, in: db) } else { try db.execute(sql: sql) }
    }
    return try plan.mayReadAgain
      ? writeUntilAllRefer(in: db, recorder, progress) : write(leavingOut: [:], in: db, execute, progress)
  }

  /// Writes the rows.
  ///
  /// Reads the file again without records that have dangling references, until no reference is dangling.
  ///
  ///     SAVEPOINT quarry_import; INSERT OR REPLACE INTO main.Track(…) VALUES (…); …; ROLLBACK TO quarry_import; …; RELEASE quarry_import
  private func writeUntilAllRefer(
    in db: Database, _ recorder: ChangeRecorder?, _ progress: (ImportProgress) throws -> Void
  ) throws -> (result: ImportResult, rejected: RejectedRows) {
    var leftOut: [Int: String] = [:]
    var importer = self
    try db.execute(sql: "SAVEPOINT quarry_import")
    while true {
      do {
        let result = try importer.write(leavingOut: leftOut, in: db, { try db.execute(sql: $0) }, progress)
        try db.execute(sql: "RELEASE quarry_import")
        return result
      } catch let found as RecordsToLeaveOut {
        guard stream.byteCount != nil else { throw ImportFailure(reason: .references(found.sentence)) }
        leftOut.merge(found.parents) { first, _ in first }
        importer = try readAgain(in: db, recorder, progress)
      }
    }
  }

  /// Reverts the written rows, and opens the file again.
  private func readAgain(
    in db: Database, _ recorder: ChangeRecorder?, _ progress: (ImportProgress) throws -> Void
  ) throws -> Importer {
    func goBack() throws { try db.execute(sql: "ROLLBACK TO quarry_import") }
    if let recorder { try recorder.endingTransaction(in: db, ends: false, goBack) } else { try goBack() }
    let next = try Importer(plan, in: db) { try progress(ImportProgress()) }
    guard next.stream.hasSameFile(as: stream) else {
      throw FileReadError(kind: .changed(from: stream.byteCount ?? 0, to: next.stream.byteCount ?? 0), path: plan.path)
    }
    successor.withLock { $0 = next.stream }
    if stream.isCancelled { next.cancel() }
    return next
  }

  /// Writes the rows once.
  ///
  /// - Parameter leftOut: The records that are known to have dangling references.
  private func write(
    leavingOut leftOut: [Int: String], in db: Database, _ execute: @escaping (String) throws -> Void,
    _ progress: (ImportProgress) throws -> Void
  ) throws -> (result: ImportResult, rejected: RejectedRows) {
    let run = try ImportRun(plan, preview, matching, leavingOut: leftOut, in: db, execute: execute)
    defer { run.end() }
    return (try write(to: run, progress), run.rejected)
  }

  private func write(to run: ImportRun, _ progress: (ImportProgress) throws -> Void) throws -> ImportResult {
    var clock = ProgressClock(byteCount: stream.byteCount)
    for block in head {
      try run.write(block) { try clock.report(run, progress) }
      clock.bytes = block.records.sourceOffset
    }
    head = []
    for table in otherTables { run.noteOtherTable(table) }
    do {
      while let block = try stream.next(check: { try clock.report(run, progress) }) {
        if selection.contains(block.records.table) {
          try run.write(block) { try clock.report(run, progress) }
        } else {
          run.noteOtherTable(block.records.table)
        }
        clock.bytes = block.records.sourceOffset
        stream.recycle(block)
      }
    } catch let error as FileReadError where plan.rejectsPath != nil {
      guard case .unreadable(let fault, _) = error.kind else { throw error }
      try run.reject(fault)
    }
    // The thread that infers types has ended.
    let result = try run.finish(notes: typer.notes)
    try progress(clock.progress(of: run))
    return result
  }

  /// Cancels the import from any thread, even while it waits for a pipe.
  public func cancel() {
    stream.cancel()
    successor.withLock(\.self)?.cancel()
  }
}

/// Reports the progress of an import several times a second.
private struct ProgressClock {
  private static let interval = Duration.milliseconds(100)

  let byteCount: Int?
  var bytes = 0
  private let start = ContinuousClock.now
  private var last = ContinuousClock.now

  init(byteCount: Int?) {
    self.byteCount = byteCount
  }

  mutating func report(_ run: ImportRun, _ body: (ImportProgress) throws -> Void) throws {
    let now = ContinuousClock.now
    guard now - last >= Self.interval else { return }
    last = now
    try body(progress(of: run))
  }

  func progress(of run: ImportRun) -> ImportProgress {
    ImportProgress(
      bytes: bytes, byteCount: byteCount, rows: run.rowCount, rejected: run.rejected.count, elapsed: ContinuousClock.now - start)
  }
}

extension RecordTyper {
  /// Creates the typer of an import's records.
  fileprivate convenience init(isOfText: Bool, _ matching: ColumnMatching) {
    // The rule of a column that appears later in JSON is requested on the reading thread.
    var count = 0
    self.init(isOfText: isOfText) { column in
      defer { count += 1 }
      return matching.rule(for: matching.match(column, at: count))
    }
  }
}
