import QuarryEngine
import QuarryFiles
import TestSupport
import Testing

/// Diagrams of tables in the languages of Mermaid and Graphviz.
@Suite(.gated) struct SchemaDiagramTests {
  private func graph(_ sql: String...) throws -> SchemaGraph {
    let queue = try DatabaseQueue()
    try queue.withoutTransaction { db in for statement in sql { try db.execute(sql: statement) } }
    return try queue.read { try $0.schemaGraph() }
  }

  private static let shop = [
    "CREATE TABLE Album(AlbumId INTEGER PRIMARY KEY, Title TEXT)",
    "CREATE TABLE Track(TrackId INTEGER PRIMARY KEY, Price NUMERIC(10,2), AlbumId INTEGER REFERENCES Album, Next REFERENCES Gone)",
    "CREATE TABLE Cover(AlbumId INTEGER PRIMARY KEY REFERENCES Album(AlbumId), x)",
  ]

  @Test func `Mermaid gets entities with their keys, and relations with numbers of rows`() throws {
    let text = SchemaDiagram.mermaid.text(of: try graph(Self.shop[0], Self.shop[1], Self.shop[2]))
    #expect(
      text == """
        erDiagram
          "Album" {
            INTEGER AlbumId PK
            TEXT Title
          }
          "Cover" {
            INTEGER AlbumId PK, FK
            any x
          }
          "Track" {
            INTEGER TrackId PK
            NUMERIC_10_2_ Price
            INTEGER AlbumId FK
            any Next FK
          }
          "Album" ||--o| "Cover" : "AlbumId"
          "Album" |o--o{ "Track" : "AlbumId"
          "Gone" |o--o{ "Track" : "Next"

        """)
  }

  @Test func `Graphviz gets nodes with a port for each column`() throws {
    let text = SchemaDiagram.dot.text(of: try graph(Self.shop[0], Self.shop[1]))
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.first == "digraph schema {" && lines.last == "}")
    #expect(lines.contains(#"  "Track":c2 -> "Album":c0 [arrowtail=crowodot, arrowhead=teeodot];"#))
    #expect(lines.contains(#"  "Track":c3 -> "missing: Gone" [arrowtail=crowodot, arrowhead=teeodot];"#))
    #expect(lines.contains(#"  "missing: Gone" [label="Gone", shape=box, style=dashed];"#))
    #expect(lines.contains { $0.contains(#"<TD PORT="c0" ALIGN="LEFT"><U>AlbumId INTEGER</U></TD>"#) })
  }

  @Test func `a key of several columns is one line`() throws {
    let pair = try graph("CREATE TABLE p(a, b, PRIMARY KEY(a, b))", "CREATE TABLE c(x, y, FOREIGN KEY(x, y) REFERENCES p)")
    #expect(SchemaDiagram.mermaid.text(of: pair).contains("  \"p\" |o--o{ \"c\" : \"x, y\"\n"))
    #expect(SchemaDiagram.dot.text(of: pair).contains(#""c":c0 -> "p":c0 [arrowtail=crowodot, arrowhead=teeodot, label="x, y"];"#))
  }

  /// Names that would end a text, a line or a label, or be read as a word of the language.
  private static let hostile = [
    "\"", "\"; evil", "a\nb", "\r\n", "\\", "\\\"", "<b>", "</TABLE>", "&amp;", "{", "}", "[x]", "|", "%%{init}", "#35;", "--> x",
    "\u{1B}[31m", "\0x", "\u{7F}", "PK", "erDiagram", "style a:#b;", "é\"\u{301}", "\"\u{301}", " ", "1a", "😀", "node", "a:b", "\u{85}",
    "\u{FFFF}",
    "'", ";",
  ]

  @Test func `no name ends its quotes, its line or its label`() throws {
    let tables = Self.hostile.map { name in
      SchemaGraph.Table(
        reference: TableReference(name: name), columns: [SchemaGraph.Column(name: name, declaredType: name)], primaryKey: [name],
        foreignKeys: Self.hostile.map { other in
          SchemaGraph.Key(
            ForeignKeySchema(
              columns: [name], table: TableReference(name: other), referencedColumns: [other], onDelete: "NO ACTION", onUpdate: "NO ACTION"),
            isOptional: true, isUnique: false)
        })
    }
    let graph = SchemaGraph(tables: tables + [SchemaGraph.Table(reference: TableReference(name: ""))])
    let count = Self.hostile.count
    let mermaid = SchemaDiagram.mermaid.text(of: graph).unicodeScalars.split(separator: "\n").map { String($0) }
    #expect(mermaid.count == 1 + 3 * count + 1 + count * count)
    let text = #""(?:[A-Za-z0-9 _\-.,()]|[^\x00-\x7F]|#\d+;)+""#
    let shapes = try [
      Regex("erDiagram"), Regex("  \(text)(?: \\{)?"), Regex("  \\}"), Regex("  \(text) \\|o--o\\{ \(text) : \(text)"),
      Regex("    [A-Za-z_][A-Za-z0-9_]* [A-Za-z_][A-Za-z0-9_]* PK, FK(?: \(text))?"),
    ].map { $0.matchingSemantics(.unicodeScalar) }
    for line in mermaid { #expect(shapes.contains { line.wholeMatch(of: $0) != nil }, "\(line.debugDescription)") }
    #expect(!mermaid.contains { $0.contains(" PK PK") })
    let dot = SchemaDiagram.dot.text(of: graph).unicodeScalars.split(separator: "\n").map { String($0) }
    #expect(dot.count == 5 + count + 1 + count * count)
    let id = #""(?:[^"\\\x00-\x1F]|\\\\|\\")*""#
    let nodes = try [
      Regex("digraph schema \\{"), Regex("  (?:graph|node|edge) \\[[a-z=A-Z]+\\];"), Regex("\\}"),
      Regex("  \(id) \\[label=<(?:<[A-Z/][^<>]*>|[^<>])*>\\];"),
      Regex("  \(id):(?:c\\d+|table) -> \(id):(?:c\\d+|table) \\[arrowtail=crowodot, arrowhead=teeodot\\];"),
    ].map { $0.matchingSemantics(.unicodeScalar) }
    for line in dot { #expect(nodes.contains { line.wholeMatch(of: $0) != nil }, "\(line.debugDescription)") }
  }
}
