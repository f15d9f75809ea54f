export { EVM_NATIVE_CURRENCY, isEvmNative, isSameAddress, parseEvmAddress, parseServiceAddress } from "./address.ts";
export {
  type AccountBatch,
  BATCH_DELEGATION,
  BATCH_EXECUTOR_ABI,
  DELEGATION_PREFIX,
  encodeBatch,
  toBatchTypedData,
} from "./batchExecutor.ts";
export {
  type CreatableCode,
  CREATE2_FACTORY,
  CREATE2_FACTORY_CODE,
  CREATE2_SALT,
  creationCode,
  type Deployable,
  deploymentAddress,
  deploymentData,
} from "./create2.ts";
export { deploy, hasCode } from "./deploy.ts";
export {
  FactoryMissingError,
  ForeignCodeError,
  InsufficientFundsError,
  ReleaseMismatchError,
} from "./deploymentErrors.ts";
export { DEPOSIT_ABI, DEPOSIT_EVENTS } from "./depositAbi.ts";
export { chainFamilyOf, isSameAddressOf, type KnownChain } from "./families/chainFamilyOf.ts";
export { VM_TYPE_BY_CHAIN_ID } from "./families/vmTypes.ts";
export { call, getBalance, readContract } from "./readContract.ts";
export {
  BATCH_EXECUTOR_ADDRESS,
  DEPOSITORY_ADDRESS,
  HUB_CHAIN_ID,
  LOCAL_SOLVER_ADDRESS,
  LOCAL_SWAP_ROUTER_ADDRESS,
  ORACLE_ADDRESS,
  PERMIT2_ADDRESS,
  SOLVER_ADDRESS,
} from "./serviceAddresses.ts";
