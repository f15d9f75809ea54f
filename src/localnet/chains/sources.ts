/** Where each contract of a local chain comes from, below `contracts/` and without the ending. */
export const CONTRACT_SOURCES = {
  router: "localnet/LocalRouter",
  depository: "localnet/LocalDepository",
  dollar: "localnet/tokens/LocalDollar",
  vault: "localnet/LocalVault",
  vaultProxy: "proxies/Erc4626Proxy",
} as const;
