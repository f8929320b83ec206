package import QuarryEngine

/// A text format for a diagram of tables and their foreign keys.
package enum SchemaDiagram: String, CaseIterable, Sendable {
  /// An entity relationship diagram of Mermaid; see <https://mermaid.js.org/syntax/entityRelationshipDiagram.html>.
  case mermaid
  /// A directed graph of Graphviz; see <https://graphviz.org/doc/info/lang.html>.
  case dot

  /// Returns the diagram of a graph.
  ///
  ///     erDiagram
  ///       "Track" {
  ///         INTEGER TrackId PK
  ///         INTEGER AlbumId FK
  ///       }
  ///       "Album" |o--o{ "Track" : "AlbumId"
  ///
  /// Names may contain any characters: quotes are escaped, and control characters are shown as pictures (`␊`).
  package func text(of graph: SchemaGraph) -> String {
    switch self {
    case .mermaid: MermaidDiagram(graph).text
    case .dot: DotDiagram(graph).text
    }
  }
}

extension SchemaGraph.Table {
  /// The name, with its database if this is not the first one.
  fileprivate var name: String { reference.shownName }

  /// Whether a foreign key contains a column.
  fileprivate func isReferring(_ column: String) -> Bool {
    foreignKeys.contains { $0.schema.columns.contains { $0.isSameIdentifier(as: column) } }
  }

  /// Whether the primary key contains a column.
  fileprivate func isKey(_ column: String) -> Bool { primaryKey.contains { $0.isSameIdentifier(as: column) } }
}

extension TableReference {
  fileprivate var shownName: String { database == "main" ? name : "\(database).\(name)" }
}

extension SchemaGraph {
  /// The foreign keys with the indexes of their tables, and of the tables that they reference; nil for tables that do not exist.
  fileprivate var edges: [(from: Int, to: Int?, key: Key)] {
    func folded(_ table: TableReference) -> String { "\(table.database).\(table.name)".asciiLowercased }
    let places = Dictionary(tables.enumerated().map { (folded($1.reference), $0) }, uniquingKeysWith: { first, _ in first })
    return tables.enumerated().flatMap { index, table in
      table.foreignKeys.map { (index, places[folded($0.schema.table)], $0) }
    }
  }
}

// MARK: - Mermaid

private struct MermaidDiagram {
  let graph: SchemaGraph

  init(_ graph: SchemaGraph) { self.graph = graph }

  var text: String {
    let entities = graph.tables.flatMap(lines)
    let relations = graph.edges.map { edge in
      let target = edge.to.map { graph.tables[$0].name } ?? edge.key.schema.table.shownName
      let parent = edge.key.isOptional ? "|o" : "||"
      let child = edge.key.isUnique ? "o|" : "o{"
      let label = edge.key.schema.columns.joined(separator: ", ")
      return "  \(quoted(target)) \(parent)--\(child) \(quoted(graph.tables[edge.from].name)) : \(quoted(label))"
    }
    return (["erDiagram"] + entities + relations).map { $0 + "\n" }.joined()
  }

  private func lines(of table: SchemaGraph.Table) -> [String] {
    guard !table.columns.isEmpty else { return ["  \(quoted(table.name))"] }
    let columns = table.columns.map { column in
      let keys = [table.isKey(column.name) ? "PK" : nil, table.isReferring(column.name) ? "FK" : nil].compactMap(\.self)
      let (type, name) = (word(column.declaredType.isEmpty ? "any" : column.declaredType), word(column.name))
      let comment = name == column.name ? [] : [quoted(column.name)]
      return "    " + ([type, name] + (keys.isEmpty ? [] : [keys.joined(separator: ", ")]) + comment).joined(separator: " ")
    }
    return ["  \(quoted(table.name)) {"] + columns + ["  }"]
  }

  /// Returns a name or a type that Mermaid accepts without quotes; other characters become underscores.
  private func word(_ text: String) -> String {
    let word = text.escaped { $0.isPlain ? nil : "_" }
    let isReserved = ["PK", "FK", "UK"].contains(word)
    return word.first?.isLetter == true && !isReserved ? word : "_" + word
  }

  /// Returns a text in quotes; characters with a meaning to Mermaid or HTML become entity codes.
  private func quoted(_ text: String) -> String {
    let harmless = Set(" _-.,()".unicodeScalars)
    let codes = text.inDiagram.escaped { $0.isPlain || !$0.isASCII || harmless.contains($0) ? nil : "#\($0.value);" }
    return "\"" + codes + "\""
  }
}

