internal import ArgumentParser
internal import Browser
internal import QuarryEngine
internal import QuarryFiles
internal import Synchronization

/// The output options of a verb.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write to a file. It appears when complete. Use - for standard output.", valueName: "path"), completion: .file())
  private(set) var path: String?

  /// Whether the output is a file.
  var isFile: Bool { path.map { !["-", "/dev/stdout"].contains($0) } ?? false }

  /// Whether the command line names an output, even standard output.
  var isGiven: Bool { path != nil }

  /// Checks that the output path is not a remote address.
  static func requireHere(_ path: String) throws {
    guard Address.isElsewhere(path) else { return }
    let name = PathText.shown(path)
    throw Failure.usage("“\(name)” is an address, and output files are on this machine: ./\(name) is a file here")
  }

  /// Opens the output before any of it is generated.
  ///
  /// - Parameter databases: The paths of the open databases, which must not be overwritten.
  func open(databases: [String]) throws -> VerbOutput {
    // The file is on the user's machine, where the printed output is written to it.
    guard let path, isFile, SSHSession.current == nil else { return VerbOutput.standard }
    try Self.requireHere(path)
    return try VerbOutput(path: path, databases: databases)
  }
}

/// The output of a verb: standard output, or a file that appears once it is complete.
final class VerbOutput: @unchecked Sendable {
  // Sendable because only one thread writes at a time.
  /// The file, or nil for standard output.
  private let file: OutputFile?
  /// The held output, or nil while output is written at once.
  private var held: [UInt8]?

  /// The maximum number of held bytes.
  private static let holdLimit = 16 << 20

  static let standard = VerbOutput()

  /// The path of the file being written, or nil if no file is being written.
  static var unfinishedPath: String? { unfinished.withLock(\.self) }

  private static let unfinished = Mutex<String?>(nil)

  private init() {
    file = nil
  }

  /// Begins to write a file, which appears when it is complete.
  init(path: String, databases: [String]) throws {
    file = try OutputFile(path: path, databases: databases) { try Interrupts.check() }
    Self.unfinished.withLock { $0 = path }
  }

  /// Whether the output goes to a terminal.
  var isTerminal: Bool { file == nil && StandardOutput.isTerminal }

  func write(_ text: String) throws {
    var text = text
    try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
  }

  /// Writes all of `bytes`.
  ///
  /// - Throws: `StandardOutput.WriteError`, or `OutputFileError`.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
    if let count = held?.count, count + bytes.count <= Self.holdLimit {
      held?.append(contentsOf: bytes)
    } else {
      try writeHeld()
      try writeAtOnce(bytes)
    }
  }

  /// Holds the following output, so that no write waits for the reader.
  func hold() { held = [] }

  /// Writes held output, and continues to hold the following output.
  func writeHeld() throws {
    guard let bytes = held, !bytes.isEmpty else { return }
    held?.removeAll(keepingCapacity: true)
    try bytes.withUnsafeBytes(writeAtOnce)
  }

  /// Writes held output, and stops holding output.
  func release() throws {
    try writeHeld()
    held = nil
  }

  private func writeAtOnce(_ bytes: UnsafeRawBufferPointer) throws {
    try Interrupts.writing {
      guard let file else { return try StandardOutput.write(bytes) }
      try file.write(bytes)
    }
  }

  /// Writes text that may contain terminal control sequences, because the program itself has created it.
  func writePicture(_ text: String) throws {
    if file == nil { try StandardOutput.writePicture(text) } else { try write(text) }
  }

  /// Moves the file to its path.
  ///
  /// Without this call the file does not appear.
  func finish() throws {
    try file?.finish()
    Self.unfinished.withLock { $0 = nil }
  }

  /// Returns whether an error concerns the output rather than its contents.
  static func isFault(_ error: any Error) -> Bool {
    error is StandardOutput.WriteError || error is OutputFileError
  }
}
