internal import QuarryEngine

/// The target of a FILE argument in the command line: a local file, a file on another host, or a cluster.
///
///     app.db   -   file:app.db?mode=ro           a local file
///     host:/srv/app.db   ssh://me@host:2222/srv/app.db
///     dqlite://10.0.0.1:9001,10.0.0.2:9001/demo
package enum Address: Hashable, Sendable {
  /// A path, a `file:` URI, or `-` for standard input.
  case file(String)
  case ssh(SSHAddress)
  /// The whole text, including the scheme.
  case dqlite(String)

  /// Parses an address.
  ///
  /// A known scheme has priority. Otherwise an existing path is a local file, and everything else may be `host:path`. A path with a colon
  /// that does not exist yet is written `./a:b.db`.
  ///
  /// - Throws: `AddressError` for a password, an unknown scheme, or a missing host or path.
  package init(_ text: String) throws(AddressError) {
    if let scheme = Self.scheme(of: text) {
      switch scheme.lowercased() {
      case "file":
        self = .file(text)
        return
      case "ssh":
        self = .ssh(try SSHAddress(url: text))
        return
      case "dqlite":
        try Self.refusePassword(in: text, as: .clusterPassword)
        self = .dqlite(text)
        return
      default:
        if !PathText.exists(PathText.bytes(text)) { throw AddressError(text, .unknownScheme(scheme)) }
      }
    }
    guard !text.hasPrefix("file:"), !PathText.exists(PathText.bytes(text)), let address = try SSHAddress(hostAndPath: text) else {
      self = .file(text)
      return
    }
    self = .ssh(address)
  }

  /// Returns whether an address is not on this machine; false also for an invalid address.
  package static func isElsewhere(_ text: String) -> Bool {
    switch try? Address(text) {
    case .ssh, .dqlite: true
    case .file, nil: false
    }
  }

  /// Returns the name of a database in titles: that of its file, after the host if it is on another one.
  package static func title(of text: String) -> String {
    func name(_ path: String) -> String { PathText.shown(String(path.split(separator: "/").last ?? "")) }
    guard case .ssh(let address)? = try? Address(text) else { return name(text) }
    return "\(address.host):\(name(address.path))"
  }

  /// Returns the text before `://`; nil if it is not a valid scheme.
  private static func scheme(of text: String) -> String? {
    guard let end = text.firstRange(of: "://")?.lowerBound else { return nil }
    let scheme = text[..<end]
    let isScheme =
      scheme.first.map { $0.isASCII && $0.isLetter } == true
      && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
    return isScheme ? String(scheme) : nil
  }

  /// Refuses `user:password@` before the first slash of a URL.
  static func refusePassword(in url: String, as kind: AddressError.Kind = .password) throws(AddressError) {
    let authority = url[(url.firstRange(of: "://")?.upperBound ?? url.startIndex)...].prefix { $0 != "/" }
    if let at = authority.lastIndex(of: "@"), authority[..<at].contains(":") { throw AddressError("", kind) }
  }
}

/// The reason why a text is not a valid address.
package struct AddressError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case password
    case clusterPassword
    case unknownScheme(String)
    case noHost
    case noPath
    case badHost
    case badUser
    case badPort(String)
    case badEscape
  }

  /// The address; empty if it contains a password.
  package let text: String
  package let kind: Kind

  init(_ text: String, _ kind: Kind) {
    (self.text, self.kind) = (text, kind)
  }
}

extension AddressError: CustomStringConvertible {
  package var description: String {
    switch kind {
    // The password is never printed, because printed addresses end up in logs.
    case .password:
      "an address cannot contain a password: remove it; ssh asks for it, or uses a key that `ssh-copy-id user@host` installs"
    case .clusterPassword: "an address cannot contain a password: remove it; a cluster uses a certificate, given by cert= and key="
    case .unknownScheme(let scheme):
      """
      “\(text)” has an unknown scheme “\(scheme)”: write a path, file:…, host:path, ssh://host/path, or dqlite://host:port/database; \
      a path on a host named \(scheme) is \(scheme):/…
      """
    case .noHost: "“\(text)” has no host: write ssh://host/path, as in ssh://me@web1:2222/srv/app.db"
    case .noPath: "“\(text)” has no path: add it, as in host:/srv/app.db"
    case .badHost: "“\(text)” has an invalid host: write a name or an address, with IPv6 in brackets, as in [::1]:/srv/app.db"
    case .badUser: "“\(text)” has an invalid user name before the @"
    case .badPort(let port): "“\(text)” has an invalid port “\(port)”: write a number from 1 to 65535"
    case .badEscape: "“\(text)” has an invalid escape: in a URL, write two hexadecimal digits after %, and %25 for %; or write host:path"
    }
  }
}
