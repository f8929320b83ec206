import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Random views of a database with odd names, values of all storage classes and keys of all kinds.
struct SwiftViews {
  static let schema = #"""
    PRAGMA foreign_keys = OFF;
    CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE);
    CREATE TABLE album(AlbumId INTEGER PRIMARY KEY, Title TEXT NOT NULL, artist_id INTEGER REFERENCES artist, released DATE);
    CREATE TABLE track(id INTEGER PRIMARY KEY, name TEXT, album_id INTEGER REFERENCES album, milliseconds INTEGER, UnitPrice NUMERIC(10,2),
      rating REAL, data TEXT, explicit BOOLEAN, cover BLOB, note, at DATETIME, code TEXT COLLATE NOCASE REFERENCES code);
    CREATE TABLE line(track_id INTEGER NOT NULL REFERENCES track, quantity INTEGER, price REAL);
    CREATE TABLE code("Code" TEXT COLLATE NOCASE PRIMARY KEY, parent TEXT REFERENCES code, weight INTEGER) WITHOUT ROWID;
    CREATE TABLE team(city TEXT, number INTEGER, name TEXT, boss TEXT, PRIMARY KEY (city, number)) WITHOUT ROWID;
    CREATE TABLE player(city TEXT, number INTEGER, mentor INTEGER REFERENCES player(pid), pid INTEGER UNIQUE, salary REAL,
      FOREIGN KEY (city, number) REFERENCES team);
    CREATE TABLE "Row"("class" TEXT, "self" INTEGER, "count" INTEGER, "a b" REAL, "it's ""x""\" TEXT, "é日本" TEXT, "1st" ANY, "a_b",
      "track" INTEGER REFERENCES track, "selectTerm" INTEGER, "Type" TEXT);
    CREATE VIEW long AS SELECT name, milliseconds, rating FROM track WHERE milliseconds > 100;
    INSERT INTO artist VALUES (1, 'AC/DC'), (2, 'Accept'), (3, NULL), (4, 'ac/dc');
    INSERT INTO album VALUES (1, 'Love', 1, '2020-05-01'), (2, 'It''s "Balls"', 2, '2021-01-31'), (3, 'Nobody', NULL, NULL),
      (4, 'Lost', 9, NULL), (5, 'Nameless', 3, '2021-02-01'), (6, 'l\o%v_e', 4, '2020');
    INSERT INTO code VALUES ('A', NULL, 1), ('b', 'a', 2), ('C', 'B', NULL), ('d', 'zz', -5);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
    INSERT INTO track SELECT i, char(97 + i % 7) || ' love ' || (i % 5), nullif(i % 8, 0), i * 37 % 400,
      CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN 1 ELSE i / 4.0 END, (i % 9) / 3.0, json_object('price', i % 6, 'tags', json_array('a', i)),
      i % 3 = 0, CASE i % 4 WHEN 0 THEN x'00ff' WHEN 1 THEN NULL ELSE CAST(i AS BLOB) END,
      CASE i % 5 WHEN 0 THEN i WHEN 1 THEN i / 2.0 WHEN 2 THEN 't' || i WHEN 3 THEN x'0102' END,
      date('2024-01-01', i || ' days'), char(97 + i % 5) FROM n;
    UPDATE track SET name = 'it''s "q" \ ' || char(10) || 'é👩‍👩‍👧' WHERE id = 7;
    UPDATE track SET name = 'a' || char(0) || 'love' WHERE id = 9;
    UPDATE track SET name = NULL WHERE id = 11;
    UPDATE track SET milliseconds = 2.5, explicit = 7 WHERE id = 12;
    UPDATE track SET milliseconds = 'long', rating = 'good' WHERE id = 13;
    INSERT INTO line SELECT i * 7 % 45, i % 11, i / 8.0 FROM (SELECT id AS i FROM track UNION ALL SELECT id + 40 FROM track);
    INSERT INTO line VALUES (3, NULL, NULL);
    INSERT INTO team VALUES ('Rome', 1, 'A', 'x'), ('Rome', 2, 'B', NULL), ('Oslo', 1, 'C', 'y');
    INSERT INTO player VALUES ('Rome', 1, NULL, 1, 1.5), ('Rome', 2, 1, 2, 9e999), ('Oslo', 2, 1, 3, -9e999), ('Oslo', 1, 3, 4, NULL),
      (NULL, 1, 4, 5, 0.1);
    INSERT INTO "Row" VALUES ('a', 1, 9223372036854775807, 0.1, 'q', 'ü', 1, 'x', 3, 1, 't'), (NULL, NULL, NULL, NULL, NULL, NULL, NULL,
      NULL, NULL, NULL, NULL), ('b', -9223372036854775808, 3, 1e300, '''', '日', x'', 2.5, 5, 2, 'u');
    """#

  /// The values of the parameters.
  static let arguments: [String: DatabaseValue] = [
    ":least": .integer(3), ":ratio": .real(1.25), ":name": .text("a love 1"), ":nothing": .null, ":part": .text("o%v_"),
    ":bytes": .blob([0, 255]), ":day": .text("2024-01-10"),
  ]

  /// A table with parts of filters, sort keys and computed columns.
  struct Part: Sendable, CustomTestStringConvertible {
    var table: String
    var testDescription: String { table }
    var conditions: [String]
    var keys: [String]
    var columns: [String]
  }

  static let parts = [
    Part(
      table: "track",
      conditions: [
        "milliseconds > :least", "milliseconds > 2.5", "milliseconds between 20 and 300", "milliseconds not between :least and 99",
        "milliseconds in (37, 74, 111)", "milliseconds not in (37, 2.5)", "milliseconds in (37, null)", "UnitPrice > 0.99", "UnitPrice = 1",
        "rating > 1", "rating >= :ratio", "rating = :nothing", "name = :name", "name ~ love", "name ~ :part", "name !~ 'love 3'",
        "name ^= a",
        "name $= '1'", "name like '_ l%'", "name not like 'a%'", "name like 'a!%' escape '!'", "name glob 'a*'", "name =~ '^[ab] '",
        "name != 'a love 1'", "name <> 'a love 1'", "name is null", "name is not :name", "name collate nocase > 'B'", "explicit",
        "not explicit", "explicit = true", "explicit is not true", "cover = x'00ff'", "cover = :bytes", "cover is null", "note = 5",
        "note > 't'", "note is x'0102'", "note ~ 't'", "data.price > 3", "data.tags[0] = 'a'", "at >= 2024-01-20", "at = 2024-01",
        "at < :day", "album_id.Title = 'Love'", "album_id.artist_id.name = 'ac/dc'", "album_id.released = 2021",
        "album_id.Title ~ love or id = 5", "count(line) > 1", "count(line, quantity > :least) = 1", "count(line.quantity) = 0",
        "exists(line, quantity > 5 and price > 1)", "not exists(line)", "sum(line.quantity * line.price) > 10", "total(line.price) = 0",
        "max(line.quantity) >= 9 or min(line.quantity) = 1", "avg(line.quantity) > 5", "group_concat(line.quantity) ~ '7'",
        "code.weight > 0", "code.parent.weight is not null", "length(name) > 8", "upper(name) = 'A LOVE 1'", "coalesce(name, '-') = '-'",
        "ifnull(milliseconds, 0) + 1 > rating * 100", "milliseconds / 7 % 3 = 1", "-milliseconds < -100", "+milliseconds = 74",
        "abs(milliseconds - 200) < 50", "round(rating, 1) = 0.3", "cast(milliseconds as text) = '74'", "substr(name, 1, 1) = 'c'",
        "instr(name, 'l') = 3", "replace(name, 'love', name) ~ 'a a'", "trim(name, 'a') ^= ' '", "typeof(note) = 'text'",
        "hex(cover) = '00FF'", "name || '!' = 'a love 1!'", "name || ' ' || code || :name ~ b", "max(id, 7) = 8", "~ green", "1 = 1",
        "strftime('%m', at) = '02'", "nullif(id, 4) is null", "code = 'B'", "~ 'LOVE 2'", "explicit is true or rating is not null",
      ],
      keys: [
        "milliseconds", "-milliseconds", "name collate nocase desc", "rating desc nulls last", "note", "album_id.Title",
        "-album_id.artist_id.name",
        "count(line) desc", "length(name)", "cover", "code", "data.price", "UnitPrice nulls last", "milliseconds / 60.0",
      ],
      columns: [
        "milliseconds / 60000.0", "album_id.Title", "album_id.artist_id.name", "count(line)", "sum(line.quantity)", "avg(line.price)",
        "upper(name)", "name || '!'", "data.price", "upper(name) || code", "coalesce(name, '-')", "milliseconds * 2", "5", "'it''s'",
        "null",
        "round(rating, 2)", "group_concat(line.quantity)", "exists(line)", "max(line.price) - min(line.price)", "length(cover)",
        "code.parent.Code", "cast(rating as integer)", "date(at)", "sum(line.quantity * line.price)", "-rating", "true",
      ]),
    Part(
      table: "album",
      conditions: [
        "sum(track.id) > 6", "exists(track, exists(line))", "max(track.album_id.artist_id) = 1", "artist_id.name = 'AC/DC'",
        "released = 2020",
        "released is null", "Title = 'It''s \"Balls\"'", "Title ~ 'l\\o%v_e'", "AlbumId <= :least", "count(track, explicit) > 1",
      ],
      keys: ["artist_id.name", "-count(track)", "released desc", "Title collate nocase"],
      columns: ["artist_id.name", "count(track)", "count(track, milliseconds > 100)", "max(track.name)", "total(track.milliseconds)"]),
    Part(
      table: "player",
      conditions: [
        "team.name = 'B'", "team.boss is null", "mentor.mentor.pid = 1", "mentor.team.name = 'A'", "count(player) > 0", "salary > 1e300",
        "mentor.mentor.mentor.city = 'Rome'", "exists(player, salary < 0)", "salary = :nothing",
      ],
      keys: ["mentor.pid", "team.name desc", "-salary", "city"],
      columns: ["mentor.city", "team.boss", "mentor.team.name", "salary * 2", "count(player)"]),
    Part(
      table: "team", conditions: ["count(player) = 0", "boss is not null", "name in ('A', 'B')", "sum(player.salary) > 1"],
      keys: ["-name", "count(player)", "boss"], columns: ["count(player)", "city || name", "avg(player.salary)"]),
    Part(
      table: "code",
      conditions: ["parent.Code = 'a'", "weight > 0", "Code in ('A', 'D')", "count(track) > 3", "parent.weight = weight - 1"],
      keys: ["parent.Code desc", "weight", "-Code"], columns: ["parent.weight", "lower(Code)", "count(track)"]),
    Part(
      table: "Row",
      conditions: [
        "class = 'a' or self < 0", "count > 3", "\"a b\" > 1", "\"it's \"\"x\"\"\\\" is not null", "é日本 = '日'", "\"1st\" = x''",
        "track.name ~ love", "track.album_id.Title is null", "a_b > 1", "selectTerm = 1", "Type <> 'u'",
      ],
      keys: ["-count", "\"1st\"", "track.name", "a_b desc"],
      columns: ["track.name", "self * 1.0", "é日本 || class", "track.album_id.artist_id.name", "\"a b\" + selectTerm"]),
    Part(
      table: "long", conditions: ["milliseconds > 150", "name ~ love", "rating is not null"],
      keys: ["milliseconds, name", "-rating, name, milliseconds"],
      columns: ["milliseconds / 2", "rating * 2"]),
  ]

  /// A random view: its table, its texts, and the indexes of the shown columns.
  struct Choice: Sendable {
    var table: String
    var view: RowView
    var order: UInt64
  }

  /// Returns a random view.
  static func choice(_ random: inout SplitMix) -> Choice {
    let part = random.below(2) == 0 ? parts[0] : parts[random.below(parts.count)]
    let terms = (0..<random.below(4)).map { _ in
      let condition = part.conditions[random.below(part.conditions.count)]
      return random.below(5) == 0 ? "not (\(condition))" : condition.contains(" or ") ? "(\(condition))" : condition
    }
    let filter = terms.joined(separator: random.below(3) == 0 ? " or " : " and ")
    func some(_ texts: [String], _ bound: Int) -> [String] { Array(texts.shuffled(using: &random).prefix(random.below(bound))) }
    // A view has no key, so that only such keys determine the order of its rows.
    let keys = part.table == "long" ? [part.keys[random.below(part.keys.count)]] : some(part.keys, 3)
    let view = RowView(
      filter: filter, sort: keys.joined(separator: ", "), arguments: arguments, columns: some(part.columns, 4))
    return Choice(table: part.table, view: view, order: random.next())
  }
}
