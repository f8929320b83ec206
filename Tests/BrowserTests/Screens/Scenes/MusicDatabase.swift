/// A small database with something of everything: keys and references, a view, a view that is broken, dates, JSON, BLOBs and NULLs.
enum MusicDatabase {
  static let script = [
    "CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    """
    CREATE TABLE album(
      id INTEGER PRIMARY KEY,
      title TEXT NOT NULL,
      artist_id INTEGER NOT NULL REFERENCES artist(id) ON DELETE CASCADE,
      year INTEGER CHECK (year > 1900),
      price REAL DEFAULT 9.5,
      cents INTEGER AS (CAST(price * 100 AS INTEGER)) VIRTUAL
    )
    """,
    "CREATE INDEX album_by_year ON album(year, title)",
    """
    CREATE TABLE track(
      id INTEGER PRIMARY KEY, album_id INTEGER REFERENCES album, title TEXT, seconds REAL, genre TEXT, composer TEXT, added TEXT
    )
    """,
    "CREATE TABLE event(id INTEGER PRIMARY KEY, happened_at INTEGER, payload TEXT, photo BLOB, note)",
    "CREATE TABLE tag(name TEXT, track_id INTEGER, PRIMARY KEY (name, track_id)) WITHOUT ROWID, STRICT",
    "CREATE VIEW long_track AS SELECT title, seconds FROM track WHERE seconds > 400",
    "CREATE VIEW broken AS SELECT * FROM nowhere",
    "CREATE TRIGGER track_added AFTER INSERT ON track WHEN new.added IS NULL BEGIN SELECT 1; END",
    "INSERT INTO artist VALUES (1, 'Nina Simone'), (2, 'Miles Davis'), (3, '椎名林檎'), (4, 'Björk')",
    """
    INSERT INTO album(id, title, artist_id, year, price) VALUES
      (1, 'Pastel Blues', 1, 1965, 9.5), (2, 'Kind of Blue', 2, 1959, 12), (3, '無罪モラトリアム', 3, 1999, NULL),
      (4, 'Homogenic', 4, 1997, 8.25), (5, 'In a Silent Way', 2, 1969, 10), (6, 'Untitled', 4, NULL, 0.5)
    """,
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
    INSERT INTO track SELECT i, i % 6 + 1, 'Track ' || i, 120 + i * 9.5, CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN 'Jazz' ELSE 'Rock & Pop' END,
      CASE i % 3 WHEN 0 THEN 'Somebody with a long name, Jr.' END, '2024-01-' || printf('%02d', i % 28 + 1) FROM n
    """,
    """
    INSERT INTO event VALUES
      (1, 1706704200, '{"kind": "concert", "tags": ["live", "jazz"], "place": {"city": "Montreux", "seats": 4000}, "sold": true}',
        x'89504e470d0a1a0a0000000d49484452000000200000001008060000', 'one line' || char(10) || 'another	with a tab'),
      (2, NULL, 'not JSON', zeroblob(70000), 3.5), (3, -1, '[1, 2.5, null]', x'', x'00ff41'), (4, 1706704200, NULL, NULL, printf('%.*c', 3000, 'x'))
    """,
    "INSERT INTO tag VALUES ('live', 1), ('live', 3), ('studio', 2)",
  ]
}
