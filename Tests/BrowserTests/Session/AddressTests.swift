import Browser
import Foundation
import TestSupport
import Testing

@Suite(.gated) struct AddressTests {
  private func ssh(_ text: String) throws -> SSHAddress? {
    if case .ssh(let address) = try Address(text) { address } else { nil }
  }

  @Test(
    arguments: [
      ("host:/srv/app.db", nil, "host", nil, "/srv/app.db"),
      ("host:app.db", nil, "host", nil, "app.db"),
      ("host:~/app.db", nil, "host", nil, "~/app.db"),
      ("me@host:a b/c:d.db", "me", "host", nil, "a b/c:d.db"),
      ("h:/app.db", nil, "h", nil, "/app.db"),
      ("[::1]:/app.db", nil, "::1", nil, "/app.db"),
      ("me@[fe80::1%eth0]:app.db", "me", "fe80::1%eth0", nil, "app.db"),
      ("ssh://host/srv/app.db", nil, "host", nil, "/srv/app.db"),
      ("SSH://me@host:2222/srv/app.db", "me", "host", 2222, "/srv/app.db"),
      ("ssh://[::1]:22/app.db", nil, "::1", 22, "/app.db"),
      ("ssh://host/~/app.db", nil, "host", nil, "~/app.db"),
      ("ssh://host/~bob/app.db", nil, "host", nil, "~bob/app.db"),
      ("ssh://host/a%20b%25.db", nil, "host", nil, "/a b%.db"),
    ] as [(String, String?, String, Int?, String)])
  func `a file on another host`(text: String, user: String?, host: String, port: Int?, path: String) throws {
    let address = try #require(try ssh(text))
    #expect(address.user == user)
    #expect(address.host == host)
    #expect(address.port == port)
    #expect(address.path == path)
    #expect(try ssh(address.description) == address, "\(address)")
  }

  @Test(
    arguments: [
      "app.db", "-", "", "/srv/host:app.db", "./host:app.db", "dir/a:b.db", "file:app.db?mode=ro", "file:///srv/app.db", ":memory:",
      "C:\\data\\app.db", "my file: copy.db", "-oProxyCommand=x:app.db", "$(id):app.db", "a@-x:b", "~/a:b.db",
    ])
  func `a file here`(text: String) throws {
    #expect(try Address(text) == .file(text))
    #expect(!Address.isElsewhere(text))
  }

  @Test func `what exists here is a file here, except by a scheme`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("quarry-address-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.path + "/host:app.db"
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    #expect(try Address(path) == .file(path))
    #expect(try ssh("ssh://host\(path)") != nil)
  }

  @Test func `a cluster is the whole text`() throws {
    let text = "dqlite:///k8s?servers=cluster.yaml&cert=cluster.crt&key=cluster.key"
    #expect(try Address(text) == .dqlite(text))
    #expect(Address.isElsewhere(text))
  }

  @Test(
    arguments: [
      ("ssh://me:secret@host/app.db", .password),
      ("me:secret@host:/app.db", .password),
      ("dqlite://me:secret@10.0.0.1:9001/demo", .clusterPassword),
      ("http://host/app.db", .unknownScheme("http")),
      ("host:", .noPath), ("ssh://host", .noPath), ("ssh://host/", .noPath),
      ("ssh:///app.db", .noHost), ("ssh://:22/app.db", .noHost),
      ("ssh://-oProxyCommand=x/app.db", .badHost), ("ssh://a b/app.db", .badHost), ("[nonsense]:/app.db", .badHost),
      ("ssh://[::1/app.db", .badHost), ("ssh://[::1]x/app.db", .badHost),
      ("ssh://-x@host/app.db", .badUser),
      ("ssh://host:0/app.db", .badPort("0")), ("ssh://host:x/app.db", .badPort("x")), ("ssh://host:/app.db", .badPort("")),
      ("ssh://host/50%.db", .badEscape), ("ssh://host/%00", .badEscape),
    ] as [(String, AddressError.Kind)])
  func `what is wrong is told, and a password is not repeated`(text: String, kind: AddressError.Kind) {
    let error = #expect(throws: AddressError.self) { try Address(text) }
    #expect(error?.kind == kind)
    #expect(error?.description.contains("secret") == false)
    #expect(!Address.isElsewhere(text))
  }
}
