import QuarryEngine
import TestSupport
import Testing

@Suite(.gated) struct NearestNamesTests {
  @Test(
    "The nearest name comes first, and far ones are not offered",
    arguments: [
      ("Trakc", ["Track", "Trace", "Album"], ["Track"]),
      ("custmer", ["Customer", "Costumer", "Invoice"], ["Customer", "Costumer"]),
      ("x", ["y", "z", "abc"], ["y", "z"]),
      ("", ["a", "ab"], ["a"]),
      ("Genre", ["Invoice"], []),
    ])
  func nearest(name: String, candidates: [String], expected: [String]) {
    #expect(NearestNames.to(name, among: candidates) == expected)
  }
}
