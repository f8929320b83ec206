import QuarryEngine
import QuarryRows

/// What the rows in sight refer to, shown beside their values, and what refers to the row under the cursor.
package struct ReferenceLabels: Hashable, Sendable {
  typealias Reference = ReferredRows.Reference

  private var referred: ReferredRows
  /// The foreign keys of other tables that refer to this one; nil until they are known.
  var inbound: [InboundReference]?
  /// Whether they are on their way.
  var awaitsInbound = false
  /// What is shown under the grid.
  var strip = ReferenceStrip()

  init(fileChanges: Int) { referred = ReferredRows(fileChanges: fileChanges) }

  /// The rows that are referred to, as far as they are known.
  var rows: [Reference: ReferredRow] { referred.rows }

  /// Returns the references that have to be read, and marks them as requested; none where all are known or on their way.
  ///
  /// - Parameter fileChanges: The number of file changes by now: after one, what is shown stays until it has been read again.
  mutating func demand(_ references: Set<Reference>, fileChanges: Int) -> Set<Reference> {
    if referred.turn(to: fileChanges) { strip.forget() }
    return referred.demand(references)
  }

  /// Has everything read again; what is shown stays until then.
  mutating func renew() {
    referred.renew()
    strip.forget()
  }

  /// Forgets what is on its way.
  mutating func dropRequests() {
    referred.dropRequests()
    awaitsInbound = false
    strip.forget()
  }

  /// Adds rows that have been read.
  mutating func receive(_ read: [Reference: ReferredRow]) { referred.receive(read) }
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
