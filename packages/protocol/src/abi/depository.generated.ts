// Generated from contracts/interfaces/IDepository.sol by `npm run generate`.
/** From `contracts/interfaces/IDepository.sol`. */
export const depositoryAbi = [
  {"inputs":[],"name":"AddressCannotBeZero","type":"error"},
  {"inputs":[{"name":"returnData","type":"bytes"}],"name":"CallFailed","type":"error"},
  {"inputs":[],"name":"CallRequestAlreadyUsed","type":"error"},
  {"inputs":[],"name":"CallRequestExpired","type":"error"},
  {"inputs":[],"name":"InvalidSignature","type":"error"},
  {"inputs":[],"name":"TransferFromFailed","type":"error"},
  {"inputs":[],"name":"Unauthorized","type":"error"},
  {"anonymous":false,"inputs":[{"indexed":false,"name":"id","type":"bytes32"},{"components":[{"name":"to","type":"address"},{"name":"data","type":"bytes"},{"name":"value","type":"uint256"},{"name":"allowFailure","type":"bool"}],"indexed":false,"name":"call","type":"tuple"}],"name":"RelayCallExecuted","type":"event"},
  {"anonymous":false,"inputs":[{"indexed":false,"name":"from","type":"address"},{"indexed":false,"name":"token","type":"address"},{"indexed":false,"name":"amount","type":"uint256"},{"indexed":false,"name":"id","type":"bytes32"}],"name":"RelayErc20Deposit","type":"event"},
  {"anonymous":false,"inputs":[{"indexed":false,"name":"from","type":"address"},{"indexed":false,"name":"amount","type":"uint256"},{"indexed":false,"name":"id","type":"bytes32"}],"name":"RelayNativeDeposit","type":"event"},
  {"inputs":[],"name":"allocator","outputs":[{"name":"","type":"address"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"name":"id","type":"bytes32"}],"name":"callRequests","outputs":[{"name":"","type":"bool"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"name":"depositor","type":"address"},{"name":"token","type":"address"},{"name":"id","type":"bytes32"}],"name":"depositErc20","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"name":"depositor","type":"address"},{"name":"token","type":"address"},{"name":"amount","type":"uint256"},{"name":"id","type":"bytes32"}],"name":"depositErc20","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"name":"depositor","type":"address"},{"name":"id","type":"bytes32"}],"name":"depositNative","outputs":[],"stateMutability":"payable","type":"function"},
  {"inputs":[{"components":[{"components":[{"name":"to","type":"address"},{"name":"data","type":"bytes"},{"name":"value","type":"uint256"},{"name":"allowFailure","type":"bool"}],"name":"calls","type":"tuple[]"},{"name":"nonce","type":"uint256"},{"name":"expiration","type":"uint256"}],"name":"request","type":"tuple"},{"name":"signature","type":"bytes"}],"name":"execute","outputs":[{"components":[{"name":"success","type":"bool"},{"name":"returnData","type":"bytes"}],"name":"results","type":"tuple[]"}],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[],"name":"owner","outputs":[{"name":"","type":"address"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"name":"allocator_","type":"address"}],"name":"setAllocator","outputs":[],"stateMutability":"nonpayable","type":"function"},
] as const;
