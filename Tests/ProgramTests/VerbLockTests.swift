#if os(Linux)
  import Foundation
  import QuarryEngine
  import TestSupport
  import Testing

  /// Every verb on a database that another program has open: closing a file that SQLite has open would release SQLite's locks.
  ///
  /// A library that is loaded before the C library reads the system's list of locks before and after each `close`. It notes the files that
  /// lost a lock while the program still had them open.
  @Suite(.gated, .enabled(if: LockWatch.compiler != nil, "clang comes with Swift; it compiles what watches the locks"))
  struct VerbLockTests {
    private let folder: TemporaryFolder
    private let watch: LockWatch

    init() throws {
      folder = try TemporaryFolder()
      watch = try LockWatch(in: folder)
    }

    /// What each verb is run with: `F` is the database, `G` another one, `R` a file of rows, `N` a new path.
    private static let lines: [String: [String]] = [
      "tables": ["F"], "schema": ["F"], "rows": ["F t", "F t -o N"], "search": ["F a"], "counts": ["F t a"], "profile": ["F t"],
      "group": ["F t --by a", "F t --by a --across b"],
      "chart": ["F t a"], "check": ["F", "F --quick"], "changes": ["F", "F 1"], "undo": ["F"], "diff": ["F G", "F F", "F G --format sql"],
      "merge": ["G F G -o N", "G F G -o F"], "textconv": ["F"], "import": ["F t R", "F t F"],
      "dump": ["F", "F -o N"], "backup": ["F N", "F G --force", "G F --force"], "filter-check": ["F t a=1"], "themes": [""],
      "keys": [""], "config": [""], "man": [""], "new": ["N"], "doctor": ["F"],
      "query": [
        "F SELECT*FROM(t)", "F UPDATE(t)", "F UPDATE(t) --no-changes", "F -f S", "F G SELECT*FROM(t)", "F ATTACH(F)", "F SELECT(1) -o F",
      ],
    ]

    /// The SQL behind a word, which has no blanks.
    private static let sql = [
      "SELECT*FROM(t)": "SELECT * FROM t", "UPDATE(t)": "UPDATE t SET b = b + 1", "SELECT(1)": "SELECT 1",
    ]

    private static let verbs = Result {
      try BuiltProgram.run("--help").text.matches(of: #/(?m)^  ([a-z][a-z-]*)  +[A-Z]/#).map { String($0.1) }
    }

    @Test func `the watch sees a lock that is released by another descriptor`() throws {
      let path = try folder.write(Data("a".utf8), to: "file").path
      #expect(try watch.releases(running: [watch.example, path], in: folder) == [path])
    }

    @Test(arguments: ["DELETE", "WAL"])
    func `no verb releases a lock of SQLite`(_ mode: String) throws {
      let verbs = try Self.verbs.get()
      #expect(Set(verbs) == Set(Self.lines.keys), "each verb has lines here")
      for verb in verbs {
        for line in Self.lines[verb] ?? [] {
          let released = try run("\(verb) \(line)", mode)
          #expect(released == [], "\(verb) \(line)")
        }
      }
    }

    /// Runs the program on new files, one of which another connection has open.
    private func run(_ line: String, _ mode: String) throws -> [String] {
      let files = try TemporaryFolder()
      let statements = ["PRAGMA journal_mode = \(mode)", "CREATE TABLE t(a, b)", "INSERT INTO t VALUES (1, 2), (3, 4)"]
      let path = try Fixtures.database("f.db", in: files, statements[0], statements[1], statements[2])
      let paths = [
        "F": path, "G": try Fixtures.database("g.db", in: files, statements[0], statements[1]), "N": files.path("new"),
        "R": try files.write(Data("a,b\n5,6\n".utf8), to: "rows.csv").path,
        "S": try files.write(Data("UPDATE t SET b = 0; SELECT * FROM t".utf8), to: "script.sql").path,
        "ATTACH(F)": "ATTACH '\(path)' AS again",
      ]
      let words = line.split(separator: " ").map { paths[String($0)] ?? Self.sql[String($0)] ?? String($0) }
      if line.hasPrefix("undo") || line.hasPrefix("changes") {
        let outcome = try BuiltProgram.run("query", path, "UPDATE t SET b = 7", environment: ["HOME": files.path])
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
      let other = try DatabaseQueue(path: path)
      defer { try? other.close() }
      _ = try other.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t") }
      return try watch.releases(running: [BuiltProgram.url.path] + words, in: files)
    }
  }

  /// A library that notes which files lose a lock by the end of another descriptor.
  private struct LockWatch {
    static let compiler = Fixtures.program("clang")

    /// A program that releases a lock in this way.
    let example: String
    private let library: String

    init(in folder: TemporaryFolder) throws {
      (library, example) = (folder.path("watch.so"), folder.path("example"))
      try Self.compile(Self.source, ["-shared", "-fPIC", "-ldl"], to: library, in: folder)
      try Self.compile(Self.exampleSource, [], to: example, in: folder)
    }

    private static func compile(_ source: String, _ options: [String], to path: String, in folder: TemporaryFolder) throws {
      let file = try folder.write(Data(source.utf8), to: "source.c").path
      let outcome = try BuiltProgram.run(try #require(compiler), [file, "-o", path] + options)
      try #require(outcome.status == 0, "\(outcome.errors)")
    }

    /// Runs a program, and returns the files that lost a lock while it still had them open.
    func releases(running command: [String], in folder: TemporaryFolder) throws -> [String] {
      let notes = folder.path("released")
      let environment = ["LD_PRELOAD": library, "RELEASED_LOCKS": notes, "HOME": folder.path, "TMPDIR": folder.path]
      let outcome = try BuiltProgram.run(URL(fileURLWithPath: command[0]), Array(command.dropFirst()), environment: environment)
      guard case .exit = outcome.ending else {
        Issue.record("\(command): \(outcome.ending)")
        return []
      }
      return ((try? String(contentsOfFile: notes, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }

    private static let source = #"""
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <fcntl.h>
      #include <pthread.h>
      #include <stdarg.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <string.h>
      #include <sys/stat.h>
      #include <unistd.h>

      static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

      static int real_close(int number) {
        static int (*call)(int);
        if (!call) call = (int (*)(int))dlsym(RTLD_NEXT, "close");
        return call(number);
      }

      /* The locks of this process on a file, as the system lists them. */
      static int locks(unsigned long inode) {
        static FILE *list;
        char line[256];
        unsigned long found;
        int process, count = 0;
        if (!list) list = fopen("/proc/locks", "re"); else rewind(list);
        while (list && fgets(line, sizeof line, list))
          if (sscanf(line, "%*s POSIX %*s %*s %d %*x:%*x:%lu", &process, &found) == 2 && process == getpid() && found == inode) count++;
        return count;
      }

      /* Whether the process has the file open by another descriptor than a number. */
      static int is_open(struct stat *file, int number) {
        struct stat other;
        for (int i = 0; i < 1024; i++)
          if (i != number && !fstat(i, &other) && other.st_dev == file->st_dev && other.st_ino == file->st_ino) return 1;
        return 0;
      }

      static void note(const char *path) {
        char text[4200];
        int length = snprintf(text, sizeof text, "%s\n", path);
        int log = open(getenv("RELEASED_LOCKS"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
        if (log >= 0) { if (write(log, text, length) < 0) abort(); real_close(log); }
      }

      int close(int number) {
        struct stat file;
        char link[64], path[4097] = {0};
        if (fstat(number, &file) || !S_ISREG(file.st_mode)) return real_close(number);
        snprintf(link, sizeof link, "/proc/self/fd/%d", number);
        if (readlink(link, path, sizeof path - 1) < 0) path[0] = 0;
        pthread_mutex_lock(&turn);
        int before = locks(file.st_ino), result = real_close(number);
        /* The last descriptor of a file takes its locks along. */
        if (before > locks(file.st_ino) && is_open(&file, number)) note(path);
        pthread_mutex_unlock(&turn);
        return result;
      }

      /* No lock is taken or given back while a file is closed. */
      #define FCNTL(name) \
        int name(int number, int command, ...) { \
          static int (*call)(int, int, ...); \
          va_list arguments; \
          va_start(arguments, command); \
          void *argument = va_arg(arguments, void *); \
          va_end(arguments); \
          if (!call) call = (int (*)(int, int, ...))dlsym(RTLD_NEXT, #name); \
          if (command != F_SETLK) return call(number, command, argument); \
          pthread_mutex_lock(&turn); \
          int result = call(number, command, argument); \
          pthread_mutex_unlock(&turn); \
          return result; \
        }
      FCNTL(fcntl)
      FCNTL(fcntl64)
      """#

    private static let exampleSource = """
      #include <fcntl.h>
      #include <unistd.h>
      int main(int c, char **v) {
        struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 120, .l_len = 1};
        int first = open(v[1], O_RDWR), second = open(v[1], O_RDONLY);
        if (fcntl(first, F_SETLK, &lock)) return 1;
        return close(second);
      }
      """
  }
#endif
