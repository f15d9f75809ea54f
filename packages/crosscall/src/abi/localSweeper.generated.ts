// Generated from contracts/localnet/LocalSweeper.sol by `npm run generate`.
/** From `contracts/localnet/LocalSweeper.sol`. */
export const localSweeperAbi = [
  {"inputs":[{"name":"token","type":"address"}],"name":"SafeERC20FailedOperation","type":"error"},
  {"inputs":[{"name":"token","type":"address"},{"name":"to","type":"address"}],"name":"sweep","outputs":[],"stateMutability":"nonpayable","type":"function"},
] as const;
