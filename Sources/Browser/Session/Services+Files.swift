internal import Essentials
internal import Libc
import QuarryEngine
import QuarrySources
import Synchronization

/// What has happened to files that are no longer where they were opened.
package struct FileMove: Hashable, Sendable {
  /// What happened and what is on the screen now, as a sentence.
  var sentence: String
  /// What the title shows for as long as the screen shows another file than the one at the path; nil where it shows that one.
  var badge: String?

  /// Whether the screen shows the files that are now at the paths.
  var isReopened: Bool { badge == nil }
}

extension FileMove {
  /// Describes files that were overwritten or cut where they are.
  init(unreadable sentence: String) {
    let rest = ". The rows on the screen were read before that; R reads again"
    self.init(sentence: sentence.withoutFullStop + rest, badge: "file is damaged")
  }
}

extension Services {
  struct Watch {
    var task: Task<Void, Never>?
    /// Does what posts a message, and waits until the effects of the message are done; nil while changes are not reported.
    var settle: (@Sendable (_ post: @Sendable () -> Void) async -> Void)?
  }

  /// Reports other programs' changes of the source, and of each that replaces it, from now on: the next one when `settle` has returned.
  func watch(settle: @escaping @Sendable (_ post: @Sendable () -> Void) async -> Void) {
    watch.withLock { $0.settle = settle }
    followChanges(of: source)
  }

  /// Reports other programs' changes of a source, in place of the one before.
  func followChanges(of source: any DataSource) {
    watch.withLock { watch in
      guard let settle = watch.settle else { return }
      watch.task?.cancel()
      let changes = source.watch?.changes() ?? AsyncStream { nil }
      watch.task = Task { [weak self, inbox] in
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

  /// Reads files again that could not be read for a while.
  ///
  /// The connections are opened anew, since each may have cached pages of the damaged files.
  private func readAnew() async {
    guard await source.statements?.transaction() == nil, let reopened = try? source.watch?.reopened() else {
      return inbox.post(.filesMoved(nil))
    }
    use(reopened)
    inbox.post(.filesMoved(FileMove(sentence: "\(Self.fileName(source.name)) can be read again", badge: nil)))
  }

  /// Checks whether the files are still those that were opened, switches to those that replaced them, and reports it.
  ///
  /// - Parameter isAsked: Whether the person asked, so that a known move is reported again.
  /// - Returns: The move; nil where all files are where they were.
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

  /// Checks that the files are those on the screen, so that no statement runs where the person does not see it.
  ///
  /// - Throws: `Problem` where they are not.
  func requireSameFiles() async throws {
    guard source.watch?.movedFiles.isEmpty == false, let move = await checkDatabaseFiles(isAsked: true) else { return }
    throw Problem(move.isReopened ? "\(move.sentence); nothing was run: check the rows first" : "\(move.sentence); nothing was run")
  }

  /// Returns the last part of a path in quotation marks.
  private static func fileName(_ path: String) -> String { "“\(path.split(separator: "/").last ?? "")”" }

  /// Opens the files that replaced others, where possible.
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
  /// The error of work that was stopped.
  package static let stopped = Problem("stopped")

  /// Describes any error in a sentence.
  package init(describing error: any Error) {
    switch error {
    case let problem as Problem: self = problem
    case is CancellationError, DatabaseError.SQLITE_INTERRUPT: self = .stopped
    // Without the statement, which is often none that the person has written.
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

  /// Describes an error of the file system, which Foundation's error wraps.
  private init(describing error: CocoaError) {
    let path = error.filePath.map { "\($0): " } ?? ""
    if let cause = error.underlying {
      self.init(path + Problem(describing: cause).text)
    } else {
      self.init("\(path)it cannot be read or written")
    }
  }
}
