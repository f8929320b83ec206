import Foundation
import QuarryEngine
import TestSupport
import Testing

/// The completion scripts, and the names that the program completes for them.
@Suite(.gated) struct CompletionTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = try Fixtures.database(
      "music.db", in: folder, "CREATE TABLE Track(TrackId INTEGER PRIMARY KEY, Name TEXT, \"Unit Price\" REAL, \"a,b\")",
      "CREATE TABLE \"Order Details\"(x)", "CREATE TABLE \"$(touch \(folder.path)/pwned)\"(x)", "CREATE TABLE \"a:b\"(x)",
      "CREATE VIEW Trends AS SELECT 1 AS one, 2 AS \"two words\"")
  }

  /// Asks the program like a completion script, for the last of the words.
  private func names(_ argument: String, _ words: String..., shell: String = "bash") throws -> [String] {
    let request = ["---completion", words[0], "--", argument, String(words.count), "0", "quarry"] + words
    let outcome = try BuiltProgram.run(BuiltProgram.url, request, environment: ["SAP_SHELL": shell, "XDG_DATA_HOME": folder.path])
    #expect(outcome.errors.isEmpty && outcome.status == 0, "\(outcome.errors)")
    return outcome.text.split(separator: "\n").map(String.init).filter { $0 != " " }
  }

  @Test func `tables and views of the file before them are named`() throws {
    #expect(try names("positional@1", "rows", file, "Tr") == ["Track", "Trends"])
    #expect(try names("positional@1", "rows", file, "order") == ["Order Details"])
    #expect(try names("positional@1", "rows", "'\(file)'", "--limit", "5", "'Order D") == ["Order Details"])
    #expect(try names("positional@1", "rows", file.replacing("/", with: "\\/"), "Order\\ ") == ["Order Details"])
    #expect(try names("--table", "browse", file, "-t", "").count == 5)
    #expect(try names("--tables", "search", file, "x", "--tables", "Track,Tr") == ["Track,Trends"])
    #expect(try names("--table", "diff", file, file, "--table", "tren") == ["Trends"])
  }

  @Test func `columns of the table before them are named`() throws {
    #expect(try names("positional@2", "counts", file, "track", "") == ["TrackId", "Name", "Unit Price", "a,b"])
    #expect(try names("--columns", "rows", file, "Track", "--columns", "Name,u") == ["Name,Unit Price"])
    #expect(try names("--columns", "rows", file, "Track", "--columns", "a") == ["\"a,b\""])
    #expect(try names("--where", "rows", file, "Track", "--where", "\"Name ~ 'x' and U") == ["Name ~ 'x' and \"Unit Price\""])
    #expect(try names("--where", "rows", file, "Track", "--where", "\"Name = 'U").isEmpty)
    #expect(try names("--sort", "rows", file, "Track", "--sort", "\"-Name, -tr") == ["-Name, -TrackId"])
    #expect(try names("--columns", "browse", file, "-t", "Trends", "--columns", "") == ["one", "two words"])
    #expect(try names("--by", "group", file, "Track", "--by", "Name,u") == ["Name,Unit Price"])
    #expect(try names("--across", "group", file, "Track", "--across", "n") == ["Name"])
    #expect(try names("-x", "chart", file, "'SELECT Name AS \"n\", 1 AS o FROM Track'", "-x", "") == ["n", "o"])
  }

  @Test func `names of a CSV, TSV or JSON file come from its beginning, as they are when it is opened`() throws {
    func write(_ text: String, _ name: String) throws -> String { try folder.write(Data(text.utf8), to: name).path }
    let csv = try write("id,Unit Price,\"a,b\"\n1,2,3\n", "sales 2024.csv")
    #expect(try names("positional@1", "rows", "'\(csv)'", "") == ["sales 2024"])
    #expect(try names("positional@2", "counts", "'\(csv)'", "'sales 2024'", "") == ["id", "Unit Price", "a,b"])
    #expect(try names("--where", "rows", "'\(csv)'", "'sales 2024'", "--where", "\"id = 1 and u") == ["id = 1 and \"Unit Price\""])
    #expect(try names("-x", "chart", "'\(csv)'", "'SELECT id AS n, \"Unit Price\" FROM \"sales 2024\"'", "-x", "") == ["n", "Unit Price"])
    let tsv = try write("x\ty\n1\t2\n", "t.tsv")
    #expect(try names("--columns", "browse", tsv, "-t", "t", "--columns", "x,") == ["x,y"])
    #expect(try names("positional@2", "counts", "--header", "no", tsv, "t", "") == ["column1", "column2"])
    let json = try write("{\"people\": [{\"name\": 1}, {\"age\": 2}], \"pets\": [{\"kind\": \"cat\"}]}", "data.json")
    #expect(try names("positional@1", "rows", json, "") == ["people", "pets"])
    #expect(try names("positional@2", "counts", json, "people", "") == ["name", "age"])
    let lines = try write("{\"a\": 1}\n{\"b\": [2]}\n", "log.ndjson")
    #expect(try names("positional@2", "counts", lines, "log", "") == ["a", "b"])
    let query = try write("SELECT 1", "q.sql")
    #expect(try names("positional@1", "rows", query, "").isEmpty)
    for (file, tables) in [(csv, ["sales 2024"]), (json, ["people", "pets"]), (lines, ["log"])] {
      let opened = try BuiltProgram.run("query", file, "SELECT name FROM sqlite_schema ORDER BY 1", "--format", "tsv").text
      #expect(opened.split(separator: "\n").dropFirst().map(String.init) == tables)
    }
  }

  @Test func `an address on another machine is not asked`() throws {
    try folder.writeScript("touch '\(folder.path("asked"))'", to: "ssh")
    for address in ["box:app.db", "ssh://box/app.db", "dqlite://127.0.0.1:1/app", "user@box:/srv/app.db"] {
      let request = ["---completion", "rows", "--", "positional@1", "3", "0", "quarry", "rows", address, ""]
      let outcome = try BuiltProgram.run(BuiltProgram.url, request, environment: ["SAP_SHELL": "bash", "PATH": folder.path("")])
      #expect(outcome.text.allSatisfy(\.isWhitespace) && outcome.errors.isEmpty && outcome.status == 0, "\(outcome)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("asked")))
  }

  @Test func `saved statements are named without a file`() throws {
    let statements = folder.path("quarry/statements")
    try FileManager.default.createDirectory(atPath: statements, withIntermediateDirectories: true)
    for name in ["long-tracks", "all"] { try Data("SELECT 1".utf8).write(to: URL(fileURLWithPath: "\(statements)/\(name).sql")) }
    #expect(try names("--statement", "query", "--statement", "l") == ["long-tracks"])
  }

  @Test func `what is no database has no names, no message and nothing beside it`() throws {
    let before = try folder.contents()
    #expect(try names("positional@1", "rows", folder.path("no.db"), "").isEmpty)
    #expect(try names("positional@1", "rows", folder.path, "").isEmpty)
    #expect(try names("positional@1", "rows", "/dev/null", "").isEmpty)
    #expect(try names("positional@1", "rows", "host:\(file)", "").isEmpty)
    #expect(try names("positional@2", "counts", file, "NoTable", "").isEmpty)
    #expect(try folder.contents() == before)
  }

  @Test(arguments: [
    [], ["rows"], ["rows", "--"], ["rows", "--", "positional@1", "-1", "-1"], ["nosuch", "--", "--where", "0", "0", "x"],
  ])
  func `a request that no script makes is refused without a message`(words: [String]) throws {
    let outcome = try BuiltProgram.run(BuiltProgram.url, ["---completion"] + words)
    #expect(outcome.status == 2 && outcome.errors.isEmpty && outcome.text.isEmpty, "\(outcome.errors)")
  }

  @Test func `in zsh a colon is escaped, as it begins a description`() throws {
    #expect(try names("positional@1", "rows", file, "a", shell: "zsh") == ["a\\:b"])
    #expect(try names("positional@1", "rows", file, "a", shell: "fish") == ["a:b"])
  }

  /// Runs a script of a shell with the completion script `completions`.
  private func run(_ shell: String, _ arguments: [String], _ script: String) throws -> String? {
    guard let program = Fixtures.program(shell) else { return nil }
    let completions = try BuiltProgram.run("--generate-completion-script", shell)
    _ = try folder.write(completions.output, to: "completions")
    try folder.writeScript("exec '\(BuiltProgram.url.path)' \"$@\"", to: "quarry")
    let path = "\(folder.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
    let outcome = try BuiltProgram.run(
      program, arguments + [script], environment: ["PATH": path, "TERM": "dumb", "XDG_CONFIG_HOME": folder.path])
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    return outcome.text
  }

  /// Returns what bash completes for the last of the words, each as `print` prints it.
  private func completedByBash(_ words: [String], print: String = #"printf '%s\n' "${reply}""#) throws -> [String]? {
    let quoted = words.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
    let script = """
      source '\(folder.path("completions"))'; cd '\(folder.path)'
      COMP_WORDS=(quarry \(quoted)); COMP_CWORD=\(words.count); COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
      _quarry quarry "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
      for reply in "${COMPREPLY[@]}"; do \(print); done
      """
    return try run("bash", ["--norc", "-c"], script)?.split(separator: "\n").map(String.init)
  }

  private func completedByBash(_ words: String...) throws -> [String]? { try completedByBash(words) }

  @Test func `bash completes names as they are, and runs nothing that a name says`() throws {
    try #require(Fixtures.program("bash") != nil)
    #expect(try completedByBash("rows", "music.db", "Tr") == ["Track", "Trends"])
    #expect(try completedByBash("rows", "music.db", "")?.contains("\\$\\(touch\\ \(folder.path)/pwned\\)") == true)
    #expect(try completedByBash("rows", "music.db", "'$") == ["$(touch \(folder.path)/pwned)"])
    #expect(!FileManager.default.fileExists(atPath: folder.path("pwned")))
    #expect(try completedByBash("counts", "music.db", "Track", "U") == ["Unit\\ Price"])
    #expect(try completedByBash("music.db", "-t", "Or") == ["Order\\ Details"])
    #expect(try completedByBash("rows", "music.db", "Track", "--columns", "Name,U") == ["Name,Unit\\ Price"])
    #expect(try completedByBash("mus") == ["music.db"])
    #expect(try completedByBash("ta") == ["tables"])
    #expect(try completedByBash("music.db", "--no-m") == ["--no-mouse"])
  }

  /// Names that a shell expands, splits or runs unless they are quoted.
  private static let hostileNames = [
    "a$(touch pwned)", "a`touch pwned`", "a\"; touch pwned; \"", "a'; touch pwned; '", "a;touch pwned", "a&touch pwned&", "a|touch pwned",
    "a>pwned", "a\\", "a\\`touch pwned`", "a$HOME", "a*", "a{b,c}", "a\u{7F}`touch pwned`", "a b",
  ]

  /// `quote` is the one that is open before the cursor.
  @Test(.enabled(if: Fixtures.program("bash") != nil), arguments: ["", "'", "\""])
  func `what bash inserts is read as the name, whatever the name is`(quote: String) throws {
    let tables = Self.hostileNames.map { "CREATE TABLE \(SQLIdentifier.quoted($0))(\(SQLIdentifier.quoted($0)), b)" }
    try Fixtures.database("six.db", in: folder, tables.joined(separator: ";"))
    let enter = "word=\(quote.isEmpty ? "" : "\\")\(quote)${reply}\(quote.isEmpty ? "" : "\\")\(quote); eval \"printf '%s\\n' ${word}\""
    #expect(try completedByBash(["rows", "six.db", "\(quote)a"], print: enter) == Self.hostileNames.sorted())
    #expect(try completedByBash(["six.db", "-t", "\(quote)a`"], print: enter) == ["a`touch pwned`"])
    #expect(try completedByBash(["rows", "six.db", "a b", "--columns", "\(quote)b,a"], print: enter) == ["b,a b"])
    let column = try completedByBash(["rows", "six.db", "a`touch pwned`", "--columns", "\(quote)b,a"], print: enter)
    #expect(column == ["b,a`touch pwned`"])
    #expect(!FileManager.default.fileExists(atPath: folder.path("pwned")))
  }

  @Test(.enabled(if: Fixtures.program("bash") != nil)) func `bash does not expand history in what it inserts`() throws {
    try Fixtures.database("six.db", in: folder, "CREATE TABLE \"!!x\"(a)")
    #expect(try completedByBash("rows", "six.db", "") == ["\\!\\!x"])
    #expect(try completedByBash("rows", "six.db", "'") == ["!!x"])
    // Nothing that double quotes contain is read as this name.
    #expect(try completedByBash("rows", "six.db", "\"") == [])
  }

  @Test(.enabled(if: Fixtures.program("bash") != nil)) func `bash completes nothing after a quote within a word`() throws {
    #expect(try completedByBash("counts", "music.db", "Track", "\"Unit \"P") == ["Unit\\ Price"])
    #expect(try completedByBash("rows", "music.db", "Track", "--columns", "Name,\"U") == [])
  }

  @Test func `zsh quotes names for the history expansion that the user has`() throws {
    let script = try BuiltProgram.run("--generate-completion-script", "zsh").text
    let (saving, reset) = (try #require(script.range(of: "[[ -o banghist ]] &&")), try #require(script.range(of: "    emulate -RL zsh")))
    let off = try #require(script.range(of: "unsetopt aliases banghist"))
    let restoring = try #require(script.range(of: "&& setopt banghist"))
    #expect(saving.upperBound < reset.lowerBound && off.upperBound < restoring.lowerBound)
  }

  @Test(.enabled(if: Fixtures.program("fish") != nil)) func `fish completes the same`() throws {
    func completed(_ line: String) throws -> [String]? {
      let script = "source '\(folder.path("completions"))'; cd '\(folder.path)'; complete -C '\(line)'"
      return try run("fish", ["--no-config", "-c"], script)?.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }
    #expect(try completed("quarry rows music.db Tr") == ["Track", "Trends"])
    #expect(try completed("quarry counts music.db Track U") == ["Unit Price"])
    #expect(try completed("quarry music.db -t Or") == ["Order Details"])
    #expect(try completed("quarry mus") == ["music.db"])
    #expect(try completed("quarry tabl") == ["tables"])
  }
}
