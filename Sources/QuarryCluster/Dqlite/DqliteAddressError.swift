public import QuarryFiles

/// Why an address is none of a cluster's, or what it names cannot be used.
public struct DqliteAddressError: Error, Hashable, Sendable {
  /// What is the matter.
  public enum Kind: Hashable, Sendable {
    /// The text is not of the form `dqlite://…`.
    case form
    /// The address names neither nodes nor a server list.
    case noNodes
    /// The address of a node has no port, or is none.
    case node(String)
    /// The address names no database.
    case noDatabase
    /// A name that no database of a cluster has, or that would end the node that opens it.
    case databaseName(String)
    /// An option that is not known.
    case option(String)
    /// An option without a value.
    case emptyOption(String)
    /// A certificate without a key, or the reverse.
    case onlyOne(of: String)
    /// A name for a certificate where none is used.
    case serverNameWithoutCertificate
    /// A user or a password.
    case password
    /// A certificate or key itself instead of its path.
    case contents(of: String)
    /// A `%` that no two hexadecimal digits follow, a NUL, or bytes that are no UTF-8.
    case escape(String)
    /// A file that cannot be read.
    case unreadable(FileReadError)
    /// A line of a server list that is not understood, from 1.
    case serverList(path: String, line: Int)
    /// A server list that lists none.
    case emptyServerList(path: String)
    /// A certificate or key that is not PEM.
    case notPEM(path: String, isKey: Bool)
    /// A name that no certificate can be for: neither a host name nor an IP address, or too long.
    case serverName(String)
    /// A certificate and a key that do not belong together, or cannot be used.
    case unusablePair(String)
  }

  /// What is the matter.
  public var kind: Kind

  init(_ kind: Kind) {
    self.kind = kind
  }

  /// Returns what is wrong with the name of a database; nil where nothing is.
  ///
  /// A node ends when a database without a file is written to, which these names stand for.
  static func fault(ofDatabase name: String) -> Kind? {
    if name.isEmpty { return .noDatabase }
    return name == ":memory:" || name.lowercased().hasPrefix("file:") || name.utf8.contains(0) ? .databaseName(name) : nil
  }
}

extension DqliteAddressError: CustomStringConvertible {
  /// What is the matter, and what can be done.
  public var description: String {
    switch kind {
    case .form: "The address of a cluster is written dqlite://HOST:PORT/DATABASE."
    case .noNodes: "The address names no node. Write dqlite://HOST:PORT/DATABASE, or dqlite:///DATABASE?servers=cluster.yaml."
    case .node(let text): "“\(text)” is not the address of a node. Write HOST:PORT, [IPV6]:PORT, or @NAME for an abstract socket."
    case .noDatabase: "The address names no database. Write its name at the end: dqlite://HOST:PORT/DATABASE. A cluster does not list them."
    case .databaseName(let name): "“\(name)” cannot be a database of a cluster: it is no plain name, and the node that opens it may end."
    case .option(let name): "The address has the unknown option “\(name)”. There are servers, cert, key and servername."
    case .emptyOption(let name): "The option “\(name)” of the address has no value. Give it one, or leave it out."
    case .onlyOne(let name): "The address has \(name)= alone. A cluster wants both: cert=cluster.crt&key=cluster.key."
    case .serverNameWithoutCertificate: "The address has servername= without a certificate to be checked. Add cert= and key=."
    case .password:
      "A user or password does not belong in an address, and dqlite knows none. A cluster is entered by its certificate: cert= and key=."
    case .contents(let name):
      "The option “\(name)” holds a certificate or key itself, which histories would keep. Save it in a file, and give the file's path."
    case .escape(let text):
      "“\(text)” has a % that no two hexadecimal digits follow, or that stands for a NUL or for no UTF-8. Write %25 for a %."
    case .unreadable(let error): error.description
    case .serverList(let path, let line):
      "Line \(line) of “\(path)” is not understood. A server list has lines “- Address: HOST:PORT”, with ID and Role below each."
    case .emptyServerList(let path): "“\(path)” lists no node. A server list has a line “- Address: HOST:PORT” for each."
    case .notPEM(let path, let isKey):
      isKey
        ? "“\(path)” is not a private key that can be used: it is to be PEM, without a passphrase."
        : "“\(path)” is not a certificate that can be used: it is to be PEM."
    case .serverName(let name): "A certificate cannot be for “\(name)”. Write a host name or an IP address in servername=."
    case .unusablePair(let reason): "The certificate and the key cannot be used together: \(reason)."
    }
  }
}
