// Generated from contracts/interfaces/IRouter.sol by `npm run generate`.
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
