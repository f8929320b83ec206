import Foundation
import QuarryCluster
import QuarryEngine
import QuarryRows

/// Compares reading from a cluster of three nodes on this machine: a page as the grid asks for it with a bare round trip, and all rows that
/// the program prints with those that the cluster's own shell prints.
///
/// - Parameter rows: How many rows its table gets.
func readingClusters(_ cluster: BenchmarkCluster, rows: Int, by program: Program, isShellAsked: Bool) -> [Comparison] {
  guard BenchmarkCluster.isInstalled else {
    print("25 is left out: it needs dqlite-demo, which Debian's go-dqlite has")
    return []
  }
  let page = Comparison(
    number: "25a", what: "a page of a cluster's table by key, as the grid asks", goals: [.atMost(1.2, .bare, plus: .milliseconds(2))],
    contestants: [
      (
        .ours,
        {
          try cluster.start(rows: rows); return (try cluster.pages(200), nil)
        }
      ),
      (.bare, { (try cluster.bareRoundTrips(200), nil) }),
    ])
  let query = "SELECT * FROM readings"
  let ours: Comparison.Work = {
    try cluster.start(rows: rows)
    return (try program.time(["query", cluster.url, query, "--long", "--format", "csv"]), nil)
  }
  let shell: Comparison.Work = { (try program.time("dqlite", ["-s", cluster.addresses, "benchmark", query]), nil) }
  return [
    page,
    Comparison(
      number: "25b", what: "all rows of a cluster's table, printed as CSV", goals: [.atMost(0.5, .dqlite)],
      contestants: [(.ours, ours)] + (isShellAsked ? [(.dqlite, shell)] : [])),
  ]
}

/// Three nodes that Debian's `dqlite-demo` runs on this machine, started when they are first needed.
final class BenchmarkCluster {
  private static let path = "/usr/bin/dqlite-demo"

  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

  private let folder: URL
  private var nodes: [Process] = []
  private var ports: [Int] = []
  private var rows = 0
  private var session: (any RemoteSession)?
  private var reader: RowReader?

  init(in folder: TemporaryFolder) {
    self.folder = folder.url.appending(path: "cluster")
  }

  var addresses: String { ports.map { "127.0.0.1:\($0)" }.joined(separator: ",") }

  var url: String { "dqlite://\(addresses)/benchmark" }

  func end() {
    session?.close()
    for node in nodes {
      kill(node.processIdentifier, SIGKILL)
      node.waitUntilExit()
    }
    nodes = []
  }

  /// Starts the nodes and fills a table, unless that is done.
  func start(rows: Int) throws {
    guard nodes.isEmpty else { return }
    self.rows = rows
    let free = try LoopbackSocket.freePorts(6)
    ports = Array(free.prefix(3))
    for index in 0..<3 {
      let node = Process()
      node.executableURL = URL(filePath: Self.path)
      let data = folder.appending(path: "\(index)").path(percentEncoded: false)
      try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
      node.arguments = ["--api", "127.0.0.1:\(free[index + 3])", "--db", "127.0.0.1:\(ports[index])", "--dir", data]
      if index > 0 { node.arguments? += ["--join", "127.0.0.1:\(ports[0])"] }
      (node.standardInput, node.standardOutput, node.standardError) = (
        FileHandle.nullDevice, FileHandle.nullDevice, FileHandle.nullDevice
      )
      try node.run()
      nodes.append(node)
      if index == 0 { session = try connected() }
    }
    try fill()
    let cluster = try DqliteCluster(DqliteAddress(url))
    let source = RemoteDataSource(cluster, refusal: "only read", watchInterval: nil)
    reader = try source.reader(of: RowSet(.table(TableReference(name: "readings"))))
  }

  /// Connects, as soon as the first node runs.
  private func connected() throws -> any RemoteSession {
    let cluster = try DqliteCluster(DqliteAddress("dqlite://127.0.0.1:\(ports[0])/benchmark"))
    let deadline = ContinuousClock.now + .seconds(30)
    while true {
      do {
        return try waiting { try await cluster.session(for: "benchmark", isReadOnly: false) }
      } catch  where ContinuousClock.now < deadline {
        Thread.sleep(forTimeInterval: 0.05)
      }
    }
  }

  /// Makes the table, some rows at a time: a change goes to all nodes as one message.
  private func fill() throws {
    _ = try execute("CREATE TABLE readings(id INTEGER PRIMARY KEY, sensor INTEGER, value REAL, unit TEXT, note TEXT)")
    for start in stride(from: 1, through: rows, by: 20_000) {
      _ = try execute(
        """
        WITH RECURSIVE n(x) AS (SELECT \(start) UNION ALL SELECT x + 1 FROM n WHERE x < \(min(rows, start + 19_999)))
        INSERT INTO readings SELECT x, x % 97, x * 0.37, 'degrees', 'reading number ' || x FROM n
        """)
    }
  }

  private func execute(_ sql: String) throws -> RemoteChange {
    guard let session else { throw CError("there is no cluster") }
    return try waiting { try await session.execute(sql, []) }
  }

  private func ready() throws -> RowReader {
    guard let reader else { throw CError("there is no cluster") }
    return reader
  }

  /// Returns how long one of so many pages takes.
  func pages(_ count: Int) throws -> Amount {
    let (reader, rows) = (try ready(), Int64(rows))
    return try timed {
      try waiting {
        for page in 0..<Int64(count) {
          _ = try await reader.page(PageRequest(.after(.rowID(page * 7919 % max(1, rows - 50))), limit: 50))
        }
      }
    } / count
  }

  /// Returns how long one of so many round trips takes: the leader is asked for, and named.
  func bareRoundTrips(_ count: Int) throws -> Amount {
    let socket = try LoopbackSocket(port: ports[0])
    try socket.send([1, 0, 0, 0, 0, 0, 0, 0])
    return try timed {
      for _ in 0..<count {
        try socket.send([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        let words = try socket.receive(8)[0]
        _ = try socket.receive(Int(words) * 8)
      }
    } / count
  }
}

/// A connection to a port of this machine that blocks.
private final class LoopbackSocket {
  private let descriptor: Int32

  init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard Self.withAddress(port, { connect(descriptor, $0, $1) }) == 0 else { throw CError("port \(port) refuses connections") }
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) throws {
    guard write(descriptor, bytes, bytes.count) == bytes.count else { throw CError("nothing can be sent") }
  }

  func receive(_ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard recv(descriptor, &bytes, count, Int32(MSG_WAITALL)) == count else { throw CError("nothing is answered") }
    return bytes
  }

  /// Returns ports that nothing listened on a moment ago.
  static func freePorts(_ count: Int) throws -> [Int] {
    var descriptors: [Int32] = []
    defer { descriptors.forEach { _ = close($0) } }
    return try (0..<count).map { _ in
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      descriptors.append(descriptor)
      guard withAddress(0, { bind(descriptor, $0, $1) }) == 0 else { throw CError("there is no free port") }
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      _ = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
      }
      return Int(UInt16(bigEndian: address.sin_port))
    }
  }

  private static func withAddress(_ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }
}
