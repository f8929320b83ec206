public import Foundation

/// The programs that take part, and the folder for all files.
public final class World: Sendable {
  public struct MissingProgram: Error, CustomStringConvertible {
    public let description: String
  }

  /// The built program.
  public let program: String
  /// The sqlite3 shell.
  public let shell: String
  public let folder: URL
  public let searchPath: String

  /// - Parameter folder: A folder for the files of all cases, which is created.
  /// - Throws: ``MissingProgram`` if the sqlite3 shell is not installed.
  public init(program: String, folder: URL) throws {
    (self.program, self.folder) = (program, folder)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    searchPath = path
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw MissingProgram(description: "there is no program \(program)")
    }
    guard let shell = Self.find("sqlite3", in: path) else {
      throw MissingProgram(description: "sqlite3 is missing, which tells what is right: apt-get install sqlite3")
    }
    self.shell = shell
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Returns the path of an installed program.
  static func find(_ name: String, in path: String) -> String? {
    path.split(separator: ":").map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The sample databases, each created once.
  let samples = SampleStore()
  /// What each command does without a fault.
  let expectations = ExpectationStore()
  /// The library that makes system calls fail.
  let shim = FaultShim()
}
