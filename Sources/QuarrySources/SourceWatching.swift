public import QuarryEngine

/// Tells what others do to the data of a source.
public protocol SourceWatching: Sendable {
  /// Returns what others do to the data from now on, one after the other.
  ///
  /// A reader asks for the next one once it has handled the last, so that a source may report less often where that takes long. They end
  /// with the task that reads them.
  func changes() -> AsyncStream<DataChange>
  /// Calls `body` with the owner of the lock that is waited for, each time that it changes.
  func onLockWait(_ body: @escaping @Sendable (LockWait?) -> Void)
  /// Ends what waits for a lock.
  func stopWaiting()
  /// The files that are not where they were opened.
  var movedFiles: [MovedFile] { get }
  /// Undoes a change that another program has left half done, where that may be.
  func undoHalfDoneChange() async
  /// Opens the source anew, on what is there now.
  func reopened() throws -> any DataSource
}

extension SourceWatching {
  /// Does nothing: for a source that never waits for a lock.
  public func onLockWait(_ body: @escaping @Sendable (LockWait?) -> Void) {}
  /// Does nothing.
  public func stopWaiting() {}
  /// None: for a source without files.
  public var movedFiles: [MovedFile] { [] }
  /// Does nothing.
  public func undoHalfDoneChange() async {}
}

/// The owner of a lock that something waits for.
public enum LockWait: Hashable, Sendable {
  /// Another program's.
  case anotherProgram
  /// That of the transaction which is open in the source itself.
  case ownTransaction
}
