// Generated from the contracts by `npm run generate`.

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
/** From `contracts/interfaces/IRouter.sol`. */
export const routerAbi = [
  {"inputs":[],"name":"ArrayLengthsMismatch","type":"error"},
  {"inputs":[],"name":"CallFailed","type":"error"},
  {"inputs":[],"name":"ETHTransferFailed","type":"error"},
  {"inputs":[{"name":"storedSender","type":"address"},{"name":"actualSender","type":"address"}],"name":"InvalidMsgSender","type":"error"},
  {"inputs":[{"name":"recipient","type":"address"}],"name":"InvalidRecipient","type":"error"},
  {"inputs":[],"name":"NoRecipientSet","type":"error"},
  {"inputs":[],"name":"TransferFailed","type":"error"},
  {"anonymous":false,"inputs":[{"indexed":false,"name":"from","type":"address"},{"indexed":false,"name":"to","type":"address"},{"indexed":false,"name":"currency","type":"address"},{"indexed":false,"name":"amount","type":"uint256"},{"indexed":false,"name":"metadata","type":"bytes"}],"name":"FundsMovement","type":"event"},
  {"anonymous":false,"inputs":[{"indexed":false,"name":"to","type":"address"},{"indexed":false,"name":"data","type":"bytes"},{"indexed":false,"name":"amount","type":"uint256"}],"name":"SolverCallExecuted","type":"event"},
  {"anonymous":false,"inputs":[{"indexed":false,"name":"to","type":"address"},{"indexed":false,"name":"amount","type":"uint256"}],"name":"SolverNativeTransfer","type":"event"},
  {"inputs":[{"name":"tokens","type":"address[]"},{"name":"recipients","type":"address[]"},{"name":"amounts","type":"uint256[]"},{"name":"metadata","type":"bytes"}],"name":"cleanupErc20s","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"name":"tokens","type":"address[]"},{"name":"tos","type":"address[]"},{"name":"datas","type":"bytes[]"},{"name":"amounts","type":"uint256[]"}],"name":"cleanupErc20sViaCall","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"name":"amount","type":"uint256"},{"name":"recipient","type":"address"},{"name":"metadata","type":"bytes"}],"name":"cleanupNative","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"name":"amount","type":"uint256"},{"name":"to","type":"address"},{"name":"data","type":"bytes"}],"name":"cleanupNativeViaCall","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"components":[{"name":"target","type":"address"},{"name":"allowFailure","type":"bool"},{"name":"value","type":"uint256"},{"name":"callData","type":"bytes"}],"name":"calls","type":"tuple[]"},{"name":"refundTo","type":"address"},{"name":"nftRecipient","type":"address"},{"name":"metadata","type":"bytes"}],"name":"multicall","outputs":[{"components":[{"name":"success","type":"bool"},{"name":"returnData","type":"bytes"}],"name":"results","type":"tuple[]"}],"stateMutability":"payable","type":"function"},
] as const;
