// Generated from the contracts by `npm run generate`.

/** From `contracts/attestation/AttestationVerifier.sol`. */
export const attestationVerifierAbi = [
  {"inputs":[{"name":"signers_","type":"address[]"},{"name":"threshold_","type":"uint256"},{"name":"oracleVersion","type":"string"},{"name":"hubChainId","type":"uint256"},{"name":"oracle","type":"address"}],"stateMutability":"nonpayable","type":"constructor"},
  {"inputs":[{"name":"s","type":"uint256"},{"name":"maximum","type":"uint256"}],"name":"HighS","type":"error"},
  {"inputs":[],"name":"OracleIsZero","type":"error"},
  {"inputs":[{"name":"wallet","type":"address"},{"name":"key","type":"address"}],"name":"SignatureOfAnotherSigner","type":"error"},
  {"inputs":[{"name":"previous","type":"address"},{"name":"signer","type":"address"}],"name":"SignaturesNotAscending","type":"error"},
  {"inputs":[{"name":"previous","type":"address"},{"name":"signer","type":"address"}],"name":"SignersNotAscending","type":"error"},
  {"inputs":[{"name":"threshold","type":"uint256"},{"name":"signers","type":"uint256"}],"name":"ThresholdOutOfRange","type":"error"},
  {"inputs":[{"name":"signatures","type":"uint256"},{"name":"threshold","type":"uint256"}],"name":"TooFewSignatures","type":"error"},
  {"inputs":[{"name":"signer","type":"address"}],"name":"UnknownSigner","type":"error"},
  {"inputs":[{"name":"wallet","type":"address"},{"name":"hash","type":"bytes32"}],"name":"WalletRefused","type":"error"},
  {"inputs":[{"name":"length","type":"uint256"}],"name":"WrongSignatureLength","type":"error"},
  {"inputs":[{"name":"recovered","type":"address"},{"name":"signer","type":"address"}],"name":"WrongSigner","type":"error"},
  {"inputs":[{"name":"v","type":"uint8"}],"name":"WrongV","type":"error"},
  {"inputs":[],"name":"domainSeparator","outputs":[{"name":"","type":"bytes32"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"components":[{"name":"idempotencyKey","type":"bytes32"},{"name":"actions","type":"bytes[]"}],"name":"execution","type":"tuple"}],"name":"hashExecution","outputs":[{"name":"","type":"bytes32"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"name":"account","type":"address"}],"name":"isSigner","outputs":[{"name":"","type":"bool"}],"stateMutability":"view","type":"function"},
  {"inputs":[],"name":"signers","outputs":[{"name":"","type":"address[]"}],"stateMutability":"view","type":"function"},
  {"inputs":[],"name":"threshold","outputs":[{"name":"","type":"uint256"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"components":[{"name":"idempotencyKey","type":"bytes32"},{"name":"actions","type":"bytes[]"}],"name":"execution","type":"tuple"},{"components":[{"name":"signer","type":"address"},{"name":"signature","type":"bytes"}],"name":"signatures","type":"tuple[]"}],"name":"verify","outputs":[{"name":"digest","type":"bytes32"}],"stateMutability":"view","type":"function"},
] as const;
