import QuarryEngine
import QuarryRows

/// The rows that the visible rows reference, shown beside their values, and the rows that reference the row under the cursor.
package struct ReferenceLabels: Hashable, Sendable {
  typealias Reference = ReferredRows.Reference

  private var referred: ReferredRows
  /// The foreign keys of other tables that reference this one; nil until they have been read.
  var inbound: [InboundReference]?
  /// Whether they are being read.
  var awaitsInbound = false
  /// The references shown below the grid.
  var strip = ReferenceStrip()

  init(nameChanges: Int) { referred = ReferredRows(nameChanges: nameChanges) }

  /// The rows that are referred to, as far as they are known.
  var rows: [Reference: ReferredRow] { referred.rows }

  /// Returns the references that have to be read, and marks them as requested; none where all are known or on their way.
  ///
  /// - Parameter nameChanges: The number of changes of the file and of the label columns by now: after one, what is shown stays until it has
  ///   been read again.
  mutating func demand(_ references: Set<Reference>, nameChanges: Int) -> Set<Reference> {
    if referred.turn(to: nameChanges) { strip.forget() }
    return referred.demand(references)
  }

  /// Requests all references again; the former rows stay visible until then.
  mutating func renew() {
    referred.renew()
    strip.forget()
  }

  /// Drops the pending requests.
  mutating func dropRequests() {
    referred.dropRequests()
    awaitsInbound = false
    strip.forget()
  }

  /// Adds rows that have been read.
  mutating func receive(_ read: [Reference: ReferredRow]) { referred.receive(read) }
}

/// The row that the cursor's column references, and the number of rows that reference the cursor's row.
struct ReferenceStrip: Hashable, Sendable {
  /// The references that the strip shows.
  struct Subject: Hashable, Sendable {
    /// The reference of the cursor's column, or of the first foreign key; nil if the row has none.
    var reference: ReferenceLabels.Reference?
    /// The rows that reference the cursor's row, by table.
    var referring: [RowSet] = []
  }

  /// A value of the referenced row.
  struct Field: Hashable, Sendable {
    var name: String
    var value: CellValue
  }

  private(set) var subject: Subject?
  /// The values of the referenced row; empty until they have been read.
  private(set) var fields: [Field] = []
  /// The numbers of referencing rows, by the index of their set.
  private(set) var counts: [Int: RowNumber] = [:]

  /// Sets the subject; returns whether it has changed.
  mutating func turn(to subject: Subject) -> Bool {
    guard subject != self.subject else { return false }
    if subject.reference != self.subject?.reference { fields = [] }
    if subject.referring != self.subject?.referring { counts = [:] }
    self.subject = subject
    return true
  }

  /// Adds the rows that have been read, unless the subject has changed.
  mutating func receive(_ report: LoadReferenceStrip.Report, of subject: Subject) {
    guard subject == self.subject else { return }
    switch report {
    case .fields(let read): fields = read
    case .count(let index, let number): counts[index] = number
    }
  }

  /// Forgets the subject, so that everything is read again.
  mutating func forget() { subject = nil }
}
