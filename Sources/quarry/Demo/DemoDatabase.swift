internal import QuarryEngine

/// The sample database of `--demo`, which exists in memory as long as this value keeps a connection to it.
struct DemoDatabase {
  /// The path by which any connection of the process reaches the same database.
  static let path = ":memory:demo"

  private let keeper: DatabaseQueue

  /// Creates the database.
  init() throws {
    var configuration = Configuration()
    // Every foreign key in the script is valid, and checking 100,000 of them would take noticeable time.
    configuration.foreignKeysEnabled = false
    keeper = try DatabaseQueue(path: Self.path, configuration: configuration)
    try keeper.write { db in
      try Script(DemoScript.sql).forEach(db) { try $0.execute() }
    }
  }
}

/// The SQL that creates the sample database of `--demo`.
///
/// It creates the same rows every time, because it depends on neither chance nor the date.
enum DemoScript {
  /// The complete script, in an order in which every foreign key is valid.
  static let sql = tables + people + lists + reminders + tags + events + views

  private static let tables = """
    CREATE TABLE people(
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL COLLATE NOCASE,
      email TEXT UNIQUE,
      born DATE,
      city TEXT,
      manager_id INTEGER REFERENCES people(id) ON DELETE SET NULL,
      photo BLOB
    );
    CREATE TABLE lists(
      id INTEGER PRIMARY KEY,
      title TEXT NOT NULL UNIQUE COLLATE NOCASE,
      color TEXT NOT NULL DEFAULT '#4a99ef' CHECK (color GLOB '#*'),
      owner_id INTEGER NOT NULL REFERENCES people(id),
      settings TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(settings))
    );
    CREATE TABLE list_members(
      list_id INTEGER NOT NULL REFERENCES lists(id) ON DELETE CASCADE,
      person_id INTEGER NOT NULL REFERENCES people(id) ON DELETE CASCADE,
      role TEXT NOT NULL DEFAULT 'member' CHECK (role IN ('owner', 'member', 'guest')),
      joined DATE NOT NULL,
      PRIMARY KEY (list_id, person_id)
    ) WITHOUT ROWID;
    CREATE TABLE reminders(
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      list_id INTEGER NOT NULL REFERENCES lists(id) ON DELETE CASCADE,
      title TEXT NOT NULL,
      notes TEXT,
      priority INTEGER CHECK (priority BETWEEN 1 AND 3),
      is_completed BOOLEAN NOT NULL DEFAULT FALSE,
      due DATE,
      estimate REAL,
      assignee_id INTEGER,
      parent_id INTEGER REFERENCES reminders(id) ON DELETE CASCADE,
      details TEXT CHECK (details IS NULL OR json_valid(details)),
      words INTEGER GENERATED ALWAYS AS (length(title) - length(replace(title, ' ', '')) + 1) VIRTUAL,
      FOREIGN KEY (list_id, assignee_id) REFERENCES list_members(list_id, person_id)
    );
    CREATE INDEX reminders_by_list ON reminders(list_id, due);
    CREATE INDEX reminders_open ON reminders(due) WHERE NOT is_completed;
    CREATE TABLE tags(
      id INTEGER PRIMARY KEY,
      title TEXT NOT NULL UNIQUE COLLATE NOCASE
    );
    CREATE TABLE reminder_tags(
      reminder_id INTEGER NOT NULL REFERENCES reminders(id) ON DELETE CASCADE,
      tag_id INTEGER NOT NULL REFERENCES tags(id) ON DELETE CASCADE,
      PRIMARY KEY (reminder_id, tag_id)
    ) WITHOUT ROWID;
    CREATE TABLE events(
      id INTEGER PRIMARY KEY,
      at DATETIME NOT NULL,
      kind TEXT NOT NULL,
      person_id INTEGER NOT NULL REFERENCES people(id),
      reminder_id INTEGER REFERENCES reminders(id) ON DELETE SET NULL,
      seconds REAL,
      payload TEXT NOT NULL
    );

    """

