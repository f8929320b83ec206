internal import Terminal

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A file to which the full screen writes what it is told and what it does, a line each.
final class SessionLog {
  private let descriptor: Int32

  init(path: String) throws {
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure.usage("the log “\(path)” cannot be written: \(String(cString: strerror(errno)))") }
  }

  deinit {
    close(descriptor)
  }

  func write(_ line: String) {
    // A log that cannot be written must not stop what it is a log of.
    _ = Array((line.pictured + "\n").utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}
