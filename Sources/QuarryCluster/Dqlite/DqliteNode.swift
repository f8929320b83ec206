/// The address of a node.
public enum DqliteNode: Hashable, Sendable {
  /// A host name or IP address, and a port.
  case host(String, port: Int)
  /// A Unix socket in the abstract namespace of this machine, which accepts only connections from its owner's process.
  case abstract(String)

  /// The default port of addresses in a server list.
  static let defaultPort = 8080

  /// Parses an address: `10.0.0.1:9001`, `[::1]:9001`, `node1:9001` or `@name`.
  ///
  /// Returns nil for any other text.
  ///
  /// - Parameter defaultPort: The port if the text has none, or nil if a port is required.
  package init?(_ text: some StringProtocol, defaultPort: Int? = nil) {
    if text.hasPrefix("@") {
      // The name replaces a path, which has 108 bytes, the first of which is 0.
      guard (2...108).contains(text.utf8.count), !text.utf8.contains(0) else { return nil }
      self = .abstract(String(text.dropFirst()))
      return
    }
    let isBracketed = text.hasPrefix("[")
    guard let end = isBracketed ? text.firstIndex(of: "]") : text.lastIndex(of: ":") ?? text.endIndex else { return nil }
    let host = isBracketed ? text[text.index(after: text.startIndex)..<end] : text[..<end]
    let rest = isBracketed ? text[text.index(after: end)...] : text[end...]
    guard let port = rest.isEmpty ? defaultPort : Int(rest.dropFirst()), rest.isEmpty || rest.first == ":", (1...65_535).contains(port),
      !host.isEmpty, host.contains(":") == isBracketed,
      host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && !"/?#@[]".utf8.contains($0) })
    else { return nil }
    self = .host(String(host), port: port)
  }
}

extension DqliteNode: CustomStringConvertible {
  /// The address in text form.
  public var description: String {
    switch self {
    case .host(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .abstract(let name): "@\(name)"
    }
  }
}
