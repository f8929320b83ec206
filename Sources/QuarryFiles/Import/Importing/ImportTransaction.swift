package import QuarryChanges
package import QuarryEngine

/// One transaction in which files are imported: all of them, or none.
///
/// ```swift
/// let transaction = ImportTransaction(recorder: recorder)
/// let results = try transaction.run(paths.count, in: db, as: "import of 2 files into Track") { index in
///   try Importer(plan(paths[index]), in: db)
/// }
/// ```
package struct ImportTransaction {
  /// Records what is written, so that it can be undone; nil for no record.
  let recorder: ChangeRecorder?
  /// Whether everything is tried and nothing written.
  var isDryRun = false

  /// Makes a transaction, which begins as it is run.
  package init(recorder: ChangeRecorder?, isDryRun: Bool = false) {
    (self.recorder, self.isDryRun) = (recorder, isDryRun)
  }

  /// What takes back all that was tried.
  private struct DryRunEnd: Error {
    let results: [ImportResult]
  }

  /// Imports files.
  ///
  ///     BEGIN IMMEDIATE; INSERT INTO main.Track(Name, AlbumId) VALUES (?, ?); …; COMMIT
  ///
  /// - Parameters:
  ///   - statement: What the record calls the commit.
  ///   - importer: Opens a file, by its number from 0, once all before it are written.
  ///   - progress: Is called several times a second; what it throws ends the import.
  /// - Throws: As ``Importer/run(in:progress:)``, and what `importer` throws; then nothing is written.
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
    // The files of rejects are there with the rows of the table, and without them they are not.
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
