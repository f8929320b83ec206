public import QuarryFiles

/// The reason why an address of a cluster is not valid, or cannot be used.
public struct DqliteAddressError: Error, Hashable, Sendable {
  /// The kinds of reasons.
  public enum Kind: Hashable, Sendable {
    /// The text is not of the form `dqlite://…`.
    case form
    /// The address names neither nodes nor a server list.
    case noNodes
    /// The address of a node is not valid or has no port.
    case node(String)
    /// The address names no database.
    case noDatabase
    /// The name is not valid for a database of a cluster, or would crash the node that opens it.
    case databaseName(String)
    /// An unknown option.
    case option(String)
    /// An option without a value.
    case emptyOption(String)
    /// A certificate without a key, or the reverse.
    case onlyOne(of: String)
    /// A server name without a certificate.
    case serverNameWithoutCertificate
    /// A user or a password.
    case password
    /// A certificate or key itself instead of its path.
    case contents(of: String)
    /// A `%` without two hexadecimal digits, a NUL, or invalid UTF-8.
    case escape(String)
    /// A file that cannot be read.
    case unreadable(FileReadError)
    /// A malformed line of a server list, counted from 1.
    case serverList(path: String, line: Int)
    /// A server list without servers.
    case emptyServerList(path: String)
    /// A certificate or key that is not PEM.
    case notPEM(path: String, isKey: Bool)
    /// A name that cannot occur in a certificate: neither a host name nor an IP address, or too long.
    case serverName(String)
    /// A certificate and a key that do not match, or cannot be used.
    case unusablePair(String)
  }

  /// The kind of reason.
  public var kind: Kind

  init(_ kind: Kind) {
    self.kind = kind
  }

  /// Returns the reason why the name of a database is not valid, or nil if it is.
  ///
  /// These names denote databases without a file. Writing to such a database crashes a node.
  static func fault(ofDatabase name: String) -> Kind? {
    if name.isEmpty { return .noDatabase }
    return name == ":memory:" || name.lowercased().hasPrefix("file:") || name.utf8.contains(0) ? .databaseName(name) : nil
  }
}

extension DqliteAddressError: CustomStringConvertible {
  /// The reason and a suggested solution.
  public var description: String {
    switch kind {
    case .form: "Write the address of a cluster as dqlite://HOST:PORT/DATABASE."
    case .noNodes: "The address names no node. Write dqlite://HOST:PORT/DATABASE, or dqlite:///DATABASE?servers=cluster.yaml."
    case .node(let text): "“\(text)” is not the address of a node. Write HOST:PORT, [IPV6]:PORT, or @NAME for an abstract socket."
    case .noDatabase:
      "The address names no database. Write its name at the end: dqlite://HOST:PORT/DATABASE. Clusters do not list their databases."
    case .databaseName(let name):
      "“\(name)” cannot be a database of a cluster: it is not a plain name and could crash the node that opens it."
    case .option(let name): "The address has the unknown option “\(name)”. The options are servers, cert, key and servername."
    case .emptyOption(let name): "The option “\(name)” of the address has no value. Give it one, or leave it out."
    case .onlyOne(let name): "The address has only \(name)=. A cluster requires both: cert=cluster.crt&key=cluster.key."
    case .serverNameWithoutCertificate: "The address has servername= without a certificate. Add cert= and key=."
    case .password:
      "An address cannot contain a user or password: dqlite has none. Use the certificate of the cluster: cert= and key=."
    case .contents(let name):
      "The option “\(name)” contains a certificate or key, which the shell history would record. Save it in a file and give its path."
    case .escape(let text):
      "“\(text)” has a % that does not begin a byte such as %2F, or that encodes a NUL or invalid UTF-8. Write %25 for a %."
    case .unreadable(let error): error.description
    case .serverList(let path, let line):
      "Line \(line) of “\(path)” cannot be parsed. A server list has lines “- Address: HOST:PORT”, with ID and Role below each."
    case .emptyServerList(let path): "“\(path)” lists no nodes. A server list has a line “- Address: HOST:PORT” for each node."
    case .notPEM(let path, let isKey):
      isKey
        ? "“\(path)” is not a usable private key: it must be PEM without a passphrase."
        : "“\(path)” is not a usable certificate: it must be PEM."
    case .serverName(let name): "“\(name)” cannot be the name in a certificate. Write a host name or an IP address in servername=."
    case .unusablePair(let reason): "The certificate and the key cannot be used together: \(reason)."
    }
  }
}
