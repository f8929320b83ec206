import Foundation
import QuarryChanges
import QuarryEngine
import QuarryFiles
import TestSupport

/// Merges with conflicts.
enum MergeFixture {
  static let schema = """
    CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT UNIQUE, country TEXT);
    CREATE TABLE album(id INTEGER PRIMARY KEY, title TEXT NOT NULL, artist INTEGER REFERENCES artist, year INTEGER, notes TEXT);
    INSERT INTO artist VALUES (1, 'AC/DC', 'Australia'), (2, 'Accept', 'Germany'), (3, 'Chico Buarque', 'Brazil');
    INSERT INTO album VALUES (1, 'Let There Be Rock', 1, 1977, NULL), (2, 'Balls to the Wall', 2, 1983, 'remastered'),
      (3, 'Restless and Wild', 2, 1982, NULL);
    CREATE INDEX titles ON album(title);
    """
  static let mine = """
    UPDATE album SET title = 'Balls to the Wall (Deluxe Edition with five tracks recorded live in Hamburg)', year = 1984 WHERE id = 2;
    UPDATE album SET notes = 'first album with Cliff Williams?' WHERE id = 1; DELETE FROM album WHERE id = 3;
    UPDATE artist SET country = 'Federal Republic of Germany' WHERE id = 2; INSERT INTO artist VALUES (4, 'Cássia Eller', 'Brazil');
    DELETE FROM artist WHERE id = 3; DROP INDEX titles; CREATE INDEX titles ON album(title COLLATE NOCASE);
    """
  static let theirs = """
    UPDATE album SET title = 'Balls To The Wall', year = 1985, notes = NULL WHERE id = 2;
    UPDATE album SET notes = 'recorded at Albert Studios' WHERE id = 1; UPDATE album SET year = 1981 WHERE id = 3;
    UPDATE artist SET country = 'Solingen' WHERE id = 2; INSERT INTO artist VALUES (4, 'Caetano Veloso', 'Brazil');
    INSERT INTO album VALUES (4, 'Construção', 3, 1971, NULL); DROP INDEX titles; CREATE INDEX titles ON album(title, year);
    """

  /// Makes three databases in a folder, and returns their merge into `result.db` there.
  static func merge(
    in folder: URL, _ schema: String = schema, mine: String = mine, theirs: String = theirs
  ) async throws -> PendingMerge {
    let paths = try [("base", ""), ("mine", mine), ("theirs", theirs)].map { name, changes in
      try makeDatabaseFile(in: folder, named: "\(name).db", "PRAGMA foreign_keys = OFF;" + schema + changes)
    }
    let result = folder.appendingPathComponent("result.db").path
    @Sendable func open(_ decisions: [MergeConflict.ID: MergeDecision]) throws -> PendingMerge.Sides {
      var configuration = Configuration()
      configuration.isReadonly = true
      let sides = try paths.map { path in
        try FileDiffSide(DatabaseQueue(path: path, configuration: configuration), name: path, holdsState: true)
      }
      var merge = DatabaseMerge(base: sides[0], mine: sides[1], theirs: sides[2])
      merge.decisions = decisions
      return PendingMerge.Sides(merge, try MergedFile(merge, to: result, mine: sides[1], others: [paths[0], paths[2]]), sides)
    }
    let sides = try open([:])
    let outcome = try await sides.file.write()
    let names = PendingMerge.Names(
      base: "base.db", mine: "mine.db", theirs: "theirs.db", result: "/srv/music/result.db", isReplacing: false)
    return PendingMerge(outcome, names, open: open)
  }
}

extension Scene {
  static let merges = [
    Scene("merge", "The conflicts of a merge", of: { try await MergeFixture.merge(in: $0) }, keys: "t m r"),
    Scene("merge-editing", "A value that neither side has", of: { try await MergeFixture.merge(in: $0) }, keys: "n e"),
    Scene("merge-settled", "The question before the result is written", of: { try await MergeFixture.merge(in: $0) }, keys: "t M ctrl-s"),
    Scene(
      "merge-record", "The row of a conflict in the three databases", of: { try await MergeFixture.merge(in: $0) }, keys: "n n n enter"),
    Scene(
      "merge-result", "A conflict that only the merged rows have", of: { try await MergeFixture.merge(in: $0) }, keys: "T w enter"),
    Scene("merge-leaving", "The question before decisions are lost", of: { try await MergeFixture.merge(in: $0) }, keys: "t q"),
  ]
}