  private static let people = """
    INSERT INTO people VALUES
      (1, 'Ada Lovelace', 'ada@example.org', '1985-12-10', 'London', NULL, x'89504e470d0a1a0a'),
      (2, 'Zoë Núñez', 'zoe@example.org', '1990-04-02', 'Sevilla', 1, NULL),
      (3, '小林 さくら', 'sakura@example.org', '1993-03-27', '東京', 1, x'ffd8ffe000104a464946'),
      (4, 'Łukasz Żak', 'lukasz@example.org', '1978-11-30', 'Łódź', 2, NULL),
      (5, 'Amara Okafor', NULL, '2001-07-19', 'Lagos', 2, NULL),
      (6, 'Søren Bjørn', 'soren@example.org', '1969-01-05', 'Århus', 3, x''),
      (7, '김민준', 'minjun@example.org', NULL, '서울', 3, NULL),
      (8, 'Μαρία Παπαδοπούλου', 'maria@example.org', '1988-08-08', 'Αθήνα', 4, NULL),
      (9, 'Robert ''); DROP TABLE people;--', 'bobby@example.org', '2007-10-10', '', 4, NULL);

    """

  private static let lists = """
    INSERT INTO lists VALUES
      (1, 'Groceries 🛒', '#34c759', 1, '{"sort":"manual","shared":true}'),
      (2, 'Family 👨‍👩‍👧‍👦', '#ff9500', 2, '{"sort":"due","shared":true,"members":[1,2,5]}'),
      (3, 'Work', '#4a99ef', 1, '{"sort":"priority","columns":["title","due","assignee"]}'),
      (4, 'Holiday 🇬🇷', '#af52de', 8, '{"budget":{"currency":"EUR","amount":2400.50}}'),
      (5, 'Some day', '#8e8e93', 3, '{}');
    INSERT INTO list_members SELECT id, owner_id, 'owner', date('2023-01-15', (id * 37) || ' days') FROM lists;
    INSERT INTO list_members VALUES
      (1, 2, 'member', '2023-03-01'), (1, 5, 'guest', '2024-06-11'), (2, 1, 'member', '2023-04-30'), (2, 5, 'member', '2023-05-02'),
      (3, 3, 'member', '2023-06-01'), (3, 4, 'member', '2023-06-01'), (3, 6, 'member', '2024-02-29'), (3, 7, 'guest', '2025-01-07'),
      (4, 2, 'member', '2024-09-09'), (4, 6, 'guest', '2024-12-24');

    """

  private static let reminders = #"""
    INSERT INTO reminders(id, list_id, title, notes, priority, is_completed, due, estimate, assignee_id, parent_id, details) VALUES
      (1, 1, 'Buy milk', NULL, 2, FALSE, '2026-03-02', 0.25, 2, NULL, NULL),
      (2, 1, 'Olive oil', 'The green one, from the market', NULL, FALSE, NULL, NULL, NULL, NULL, '{"brand":null,"litres":0.75}'),
      (3, 1, 'Coffee ☕️', 'Beans, not ground', 1, TRUE, '2026-02-20', 0.1, 1, NULL, '{"grams":500,"roast":"dark"}'),
      (4, 1, 'Bread', '', NULL, TRUE, '2026-02-21', NULL, 5, NULL, NULL),
      (5, 2, 'Call grandmother', 'Her birthday is the 9th', 3, FALSE, '2026-03-09', 0.5, 2, NULL, NULL),
      (6, 2, 'Birthday party 🎂', 'Cake
    Candles
    Balloons', 3, FALSE, '2026-03-14', 6, 1, NULL,
        '{"guests":["Zoë","Amara","さくら"],"outdoors":false,"budget":{"amount":180,"currency":"GBP"}}'),
      (7, 2, 'Order the cake', NULL, 2, FALSE, '2026-03-10', 0.25, 5, 6, NULL),
      (8, 2, 'Write the invitations', NULL, 2, TRUE, '2026-02-28', 1.5, 1, 6, NULL),
      (9, 3, 'Prepare the quarterly report', 'Numbers are in the shared folder', 3, FALSE, '2026-03-31', 12, 4, NULL,
        '{"pages":24,"draft":true}'),
      (10, 3, 'Collect the numbers', NULL, 3, TRUE, '2026-03-05', 3.5, 3, 9, NULL),
      (11, 3, 'Draw the charts', 'Bars, no pies', 2, FALSE, '2026-03-18', 4, 7, 9, '{"tool":"ggplot","colors":["#4a99ef","#34c759"]}'),
      (12, 3, 'Proofread', NULL, 1, FALSE, '2026-03-27', 2, 6, 9, NULL),
      (13, 3, 'Answer 100 % of the mail', 'By _noon_, no later', 1, FALSE, NULL, 0.75, 1, NULL, NULL),
      (14, 3, 'レビュー: 検索の改善', '全角文字と emoji 🧪 が混ざった長いメモ', 2, FALSE, '2026-03-12', 1, 3, NULL, NULL),
      (15, 4, 'Book the ferry to Paros', 'Piraeus, 07:30', 3, TRUE, '2026-02-15', 0.5, 8, NULL,
        '{"from":"Piraeus","to":"Paros","price":49.9}'),
      (16, 4, 'Find a hotel', NULL, 3, FALSE, '2026-03-20', 2, 2, NULL, '{"nights":7,"near":"Naoussa"}'),
      (17, 4, 'Passport photos', NULL, NULL, FALSE, '2026-04-01', 0.5, NULL, NULL, NULL),
      (18, 5, 'Learn Greek', 'Γειά σου!', NULL, FALSE, NULL, 400, NULL, NULL, '{"levels":["A1","A2","B1"]}'),
      (19, 5, 'Read the SQLite documentation', 'Start with https://www.sqlite.org/lang.html', 1, FALSE, NULL, 30, 3, NULL, NULL),
      (20, 5, 'Write a letter to the future', NULL, NULL, FALSE, '2038-01-19', 1e-3, NULL, NULL, NULL);

