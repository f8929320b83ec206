import QuarryEngine
import QuarryRows

/// What the rows in sight refer to, shown beside their values, and what refers to the row under the cursor.
package struct ReferenceLabels: Hashable, Sendable {
  /// The values of a foreign key, by its index among the table's.
  struct Reference: Hashable, Sendable {
    var key: Int
    var values: [DatabaseValue]
  }

  /// What is known of the rows that are referred to.
  private(set) var rows: [Reference: ReferredRow] = [:]
  /// The references that have been asked for.
  private var asked: Set<Reference> = []
  /// The number of file changes that this includes.
  private var fileChanges: Int
  /// The foreign keys of other tables that refer to this one; nil until they are known.
  var inbound: [InboundReference]?
  /// Whether they are on their way.
  var awaitsInbound = false
  /// What is shown under the grid.
  var strip = ReferenceStrip()

  init(fileChanges: Int) { self.fileChanges = fileChanges }

  /// How many references are kept at most.
  private static let limit = 20_000

  /// Returns those of some references that have to be read, and takes note of them; none where all are known, or on their way.
  ///
  /// - Parameter fileChanges: The number of file changes by now: after one, what is shown stays until it has been read again.
  mutating func demand(_ references: Set<Reference>, fileChanges: Int) -> Set<Reference> {
    if self.fileChanges != fileChanges {
      self.fileChanges = fileChanges
      renew()
    }
    guard !references.isSubset(of: asked) else { return [] }
    // What was on its way is asked for again, since the new request supersedes the one for it.
    let missing = references.subtracting(asked.intersection(rows.keys))
    asked = asked.intersection(rows.keys).union(references)
    return missing
  }

  /// Has everything read again; what is shown stays until then.
  mutating func renew() {
    asked = []
    strip.forget()
  }

  /// Forgets what is on its way.
  mutating func dropRequests() {
    asked.formIntersection(rows.keys)
    awaitsInbound = false
    strip.forget()
  }

  /// Takes what has been read.
  mutating func receive(_ read: [Reference: ReferredRow]) {
    if rows.count > Self.limit { (rows, asked) = ([:], Set(read.keys)) }
    rows.merge(read) { $1 }
  }
}

/// The row that the cursor's column refers to, and how many rows refer to the cursor's row.
struct ReferenceStrip: Hashable, Sendable {
  /// What it is about.
  struct Subject: Hashable, Sendable {
    /// The reference of the cursor's column, or of the first foreign key; nil where the row has none.
    var reference: ReferenceLabels.Reference?
    /// The rows that refer to the cursor's row, by table.
    var referring: [RowSet] = []
  }

  /// A value of the referred row.
  struct Field: Hashable, Sendable {
    var name: String
    var value: CellValue
  }

  private(set) var subject: Subject?
  /// The values of the referred row; empty until they are read.
  private(set) var fields: [Field] = []
  /// The numbers of referring rows, by the index of their set.
  private(set) var counts: [Int: RowNumber] = [:]

  /// Takes what it is to be about; returns whether that is something else.
  mutating func turn(to subject: Subject) -> Bool {
    guard subject != self.subject else { return false }
    if subject.reference != self.subject?.reference { fields = [] }
    if subject.referring != self.subject?.referring { counts = [:] }
    self.subject = subject
    return true
  }

  /// Takes what has been read, unless it is about something else.
  mutating func receive(_ report: LoadReferenceStrip.Report, of subject: Subject) {
    guard subject == self.subject else { return }
    switch report {
    case .fields(let read): fields = read
    case .count(let index, let number): counts[index] = number
    }
  }

  /// Forgets what it is about, so that all is read again.
  mutating func forget() { subject = nil }
}
