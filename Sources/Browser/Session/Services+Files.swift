internal import Essentials
internal import Libc
import QuarryEngine
import QuarrySources
import Synchronization

/// A change of files that are no longer at their original paths.
package struct FileMove: Hashable, Sendable {
  /// A sentence about the event and the data that the screen now shows.
  var sentence: String
  /// The badge of the title while the screen shows another file than the one at the path; nil if it shows that file.
  var badge: String?

  /// Whether the screen shows the files that are now at the paths.
  var isReopened: Bool { badge == nil }
}

extension FileMove {
  /// Describes files that were overwritten or truncated in place.
  init(unreadable sentence: String) {
    let rest = ". The rows on the screen were read before that; R reads again"
    self.init(sentence: sentence.withoutFullStop + rest, badge: "file is damaged")
  }
}

extension Services {
  struct Watch {
    var task: Task<Void, Never>?
    /// The function that runs a closure which posts a message, and waits until the effects of the message are done.
    ///
    /// It is nil while changes are not reported.
    var settle: (@Sendable (_ post: @Sendable () -> Void) async -> Void)?
  }

  /// Begins to report external changes of the source, and of each source that replaces it.
  ///
  /// The next change is reported after `settle` has returned.
  func watch(settle: @escaping @Sendable (_ post: @Sendable () -> Void) async -> Void) {
    watch.withLock { $0.settle = settle }
    followChanges(of: source)
  }

  /// Reports external changes of a source, in place of the former source.
  func followChanges(of source: any DataSource) {
    watch.withLock { watch in
      guard let settle = watch.settle else { return }
      watch.task?.cancel()
      let changes = source.watch?.changes() ?? AsyncStream { nil }
      watch.task = Task(executorPreference: TaskThreads.shared) { [weak self, inbox] in
        for await change in changes {
          switch change {
          case .filesMoved: await self?.checkDatabaseFiles()
          case .unreadable(let sentence?): self?.inbox.post(.filesMoved(FileMove(unreadable: sentence)))
          case .unreadable(nil): await self?.readAnew()
          case .connection(let connection): self?.inbox.post(.connectionChanged(connection))
          case .transactionLost(let reason):
            self?.noteTransaction(nil)
            self?.inbox.post(.transactionLost(Problem(reason)))
          case .written:
            await settle { inbox.post(.filesChanged) }
          }
        }
      }
    }
  }

  /// Reads files again after they were temporarily unreadable.
  ///
  /// The connections are reopened, because each may have cached pages of the damaged files.
  private func readAnew() async {
    guard await source.statements?.transaction() == nil, let reopened = try? source.watch?.reopened() else {
      return inbox.post(.filesMoved(nil))
    }
    use(reopened)
    inbox.post(.filesMoved(FileMove(sentence: "\(Self.fileName(source.name)) can be read again", badge: nil)))
  }

  /// Checks whether the opened files are still at their paths, switches to files that replaced them, and reports the change.
  ///
  /// - Parameter isAsked: Whether the person requested the check, so that a known move is reported again.
  /// - Returns: The move; nil if no file has moved.
  @discardableResult
  func checkDatabaseFiles(isAsked: Bool = false) async -> FileMove? {
    if isAsked { await source.watch?.undoHalfDoneChange() }
    let moved = source.watch?.movedFiles ?? []
    let isNews = reportedFiles.withLock { reported in
      defer { reported = moved }
      return reported != moved
    }
    guard !moved.isEmpty else {
      // The missing file is back.
      if isNews { inbox.post(.filesMoved(nil)) }
      return nil
    }
    guard isNews || isAsked else { return nil }
    let move = await goOver(to: moved)
    if move.isReopened { reportedFiles.withLock { $0 = [] } }
    inbox.post(.filesMoved(move))
    return move
  }

  /// Checks that the screen shows the files at the paths, so that no statement changes data that the person does not see.
  ///
  /// - Throws: `Problem` if files have been moved or replaced.
  func requireSameFiles() async throws {
    guard source.watch?.movedFiles.isEmpty == false, let move = await checkDatabaseFiles(isAsked: true) else { return }
    throw Problem(move.isReopened ? "\(move.sentence); nothing was run: check the rows first" : "\(move.sentence); nothing was run")
  }

  /// Returns the last part of a path in quotation marks.
  private static func fileName(_ path: String) -> String { "“\(path.split(separator: "/").last ?? "")”" }

  /// Opens the files that replaced the former ones, if possible.
  private func goOver(to moved: [MovedFile]) async -> FileMove {
    let names = moved.map { Self.fileName($0.path) }.joined(separator: " and ")
    let was = moved.count == 1 ? "was" : "were"
    guard moved.allSatisfy(\.isReplaced) else {
      let sentence = "\(names) \(was) deleted or moved: you still see the file as it was opened; R checks again"
      return FileMove(sentence: sentence, badge: "file is gone")
    }
    let event = "\(names) \(was) replaced"
    if await source.statements?.transaction() != nil {
      let sentence =
        "\(event), but a transaction is open in the old file: roll it back (:rollback), then press R"
      return FileMove(sentence: sentence, badge: "old file")
    }
    do {
      if let reopened = try source.watch?.reopened() { use(reopened) }
      return FileMove(sentence: "\(event): you now see the new file", badge: nil)
    } catch {
      let sentence = "\(event), but the new one cannot be opened: \(Problem(describing: error).text)"
      return FileMove(sentence: sentence, badge: "old file")
    }
  }
}

extension Problem {
  /// The error of stopped work.
  package static let stopped = Problem("stopped")

  /// Describes any error in a sentence.
  package init(describing error: any Error) {
    switch error {
    case let problem as Problem: self = problem
    case is CancellationError, DatabaseError.SQLITE_INTERRUPT: self = .stopped
    // Omits the statement, because often the person has not written it.
    case let error as DatabaseError:
      self.init(error.sentence)
      isOutdated = error.resultCode == DatabaseError.SQLITE_SCHEMA
    case let read as LongRead:
      self.init(read.description)
      isQuestion = true
    case let error as POSIXError: self.init(SystemError(code: error.code.rawValue).description)
    case let error as CocoaError: self.init(describing: error)
    default: self.init(String(describing: error))
    }
  }

  /// Describes a file system error that Foundation's error wraps.
  private init(describing error: CocoaError) {
    let path = error.filePath.map { "\($0): " } ?? ""
    if let cause = error.underlying {
      self.init(path + Problem(describing: cause).text)
    } else {
      self.init("\(path)it cannot be read or written")
    }
  }
}
