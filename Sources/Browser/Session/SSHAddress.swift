internal import QuarryEngine
internal import QuarrySources

/// A file on a host that ssh reaches.
package struct SSHAddress: Hashable, Codable, Sendable {
  /// The user there; nil leaves that to ssh.
  package let user: String?
  /// A name that ssh knows, of its configuration too, or an address; that of IPv6 without brackets.
  package let host: String
  /// The port; nil leaves that to ssh.
  package let port: Int?
  /// The path there: relative ones begin in the home folder, and `~` is expanded there.
  package let path: String

  /// Reads `ssh://user@host:port/path`, whose path is percent-encoded; `/~/` is the home folder.
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

  /// Reads `user@host:path`; nil for what can only be a path here.
  init?(hostAndPath text: String) throws(AddressError) {
    guard let (head, path) = Self.split(text) else { return nil }
    // A drive of Windows.
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

  /// Splits at the first colon that is not in brackets, where no slash stands before it.
  private static func split(_ text: String) -> (head: Substring, path: Substring)? {
    let head = text.prefix { $0 != "/" }
    let start = head.firstIndex(of: "[").flatMap { open in
      open == head.startIndex || head[..<open].last == "@" ? head[open...].firstIndex(of: "]") : nil
    }
    guard let colon = head[(start ?? head.startIndex)...].firstIndex(of: ":"), colon > head.startIndex else { return nil }
    if let start, head.index(after: start) != colon { return nil }
    return (text[..<colon], text[text.index(after: colon)...])
  }

  /// Returns whether `user:` was meant to be followed by a password and a host.
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

  /// Returns whether ssh can take a text for a name and for nothing else: no option, and nothing that a shell or a configuration would
  /// expand.
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && !text.hasPrefix("-")
      && text.unicodeScalars.allSatisfy { character in
        character.properties.isAlphabetic || ("0"..."9").contains(character) || "._-+".unicodeScalars.contains(character)
      }
  }

  /// Returns whether a text is an address of IPv6, perhaps with the interface after `%`.
  private static func isIPv6(_ text: String) -> Bool {
    let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = parts.first, address.contains(":") else { return false }
    return address.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." } && parts.dropFirst().allSatisfy { isName(String($0)) }
  }
}

extension SSHAddress {
  /// The host as `host:path` has it, with the user where one is named.
  var destination: String {
    (user.map { $0 + "@" } ?? "") + (host.contains(":") ? "[\(host)]" : host)
  }

  /// Returns the address of another path on the same host.
  package func address(of path: String) -> String {
    guard let port else { return "\(destination):\(path)" }
    let slash = path.hasPrefix("/") ? "" : path.hasPrefix("~") ? "/" : "/~/"
    return "ssh://\(destination):\(port)\(slash)\(path.replacing("%", with: "%25"))"
  }

  /// Whether both are reached by the same words.
  package func isSameHost(as other: SSHAddress) -> Bool {
    (user, host, port) == (other.user, other.host, other.port)
  }
}

extension SSHAddress: CustomStringConvertible {
  package var description: String { address(of: PathText.shown(path)) }
}
