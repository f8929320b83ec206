#if canImport(FoundationEssentials)
  private import FoundationEssentials
#else
  private import Foundation
#endif

/// Asks a terminal to put text on the clipboard (OSC 52).
enum Clipboard {
  /// Terminals drop what is longer: 100,000 bytes once it is encoded.
  static let longest = 74_994

  /// Returns the bytes that ask for it; nil where the text is too long or the terminal is known not to listen.
  ///
  /// tmux listens where its option `set-clipboard` is `on`; screen passes on what is wrapped for it, piece by piece.
  static func request(_ text: String, terminalName name: String, isInTmux: Bool, hasMouse: Bool) -> [UInt8]? {
    guard hasMouse, text.utf8.count <= longest else { return nil }
    let request = Array("\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{07}".utf8)
    return name.hasPrefix("screen") && !isInTmux ? wrapped(request) : request
  }

  /// screen takes strings of 768 bytes at most.
  private static func wrapped(_ request: [UInt8]) -> [UInt8] {
    var wrapped: [UInt8] = []
    for start in stride(from: 0, to: request.count, by: 760) {
      wrapped += Array("\u{1B}P".utf8)
      wrapped += request[start..<min(start + 760, request.count)]
      wrapped += Array("\u{1B}\\".utf8)
    }
    return wrapped
  }
}