extension Unicode.Scalar {
  /// Whether it is a letter or a digit of ASCII.
  fileprivate var isPlain: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) || ("0"..."9").contains(self) }
}

extension String {
  /// The text with pictures of its control characters; two quotes for an empty text.
  ///
  /// All scalars are replaced by themselves, because a quote followed by an accent is one character.
  fileprivate var inDiagram: String {
    (isEmpty ? "\"\"" : self).escaped { scalar in
      switch scalar.value {
      case ..<0x20: Unicode.Scalar(0x2400 + scalar.value).map { String($0) }
      case 0x7F: "\u{2421}"
      case 0x80..<0xA0, 0xFFFE, 0xFFFF: "\u{FFFD}"
      default: nil
      }
    }
  }

  /// Returns the text with other texts in place of some scalars.
  fileprivate func escaped(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let text = replacement(scalar) { scalars.append(contentsOf: text.unicodeScalars) } else { scalars.append(scalar) }
    }
    return String(scalars)
  }
}

// MARK: - Graphviz

private struct DotDiagram {
  let graph: SchemaGraph
  /// The names of the nodes: those of the tables, with a number where two are written alike.
  private let names: [String]

  init(_ graph: SchemaGraph) {
    self.graph = graph
    var counts: [String: Int] = [:]
    names = graph.tables.map { table in
      let name = table.name.inDiagram
      counts[name, default: 0] += 1
      let count = counts[name] ?? 1
      return count == 1 ? name : "\(name) (\(count))"
    }
  }

  var text: String {
    let edges = graph.edges
    let missing = Set(edges.filter { $0.to == nil }.map { $0.key.schema.table.shownName.inDiagram }).sorted()
    let lines =
      ["digraph schema {", "  graph [rankdir=LR];", "  node [shape=plaintext];", "  edge [dir=both];"]
      + graph.tables.indices.map(node)
      + missing.map { "  \(quoted("missing: " + $0)) [label=\(quoted($0)), shape=box, style=dashed];" } + edges.map(line) + ["}"]
    return lines.map { $0 + "\n" }.joined()
  }

  private func node(_ index: Int) -> String {
    let table = graph.tables[index]
    let title = #"<TR><TD PORT="table" BGCOLOR="lightgray"><B>\#(html(table.name))</B></TD></TR>"#
    let rows = table.columns.enumerated().map { place, column in
      let text = html(column.declaredType.isEmpty ? column.name : "\(column.name) \(column.declaredType)")
      return #"<TR><TD PORT="c\#(place)" ALIGN="LEFT">\#(table.isKey(column.name) ? "<U>\(text)</U>" : text)</TD></TR>"#
    }
    let label = #"<TABLE BORDER="0" CELLBORDER="1" CELLSPACING="0">\#(title)\#(rows.joined())</TABLE>"#
    return "  \(quoted(names[index])) [label=<\(label)>];"
  }

  private func line(_ edge: (from: Int, to: Int?, key: SchemaGraph.Key)) -> String {
    let key = edge.key.schema
    let start = "\(quoted(names[edge.from])):\(port(key.columns.first, of: edge.from))"
    let end =
      edge.to.map { "\(quoted(names[$0])):\(port(key.referencedColumns.first, of: $0))" }
      ?? quoted("missing: " + key.table.shownName)
    let label = key.columns.count > 1 ? ", label=\(quoted(key.columns.joined(separator: ", ")))" : ""
    return "  \(start) -> \(end) [arrowtail=\(edge.key.isUnique ? "teeodot" : "crowodot"), "
      + "arrowhead=\(edge.key.isOptional ? "teeodot" : "teetee")\(label)];"
  }

  private func port(_ column: String?, of table: Int) -> String {
    let place = column.flatMap { name in graph.tables[table].columns.firstIndex { $0.name.isSameIdentifier(as: name) } }
    return place.map { "c\($0)" } ?? "table"
  }

  /// Returns a text in quotes.
  private func quoted(_ text: String) -> String {
    "\"" + text.inDiagram.escaped { $0 == "\\" ? "\\\\" : $0 == "\"" ? "\\\"" : nil } + "\""
  }

  private func html(_ text: String) -> String {
    let codes: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
    return text.inDiagram.escaped { codes[$0] }
  }
}
