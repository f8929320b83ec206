internal import ArgumentParser

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Manual {
  /// The verbs with their arguments and options, as the parser of the command line knows them.
  static var commandLine: Section {
    let verbs = VerbOutline.all
    let options = verbs.flatMap(\.options)
    // What three or more verbs take is told once.
    let shared = options.filter { option in options.count { $0 == option } > 2 }
    let firstShared = shared.enumerated().filter { shared.firstIndex(of: $1) == $0 }.map(\.element)
    return Section(
      title: "The command line",
      blocks: [
        .paragraph(
          """
          Without a verb the program browses on a full screen; with one it prints on standard output, which carries data and nothing else: \
          what is said to a person goes to standard error. Options come after the verb. `^C` stops what runs.
          """)
      ] + verbs.flatMap { $0.blocks(without: firstShared) } + [
        .heading("Options of several verbs"), .entries(firstShared.map(\.entry)),
        .paragraph(
          """
          The spellings of the sqlite3 shell work too: `-csv`, `-json`, `-markdown`, `-table` and `-tabs` for `--format`, `-readonly` for \
          `--read-only`. `quarry --generate-completion-script bash` (or `zsh`, `fish`) prints completions for your shell.
          """),
        .paragraph(
          """
          `tables`, `schema`, `rows`, `search`, `counts`, `profile`, `chart`, `diff`, `dump`, `backup`, `changes` and `filter-check` never write to the database, except to undo a change that another program left unfinished when it \
          stopped, and then they say so. `query` opens the file for writing only where one of the statements writes, and never with \
          `--read-only`; its statements run one after the other, each by itself but for BEGIN and COMMIT, also where the reader of the \
          output, as `head`, has had enough. `undo` and `import` write in one transaction, or not at all. Where another program has locked the file they wait for up to a minute, and say so.
          """),
        .paragraph(
          """
          A table may stand with its database before it, `main.Invoice`. A file may be named by a URI, `file:///srv/my%20app.db`; `?mode=ro` and `?immutable=1` after it do what `--read-only` and `--immutable` do. For `-` `query` and `chart` read the SQL from standard input.
          """),
        .paragraph(
          """
          `--output` (`-o`) writes to a file what would be printed. The file appears once it is whole and on the disk: until then, and where an \
          error, `^C` or a kill comes between, its place is as it was. A file that is there is replaced and keeps its permissions; the \
          database itself, what SQLite keeps beside it, and any other database are refused. Pipes and devices such as `/dev/stdout` are \
          written directly.
          """),
        .paragraph(
          """
          `dump` prints SQL of which the sqlite3 shell makes the same database: tables with their rows and rowids (without the rowids where a \
          table has 2,000 columns), then indexes, triggers and views as they were made, so that no trigger fires; virtual tables such as FTS5 and R-tree with the tables that hold their data; what \
          AUTOINCREMENT goes on from, what ANALYZE has found, encoding, `user_version` and `application_id`. Reals read back bit by bit. A \
          virtual table needs `PRAGMA writable_schema`, which the shell allows.
          """),
        .paragraph(
          """
          `backup` copies one state of a database while others use it, looks through the copy by `PRAGMA quick_check`, and puts it in its place \
          only then, with the permissions of the original. With `--force` it replaces a file that is there, unless another program has it \
          open. A database that is replaced is locked until the copy is in its place.
          """),
        .paragraph(
          """
          `diff` prints a line for each value that differs, `object`, `key`, `change`, `column`, `from` and `to`: of the schema first, then of \
          the rows, table by table in the order of their keys. `change` is `added` for what only the second database has. Columns that only \
          one of them has are told of the schema, and not of each row; what is computed is not compared. How many rows differ is told on \
          standard error. The status is 1 where anything differs.
          """),
        .paragraph(
          """
          `chart` prints a picture of the size of the terminal, or of 80x24, in colours only where it goes to a terminal and `NO_COLOR` is \
          not set. A line shows the least and the greatest of what lies on each of its columns, whatever the number of rows; with `--gather` \
          the rows of a day, week or month become one number. It reads texts in SQLite's forms of dates, and numbers as dates in columns that are \
          declared for them or called so.
          """),
        .paragraph(
          """
          `counts` prints `value` and `count`, the most frequent value first. 1 and 1.0 are one value, `'1'` is another, and NULL is a row of \
          its own; texts are one value where the column's collation holds them equal, as `USA` and `usa` by NOCASE. `profile` prints a row a column: how many values are \
          NULL, integers, reals, texts and blobs, how many are empty, how many different ones there are, the least and the greatest, the \
          mean and the quartiles of integers and reals, and how many characters texts, or bytes blobs, have at least and at most. A quartile \
          `p25` is the value at rank ceil(n / 4) of n numbers in order. With `--format json` each column also has `histogram`, at most eight \
          ranges of numbers or dates with the number of rows, `top`, its most frequent values, and `remarks`. All of it is exact.
          """),
        .heading("Examples"), .code(examples),
      ])
  }

  private static let examples = """
    quarry rows shop.db Customer --columns Name,Country --limit 5
    quarry rows shop.db Invoice --where 'Total >= :least' -p least=20
    quarry search shop.db "new york" --tables Customer,Invoice
    quarry counts shop.db Customer Country --limit 10
    quarry profile shop.db Invoice --where 'Total > 5' --format json
    quarry query shop.db "SELECT sum(Total) FROM Invoice" -json
    quarry query shop.db --statement invoices-since -p since=2024-01-01
    quarry query shop.db "INSERT INTO Tag VALUES (?)" -p 1:text=007
    quarry chart shop.db "SELECT InvoiceDate, Total FROM Invoice" --gather sum
    quarry chart shop.db "SELECT * FROM Invoice" --kind bar -x Country -y Total
    quarry rows sales.csv sales --sort -total
    quarry import shop.db Customer new.csv --on-conflict update
    quarry rows shop.db Invoice --where 'Total > 5' -o invoices.json
    quarry rows shop.db Invoice --schema --format sql | sqlite3 copy.db
    quarry dump shop.db | sqlite3 copy.db
    quarry backup shop.db shop-copy.db
    quarry diff shop.db shop-copy.db --table Invoice
    quarry changes shop.db
    quarry undo shop.db
    quarry schema shop.db Invoice | sqlite3 copy.db
    """
}

