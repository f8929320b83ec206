internal import Browser
internal import Essentials

/// What this program sends to the one that ssh starts on another host: the command line, and what belongs to it here.
///
/// The full screen gets it as an argument, since its standard input is the terminal; a verb gets it as the first frame of its standard
/// input, so that no list of processes shows SQL and values.
struct SSHRequest: Codable, Sendable {
  struct File: Codable, Sendable {
    var path: String
    var text: String
  }

  /// What the person here has chosen.
  struct Preferences: Codable, Sendable {
    var settings: File?
    var keymap: File?
    var themes: [File] = []
    /// What could not be sent, or read here, and in which file.
    var warnings: [File] = []
  }

  /// Which of the streams here are terminals; the program there has pipes.
  struct Streams: Codable, Sendable {
    var isInputTerminal: Bool
    var isOutputTerminal: Bool
    var isErrorTerminal: Bool
    /// The extent of the terminal.
    var columns: Int?
    var rows: Int?
  }

  /// The host, and how it is reached.
  var host: SSHHost
  /// The words of the command line, as they were written here.
  var words: [String]
  /// The paths there of the FILEs among them.
  var paths: [String: String]
  var environment: [String: String] = [:]
  var preferences = Preferences()
  var streams: Streams
  /// The files here that the command line names as SQL or as values, by their paths.
  var files: [String: Data] = [:]
  /// The saved statement that it names.
  var savedStatement: String?
  /// How many files to import come as standard input, one after the other, in the place of those that the command line names; nil where it
  /// is what the command line says.
  var sourceCount: Int?

  var json: Data {
    get throws { try JSONEncoder().encode(self) }
  }

  /// The request as the argument of a command.
  var argument: String {
    get throws { try json.base64EncodedString() }
  }

  /// The longest argument: Linux starts no program with one of more than 128 KiB, nor the shell there, which gets it within its own.
  static let longestArgument = 100_000

  /// Reads a request from an argument, or from a frame.
  init(json: Data) throws {
    self = try JSONDecoder().decode(Self.self, from: json)
  }

  init(host: SSHHost, words: [String], paths: [String: String], streams: Streams) {
    (self.host, self.words, self.paths, self.streams) = (host, words, paths, streams)
  }
}

/// A host, apart from what is read there.
struct SSHHost: Codable, Hashable, Sendable {
  /// The host as it was written.
  var name: String
  /// One of the files that were named there.
  private var address: SSHAddress

  init(_ address: SSHAddress) {
    name = address.host
    self.address = address
  }

  /// Returns the address of a path there.
  func address(of path: String) -> String { address.address(of: path) }
}

/// A piece of what is sent to a verb there: its kind, the number of its bytes in four bytes, and they.
enum SSHFrame: UInt8 {
  case request = 0x72
  case data = 0x64
  case end = 0x65
  case interrupt = 0x69

  static let headLength = 5

  func bytes(_ payload: some Collection<UInt8> = []) -> [UInt8] {
    let count = UInt32(payload.count)
    return [rawValue] + (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } + payload
  }

  /// Takes the first frame of `bytes`; nil while it is not whole.
  ///
  /// - Throws: `SSHFrameError` for what is none.
  static func take(from bytes: inout ArraySlice<UInt8>) throws(SSHFrameError) -> (kind: SSHFrame, payload: ArraySlice<UInt8>)? {
    guard let first = bytes.first else { return nil }
    guard let kind = SSHFrame(rawValue: first) else { throw SSHFrameError() }
    guard bytes.count >= headLength else { return nil }
    let count = bytes.dropFirst().prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard bytes.count >= headLength + count else { return nil }
    let payload = bytes.dropFirst(headLength).prefix(count)
    bytes = bytes.dropFirst(headLength + count)
    return (kind, payload)
  }
}

struct SSHFrameError: Error {}

/// What the shell and the program there say on standard output before anything else, each on a line of its own.
enum SSHMarker {
  /// No profile of a shell prints this.
  static let beginning = "quarry-over-ssh-1:"
  static let ready = beginning + "ready"
  static let missing = beginning + "missing:"
  static let sent = beginning + "sent"
  static let notSent = beginning + "not-sent:"
}
