internal import QuarryEngine
internal import QuarryFiles

/// The file in which a node stores the addresses of all nodes: `cluster.yaml`, or `info.yaml` with one address.
///
/// ```
/// - Address: 10.0.0.1:9001
///   ID: 3297041220608546238
///   Role: 0
/// ```
package enum DqliteServerList {
  /// The maximum number of bytes to read.
  ///
  /// A list of hundreds of nodes has some thousands.
  private static let greatestSize = 1 << 20

  /// Reads the addresses of a file.
  ///
  /// - Throws: ``DqliteAddressError``
  static func nodes(path: String) throws(DqliteAddressError) -> [DqliteNode] {
    try nodes(in: String(decoding: contents(of: path), as: UTF8.self), path: path)
  }

  /// Parses the addresses in a text.
  package static func nodes(in text: String, path: String) throws(DqliteAddressError) -> [DqliteNode] {
    var nodes: [DqliteNode] = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      var line = line.trimmingBlanks[...]
      if line.isEmpty || line.hasPrefix("#") || line == "---" || line == "[]" { continue }
      if line.hasPrefix("- ") { line = line.dropFirst(2).trimmingBlanks[...] }
      let words = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = words.count == 2 ? unquoted(words[1].trimmingBlanks) : ""
      switch words[0] {
      case "ID", "Role": continue
      case "Address" where DqliteNode(value, defaultPort: DqliteNode.defaultPort) != nil:
        if let node = DqliteNode(value, defaultPort: DqliteNode.defaultPort), !nodes.contains(node) { nodes.append(node) }
      default: throw DqliteAddressError(.serverList(path: path, line: index + 1))
      }
    }
    if nodes.isEmpty { throw DqliteAddressError(.emptyServerList(path: path)) }
    return nodes
  }

  /// Returns a value without surrounding quotes or a following comment.
  private static func unquoted(_ value: String) -> String {
    if let quote = value.first, quote == "\"" || quote == "'" {
      return String(value.dropFirst().prefix { $0 != quote })
    }
    return value.split(separator: " ").first.map(String.init) ?? ""
  }

  /// Reads the first bytes of a file.
  static func contents(of path: String) throws(DqliteAddressError) -> [UInt8] {
    do {
      return try ByteSource(path: path).peek(greatestSize)
    } catch let error as FileReadError {
      throw DqliteAddressError(.unreadable(error))
    } catch {
      throw DqliteAddressError(.unreadable(FileReadError(kind: .empty, path: path)))
    }
  }
}
