import Foundation

/// The options of the command line.
struct Options {
  struct Mistake: Error, CustomStringConvertible {
    let description: String
  }

  /// Whether guards of the program are removed, instead of attacking it.
  private(set) var removesGuards = false
  private(set) var copy: String?
  private(set) var minutes = 60.0
  private(set) var seed = UInt64.random(in: 0...999_999)
  private(set) var only: [String] = []
  private(set) var program: String?
  private(set) var cases: Int?
  private(set) var caseSeed: UInt64?
  private(set) var jobs = ProcessInfo.processInfo.activeProcessorCount

  private static let usage = """
    usage: hostile [--minutes 60] [--cases N] [--seed N] [--only NAME]... [--case N] [--program PATH] [--jobs N]
           hostile guards [--only NAME]... [--copy PATH]
      guards      remove guards of the program in a private copy, and look whether the small form of the attacks and tests finds that
      --copy      the folder of the copy; one that was built before is quicker
      --minutes   the budget; a case that has begun is played to its end
      --cases     end after so many cases
      --seed      begin with this seed, which a run prints; the same cases follow
      --only      play this attack only; repeatable
      --case      play one case again, whose number a finding prints
      --program   the program to attack; without it the release is built
      --jobs      the number of cases at a time; as many as there are processors by default
    """

  init(_ arguments: some Sequence<String>) throws {
    var rest = Array(arguments)[...]
    if rest.first == "guards" {
      removesGuards = true
      rest.removeFirst()
    }
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { throw Mistake(description: Self.usage) }
      switch name {
      case "--minutes": minutes = try Self.number(value)
      case "--cases": cases = try Self.number(value)
      case "--seed": seed = try Self.number(value)
      case "--only": only += value.split(separator: ",").map(String.init)
      case "--case": caseSeed = try Self.number(value)
      case "--copy": copy = URL(filePath: value).path
      case "--program": program = URL(filePath: value).path
      case "--jobs": jobs = max(1, try Self.number(value))
      default: throw Mistake(description: Self.usage)
      }
    }
  }

  private static func number<Number: LosslessStringConvertible>(_ text: String) throws -> Number {
    guard let number = Number(text) else { throw Mistake(description: "“\(text)” is no number\n\(usage)") }
    return number
  }
}
