// Generated from contracts/interfaces/ILivePuller.sol by `npm run generate`.
/** From `contracts/interfaces/ILivePuller.sol`. */
export const livePullerAbi = [
  {"inputs":[{"name":"caller","type":"address"}],"name":"OnlyExecutor","type":"error"},
  {"inputs":[],"name":"executor","outputs":[{"name":"","type":"address"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"name":"token","type":"address"},{"name":"owner","type":"address"}],"name":"pull","outputs":[],"stateMutability":"nonpayable","type":"function"},
] as const;
