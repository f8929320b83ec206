import QuarryEngine

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
