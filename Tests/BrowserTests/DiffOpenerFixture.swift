import Browser
import Foundation
import QuarryChanges
import QuarryEngine

extension DiffOpener {
  /// Opens files; the open database is at `current`.
  ///
  /// An export writes the format and the names of the databases.
  static func files(current: String?) -> DiffOpener {
    DiffOpener { path, isWatched in
      guard let path = path ?? current else { throw Problem("no database is open") }
      var configuration = Configuration()
      configuration.isReadonly = true
      do {
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        return isWatched ? FileDiffSide(watching: queue, name: path) : try FileDiffSide(queue, name: path)
      } catch let error as DatabaseOpenError {
        throw Problem(error.description)
      }
    } export: { subject, format, path in
      try Data("\(format) \(subject.old.name) \(subject.new.name)".utf8).write(to: URL(fileURLWithPath: path))
    }
  }
}
