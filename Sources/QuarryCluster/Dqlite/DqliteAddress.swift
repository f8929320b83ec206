internal import QuarrySources

/// The address of a database in a dqlite cluster.
///
/// ```
/// dqlite://10.0.0.1:9001,10.0.0.2:9001/demo
/// dqlite://10.0.0.1:9001/demo?cert=cluster.crt&key=cluster.key
/// dqlite:///k8s?servers=cluster.yaml&cert=cluster.crt&key=cluster.key
/// ```
///
/// One node that answers is sufficient, because it lists the others. The options are:
/// - `servers`: a file that lists nodes.
/// - `cert` and `key`: the files with the cluster's certificate and its key. Without them connections are not encrypted.
/// - `servername`: the name in the nodes' certificate, if it is not the first name in `cert`.
public struct DqliteAddress: Hashable, Sendable {
  /// The name of the database.
  public var database: String
  /// The nodes in the address.
  public var nodes: [DqliteNode]
  /// The path of a file that lists nodes, or nil if they are in the address.
  public var serverList: String?
  /// The path of the cluster's certificate in PEM format, or nil for unencrypted connections.
  public var certificate: String?
  /// The path of the certificate's private key in PEM format.
  public var key: String?
  /// The name in the nodes' certificate, or nil for the first name in ``certificate``.
  public var serverName: String?

  private static let scheme = "dqlite://"

  /// Parses an address.
  ///
  /// Reads no file.
  ///
  /// - Throws: ``DqliteAddressError``
  public init(_ text: String) throws(DqliteAddressError) {
    guard text.prefix(Self.scheme.count).lowercased() == Self.scheme else { throw DqliteAddressError(.form) }
    let parts = text.dropFirst(Self.scheme.count).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let place = parts[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    (nodes, database) = ([], "")
    nodes = try Self.nodes(place[0])
    if parts.count == 2 { try readOptions(parts[1]) }
    database = try Self.database(place.count == 2 ? place[1] : "")
    if nodes.isEmpty, serverList == nil { throw DqliteAddressError(.noNodes) }
    if (certificate == nil) != (key == nil) { throw DqliteAddressError(.onlyOne(of: certificate == nil ? "key" : "cert")) }
    if serverName != nil, certificate == nil { throw DqliteAddressError(.serverNameWithoutCertificate) }
  }

  private static func nodes(_ text: Substring) throws(DqliteAddressError) -> [DqliteNode] {
    var nodes: [DqliteNode] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) where !text.isEmpty {
      // The name of an abstract socket begins with @, which otherwise ends a user's name and password.
      if part.dropFirst().contains("@") { throw DqliteAddressError(.password) }
      let part = try decoded(part)
      guard let node = DqliteNode(part) else { throw DqliteAddressError(.node(part)) }
      if !nodes.contains(node) { nodes.append(node) }
    }
    return nodes
  }

  private static func database(_ text: Substring) throws(DqliteAddressError) -> String {
    if text.contains("/") { throw DqliteAddressError(.databaseName(String(text))) }
    let name = try decoded(text)
    if let fault = DqliteAddressError.fault(ofDatabase: name) { throw DqliteAddressError(fault) }
    return name
  }

  private mutating func readOptions(_ text: Substring) throws(DqliteAddressError) {
    for option in text.split(separator: "&") {
      let words = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(words[0])
      let value = words.count == 2 ? try Self.decoded(words[1]) : ""
      if value.contains("-----BEGIN") { throw DqliteAddressError(.contents(of: name)) }
      switch name {
      case "servers": serverList = try Self.path(value, of: name)
      case "cert": certificate = try Self.path(value, of: name)
      case "key": key = try Self.path(value, of: name)
      case "servername" where !value.isEmpty: serverName = value
      case "servername": throw DqliteAddressError(.emptyOption(name))
      case "password", "passwd", "user", "username", "token": throw DqliteAddressError(.password)
      default: throw DqliteAddressError(.option(name))
      }
    }
  }

  /// Returns the path of a file, which dqlite's shell accepts as `file:///path`.
  private static func path(_ value: String, of option: String) throws(DqliteAddressError) -> String {
    let path = value.hasPrefix("file://") ? String(value.dropFirst("file://".count)) : value
    if path.isEmpty { throw DqliteAddressError(.emptyOption(option)) }
    return path
  }

  /// Decodes the percent-encoding of a part, such as `%20`.
  private static func decoded(_ part: Substring) throws(DqliteAddressError) -> String {
    guard let bytes = PercentEncoding.bytes(of: part), let text = String(validating: bytes, as: UTF8.self) else {
      throw DqliteAddressError(.escape(String(part)))
    }
    return text
  }
}

extension DqliteAddress: CustomStringConvertible {
  /// The address as shown in titles and histories, without the paths of certificate and key.
  public var description: String {
    let nodes = nodes.map(\.description).joined(separator: ",")
    return "dqlite://\(nodes)/\(database)" + (serverList.map { "?servers=\($0)" } ?? "")
  }
}
