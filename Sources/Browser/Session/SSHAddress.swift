internal import QuarryEngine
internal import QuarrySources

/// A file on a host that is reached by ssh.
package struct SSHAddress: Hashable, Codable, Sendable {
  /// The user on the host; nil for the default of ssh.
  package let user: String?
  /// A host name that ssh knows, possibly from its configuration, or an address; an IPv6 address has no brackets.
  package let host: String
  /// The port; nil for the default of ssh.
  package let port: Int?
  /// The path on the host: a relative path begins in the home folder, and `~` is expanded.
  package let path: String

  /// Parses `ssh://user@host:port/path` with a percent-encoded path; `/~/` is the home folder.
  init(url: String) throws(AddressError) {
    try Address.refusePassword(in: url)
    let rest = url.dropFirst("ssh://".count)
    let authority = rest.prefix { $0 != "/" }
    (user, host, port) = try Self.authority(authority, of: url)
    guard let bytes = PercentEncoding.bytes(of: rest[authority.endIndex...]) else { throw AddressError(url, .badEscape) }
    let path = PathText.text(bytes)
    guard path.count > 1 else { throw AddressError(url, .noPath) }
    self.path = path.hasPrefix("/~") ? String(path.dropFirst()) : path
  }

  /// Parses `user@host:path`; nil for a text that can only be a local path.
  init?(hostAndPath text: String) throws(AddressError) {
    guard let (head, path) = Self.split(text) else { return nil }
    // A Windows drive.
    if head.count == 1, path.hasPrefix("\\") { return nil }
    let at = head.lastIndex(of: "@")
    let user = at.map { String(head[..<$0]) }
    let name = at.map { head[head.index(after: $0)...] } ?? head
    let isBracketed = name.hasPrefix("[")
    let host = isBracketed ? String(name.dropFirst().dropLast()) : String(name)
    guard isBracketed ? Self.isIPv6(host) : Self.isName(host), user.map(Self.isName) ?? true else {
      if isBracketed { throw AddressError(text, .badHost) }
      return nil
    }
    if user == nil, Self.looksLikePassword(path) { throw AddressError("", .password) }
    guard !path.isEmpty else { throw AddressError(text, .noPath) }
    (self.user, self.host, port, self.path) = (user, host, nil, String(path))
  }

  /// Splits at the first colon outside of brackets, if no slash precedes it.
  private static func split(_ text: String) -> (head: Substring, path: Substring)? {
    let head = text.prefix { $0 != "/" }
    let start = head.firstIndex(of: "[").flatMap { open in
      open == head.startIndex || head[..<open].last == "@" ? head[open...].firstIndex(of: "]") : nil
    }
    guard let colon = head[(start ?? head.startIndex)...].firstIndex(of: ":"), colon > head.startIndex else { return nil }
    if let start, head.index(after: start) != colon { return nil }
    return (text[..<colon], text[text.index(after: colon)...])
  }

  /// Returns whether the text after `user:` looks like a password and a host.
  private static func looksLikePassword(_ path: Substring) -> Bool {
    let head = path.prefix { $0 != "/" }
    guard let at = head.lastIndex(of: "@") else { return false }
    return head[at...].contains(":")
  }

  private static func authority(_ text: Substring, of url: String) throws(AddressError) -> (String?, String, Int?) {
    let at = text.lastIndex(of: "@")
    let user = at.map { String(text[..<$0]) }
    var rest = at.map { text[text.index(after: $0)...] } ?? text
    if let user, !isName(user) { throw AddressError(url, .badUser) }
    let host: String
    if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
      host = String(rest[..<end].dropFirst())
      rest = rest[rest.index(after: end)...]
      guard isIPv6(host), rest.isEmpty || rest.hasPrefix(":") else { throw AddressError(url, .badHost) }
    } else {
      host = String(rest.prefix { $0 != ":" })
      rest = rest.dropFirst(host.count)
      if host.isEmpty { throw AddressError(url, .noHost) }
      guard isName(host) else { throw AddressError(url, .badHost) }
    }
    guard rest.hasPrefix(":") else { return (user, host, nil) }
    let digits = String(rest.dropFirst())
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = Int(digits), (1...65535).contains(port) else {
      throw AddressError(url, .badPort(digits))
    }
    return (user, host, port)
  }

  /// Returns whether ssh parses a text only as a name.
  ///
  /// It is not an option, and contains nothing that a shell or a configuration would expand.
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && !text.hasPrefix("-")
      && text.unicodeScalars.allSatisfy { character in
        character.properties.isAlphabetic || ("0"..."9").contains(character) || "._-+".unicodeScalars.contains(character)
      }
  }

  /// Returns whether a text is an IPv6 address, possibly with an interface after `%`.
  private static func isIPv6(_ text: String) -> Bool {
    let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = parts.first, address.contains(":") else { return false }
    return address.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." } && parts.dropFirst().allSatisfy { isName(String($0)) }
  }
}

extension SSHAddress {
  /// The host in the notation of `host:path`, including the user if there is one.
  var destination: String {
    (user.map { $0 + "@" } ?? "") + (host.contains(":") ? "[\(host)]" : host)
  }

  /// Returns the address of another path on the same host.
  package func address(of path: String) -> String {
    guard let port else { return "\(destination):\(path)" }
    let slash = path.hasPrefix("/") ? "" : path.hasPrefix("~") ? "/" : "/~/"
    return "ssh://\(destination):\(port)\(slash)\(path.replacing("%", with: "%25"))"
  }

  /// Returns whether both addresses have the same user, host and port.
  package func isSameHost(as other: SSHAddress) -> Bool {
    (user, host, port) == (other.user, other.host, other.port)
  }
}

extension SSHAddress: CustomStringConvertible {
  package var description: String { address(of: PathText.shown(path)) }
}
