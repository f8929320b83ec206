/// A way to try whether the program keeps its promises.
public struct Attack: Sendable, CustomStringConvertible {
  public let name: String
  public var description: String { name }
  /// What it does, in one line.
  public let summary: String
  /// The number of cases that take a few seconds.
  public let fewCases: Int
  /// Plays one case.
  public let play: @Sendable (Trial) throws -> Void

  public init(_ name: String, _ summary: String, fewCases: Int, play: @escaping @Sendable (Trial) throws -> Void) {
    (self.name, self.summary, self.fewCases, self.play) = (name, summary, fewCases, play)
  }

  /// All attacks.
  public static let all: [Attack] = [
    .files, .kills, .faults, .knownFaults, .screenFaults, .content, .sessions, .signals, .others, .locks, .moves, .terminals,
    .jobs, .truth, .screenKills,
  ]

  /// Plays the case with a seed.
  ///
  /// An error of the bench itself is a finding too: it means that something was not tried.
  public func run(seed: UInt64, in world: World) -> (counts: [String: Int], findings: [Trial.Finding]) {
    do {
      let trial = try Trial(world, attack: name, seed: seed)
      do { try play(trial) } catch { trial.report("the case could not be played", "\(error)") }
      return (trial.counts, trial.end())
    } catch {
      return ([:], [Trial.Finding(attack: name, seed: seed, title: "the case could not be prepared", details: "\(error)")])
    }
  }
}
