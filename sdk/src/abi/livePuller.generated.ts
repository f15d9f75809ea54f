// Generated from contracts/interfaces/ILivePuller.sol by `npm run generate`.
/** From `contracts/interfaces/ILivePuller.sol`. */
export const livePullerAbi = [
  {
    "inputs": [],
    "name": "executor",
    "outputs": [
      {
        "internalType": "contract IPushExecutor",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "contract IERC20",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "bytes",
        "name": "program",
        "type": "bytes"
      }
    ],
    "name": "pull",
    "outputs": [],
    "stateMutability": "payable",
    "type": "function"
  }
] as const;
