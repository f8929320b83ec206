internal import Browser
internal import Essentials

/// The request that this program sends to the program that ssh starts on another host: the command line with local files and settings.
///
/// The full screen receives it as an argument, because its standard input is the terminal. A verb receives it as the first frame of
/// standard input, so that no process list shows SQL and values.
struct SSHRequest: Codable, Sendable {
  struct File: Codable, Sendable {
    var path: String
    var text: String
  }

  /// The user's preferences.
  struct Preferences: Codable, Sendable {
    var settings: File?
    var keymap: File?
    var themes: [File] = []
    /// The files that could not be sent or read, with the reasons.
    var warnings: [File] = []
  }

  /// Which local streams are terminals.
  ///
  /// The remote program has pipes.
  struct Streams: Codable, Sendable {
    var isInputTerminal: Bool
    var isOutputTerminal: Bool
    var isErrorTerminal: Bool
    /// The width of the terminal.
    var columns: Int?
    var rows: Int?
  }

  /// The host and the way to reach it.
  var host: SSHHost
  /// The words of the command line as written locally.
  var words: [String]
  /// The remote paths of the files among the words.
  var paths: [String: String]
  var environment: [String: String] = [:]
  var preferences = Preferences()
  var streams: Streams
  /// The local files that the command line names as SQL or values, by path.
  var files: [String: Data] = [:]
  /// The saved statement that the command line names.
  var savedStatement: String?
  /// The number of files to import that arrive on standard input one after another, instead of the files on the command line.
  ///
  /// Nil if the command line applies.
  var sourceCount: Int?

  var json: Data {
    get throws { try JSONEncoder().encode(self) }
  }

  /// The request as a command argument.
  var argument: String {
    get throws { try json.base64EncodedString() }
  }

  /// The maximum length of the argument in bytes.
  ///
  /// Linux limits an argument to 128 KiB, and the remote shell receives it within its own argument.
  static let longestArgument = 100_000

  /// Decodes a request from an argument or a frame.
  init(json: Data) throws {
    self = try JSONDecoder().decode(Self.self, from: json)
  }

  init(host: SSHHost, words: [String], paths: [String: String], streams: Streams) {
    (self.host, self.words, self.paths, self.streams) = (host, words, paths, streams)
  }
}

/// A host, without the paths of files.
struct SSHHost: Codable, Hashable, Sendable {
  /// The host as written.
  var name: String
  /// The address of one of the files on the host.
  private var address: SSHAddress

  init(_ address: SSHAddress) {
    name = address.host
    self.address = address
  }

  /// Returns the address of a path on the host.
  func address(of path: String) -> String { address.address(of: path) }
}

/// A frame sent to a remote verb: its kind, its payload size in four bytes, and its payload.
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

  /// Removes the first frame of `bytes`, or returns nil while it is incomplete.
  ///
  /// - Throws: `SSHFrameError` if the bytes are not a frame.
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

/// The first lines that the remote shell and program print on standard output.
enum SSHMarker {
  /// No shell profile prints this.
  static let beginning = "quarry-over-ssh-1:"
  static let ready = beginning + "ready"
  static let missing = beginning + "missing:"
  static let sent = beginning + "sent"
  static let notSent = beginning + "not-sent:"
}
