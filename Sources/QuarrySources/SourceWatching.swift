public import QuarryEngine

/// Reports external changes to the data of a source.
public protocol SourceWatching: Sendable {
  /// Returns the stream of external changes from now on.
  ///
  /// A reader requests the next change once it has handled the previous one, so that a source may report less often if that takes long. The
  /// stream ends with the task that reads it.
  func changes() -> AsyncStream<DataChange>
  /// Calls `body` with the owner of the awaited lock each time that it changes.
  func onLockWait(_ body: @escaping @Sendable (LockWait?) -> Void)
  /// Cancels all operations that are waiting for a lock.
  func stopWaiting()
  /// The opened files that are no longer at their paths.
  var movedFiles: [MovedFile] { get }
  /// Rolls back an unfinished transaction of another program if possible.
  func undoHalfDoneChange() async
  /// Reopens the source with its current files.
  func reopened() throws -> any DataSource
}

extension SourceWatching {
  /// Does nothing, for a source that never waits for a lock.
  public func onLockWait(_ body: @escaping @Sendable (LockWait?) -> Void) {}
  /// Does nothing.
  public func stopWaiting() {}
  /// Empty by default, for a source without files.
  public var movedFiles: [MovedFile] { [] }
  /// Does nothing.
  public func undoHalfDoneChange() async {}
}

/// The owner of an awaited lock.
public enum LockWait: Hashable, Sendable {
  /// Another program.
  case anotherProgram
  /// The open transaction of the source itself.
  case ownTransaction
}
