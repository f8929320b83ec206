internal import COpenSSL

/// A TLS context with a certificate, its key and its issuers, for connections that present the certificate and trust no other.
///
/// The corresponding C type is `SSL_CTX`.
final class TLSContext: @unchecked Sendable {
  // Sendable because the context is not changed after its creation, and OpenSSL counts its references atomically.
  let pointer: OpaquePointer

  /// The reason why a certificate and a key cannot be used.
  enum Fault: Error {
    case mismatch
    /// The error message of OpenSSL.
    case unusable(String)
  }

  /// Whether OpenSSL is initialized and can be used.
  ///
  /// Check this before the first call of OpenSSL.
  fileprivate static let isInitialized = quarry_ssl_initialize() == 1

  init(_ certificates: [TLSCertificate], _ key: TLSKey) throws(Fault) {
    guard Self.isInitialized, let pointer = SSL_CTX_new(TLS_client_method()) else { throw .unusable(TLSFault.lastWords()) }
    self.pointer = pointer
    ERR_clear_error()
    guard quarry_ssl_require_tls12(pointer) == 1 else { throw .unusable(TLSFault.lastWords()) }
    quarry_ssl_forbid_renegotiation(pointer)
    SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
    let store = SSL_CTX_get_cert_store(pointer)
    for (index, certificate) in certificates.enumerated() {
      let isUsed =
        index == 0
        ? SSL_CTX_use_certificate(pointer, certificate.pointer) : quarry_ssl_add_chain_certificate(pointer, certificate.pointer)
      guard isUsed == 1, X509_STORE_add_cert(store, certificate.pointer) == 1 else { throw .unusable(TLSFault.lastWords()) }
    }
    guard let first = certificates.first, X509_check_private_key(first.pointer, key.pointer) == 1 else { throw .mismatch }
    guard SSL_CTX_use_PrivateKey(pointer, key.pointer) == 1 else { throw .unusable(TLSFault.lastWords()) }
  }

  deinit { SSL_CTX_free(pointer) }
}

/// A certificate.
///
/// The corresponding C type is `X509`.
final class TLSCertificate {
  let pointer: OpaquePointer

  private init(_ pointer: OpaquePointer) {
    self.pointer = pointer
  }

  deinit { X509_free(pointer) }

  /// Parses the certificates of a PEM file.
  ///
  /// - Returns: The certificates, or nil if one is damaged.
  static func read(_ bytes: [UInt8]) -> [TLSCertificate]? {
    ERR_clear_error()
    return withPEM(bytes) { file in
      var certificates: [TLSCertificate] = []
      while let pointer = PEM_read_bio_X509(file, nil, refusePassphrase, nil) { certificates.append(TLSCertificate(pointer)) }
      return ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE ? certificates : nil
    }
  }

  /// The first DNS name of the certificate, or nil if the certificate has none.
  var firstName: String? {
    guard let found = X509_get_ext_d2i(pointer, NID_subject_alt_name, nil, nil) else { return nil }
    let names = OpaquePointer(found)
    defer { GENERAL_NAMES_free(names) }
    for index in 0..<max(0, OPENSSL_sk_num(names)) {
      guard let name = OPENSSL_sk_value(names, index)?.assumingMemoryBound(to: GENERAL_NAME.self) else { continue }
      var type: CInt = 0
      guard let value = GENERAL_NAME_get0_value(name, &type), type == GEN_DNS else { continue }
      let text = value.assumingMemoryBound(to: ASN1_STRING.self)
      return String(decoding: UnsafeBufferPointer(start: ASN1_STRING_get0_data(text), count: Int(ASN1_STRING_length(text))), as: UTF8.self)
    }
    return nil
  }
}

/// A private key.
///
/// The corresponding C type is `EVP_PKEY`.
final class TLSKey {
  let pointer: OpaquePointer

  /// Parses the first key of a PEM file.
  ///
  /// Returns nil if the file contains no key, or if the key has a passphrase.
  init?(_ bytes: [UInt8]) {
    ERR_clear_error()
    guard let pointer = withPEM(bytes, { PEM_read_bio_PrivateKey($0, nil, refusePassphrase, nil) }) else { return nil }
    self.pointer = pointer
  }

  deinit { EVP_PKEY_free(pointer) }
}

/// Fails instead of asking for a passphrase on the terminal.
private func refusePassphrase(
  _ buffer: UnsafeMutablePointer<CChar>?, _ size: CInt, _ isWriting: CInt, _ context: UnsafeMutableRawPointer?
) -> CInt {
  -1
}

/// Calls `body` with bytes as a file that OpenSSL can read.
private func withPEM<Result>(_ bytes: [UInt8], _ body: (OpaquePointer) -> Result?) -> Result? {
  bytes.withUnsafeBytes { bytes in
    guard TLSContext.isInitialized, let file = BIO_new_mem_buf(bytes.baseAddress, CInt(clamping: bytes.count)) else { return nil }
    defer { BIO_free(file) }
    return body(file)
  }
}

/// The TLS library.
package enum TLSLibrary {
  /// The name and version of the library, such as `OpenSSL 3.0.17 1 Jul 2025`.
  package static var version: String { OpenSSL_version(OPENSSL_VERSION).map { String(cString: $0) } ?? "OpenSSL" }
}
