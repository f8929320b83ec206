public import QuarryChanges
public import QuarryEngine

/// The progress of reading a file.
public struct ImportProgress: Hashable, Sendable {
  /// The number of bytes read.
  public var bytes = 0
  /// The size of the file in bytes, or nil for a pipe.
  public var byteCount: Int?
  /// The number of rows written.
  public var rows = 0
  /// The number of rejects.
  public var rejected = 0
  /// The elapsed time.
  public var elapsed = Duration.zero

  /// The number of bytes read per second, or nil until it can be estimated.
  public var bytesPerSecond: Double? {
    elapsed >= .milliseconds(100) ? Double(bytes) / (elapsed / .seconds(1)) : nil
  }

  /// The estimated remaining time, or nil if it is not known.
  public var remaining: Duration? {
    guard let byteCount, let bytesPerSecond, bytesPerSecond > 0 else { return nil }
    return .seconds(Double(max(0, byteCount - bytes)) / bytesPerSecond)
  }
}

/// The result of an import.
public struct ImportResult: Hashable, Sendable {
  /// The table that received the rows.
  public var table: TableReference
  /// Whether the table is new.
  public var isNewTable = false
  /// The number of new rows.
  public var inserted = 0
  /// The number of existing rows updated because of an equal primary key, by ``ImportPlan/ConflictRule/update``.
  public var updated = 0
  /// The number of existing rows left as they are by ``ImportPlan/ConflictRule/update``, because the file has only their keys.
  public var unchanged = 0
  /// The number of rows deleted because of an equal key, by ``ImportPlan/ConflictRule/replace``.
  public var replaced = 0
  /// The number of rows skipped because of an equal key, by ``ImportPlan/ConflictRule/ignore``.
  public var ignored = 0
  /// The number of rejects: failed rows, and parts of the file that could not be parsed.
  public var rejected = 0
  /// The first rejects, at most 100.
  public var rejects: [ImportReject] = []
  /// The columns of the file with their targets.
  public var columns: [ImportColumn] = []
  /// Notes for the user, one sentence each.
  public var notes: [String] = []
  /// The identifiers of the recorded commits for undo.
  ///
  /// Empty if the import is not recorded.
  public var commits: [RecordedCommit.ID] = []
}

/// A row of a file that could not be imported.
public struct ImportReject: Hashable, Sendable {
  /// The line on which the row begins, counted from 1.
  public var line: Int
  /// The reason as a sentence: `NOT NULL constraint failed: Track.Name`.
  public var reason: String
  /// Whether another row has the same key, so that ``ImportPlan/onConflict`` applies.
  public var isOfTakenKey = false

  /// Creates a reject.
  public init(line: Int, reason: String, isOfTakenKey: Bool = false) {
    (self.line, self.reason, self.isOfTakenKey) = (line, reason, isOfTakenKey)
  }

  /// The line and reason as a part of a sentence: `line 3: it has 3 fields instead of 4`, `line 4: UNIQUE constraint failed: Track.Name`.
  package var clause: String {
    let text = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    let isWord = text.dropFirst().first.map { $0.isLowercase || $0.isWhitespace } ?? false
    return "line \(Plural.grouped(line)): \(isWord ? text.prefix(1).lowercased() + text.dropFirst() : text)"
  }
}

/// An error for an import that has written nothing.
public struct ImportFailure: Error, Hashable, Sendable {
  /// The kinds of reasons.
  public enum Reason: Hashable, Sendable {
    /// The plan cannot be carried out.
    ///
    /// Contains sentences with suggested solutions.
    case plan([String])
    /// A row failed or could not be parsed.
    case row(ImportReject)
    /// Rows have dangling references after all rows are written, and cannot be removed.
    ///
    /// Contains a sentence.
    case references(String)
    /// The rejects file cannot be written.
    ///
    /// Contains a sentence.
    case rejectsFile(String)
  }

  /// The reason for the failure.
  public var reason: Reason
}

extension ImportFailure: CustomStringConvertible {
  /// The reason with its place and a suggested solution.
  public var description: String {
    switch reason {
    case .plan(let problems): problems.joined(separator: "\n")
    case .row(let reject):
      "\(reject.clause); nothing was imported: \(reject.isOfTakenKey ? "--on-conflict ignore, replace or update handles it, " : "")"
        + "--rejects PATH saves such rows and imports the rest"
    case .references(let sentence), .rejectsFile(let sentence): "\(sentence); nothing was imported"
    }
  }
}
