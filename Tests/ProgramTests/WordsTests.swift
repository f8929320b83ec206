import Foundation
import TestSupport
import Testing

/// Phrases that a reader has to read twice, searched for in pages, command-line help, messages and doc comments.
@Suite(.gated) struct WordsTests {
  private static let top = URL(filePath: #filePath).appending(path: "../../..").standardized

  /// The folders and files whose Markdown is checked.
  private static let places =
    ["README.md", ".github", "Sources/quarry/Manual/pages"]
    + ["QuarryEngine", "QuarryRows", "QuarryChanges", "QuarryFiles", "QuarrySources", "QuarryCluster", "Browser"].map {
      "Sources/\($0)/\($0).docc"
    }

  /// Noun clauses and words that have a standard equivalent everywhere: “external changes” for “what others write”, “report” for “is told”.
  private static let phrases = [
    "all the same", "anew", "are kept", "are seen", "by itself", "has to be", "have become", "how far it", "in force", "in sight",
    "in the midst", "in the place of", "into sight", "is asked about", "is given up", "is kept", "is seen", "it is one", "leaves out",
    "left out", "looked for", "looked through", "needs no leave", "nothing but", "of what", "of which each", "once for each",
    "others write", "say so", "says so", "says what", "says which", "says why", "stands beside", "stands for itself", "stands in",
    "stays what", "take it back", "taken back", "takes back", "takes it back", "tells how", "tells what", "tells whether",
    "that is there", "that is to be", "that which", "the least and the greatest", "their stems", "those that", "told", "under way",
    "was seen", "what becomes of", "what has become", "what has been", "what is committed", "what is there", "what others",
    "what stands", "what was committed", "whatever", "where there", "where they", "whole or not at all",
  ]

  /// Phrases with a standard equivalent in pages, command-line help and doc comments.
  private static let pagePhrases = [
    "as it was", "asked for", "further", "go on", "goes on", "is none", "what it was", "what they", "where it", "where no",
    "where one",
  ]

  /// Phrases with a standard equivalent in messages and doc comments.
  private static let messagePhrases = [
    "a person", "as by", "blanks", "closes none", "colour", "colours", "does not lie", "has got", "has to work", "is left alone",
    "is made of", "is no date", "is not there", "is one of those", "is told", "of one moment", "passed over", "stands first",
    "such ones", "tells apart", "to be had", "what is seen",
  ]

  /// The sources whose literals are not messages: words that a user may type for a command.
  private static let wordLists: Set = ["Sources/Browser/Commands/CommandSynonyms.swift"]

  @Test(arguments: try pages())
  func `pages use standard words`(page: String) throws {
    let text = try String(contentsOf: Self.top.appending(path: page), encoding: .utf8)
    #expect(PhraseIndex(Self.phrases + Self.pagePhrases).phrases(in: text) == [])
  }

  @Test func `messages use standard words`() throws {
    let index = PhraseIndex(Self.phrases + Self.messagePhrases)
    var (count, found) = (0, [String]())
    for path in try Self.sources() where !Self.wordLists.contains(path) {
      let source = try String(contentsOf: Self.top.appending(path: path), encoding: .utf8)
      for message in SourceLiterals(source).messages {
        count += 1
        found += index.phrases(in: message.text).map { "\(path):\(message.line): \($0)" }
      }
    }
    #expect(count > 1000)
    #expect(found == [])
  }

  @Test func `doc comments use standard words`() throws {
    let index = PhraseIndex(Self.phrases + Self.pagePhrases + Self.messagePhrases)
    var (count, found) = (0, [String]())
    for path in try Self.sources() {
      let source = try String(contentsOf: Self.top.appending(path: path), encoding: .utf8)
      for block in DocComments(source).blocks {
        count += 1
        found += index.phrases(in: block.text).map { "\(path):\(block.line): \($0)" }
      }
    }
    #expect(count > 10_000)
    #expect(found == [])
  }

  @Test func `doc comments are blocks of lines without code`() {
    let source = #"""
      /// One `two
      /// three` four.
      ///
      /// ```
      /// five
      /// ```
      ///
      /// Six ``seven`` eight.
      struct A {  // nine
        // ten
        /// Eleven.
        var b = 0
      }
      """#
    let blocks = DocComments(source).blocks
    #expect(blocks.map(\.line) == [1, 11])
    let texts = blocks.map { $0.text.split(separator: " ").joined(separator: " ") }
    #expect(texts == ["One 0 four. Six 0 eight.", "Eleven."])
  }

  @Test func `phrases are found as whole words, ignoring case and punctuation`() {
    let index = PhraseIndex(["told", "those that", "that which"])
    #expect(index.phrases(in: "Those, that which is untold") == ["those that", "that which"])
    #expect(index.phrases(in: "those") == [])
  }

  @Test func `messages are literals of three words, without comments, interpolations and SQL`() {
    let source = #"""
      // "a comment with words"
      let a = "one \(b ? "two or three" : "") four five", c = #"six "seven" eight"#  // "a comment at the end"
      let d = """
        one two \
        three \(e)
        """
      let f = "SELECT a FROM b", g = "two words"
      """#
    let messages = SourceLiterals(source).messages
    #expect(messages.map(\.line) == [2, 2, 2, 3])
    let texts = messages.map { $0.text.split(separator: " ").joined(separator: " ") }
    #expect(texts == ["two or three", "one four five", "six \"seven\" eight", "one two three"])
  }

  @Test func `the help of the command line uses standard words`() throws {
    let index = PhraseIndex(Self.phrases + Self.pagePhrases)
    for entry in try help() { #expect(index.phrases(in: entry.text) == [], "\(entry.name)") }
  }

  @Test func `the help of an option has at most 160 characters`() throws {
    let options = try help().filter { $0.isOption }
    #expect(options.count > 100)
    #expect(options.filter { $0.text.count > 160 }.map(\.name) == [])
  }

  @Test func `the values of an option are words`() throws {
    let values = try help().flatMap(\.values)
    #expect(values.contains("quarter") && values.contains("ndjson"))
    #expect(values.filter { Int($0) != nil } == [])
  }

  @Test func `README has at most 150 lines`() throws {
    let readme = try String(contentsOf: Self.top.appending(path: "README.md"), encoding: .utf8)
    #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
  }

  /// Returns the paths of the pages.
  private static func pages() throws -> [String] {
    try places.flatMap { place in
      if place.hasSuffix(".md") { return [place] }
      let folder = top.appending(path: place).path
      return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }.sorted().map { "\(place)/\($0)" }
    }
  }

  /// Returns the paths of the sources.
  private static func sources() throws -> [String] {
    let files = try FileManager.default.subpathsOfDirectory(atPath: top.appending(path: "Sources").path)
    return files.filter { $0.hasSuffix(".swift") }.map { "Sources/\($0)" }.sorted()
  }

  /// Returns the texts that the parser of the command line prints for each verb: what it does, a discussion, and a line for each option.
  private func help() throws -> [HelpDump.Entry] {
    let tool = try JSONDecoder().decode(HelpDump.self, from: Data(try BuiltProgram.run("--experimental-dump-help").text.utf8))
    return tool.command.entries
  }
}

/// The part of the help, as the parser of the command line writes it in JSON, that has words.
private struct HelpDump: Decodable {
  struct Entry {
    var name: String
    var text: String
    var isOption = false
    var values: [String] = []
  }

  struct Command: Decodable {
    var commandName: String
    var abstract: String?
    var discussion: String?
    var arguments: [Argument]?
    var subcommands: [Command]?

    var entries: [Entry] {
      let own = [abstract, discussion].compactMap(\.self).map { Entry(name: commandName, text: $0) }
      let options = (arguments ?? []).map { $0.entry(of: commandName) }
      return own + options + (subcommands ?? []).flatMap(\.entries)
    }
  }

  struct Argument: Decodable {
    var valueName: String?
    var abstract: String?
    var allValues: [String]?

    func entry(of command: String) -> Entry {
      Entry(name: "\(command) \(valueName ?? "")", text: abstract ?? "", isOption: true, values: allValues ?? [])
    }
  }

  var command: Command
}
