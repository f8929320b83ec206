package import QuarrySources

/// What is known of the data source while the program runs.
package struct SourceState: Sendable {
  var roles = SourceRoles()
  /// Why nothing can be written; nil where it can.
  var editRefusal: String?
  /// Which machines serve the data; nil for a file.
  var connection: SourceConnection?
  /// The copy of rows in which is found out what needs all of them; nil where there is none, as of a file.
  var copy: SourceCopy?
  /// What the title shows while the file on the screen is not the one at its path; nil where it is.
  package var fileBadge: String?
  /// The number of writes by other programs seen so far.
  var fileChanges = 0
  /// Whether the catalog has been read.
  var hasCatalog = false
  /// The transaction that is open on the editor's connection; nil for none.
  package var transaction: OpenTransaction?
  /// The lock that is being waited for; nil for none.
  package var lockWait: LockWait? {
    didSet { if lockWait == nil { lockWaitTime = .zero } }
  }
  /// How long it has been waited for.
  var lockWaitTime = Duration.zero
}
