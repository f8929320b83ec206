internal import ArgumentParser
internal import Browser
internal import QuarryEngine
internal import QuarryFiles
internal import Synchronization

/// Where a verb writes to.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write to a file. It appears when complete. Use - for standard output.", valueName: "path"), completion: .file())
  private(set) var path: String?

  /// Whether a file is named.
  var isFile: Bool { path.map { !["-", "/dev/stdout"].contains($0) } ?? false }

  /// Checks that a file that is to be written is not meant to lie on another machine.
  static func requireHere(_ path: String) throws {
    guard Address.isElsewhere(path) else { return }
    let name = PathText.shown(path)
    throw Failure.usage("“\(name)” is an address, and what is written lies on this machine: ./\(name) is a file here")
  }

  /// Opens what is written to, before any of it is made.
  ///
  /// - Parameter databases: The paths of the databases that are read, which must not be written over.
  func open(databases: [String]) throws -> VerbOutput {
    // The person who has named the file has it on another machine, where what is printed goes to it.
    guard let path, isFile, SSHSession.current == nil else { return VerbOutput.standard }
    try Self.requireHere(path)
    return try VerbOutput(path: path, databases: databases)
  }
}

/// What a verb writes to: standard output, or a file that appears once it is whole.
final class VerbOutput: @unchecked Sendable {
  // Sendable because what is written comes from one thread at a time.
  /// Nil for standard output.
  private let file: OutputFile?
  /// What is held back; nil while everything is written at once.
  private var held: [UInt8]?

  /// The number of bytes that are held back at most.
  private static let holdLimit = 16 << 20

  static let standard = VerbOutput()

  /// The path of the file that is being written; nil where none is.
  static var unfinishedPath: String? { unfinished.withLock(\.self) }

  private static let unfinished = Mutex<String?>(nil)

  private init() {
    file = nil
  }

  fileprivate init(path: String, databases: [String]) throws {
    file = try OutputFile(path: path, databases: databases) { try Interrupts.check() }
    Self.unfinished.withLock { $0 = path }
  }

  /// Whether a person reads it on a terminal.
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

  /// Holds back what is written from now on, so that no write waits for the reader.
  func hold() { held = [] }

  /// Writes what is held back, and goes on holding back.
  func writeHeld() throws {
    guard let bytes = held, !bytes.isEmpty else { return }
    held?.removeAll(keepingCapacity: true)
    try bytes.withUnsafeBytes(writeAtOnce)
  }

  /// Writes what is held back, and holds back nothing from now on.
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

  /// Writes a text that may hold sequences that control the terminal, because the program itself has made them.
  func writePicture(_ text: String) throws {
    if file == nil { try StandardOutput.writePicture(text) } else { try write(text) }
  }

  /// Puts the file in its place; without it there is none.
  func finish() throws {
    try file?.finish()
    Self.unfinished.withLock { $0 = nil }
  }

  /// Whether an error is one of the output, and not of what is written.
  static func isFault(_ error: any Error) -> Bool {
    error is StandardOutput.WriteError || error is OutputFileError
  }
}