/// What the parser of the command line says of a verb.
private struct VerbOutline: Decodable {
  struct Option: Decodable, Equatable {
    struct Name: Decodable, Equatable {
      var kind: String
      var name: String

      /// The name as it is typed.
      var typed: String { kind == "long" ? "--\(name)" : "-\(name)" }
    }

    var kind: String
    var shouldDisplay: Bool
    var isOptional: Bool
    var isRepeating: Bool
    var names: [Name]?
    var valueName: String?
    var abstract: String?

    var isPositional: Bool { kind == "positional" }

    var entry: Manual.Entry {
      let names = (names ?? []).map(\.typed).joined(separator: ", ")
      let value = kind == "flag" ? "" : "<\(valueName ?? "")>"
      return Manual.Entry([names, value].filter { !$0.isEmpty }.joined(separator: " "), abstract ?? "")
    }

    /// The argument in the line that shows how a verb is typed.
    var usage: String {
      let text = "<\(valueName ?? "")>" + (isRepeating ? " ..." : "")
      return isOptional ? "[\(text)]" : text
    }
  }

  var commandName: String
  var abstract: String?
  var arguments: [Option]?
  var subcommands: [VerbOutline]?

  /// The full screen, and then the verbs.
  static var all: [VerbOutline] {
    struct Tool: Decodable { var command: VerbOutline }
    guard let tool = try? JSONDecoder().decode(Tool.self, from: Data(Quarry._dumpHelp().utf8)) else { return [] }
    return (tool.command.subcommands ?? []).filter { $0.commandName != "help" }
  }

  var options: [Option] { (arguments ?? []).filter { $0.shouldDisplay && !$0.isPositional } }

  func blocks(without shared: [Option]) -> [Manual.Block] {
    let positional = (arguments ?? []).filter { $0.shouldDisplay && $0.isPositional }
    let name = commandName == Browse._commandName ? "quarry" : "quarry \(commandName)"
    let own = positional + options.filter { !shared.contains($0) }
    let common = options.filter { shared.contains($0) && $0.names?.last?.name != "help" && $0.names?.last?.name != "version" }
    let others = common.compactMap(\.names?.first?.typed).map { "`\($0)`" }.joined(separator: ", ")
    let text = (abstract ?? "") + (others.isEmpty ? "" : " It also takes \(others): see below.")
    return [.heading(([name] + positional.map(\.usage) + ["[options]"]).joined(separator: " ")), .paragraph(text)]
      + (own.isEmpty ? [] : [.entries(own.map(\.entry))])
  }
}
