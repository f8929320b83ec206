import TestSupport
import Testing

/// Databases whose texts are stored as UTF-16 answer as those do that store the same texts as UTF-8.
@Suite(.gated) struct EncodingVerbTests {
  private static let script = [
    #"CREATE TABLE "tä"(id INTEGER PRIMARY KEY, v TEXT, b BLOB, d TEXT, j TEXT, n)"#,
    """
    INSERT INTO "tä" VALUES (1, 'Zoë 𝄞', x'00', '2024-02-29', '{"a": "ä", "n": 1}', 1), (2, 'plain', NULL, '2024-03-01', '{"a": "日"}', 'a'),
      (3, 'aXb', x'c3a4', '2024-03-31 10:00', '[1]', 1.5), (4, '', x'', NULL, NULL, NULL), (5, 'Straße', x'61', '2023-01-01', 'null', 'ä'),
      (6, 'PLAIN', x'ff', '2024-03-01', '{"a": 2}', '1')
    """,
    "CREATE TABLE w(k TEXT PRIMARY KEY, v TEXT COLLATE NOCASE) WITHOUT ROWID",
    #"INSERT INTO w SELECT v || id, v FROM "tä""#, #"CREATE INDEX vi ON "tä"(v)"#, #"CREATE VIEW vw AS SELECT v, d FROM "tä""#,
    "CREATE VIRTUAL TABLE f USING fts5(t)", #"INSERT INTO f SELECT v FROM "tä""#,
  ]

  private static let verbs: [[String]] =
    ["Zoë", "a", "l", "ä", "𝄞", "1", "日", "2024-03", "straße", "Straße", "PLAIN", "x", "\""].map { ["search", "DB", $0] }
    + [
      "v ~ a", "v = \"Zoë 𝄞\"", "v ^= Z", "v $= e", "v =~ \"^[A-Z]\\w+ß\"", "v =~ \"^.{5}$\"", "v !~ a", "v in (\"plain\", \"Straße\")",
      "v < \"q\"",
      "d = 2024-03", "d >= 2024-02-29", "j.a = \"ä\"", "j.n > 0", "length(v) > 5", "n > 1", "n = \"ä\"", "n = \"1\"", "ä",
    ].map { ["rows", "DB", "tä", "--where", $0] }
    + ["v", "-d", "n", "j", "v,-id"].map { ["rows", "DB", "tä", "--sort", $0] }
    + ["csv", "tsv", "json", "ndjson", "markdown", "html", "sql"].map { ["rows", "DB", "tä", "--format", $0] }
    + ["v", "b", "d", "j", "n"].map { ["counts", "DB", "tä", $0] }
    + ["v", "d", "j.a", "length(v)", "month(d)"].map { ["group", "DB", "tä", "--by", $0, "--show", "count, max(v), group_concat(v)"] }
    + [
      ["group", "DB", "tä", "--by", "n", "--across", "v", "--having", "n is not null"],
      ["counts", "DB", "w", "v"], ["profile", "DB", "tä"], ["profile", "DB", "w"], ["profile", "DB", "vw"], ["rows", "DB", "w"],
      ["chart", "DB", "SELECT v, count(*) FROM \"tä\" GROUP BY v"], ["tables", "DB"], ["schema", "DB"],
      ["query", "DB", "SELECT upper(v), v REGEXP '^.{5}$', v LIKE '%a%', json_extract(j, '$.a') FROM \"tä\""],
    ]

  /// What the verbs print of UTF-8, each run once for both encodings.
  private static let expected = Result {
    let folder = try TemporaryFolder()
    let plain = try Fixtures.database(in: folder, script.joined(separator: ";\n"))
    return try verbs.map { verb in try BuiltProgram.run(BuiltProgram.url, verb.map { $0 == "DB" ? plain : $0 }) }
  }

  @Test("every verb and filter says of UTF-16 what it says of UTF-8", arguments: ["UTF-16le", "UTF-16be"])
  func verbs(encoding: String) throws {
    let folder = try TemporaryFolder()
    let wide = try Fixtures.database(in: folder, "PRAGMA encoding = '\(encoding)'", Self.script.joined(separator: ";\n"))
    for (verb, expected) in zip(Self.verbs, try Self.expected.get()) {
      let outcome = try BuiltProgram.run(BuiltProgram.url, verb.map { $0 == "DB" ? wide : $0 })
      #expect(outcome.text == expected.text && outcome.status == expected.status, "\(verb.joined(separator: " ")): \(outcome.errors)")
      #expect(expected.status == 0, "\(verb.joined(separator: " ")): \(expected.errors)")
    }
  }
}
