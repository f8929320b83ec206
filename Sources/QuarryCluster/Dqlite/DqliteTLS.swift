internal import NIOSSL

/// How connections to a cluster are encrypted, as its users set it up: one certificate and key for all nodes and clients.
///
/// The client presents the certificate, and trusts nobody but it.
struct DqliteTLS: Sendable {
  let context: NIOSSLContext
  /// The name that the nodes' certificate is checked against; nil where the certificate has none, and is checked as a whole.
  let serverName: String?

  /// Reads the files that an address names.
  ///
  /// - Returns: nil where it names none, so that connections are not encrypted.
  /// - Throws: ``DqliteAddressError``
  init?(_ address: DqliteAddress) throws(DqliteAddressError) {
    guard let certificatePath = address.certificate, let keyPath = address.key else { return nil }
    let certificates = try Self.certificates(certificatePath)
    let key = try Self.key(keyPath)
    serverName = address.serverName ?? certificates.first.flatMap(Self.firstName)
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    configuration.trustRoots = .certificates(certificates)
    configuration.certificateChain = certificates.map { .certificate($0) }
    configuration.privateKey = .privateKey(key)
    configuration.certificateVerification = serverName == nil ? .noHostnameVerification : .fullVerification
    do {
      context = try NIOSSLContext(configuration: configuration)
    } catch {
      throw DqliteAddressError(.unusablePair("they do not belong to each other"))
    }
    if let serverName, (try? NIOSSLClientHandler(context: context, serverHostname: serverName)) == nil {
      throw DqliteAddressError(.serverName(serverName))
    }
  }

  private static func certificates(_ path: String) throws(DqliteAddressError) -> [NIOSSLCertificate] {
    let bytes = try DqliteServerList.contents(of: path)
    guard let certificates = try? NIOSSLCertificate.fromPEMBytes(bytes), !certificates.isEmpty else {
      throw DqliteAddressError(.notPEM(path: path, isKey: false))
    }
    return certificates
  }

  private static func key(_ path: String) throws(DqliteAddressError) -> NIOSSLPrivateKey {
    let bytes = try DqliteServerList.contents(of: path)
    // Without this, a passphrase would be asked for at the terminal.
    let refuse: NIOSSLPassphraseCallback<[UInt8]> = { _ in throw DqliteViolation("a key with a passphrase") }
    guard let key = try? NIOSSLPrivateKey(bytes: bytes, format: .pem, passphraseCallback: refuse) else {
      throw DqliteAddressError(.notPEM(path: path, isKey: true))
    }
    return key
  }

  /// Returns the first DNS name that a certificate is for, which Go's client of dqlite takes too.
  private static func firstName(_ certificate: NIOSSLCertificate) -> String? {
    for name in certificate._subjectAlternativeNames() where name.nameType == .dnsName {
      return String(decoding: name.contents, as: UTF8.self)
    }
    return nil
  }
}
