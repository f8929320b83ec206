/// Memory for trivial values, initially all zero bits, which grows by doubling.
///
/// It is a class because Swift 6.3 cannot compile a generic structure with a `deinit` for the thread sanitizer.
final class GrowingBuffer<Element: BitwiseCopyable> {
  @exclusivity(unchecked) private var memory: UnsafeMutableBufferPointer<Element>

  /// Creates a buffer of a number of zeros.
  init(zeros count: Int = 0) {
    memory = Self.allocated(count)
  }

  deinit { memory.deallocate() }

  /// The number of elements for which there is memory.
  var count: Int { memory.count }
  /// The memory in bytes.
  var size: Int { memory.count * MemoryLayout<Element>.stride }
  var raw: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory) }

  @inline(__always)
  subscript(index: Int) -> Element {
    get { memory[index] }
    set { memory[index] = newValue }
  }

  /// Returns the address of an element, valid until the memory grows.
  @inline(__always)
  func address(of index: Int) -> UnsafeMutablePointer<Element> {
    // The memory is never empty.
    memory.baseAddress.unsafelyUnwrapped + index
  }

  /// Ensures that there is memory for at least `count` elements.
  @inline(__always)
  func grow(to count: Int) {
    if count > memory.count { enlarge(to: count) }
  }

  private func enlarge(to count: Int) {
    let larger = Self.allocated(max(count, memory.count * 2, 64))
    UnsafeMutableRawBufferPointer(larger).copyMemory(from: raw)
    memory.deallocate()
    memory = larger
  }

  /// Sets all bits to 0.
  func clear() { UnsafeMutableRawBufferPointer(memory).initializeMemory(as: UInt8.self, repeating: 0) }

  /// Copies bytes to a position.
  @inline(__always)
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    guard bytes.count > 0 else { return }
    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(memory)[offset...]).copyMemory(from: bytes)
  }

  private static func allocated(_ count: Int) -> UnsafeMutableBufferPointer<Element> {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, count * MemoryLayout<Element>.stride), alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    return UnsafeMutableBufferPointer(start: bytes.baseAddress?.bindMemory(to: Element.self, capacity: count), count: count)
  }
}
