import QuarryEngine
import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// What has become of files that are not where they were opened.
public struct FileMove: Hashable, Sendable {
  /// For a person: what happened, and what is on the screen now.
  var sentence: String
  /// What stays on the screen for as long as it shows another file than the one that is there; nil where it shows that.
  var badge: String?

  /// Whether the screen shows the files that are there now.
  var isReopened: Bool { badge == nil }
}

extension Services {
  struct Watch {
    var task: Task<Void, Never>?
    /// Waits until what follows from a change is done; nil where changes are not to be told.
    var settle: (@Sendable () async -> Void)?
  }

  /// Tells from now on what others do to the source, and to each that takes its place: the next change when `settle` has returned.
  func watch(settle: @escaping @Sendable () async -> Void) {
    watch.withLock { $0.settle = settle }
    followChanges(of: source)
  }

  /// Tells what others do to a source, and no more of that before it.
  func followChanges(of source: any DataSource) {
    watch.withLock { watch in
      guard let settle = watch.settle else { return }
      watch.task?.cancel()
      let changes = source.changes()
      watch.task = Task { [weak self] in
        for await change in changes {
          switch change {
          case .filesMoved: await self?.checkDatabaseFiles()
          case .written:
            self?.inbox.post(.filesChanged)
            await settle()
          }
        }
      }
    }
  }

  /// Looks whether the files are still those that were opened, goes over to those that have taken their places, and tells.
  ///
  /// - Parameter isAsked: whether a person wants to know, who is told again what has been told before.
  /// - Returns: what was told; nil where all files are where they were.
  @discardableResult
  func checkDatabaseFiles(isAsked: Bool = false) async -> FileMove? {
    if isAsked { await source.undoHalfDoneChange() }
    let moved = source.movedFiles
    let isNews = toldFiles.withLock { told in
      defer { told = moved }
      return told != moved
    }
    guard !moved.isEmpty else {
      // Somebody has put back what was away.
      if isNews { inbox.post(.filesMoved(nil)) }
      return nil
    }
    guard isNews || isAsked else { return nil }
    let move = await goOver(to: moved)
    if move.isReopened { toldFiles.withLock { $0 = [] } }
    inbox.post(.filesMoved(move))
    return move
  }

  /// - Throws: `Problem` where the files are not those on the screen, so that a statement would not run where a person sees.
  func requireSameFiles() async throws {
    guard !source.movedFiles.isEmpty, let move = await checkDatabaseFiles(isAsked: true) else { return }
    throw Problem(move.isReopened ? "\(move.sentence); nothing was run: look at the rows first" : "\(move.sentence); nothing was run")
  }

  /// Opens the files that have taken the places of others, where that can be.
  private func goOver(to moved: [MovedFile]) async -> FileMove {
    let names = moved.map { "“\($0.path.split(separator: "/").last ?? "")”" }.joined(separator: " and ")
    let was = moved.count == 1 ? "was" : "were"
    guard moved.allSatisfy(\.isReplaced) else {
      let sentence = "\(names) \(was) deleted or moved: what is shown is the file as it was opened; R looks for another in its place"
      return FileMove(sentence: sentence, badge: "file is gone")
    }
    let event = "\(names) \(was) replaced"
    if await source.transaction() != nil {
      let sentence =
        "\(event), and a transaction is open in the old file, where nobody would see it: roll it back (:rollback), then press R"
      return FileMove(sentence: sentence, badge: "old file")
    }
    do {
      use(try source.reopened())
      return FileMove(sentence: "\(event): what is shown is the new file", badge: nil)
    } catch {
      let sentence = "\(event), and what is there now cannot be opened: \(Problem(describing: error).text)"
      return FileMove(sentence: sentence, badge: "old file")
    }
  }
}

extension Problem {
  /// That something was ended before it had come to its own end.
  static let stopped = Problem("stopped")

  /// Puts any error into a sentence for a person.
  init(describing error: any Error) {
    switch error {
    case let problem as Problem: self = problem
    case is CancellationError, DatabaseError.SQLITE_INTERRUPT: self = .stopped
    // Without the statement, which is often none that the person has written.
    case let error as DatabaseError: self.init(error.sentence)
    case let error as POSIXError: self.init(String(cString: strerror(error.code.rawValue)))
    case let error as CocoaError: self.init(describing: error)
    default: self.init(String(describing: error))
    }
  }

  /// Says what the system said of a file, which the error of Foundation has within it.
  private init(describing error: CocoaError) {
    let path = error.filePath.map { "\($0): " } ?? ""
    if let cause = error.underlying {
      self.init(path + Problem(describing: cause).text)
    } else {
      self.init("\(path)it cannot be read or written")
    }
  }
}
