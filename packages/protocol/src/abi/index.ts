export { attestationVerifierAbi } from "./attestationVerifier.generated.ts";
export { depositoryAbi } from "./depository.generated.ts";
export { destinationProxyAbi } from "./destinationProxy.generated.ts";
export { livePullerAbi } from "./livePuller.generated.ts";
export { pushExecutorAbi } from "./pushExecutor.generated.ts";
export { routerAbi } from "./router.generated.ts";
