package import QuarrySources

/// The state of the data source while the program runs.
package struct SourceState: Sendable {
  var roles = SourceRoles()
  /// The reason why nothing can be written; nil if writing is possible.
  var editRefusal: String?
  /// The machines that serve the data; nil for a file.
  var connection: SourceConnection?
  /// The copy of rows for queries that need all of them; nil without a copy, as for a file.
  var copy: SourceCopy?
  /// The badge of the title while the visible file is not the one at its path; nil if it is.
  package var fileBadge: String?
  /// The number of external changes so far.
  var fileChanges = 0
  /// The number of changes of the columns that name referenced rows.
  var labelChanges = 0
  /// The number of changes after which the names of referenced rows are read again.
  var nameChanges: Int { fileChanges + labelChanges }
  /// Whether the catalog has been read.
  var hasCatalog = false
  /// The open transaction on the editor's connection; nil for none.
  package var transaction: OpenTransaction?
  /// The lock that a statement waits for; nil for none.
  package var lockWait: LockWait? {
    didSet { if lockWait == nil { lockWaitTime = .zero } }
  }
  /// The duration of the lock wait.
  var lockWaitTime = Duration.zero
}
