import Terminal
import Testing

/// A text in all tables.
extension Scene {
  private static let small = [Size(columns: 120, rows: 36), Size(columns: 80, rows: 24), Size(columns: 40, rows: 10)]
  private static let manyScript =
    MusicDatabase.script + [
      "CREATE VIRTUAL TABLE lyrics USING fts5(title, words)",
      "INSERT INTO lyrics VALUES ('Blue Moon', 'Blue moon, you saw me standing alone'), ('Song', 'all the blues you gave, and blue it is')",
      "CREATE TABLE review(id INTEGER PRIMARY KEY, body TEXT)",
      "INSERT INTO review VALUES (1, printf('%.*c', 300, 'x') || ' is what I call a blue period, ' || printf('%.*c', 300, 'y'))",
      "INSERT INTO review VALUES (2, 'line one' || char(10) || 'BLUE line two'), (3, 1959), (4, '無罪モラトリアム blue 無罪')",
    ]

  static let search = [
    Scene("search-empty", "The search of all tables before anything is typed", sizes: small, keys: "g /"),
    Scene("search", "The hits of a text by table, one of them current", on: manyScript, sizes: small, keys: "g /", "'blue'", "enter j j"),
    Scene("search-typing", "Hits while the text is typed", on: manyScript, keys: "g /", "'blu'"),
    Scene("search-number", "A number in columns of numbers and of texts", on: manyScript, keys: "g /", "'1959'", "enter"),
    Scene("search-folded", "A folded table among the hits", on: manyScript, keys: "g /", "'blue'", "enter j j j space j"),
    Scene("search-nothing", "A text that is nowhere", keys: "g /", "'xyzzy'"),
    Scene("search-opened", "The table that was opened at a hit", on: manyScript, keys: "g /", "'blue'", "enter G k k enter"),
  ]
}
