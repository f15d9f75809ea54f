// Generated from contracts/interfaces/ILivePuller.sol by `npm run generate`.
/** From `contracts/interfaces/ILivePuller.sol`. */
export const livePullerAbi = [
  {"inputs":[],"name":"executor","outputs":[{"name":"","type":"address"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"name":"token","type":"address"},{"name":"program","type":"bytes"}],"name":"pull","outputs":[],"stateMutability":"payable","type":"function"},
] as const;
