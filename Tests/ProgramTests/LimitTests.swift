internal import QuarryEngine

#if os(Linux)
  import Foundation
  import QuarryEngine
  import TestSupport
  import Testing

  /// The program under limits of the system, each of which it names.
  @Suite(.gated) struct LimitTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
      folder = try TemporaryFolder()
      path = try Fixtures.database(
        in: folder, "CREATE TABLE t(a, b)",
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 20000) INSERT INTO t SELECT x, hex(zeroblob(50)) FROM n")
    }

    /// Runs the program in a shell after commands that set limits; `$Q` is the program, `$F` the database.
    private func run(_ script: String) throws -> BuiltProgram.Outcome {
      try BuiltProgram.run(
        URL(fileURLWithPath: "/bin/bash"), ["-c", script],
        environment: ["Q": BuiltProgram.url.path, "F": path, "TMPDIR": folder.path])
    }

    @Test func `a dump that may have no further thread is the same`() throws {
      let whole = try run("exec $Q dump $F")
      for limit in [140_000, 153_600, 180_000, 250_000] {
        let outcome = try run("ulimit -v \(limit); exec $Q dump $F")
        guard outcome.status == 0 else {
          // Where there is no room even to start, a sentence or the loader says so, and nothing is trapped.
          #expect([1, 3, 127].contains(outcome.status), "\(limit): \(outcome.ending) \(outcome.errors)")
          continue
        }
        #expect(outcome.output == whole.output)
      }
    }

    @Test func `a blob that memory has no room for is an error`() throws {
      let outcome = try run("ulimit -v 1000000; exec $Q query $F 'SELECT zeroblob(900000000)'")
      #expect(outcome.status == 1, "\(outcome.ending) \(outcome.errors)")
      #expect(outcome.errors.hasPrefix("quarry: there is not enough memory"), "\(outcome.errors)")
    }

    @Test func `too many open files are named`() throws {
      for limit in 3...12 {
        for verb in ["counts $F t a", "group $F t --by a --across a"] {
          let outcome = try run("ulimit -n \(limit); exec $Q \(verb)")
          #expect([0, 1, 3, 127].contains(outcome.status), "\(outcome.ending)")
          #expect(!outcome.errors.contains("not an SQLite database") && !outcome.errors.contains("no file"), "\(limit): \(outcome.errors)")
        }
      }
    }

    /// Where the superuser runs the tests, permissions hold nobody back.
    @Test func `folders for temporary files that cannot be used end with a sentence`() throws {
      let data = try folder.write(Data("a,b\n1,2\n".utf8), to: "in.csv").path
      let outcome = try run("TMPDIR=/dev/null; export TMPDIR; exec $Q query \(data) 'SELECT 1'")
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("Set TMPDIR to a writable folder"), "\(outcome.errors)")
    }

    @Test(.enabled(if: getuid() == 0))
    func `a mask that forbids everything makes no folders without end`() throws {
      let data = try folder.write(Data("a,b\n1,2\n".utf8), to: "in.csv").path
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
      let program = folder.path("quarry")
      try copyProgram(to: program)
      let outcome = try run("umask 0777; exec setpriv --reuid 65534 --regid 65534 --clear-groups \(program) query \(data) 'SELECT 1'")
      #expect(outcome.status == 1, "\(outcome.ending) \(outcome.errors)")
      #expect(outcome.errors.contains("check `umask`"), "\(outcome.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("quarry-files") } == [])
    }

    @Test(.enabled(if: getuid() == 0))
    func `threads that the system refuses end with a sentence`() throws {
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
      let program = folder.path("quarry")
      try copyProgram(to: program)
      let outcome = try run("ulimit -u 2; exec setpriv --reuid 65533 --regid 65533 --clear-groups \(program) profile $F t")
      #expect(outcome.status == 1, "\(outcome.ending) \(outcome.errors)")
      #expect(outcome.errors.contains("no thread can be started"), "\(outcome.errors)")
    }

    @Test(.enabled(if: getuid() == 0))
    func `a disk without room for a further file is named`() throws {
      let disk = folder.path("disk")
      try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
      let outcome = try run(
        """
        exec unshare -m sh -c 'mount -t tmpfs -o nr_inodes=2 tmpfs \(disk) || exit 77
        cp $F \(disk)/d.db && exec $Q query --no-changes \(disk)/d.db "DELETE FROM t"'
        """)
      // Not everybody may mount.
      if [1, 77].contains(outcome.status), !outcome.errors.contains("quarry: ") { return }
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("No space left on device") && outcome.errors.contains("df -i"), "\(outcome.errors)")
    }

    @Test(
      .enabled(if: getuid() == 0),
      arguments: [
        ("size=64k", "new.db", "there is no space left to write to “D/new.db”"), ("size=64k", "old.db", "there is no space left"),
        ("ro,size=64k", "new.db", "“D/new.db” cannot be written: its disk is read-only"),
      ])
    func `a merge onto a disk without room, or one that cannot be written, leaves what was there`(
      _ options: String, _ name: String, _ sentence: String
    ) throws {
      let disk = folder.path("disk")
      try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
      let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000)"
      let fill = "\(numbers) INSERT INTO t SELECT i, hex(zeroblob(40)) FROM n"
      #expect(try BuiltProgram.run("query", "--no-changes", path, fill).status == 0)
      let outcome = try run(
        """
        exec unshare -m sh -c 'mount -t tmpfs -o \(options) tmpfs \(disk) || exit 77
        [ \(name) = new.db ] || : > \(disk)/old.db
        $Q merge $F $F $F -o \(disk)/\(name); s=$?; ls -A \(disk); exit $s'
        """)
      if [1, 77].contains(outcome.status), !outcome.errors.contains("quarry: ") { return }
      #expect(outcome.status == (options.hasPrefix("ro") ? 2 : 1))
      #expect(outcome.errors.contains(sentence.replacing("D/", with: "\(disk)/")), "\(outcome.errors)")
      #expect(outcome.text == (name == "new.db" ? "" : "old.db\n"))
    }

    @Test(arguments: [
      ("INSERT INTO t VALUES (1, 2)", "the statement has run. t: 1 new row. `quarry undo $F` undoes it."),
      ("INSERT INTO t VALUES (1, 2), (3, 4) RETURNING a", "the statement has run. t: 2 new rows. `quarry undo $F` undoes it."),
      (
        "INSERT INTO t VALUES (1, 2), (3, 4) RETURNING a; DELETE FROM t",
        "1 of 2 statements have run. t: 2 new rows. `quarry undo $F` undoes it."
      ),
      (
        "INSERT INTO t VALUES (1, 2); BEGIN; DELETE FROM t RETURNING a; COMMIT",
        "3 of 4 statements have run; the open transaction was rolled back. t: 1 new row. `quarry undo $F` undoes it."
      ),
      ("BEGIN; DELETE FROM t; ROLLBACK; SELECT 1; SELECT 2", "4 of 5 statements have run"),
      ("SELECT 1; DELETE FROM t", "1 of 2 statements have run"),
    ])
    func `rows that cannot be printed do not hide what was committed`(_ sql: String, _ done: String) throws {
      let before = try count()
      let outcome = try run("exec $Q query $F '\(sql)' > /dev/full")
      if sql.contains("RETURNING") || sql.contains("SELECT") {
        #expect(outcome.status == 1)
        let report = "quarry: standard output cannot be written: No space left on device; \(done)\n"
        #expect(outcome.errors == report.replacing("$F", with: path), "it is said once")
      } else {
        #expect(outcome.status == 0, "nothing is to be printed: \(outcome.errors)")
      }
      let added = ["INSERT INTO t VALUES (1, 2), (3, 4)": 2, "INSERT INTO t": 1].filter { sql.hasPrefix($0.key) }.map(\.value).max() ?? 0
      #expect(try count() == before + added)
    }

    @Test func `without a record, what was rolled back does not count as committed`() throws {
      let script = "INSERT INTO t VALUES (1, 2); BEGIN; DELETE FROM t; ROLLBACK; BEGIN; DELETE FROM t RETURNING a"
      let outcome = try run("exec $Q query --no-changes $F '\(script)' > /dev/full")
      let done = "6 of 6 statements have run; the open transaction was rolled back. 1 row changed; the changes were not recorded"
      #expect(outcome.errors.hasPrefix("quarry: standard output cannot be written: No space left on device; \(done)"), "\(outcome.errors)")
    }

    /// Copies the program by another one: a program that a test starts meanwhile would inherit the copy while it is open for writing, and
    /// the system runs no such file.
    private func copyProgram(to path: String) throws {
      #expect(try ChildProcess(["/bin/cp", BuiltProgram.url.path, path]).wait() == .exit(0))
    }

    private func count() throws -> Int {
      try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") ?? 0 }
    }

    @Test func `a backup whose end cannot be printed is complete, and says so`() throws {
      let outcome = try run("exec $Q backup $F $F.copy > /dev/full")
      #expect(outcome.status == 1)
      #expect(
        outcome.errors.hasPrefix("quarry: standard output cannot be written: No space left on device; the backup is complete: copied "),
        "\(outcome.errors)")
      #expect(FileManager.default.fileExists(atPath: path + ".copy"))
    }
  }
#endif
