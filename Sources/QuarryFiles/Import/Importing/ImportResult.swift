public import QuarryChanges
public import QuarryEngine

/// How far the reading of a file has come.
public struct ImportProgress: Hashable, Sendable {
  /// The bytes of the file that have been read.
  public var bytes = 0
  /// The size of the file in bytes; nil for a pipe.
  public var byteCount: Int?
  /// The rows that are written.
  public var rows = 0
  /// What was rejected.
  public var rejected = 0
  /// The time since the beginning.
  public var elapsed = Duration.zero

  /// The bytes that are read in a second; nil before anything can be told of it.
  public var bytesPerSecond: Double? {
    elapsed >= .milliseconds(100) ? Double(bytes) / (elapsed / .seconds(1)) : nil
  }

  /// The time that is left at this rate; nil where it is not known.
  public var remaining: Duration? {
    guard let byteCount, let bytesPerSecond, bytesPerSecond > 0 else { return nil }
    return .seconds(Double(max(0, byteCount - bytes)) / bytesPerSecond)
  }
}

/// What an import has done.
public struct ImportResult: Hashable, Sendable {
  /// The table that the rows went to.
  public var table: TableReference
  /// Whether the table is new.
  public var isNewTable = false
  /// The rows that are new.
  public var inserted = 0
  /// The rows that were there and have got other values: those of the same primary key, by ``ImportPlan/ConflictRule/update``.
  public var updated = 0
  /// The rows that were deleted for one of the same key, by ``ImportPlan/ConflictRule/replace``.
  public var replaced = 0
  /// The rows that were left out because another has their key, by ``ImportPlan/ConflictRule/ignore``.
  public var ignored = 0
  /// The number of rows that failed, and of pieces of the file that are no row.
  public var rejected = 0
  /// The first of them, a hundred at most.
  public var rejects: [ImportReject] = []
  /// The columns of the file with what has become of them.
  public var columns: [ImportColumn] = []
  /// What a person should know, each a sentence.
  public var notes: [String] = []
  /// Under what the import is recorded, so that it can be undone; empty where it is not.
  public var commits: [RecordedCommit.ID] = []
}

/// A row of a file that could not be imported.
public struct ImportReject: Hashable, Sendable {
  /// The line on which it begins, from 1.
  public var line: Int
  /// Why, as a sentence: `NOT NULL constraint failed: Track.Name`.
  public var reason: String
  /// Whether another row has its key, so that ``ImportPlan/onConflict`` can say what becomes of it.
  public var isOfTakenKey = false

  /// Makes a reject.
  public init(line: Int, reason: String, isOfTakenKey: Bool = false) {
    (self.line, self.reason, self.isOfTakenKey) = (line, reason, isOfTakenKey)
  }

  /// Where and why, for the midst of a sentence: `line 3: it has 3 fields instead of 4`, `line 4: UNIQUE constraint failed: Track.Name`.
  package var clause: String {
    let text = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    let isWord = text.dropFirst().first.map { $0.isLowercase || $0.isWhitespace } ?? false
    return "line \(Plural.grouped(line)): \(isWord ? text.prefix(1).lowercased() + text.dropFirst() : text)"
  }
}

/// Why a file was not imported; nothing is written then.
public struct ImportFailure: Error, Hashable, Sendable {
  /// What is the matter.
  public enum Reason: Hashable, Sendable {
    /// The plan cannot be carried out: sentences, each with its way out.
    case plan([String])
    /// A row failed, or is none.
    case row(ImportReject)
    /// Rows refer to others that are not there once all are written, and cannot be taken out: a sentence.
    case references(String)
    /// The file of rejects cannot be written: a sentence.
    case rejectsFile(String)
  }

  /// What is the matter.
  public var reason: Reason
}

extension ImportFailure: CustomStringConvertible {
  /// What is the matter, with the place and the way out.
  public var description: String {
    switch reason {
    case .plan(let problems): problems.joined(separator: "\n")
    case .row(let reject):
      "\(reject.clause); nothing was imported: \(reject.isOfTakenKey ? "--on-conflict ignore, replace or update says what becomes of it, " : "")"
        + "--rejects PATH takes such rows and imports the others"
    case .references(let sentence), .rejectsFile(let sentence): "\(sentence); nothing was imported"
    }
  }
}
