export { attestationVerifierAbi } from "./abi/attestationVerifier.generated.ts";
export { depositoryAbi } from "./abi/depository.generated.ts";
export { destinationProxyAbi } from "./abi/destinationProxy.generated.ts";
export { livePullerAbi } from "./abi/livePuller.generated.ts";
export { pushExecutorAbi } from "./abi/pushExecutor.generated.ts";
export { routerAbi } from "./abi/router.generated.ts";
