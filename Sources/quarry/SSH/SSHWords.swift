/// What ssh says on standard error, and how much of it a person has seen already.
struct SSHWords: Hashable {
  /// All of it, or its end where it is very long.
  var text: String { String(decoding: bytes, as: UTF8.self) }
  /// What nobody has seen yet.
  var unseen: String { String(decoding: bytes[seen...], as: UTF8.self) }

  private var bytes: [UInt8] = []
  private var seen = 0

  /// The most that is kept.
  private static let longest = 1 << 16

  init(_ text: String = "") {
    bytes = Array(text.utf8)
  }

  mutating func append(_ more: some Collection<UInt8>) {
    bytes += more
    let surplus = max(0, bytes.count - Self.longest)
    bytes.removeFirst(surplus)
    seen = max(0, seen - surplus)
  }

  /// Returns all that nobody has seen, which is then seen.
  mutating func takeAll() -> [UInt8] {
    defer { seen = bytes.count }
    return Array(bytes[seen...])
  }

  /// Returns the whole lines that a person should see while ssh goes on: a banner, where to log in, that a password was wrong.
  ///
  /// What says that ssh gives up is kept, since it is told in a sentence that says what to do.
  mutating func takeLines() -> [UInt8] {
    let start = seen
    while let end = bytes[seen...].firstIndex(of: 0x0A), !Self.isLast(String(decoding: bytes[seen..<end], as: UTF8.self)) { seen = end + 1 }
    return Array(bytes[start..<seen])
  }

  /// Whether a line is the first of those with which ssh ends.
  private static func isLast(_ line: String) -> Bool {
    let beginnings = [
      "ssh: ", "@@@", "Host key verification failed", "Connection ", "kex_exchange_identification", "Received disconnect",
      "Disconnected from", "Timeout, server", "client_loop", "banner exchange",
    ]
    return beginnings.contains { line.hasPrefix($0) } || line.contains("Permission denied (") || line.contains("authentication failures")
  }
}
