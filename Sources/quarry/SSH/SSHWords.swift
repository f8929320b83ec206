/// The output of ssh on standard error, and how much of it the user has seen.
struct SSHWords: Hashable {
  /// The whole text, or its end if it is very long.
  var text: String { String(decoding: bytes, as: UTF8.self) }
  /// The part that the user has not seen.
  var unseen: String { String(decoding: bytes[seen...], as: UTF8.self) }

  private var bytes: [UInt8] = []
  private var seen = 0

  /// The maximum number of bytes kept.
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

  /// Returns the part that the user has not seen, and marks it as seen.
  mutating func takeAll() -> [UInt8] {
    defer { seen = bytes.count }
    return Array(bytes[seen...])
  }

  /// Returns complete lines that the user should see while ssh is running: a banner, a login URL, a wrong password.
  ///
  /// The final error lines of ssh are held back, because they are reported in a sentence with a suggested solution.
  mutating func takeLines() -> [UInt8] {
    let start = seen
    while let end = bytes[seen...].firstIndex(of: 0x0A), !Self.isLast(String(decoding: bytes[seen..<end], as: UTF8.self)) { seen = end + 1 }
    return Array(bytes[start..<seen])
  }

  /// Returns whether a line is the first of ssh's final error lines.
  private static func isLast(_ line: String) -> Bool {
    let beginnings = [
      "ssh: ", "@@@", "Host key verification failed", "Connection ", "kex_exchange_identification", "Received disconnect",
      "Disconnected from", "Timeout, server", "client_loop", "banner exchange",
    ]
    return beginnings.contains { line.hasPrefix($0) } || line.contains("Permission denied (") || line.contains("authentication failures")
  }
}
