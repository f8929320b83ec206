package import QuarryChanges
package import QuarryEngine

/// A transaction that imports several files, completely or not at all.
///
/// ```swift
/// let transaction = ImportTransaction(recorder: recorder)
/// let results = try transaction.run(paths.count, in: db, as: "import of 2 files into Track") { index in
///   try Importer(plan(paths[index]), in: db)
/// }
/// ```
package struct ImportTransaction {
  /// The recorder of changes for undo, or nil for no record.
  let recorder: ChangeRecorder?
  /// Whether the import is only tried and nothing is written.
  var isDryRun = false

  /// Creates a transaction, which begins when it is run.
  package init(recorder: ChangeRecorder?, isDryRun: Bool = false) {
    (self.recorder, self.isDryRun) = (recorder, isDryRun)
  }

  /// An error that rolls back a dry run.
  private struct DryRunEnd: Error {
    let results: [ImportResult]
  }

  /// Imports files.
  ///
  ///     BEGIN IMMEDIATE; INSERT INTO main.Track(Name, AlbumId) VALUES (?, ?); …; COMMIT
  ///
  /// - Parameters:
  ///   - statement: The description of the commit in the record.
  ///   - importer: Opens a file by its index, from 0, once all previous files have been written.
  ///   - progress: Called several times a second. An error that it throws ends the import.
  /// - Throws: The errors of ``Importer/run(in:progress:)``, and any error thrown by `importer`. Nothing is written in that case.
  package func run(
    _ count: Int, in db: Database, as statement: String, importer: (Int) throws -> Importer, progress: (ImportProgress) throws -> Void
  ) throws -> [ImportResult] {
    var rejected: [RejectedRows] = []
    func body() throws -> [ImportResult] {
      let written = try (0..<count).map { index in try importer(index).write(in: db, recorder, progress) }
      if isDryRun { throw DryRunEnd(results: written.map(\.result)) }
      rejected = written.map(\.rejected)
      return written.map(\.result)
    }
    // The rejects files appear together with the rows of the table.
    func putRejectsInPlace() throws { for rows in rejected { try rows.finish() } }
    do {
      return try commit(body, putRejectsInPlace, in: db, as: statement)
    } catch let end as DryRunEnd {
      return end.results
    } catch {
      let left = rejected.compactMap { $0.remove() }
      if left.isEmpty { throw error }
      let sentence = (error as? DatabaseError)?.sentence ?? "\(error)"
      let reason = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
      throw ImportFailure(reason: .rejectsFile(([reason] + left).joined(separator: "; ")))
    }
  }

  private func commit(
    _ body: () throws -> [ImportResult], _ confirm: () throws -> Void, in db: Database, as statement: String
  ) throws -> [ImportResult] {
    guard let recorder else {
      return try db.inTransaction { _ in
        let results = try body()
        try confirm()
        return results
      }
    }
    let imported = try recorder.inTransaction(.import, CommitOrigin(statement: statement), in: db, body, confirm: confirm)
    return imported.value.map { result in
      var result = result
      result.commits = imported.commits.map(\.id)
      return result
    }
  }
}
