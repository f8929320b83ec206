internal import ArgumentParser
internal import Libc
internal import QuarryChanges
internal import QuarryEngine
internal import QuarryRows
internal import Synchronization

/// Reads a file for a comparison on another host: questions arrive on standard input, and answers go to standard output.
///
/// Only Quarry on another host starts it. A signal may end it at any time, because it only reads.
struct DiffSideVerb: ParsableCommand {
  /// The first word of its command line.
  static let word = "--diff-side"

  @Argument(transform: FileArgument.path)
  private var file: String

  func run() throws {
    let path = file
    let service = DiffService { isWatched in try Self.open(path, isWatched: isWatched) }
    var received: ArraySlice<UInt8> = []
    while let bytes = Descriptor.readPart(STDIN_FILENO), !bytes.isEmpty {
      received += bytes
      while let question = DiffMessage.take(from: &received) {
        let answer = try InsightOptions.waiting { try await service.answer(question) }
        try answer.bytes.withUnsafeBytes { try StandardOutput.write($0) }
      }
    }
  }

  private static func open(_ path: String, isWatched: Bool) throws -> FileDiffSide {
    do {
      if let data = try SourceFiles([path], options: nil).dataPaths.first {
        throw Failure(status: .cannotOpen, message: "“\(PathText.shown(data))” is not a database: import it into one first")
      }
      let files = DatabaseFiles(paths: [path], isReadOnly: true, recovery: isWatched ? .refused : .reported)
      let name = PathText.shown(path)
      if isWatched { return FileDiffSide(watching: try files.open(label: "comparison", busyTimeout: .seconds(5)), name: name) }
      return try FileDiffSide(files.open(), name: name)
    } catch {
      guard let failure = Failure(error), let message = failure.message else { throw error }
      let host = failure.status == .cannotOpen ? SSHSession.current.map { "\($0.host.name): " } ?? "" : ""
      throw DataSourceError(host + message, isOfOpening: failure.status == .cannotOpen)
    }
  }
}
