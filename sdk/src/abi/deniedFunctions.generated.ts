// Generated from contracts/libraries/DeniedSelectors.sol by `npm run generate`.
/** From `contracts/libraries/DeniedSelectors.sol`. */
export const deniedFunctions = [
  "transfer(address,uint256)",
  "transferFrom(address,address,uint256)",
  "approve(address,uint256)",
  "approve(address)",
  "increaseAllowance(address,uint256)",
  "increaseApproval(address,uint256)",
  "allow(address,bool)",
  "approveAndCall(address,uint256)",
  "approveAndCall(address,uint256,bytes)",
  "transferAndCall(address,uint256)",
  "transferAndCall(address,uint256,bytes)",
  "transferFromAndCall(address,address,uint256)",
  "transferFromAndCall(address,address,uint256,bytes)",
  "authorizeOperator(address)",
  "send(address,uint256,bytes)",
  "operatorSend(address,address,uint256,bytes,bytes)",
  "setApprovalForAll(address,bool)",
  "setOperator(address,bool)",
  "approve(address,uint256,uint256)",
  "transferFrom(address,address,uint256,uint256)",
  "authorizeOperator(address,uint256,bytes)",
  "increaseAllowance(address,uint256,bytes)",
  "approve(address,address,uint160,uint48)",
  "setInterfaceImplementer(address,bytes32,address)",
  "setManager(address,address)"
] as const;
