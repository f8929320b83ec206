import QuarryEngine
internal import QuarryRows

/// A command line of the program, which prints the same data in a shell.
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

  /// Creates the command line of a verb that reads `file` and the attached files `others`.
  ///
  /// The operands after the file are `subject`, which is the table or the SQL, and `further`, such as a column.
  init(_ verb: String, file: String, others: [String], subject: String, further: [String] = []) {
    self.verb = verb
    operands = [Word(text: file, isPath: true)] + ([subject] + further).map { Word(text: $0) }
    options = others.flatMap { [Word(text: "--attach"), Word(text: $0, isPath: true)] }
  }

  /// Creates the command line of a verb that reads all opened files.
  ///
  /// - Throws: `Problem` if no file is open.
  init(_ verb: String, of opened: OpenedFiles, subject: String) throws(Problem) {
    guard let file = opened.files.first?.path else { throw Problem("no open file can be named on a command line") }
    self.init(verb, file: file, others: opened.files.dropFirst().map(\.path), subject: subject)
  }

  /// Returns the text, including the options with which the files were opened.
  ///
  /// - Throws: `Problem` if a word contains a NUL.
  func text(_ opened: OpenedFiles) throws(Problem) -> String {
    var line = self
    line.add(opened.options)
    guard let text = line.text else { throw Problem("a value contains a NUL, which a command line cannot contain") }
    return text
  }

  /// Adds options and their values.
  mutating func add(_ words: String...) { add(words) }

  /// Adds options and their values.
  mutating func add(_ words: [String]) { options += words.map { Word(text: $0) } }

  /// Adds the value of a parameter with its storage class, so that it is parsed as the same value.
  mutating func add(parameter key: String, _ value: DatabaseValue) {
    add("-p", "\(key):\(value.parameterType.rawValue)=\(value.parameterText)")
  }

  /// The text, without control characters except line breaks; nil if a word contains a NUL, which is impossible in a command line.
  var text: String? {
    if (operands + options).contains(where: { $0.text.utf8.contains(0) }) { return nil }
    // An operand that begins with a minus sign would be parsed as an option.
    let isMarked = operands.contains { $0.text.hasPrefix("-") && $0.text != "-" }
    let words = isMarked ? options + [Word(text: "--")] + operands : operands + options
    return (["quarry", verb] + words.map(\.quoted)).joined(separator: " ")
  }
}
