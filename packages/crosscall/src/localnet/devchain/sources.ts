/** Paths below `contracts/`, without the extension. */
export const CONTRACT_SOURCES = {
  "router 3.0": "localnet/LocalRouter",
  "router 3.2": "localnet/LocalRouter32",
  depository: "localnet/LocalDepository",
  dollar: "localnet/tokens/LocalDollar",
  tether: "localnet/tokens/LocalTether",
  feeToken: "localnet/tokens/LocalFeeToken",
  token: "localnet/tokens/LocalToken",
  sweeper: "localnet/LocalSweeper",
  "approval proxy 3.0": "localnet/LocalApprovalProxy",
  "approval proxy 3.2": "localnet/LocalApprovalProxy32",
  batchExecutor: "localnet/LocalBatchExecutor",
  vault: "localnet/LocalVault",
  vaultProxy: "proxies/Erc4626Proxy",
  attestationVerifier: "attestation/AttestationVerifier",
  hub: "localnet/LocalHub",
} as const;
