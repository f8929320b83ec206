import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import TestSupport
import Testing

@testable import QuarryCluster

/// A node behind TLS as the programs that use dqlite set it up: one certificate for all, presented by both sides.
@Suite(
  .gated,
  .enabled(if: DqliteNodes.areInstalled && FileManager.default.isExecutableFile(atPath: openssl), "needs nodes of dqlite, and openssl"))
struct DqliteTLSTests {
  /// Runs a test with a node that is reached through TLS alone, and a certificate with its key in a folder.
  private func withNode(names: String = "DNS:cluster.test", _ body: (String, URL) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      try makeCertificate("cluster", names: names, in: folder)
      let proxy = try await TLSProxy(certificate: folder.appendingPathComponent("cluster").path)
      let nodes = try DqliteNodes(count: 1, advertised: proxy.address)
      proxy.target.port.withLock { $0 = nodes.port(of: 0) }
      do {
        try await body(proxy.address, folder)
      } catch {
        nodes.end()
        try await proxy.end()
        throw error
      }
      nodes.end()
      try await proxy.end()
    }
  }

  private func makeCertificate(_ name: String, names: String, in folder: URL) throws {
    let path = folder.appendingPathComponent(name).path
    let command = [
      openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=\(name)",
      "-addext", "subjectAltName=\(names)", "-keyout", path + ".key", "-out", path + ".crt",
    ]
    try #require(ChildProcess(command).wait() == .exit(0))
  }

  private func rows(_ address: String) async throws -> [[String]] {
    let cluster = try DqliteCluster(DqliteAddress(address), limits: .patient)
    defer { cluster.close() }
    return try await cluster.session(for: "rows", isReadOnly: true).rows("SELECT 1")
  }

  /// Returns what an address is refused with.
  private func refusal(_ address: String) async -> String {
    do {
      return "no error, but \(try await rows(address))"
    } catch {
      return (error as? RemoteError)?.message ?? "\(error)"
    }
  }

  @Test("The certificate is presented and checked, by the first name that it is for")
  func mutual() async throws {
    try await withNode { address, folder in
      let files = "cert=\(folder.path)/cluster.crt&key=\(folder.path)/cluster.key"
      for name in ["", "&servername=cluster.test"] {
        let rows = try await rows("dqlite://\(address)/test?\(files)\(name)")
        #expect(rows == [["1"]])
      }
      let other = await refusal("dqlite://\(address)/test?\(files)&servername=other.test")
      #expect(other.contains("another name"), "\(other)")
    }
  }

  @Test("A certificate without a name is checked as a whole")
  func nameless() async throws {
    try await withNode(names: "IP:10.9.8.7") { address, folder in
      let rows = try await rows("dqlite://\(address)/test?cert=\(folder.path)/cluster.crt&key=\(folder.path)/cluster.key")
      #expect(rows == [["1"]])
    }
  }

  @Test("A wrong certificate, none, a key of another one, and TLS where there is none, each say what to do")
  func faults() async throws {
    try await withNode { address, folder in
      try makeCertificate("other", names: "DNS:cluster.test", in: folder)
      let wrong = await refusal("dqlite://\(address)/test?cert=\(folder.path)/other.crt&key=\(folder.path)/other.key")
      #expect(wrong.contains("another certificate"), "\(wrong)")
      let plain = await refusal("dqlite://\(address)/test")
      #expect(plain.contains("cert="), "\(plain)")
      let pair = try DqliteAddress("dqlite://\(address)/test?cert=\(folder.path)/cluster.crt&key=\(folder.path)/other.key")
      let error = #expect(throws: DqliteAddressError.self) { try DqliteCluster(pair) }
      #expect(error?.description.contains("cannot be used together") == true)
      let number = try DqliteAddress(
        "dqlite://\(address)/test?cert=\(folder.path)/cluster.crt&key=\(folder.path)/cluster.key&servername=10.0.0.1")
      let unnamed = #expect(throws: DqliteAddressError.self) { try DqliteCluster(number) }
      #expect(unnamed?.kind == .serverName("10.0.0.1"))
      let nodes = try DqliteNodes(count: 1)
      defer { nodes.end() }
      let open = await refusal(nodes.url() + "?cert=\(folder.path)/cluster.crt&key=\(folder.path)/cluster.key")
      #expect(open.contains("leave cert= and key= out"), "\(open)")
    }
  }
}

private let openssl = "/usr/bin/openssl"
