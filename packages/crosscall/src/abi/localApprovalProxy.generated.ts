// Generated from contracts/localnet/LocalApprovalProxy.sol by `npm run generate`.
/** From `contracts/localnet/LocalApprovalProxy.sol`. */
export const localApprovalProxyAbi = [
  {"inputs":[{"name":"solver_","type":"address"},{"name":"depository_","type":"address"},{"name":"permit2_","type":"address"},{"name":"router_","type":"address"}],"stateMutability":"nonpayable","type":"constructor"},
  {"inputs":[{"name":"caller","type":"address"}],"name":"OnlySolver","type":"error"},
  {"inputs":[{"name":"token","type":"address"}],"name":"SafeERC20FailedOperation","type":"error"},
  {"inputs":[{"name":"owner","type":"address"},{"name":"token","type":"address"},{"name":"amount","type":"uint256"},{"name":"deadline","type":"uint256"},{"name":"v","type":"uint8"},{"name":"r","type":"bytes32"},{"name":"s","type":"bytes32"},{"name":"id","type":"bytes32"}],"name":"depositPermit","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"name":"owner","type":"address"},{"components":[{"components":[{"name":"token","type":"address"},{"name":"amount","type":"uint256"}],"name":"permitted","type":"tuple[]"},{"name":"nonce","type":"uint256"},{"name":"deadline","type":"uint256"}],"name":"permit","type":"tuple"},{"name":"signature","type":"bytes"},{"name":"id","type":"bytes32"}],"name":"depositPermit2","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[],"name":"depository","outputs":[{"name":"","type":"address"}],"stateMutability":"view","type":"function"},
  {"inputs":[],"name":"permit2","outputs":[{"name":"","type":"address"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"name":"user","type":"address"},{"components":[{"components":[{"name":"token","type":"address"},{"name":"amount","type":"uint256"}],"name":"permitted","type":"tuple[]"},{"name":"nonce","type":"uint256"},{"name":"deadline","type":"uint256"}],"name":"permit","type":"tuple"},{"components":[{"name":"target","type":"address"},{"name":"allowFailure","type":"bool"},{"name":"value","type":"uint256"},{"name":"callData","type":"bytes"}],"name":"calls","type":"tuple[]"},{"name":"refundTo","type":"address"},{"name":"nftRecipient","type":"address"},{"name":"metadata","type":"bytes"},{"name":"permitSignature","type":"bytes"}],"name":"permit2TransferAndMulticall","outputs":[{"components":[{"name":"success","type":"bool"},{"name":"returnData","type":"bytes"}],"name":"","type":"tuple[]"}],"stateMutability":"payable","type":"function"},
  {"inputs":[],"name":"router","outputs":[{"name":"","type":"address"}],"stateMutability":"view","type":"function"},
  {"inputs":[],"name":"solver","outputs":[{"name":"","type":"address"}],"stateMutability":"view","type":"function"},
] as const;
