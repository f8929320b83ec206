import Foundation
import Synchronization

/// The library that makes a system call of a program fail, or kills the program there.
///
/// It is loaded before the C library, so the program must be dynamically linked. `Shim/faults.c` explains its variables.
public final class FaultShim: Sendable {
  /// The kinds of calls, in the order in which the library counts them.
  enum Call: String, CaseIterable {
    case write, pwrite, fsync, open, ftruncate, mmap, read, pread, rename, unlink, malloc
    case thread = "pthread_create"
    /// Each call that changes a file.
    case any

    /// The errors that the call is tried with.
    var errors: [Int32] {
      switch self {
      case .write, .pwrite: [EIO, ENOSPC, EINTR]
      case .fsync: [EIO, ENOSPC, EINTR]
      case .open: [EMFILE, EIO, ENOSPC, ENOMEM, EINTR, EACCES]
      case .ftruncate: [EIO, ENOSPC, EINTR]
      case .mmap, .malloc: [ENOMEM]
      case .read, .pread: [EIO, EINTR]
      case .rename: [EIO, ENOSPC]
      case .unlink: [EIO, EACCES]
      case .thread: [EAGAIN]
      case .any: []
      }
    }
  }

  /// A call that fails.
  struct Fault: CustomStringConvertible {
    enum Effect {
      case error(Int32)
      /// Half of the bytes are read or written.
      case short
      case kill
      /// Half of the bytes are written before the program is killed.
      case tear
    }

    var call: Call
    /// The number of the call among those of its kind, from 1.
    var number: Int
    var effect: Effect
    /// Whether the later calls fail too.
    var isLasting = false

    var description: String {
      let text =
        switch effect {
        case .error(let number): "\(number)"
        case .short: "short"
        case .kill: "kill"
        case .tear: "tear"
        }
      return "\(call.rawValue):\(number):\(text)\(isLasting ? ":+" : "")"
    }
  }

  /// The compiler that comes with Swift; nil if it is not installed, or if the system has no such libraries.
  public static let compiler: String? = {
    #if os(Linux)
      World.find("clang", in: ProcessInfo.processInfo.environment["PATH"] ?? "")
    #else
      nil
    #endif
  }()

  private let library = Mutex<String?>(nil)

  /// Returns the variables with which a program has a fault, or only counts its calls.
  ///
  /// - Parameter counts: The name of a file for the numbers of calls.
  func environment(_ fault: Fault? = nil, counts: String? = nil, for trial: Trial) throws -> [String: String] {
    var variables = ["LD_PRELOAD": try path(for: trial)]
    if let fault { variables["HOSTILE_FAULT"] = fault.description }
    if let counts { variables["HOSTILE_COUNTS"] = counts }
    return variables
  }

  /// Reads the numbers of calls that the library has counted.
  static func counts(at path: String) -> [Call: Int] {
    let bytes = FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? []
    return Call.allCases.enumerated().reduce(into: [:]) { counts, call in
      let number = bytes.dropFirst(call.offset * 8).prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
      counts[call.element] = number
    }
  }

  private func path(for trial: Trial) throws -> String {
    try library.withLock { library in
      if let library { return library }
      guard let compiler = Self.compiler else { throw World.MissingProgram(description: "clang is missing, which comes with Swift") }
      let path = trial.world.folder.appending(path: "faults.so").path
      // Of Tests/Hostile/Sources/HostileWorld/Programs/FaultShim.swift.
      let package = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
      let source = package.appending(path: "Shim/faults.c").path
      let command = [compiler, "-O1", "-shared", "-fPIC", source, "-o", path, "-ldl"]
      let run = try ProgramRun(command, environment: trial.environment, in: trial.folder)
      guard run.isSuccess else { throw World.MissingProgram(description: run.errors) }
      library = path
      return path
    }
  }
}
