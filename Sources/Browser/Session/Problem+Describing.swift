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
import QuarryEngine

extension Problem {
  /// That something was ended before it had come to its own end.
  static let stopped = Problem("stopped")

  /// Puts any error into a sentence for a person.
  init(describing error: any Error) {
    switch error {
    case let problem as Problem: self = problem
    case is CancellationError, DatabaseError.SQLITE_INTERRUPT: self = .stopped
    // The statement is often none that the person has written.
    case let error as DatabaseError: self.init(error.lockSentence ?? error.message)
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

extension DatabaseError {
  /// Who has the lock that could not be had, and what can be done; nil where it is about no lock.
  var lockSentence: String? {
    switch extendedResultCode {
    case Self.SQLITE_BUSY_SNAPSHOT: "another program has written since this transaction began to read: roll it back, and run it again"
    case _ where resultCode == Self.SQLITE_BUSY: "another program has locked the database: run it again when that has finished"
    default: nil
    }
  }
}