    """#

  private static let tags = """
    INSERT INTO tags VALUES
      (1, 'urgent'), (2, 'home'), (3, 'phone'), (4, 'errand'), (5, 'money'), (6, 'fun'), (7, 'weekly'), (8, 'someday');
    INSERT INTO reminder_tags VALUES
      (1, 4), (1, 7), (2, 4), (3, 4), (3, 7), (4, 4), (5, 1), (5, 3), (6, 2), (6, 6), (7, 3), (7, 5), (8, 2), (9, 1), (9, 5), (10, 1),
      (13, 7), (15, 5), (15, 6), (16, 5), (16, 6), (17, 4), (18, 6), (18, 8), (19, 8), (20, 8);

    """

  /// 100,000 events: each of 1,000 days with each of 100 times of day, so that only 1,100 dates and times are computed.
  private static let events = """
    WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 999),
    days AS MATERIALIZED (SELECT n AS day, date('2023-06-01', n || ' days') || ' ' AS date, n * 7919 + 5 AS salt FROM numbers),
    slots AS MATERIALIZED (
      SELECT n AS slot, time(n * 864 + n * 37 % 800, 'unixepoch') AS time, n * 104729 + 17 AS salt,
        '{"device":"' || CASE n % 3 WHEN 0 THEN 'phone' WHEN 1 THEN 'laptop' ELSE 'tablet' END || '","session":' AS payload
      FROM numbers LIMIT 100
    ),
    scattered AS (
      SELECT day * 100 + slot + 1 AS id, date || time AS at, days.salt + slots.salt AS salt,
        days.salt * slots.salt % 100000 AS hundredths, payload
      FROM days CROSS JOIN slots
    )
    INSERT INTO events
    SELECT id, at,
      CASE salt >> 3 & 7 WHEN 0 THEN 'created' WHEN 1 THEN 'completed' WHEN 2 THEN 'snoozed' WHEN 3 THEN 'assigned' ELSE 'viewed' END,
      salt % 9 + 1, nullif(salt % 21, 0), nullif(hundredths, 0) / 100.0, payload || salt || '}'
    FROM scattered;
    CREATE INDEX events_by_person ON events(person_id);

    """

  private static let views = """
    CREATE VIEW open_reminders AS
      SELECT reminders.id, lists.title AS list, reminders.title, due, priority, people.name AS assignee
      FROM reminders JOIN lists ON lists.id = list_id LEFT JOIN people ON people.id = assignee_id
      WHERE NOT is_completed
      ORDER BY due IS NULL, due;
    CREATE VIEW tag_counts AS
      SELECT tags.title AS tag, count(reminder_id) AS reminders
      FROM tags LEFT JOIN reminder_tags ON tag_id = tags.id
      GROUP BY tags.id;
    CREATE TRIGGER reminder_completed AFTER UPDATE OF is_completed ON reminders WHEN new.is_completed AND NOT old.is_completed
    BEGIN
      INSERT INTO events(at, kind, person_id, reminder_id, payload)
      VALUES (datetime('now'), 'completed', coalesce(new.assignee_id, 1), new.id, '{}');
    END;

    """
}
