import QuarryEngine
internal import QuarryRows

/// A command line of the program: what a shell is given to see the same again.
///
///     quarry rows chinook.db Track --where 'Milliseconds > :least' -p least:integer=300000
struct CommandLineText: Hashable, Sendable {
  private let verb: String
  private let operands: [Word]
  private var options: [Word]

  private struct Word: Hashable, Sendable {
    var text: String
    var isPath = false

    var quoted: String { isPath ? ShellWord.quoted(path: text) : ShellWord.quoted(text) }
  }

  /// Makes the command line of a verb.
  ///
  /// - Parameters:
  ///   - file: The path of the file that it reads.
  ///   - others: The paths of further files.
  ///   - subject: The table, or the SQL.
  ///   - further: What stands after that: a column.
  init(_ verb: String, file: String, others: [String], subject: String, further: [String] = []) {
    self.verb = verb
    operands = [Word(text: file, isPath: true)] + ([subject] + further).map { Word(text: $0) }
    options = others.flatMap { [Word(text: "--attach"), Word(text: $0, isPath: true)] }
  }

  /// Makes the command line of a verb that reads all files that are open.
  ///
  /// - Throws: Where none is.
  init(_ verb: String, of opened: OpenedFiles, subject: String) throws(Problem) {
    guard let file = opened.files.first?.path else { throw Problem("no file is open that a command line could name") }
    self.init(verb, file: file, others: opened.files.dropFirst().map(\.path), subject: subject)
  }

  /// Returns the text, with the options by which the files were opened.
  ///
  /// - Throws: Where a word holds a NUL.
  func text(_ opened: OpenedFiles) throws(Problem) -> String {
    var line = self
    line.add(opened.options)
    guard let text = line.text else { throw Problem("a value holds a NUL, which no command line can carry") }
    return text
  }

  /// Adds options and their values.
  mutating func add(_ words: String...) { add(words) }

  /// Adds options and their values.
  mutating func add(_ words: [String]) { options += words.map { Word(text: $0) } }

  /// Adds the value of a parameter with its storage class, so that it is read as the same value again.
  mutating func add(parameter key: String, _ value: DatabaseValue) {
    add("-p", "\(key):\(value.parameterType.rawValue)=\(value.parameterText)")
  }

  /// The text, without control characters but line breaks; nil where a word holds a NUL, which no command line can carry.
  var text: String? {
    if (operands + options).contains(where: { $0.text.utf8.contains(0) }) { return nil }
    // What begins with a minus sign would be read as an option.
    let isMarked = operands.contains { $0.text.hasPrefix("-") && $0.text != "-" }
    let words = isMarked ? options + [Word(text: "--")] + operands : operands + options
    return (["quarry", verb] + words.map(\.quoted)).joined(separator: " ")
  }
}
