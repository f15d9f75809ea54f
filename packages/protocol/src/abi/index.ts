export { attestationVerifierAbi } from "./attestationVerifier.generated.ts";
export { destinationProxyAbi } from "./destinationProxy.generated.ts";
export { livePullerAbi, pushExecutorAbi } from "./executor.generated.ts";
export { depositoryAbi, routerAbi } from "./service.generated.ts";
