public import Essentials
public import QuarryRows

/// The state of a source's local copy of rows for operations that need all of them.
public enum SourceCopy: Hashable, Sendable {
  /// The rows of a table are being copied.
  case underWay(name: String, RowProgress)
  /// The copy is complete.
  ///
  /// Results belong to this time.
  case ready(Date)
}
