// Generated from the contracts by `npm run generate`.

/** From `contracts/interfaces/IDestinationProxy.sol`. */
export const destinationProxyAbi = [
  {"inputs":[{"name":"spender","type":"address"},{"name":"amount","type":"uint256"}],"name":"AllowanceLeft","type":"error"},
  {"inputs":[{"name":"deadline","type":"uint256"},{"name":"timestamp","type":"uint256"}],"name":"DeadlinePassed","type":"error"},
  {"inputs":[{"name":"amount","type":"uint256"}],"name":"InputLeft","type":"error"},
  {"inputs":[{"name":"amountIn","type":"uint256"},{"name":"minimumIn","type":"uint256"}],"name":"InsufficientInput","type":"error"},
  {"inputs":[{"name":"amountOut","type":"uint256"},{"name":"minimumOut","type":"uint256"}],"name":"InsufficientOutput","type":"error"},
  {"inputs":[{"name":"recipient","type":"address"},{"name":"amount","type":"uint256"},{"name":"returnData","type":"bytes"}],"name":"NativeTransferFailed","type":"error"},
  {"inputs":[{"name":"caller","type":"address"}],"name":"RecipientIsCaller","type":"error"},
  {"inputs":[{"name":"proxy","type":"address"}],"name":"RecipientIsProxy","type":"error"},
  {"inputs":[{"name":"token","type":"address"}],"name":"RecipientIsToken","type":"error"},
  {"inputs":[],"name":"RecipientIsZero","type":"error"},
  {"inputs":[{"name":"token","type":"address"}],"name":"TokenWithoutCode","type":"error"},
  {"anonymous":false,"inputs":[{"indexed":true,"name":"caller","type":"address"},{"indexed":true,"name":"recipient","type":"address"},{"indexed":false,"name":"amountIn","type":"uint256"},{"indexed":false,"name":"amountOut","type":"uint256"}],"name":"Executed","type":"event"},
  {"inputs":[{"name":"recipient","type":"address"},{"name":"minimumIn","type":"uint256"},{"name":"minimumOut","type":"uint256"},{"name":"deadline","type":"uint256"}],"name":"execute","outputs":[{"name":"amountIn","type":"uint256"},{"name":"amountOut","type":"uint256"}],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[],"name":"inputToken","outputs":[{"name":"","type":"address"}],"stateMutability":"view","type":"function"},
  {"inputs":[],"name":"outputToken","outputs":[{"name":"","type":"address"}],"stateMutability":"view","type":"function"},
  {"inputs":[],"name":"restoreAllowance","outputs":[],"stateMutability":"nonpayable","type":"function"},
] as const;
