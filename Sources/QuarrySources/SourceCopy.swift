public import Essentials
public import QuarryRows

/// What is known of the copy of rows in which a source finds out what needs all of them.
public enum SourceCopy: Hashable, Sendable {
  /// The rows of a table are being copied.
  case underWay(name: String, RowProgress)
  /// What is found out now is that of this moment.
  case ready(Date)
}
