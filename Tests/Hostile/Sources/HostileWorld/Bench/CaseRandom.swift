/// A random number generator whose numbers depend on a seed only (SplitMix64).
public struct CaseRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 up to, but not including, a bound; 0 if the bound is not positive.
  public mutating func below(_ bound: Int) -> Int { bound > 0 ? Int.random(in: 0..<bound, using: &self) : 0 }

  /// Returns whether an event with a probability of one in `count` occurs.
  public mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  /// Returns one of the elements, or the default for an empty array.
  public mutating func pick<Element>(_ elements: [Element], default fallback: Element) -> Element {
    elements.randomElement(using: &self) ?? fallback
  }

  public mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
  }
}
