export {
  type EndpointGeneration,
  endpointGeneration,
  ENDPOINTS,
  successorOf,
  type VersionedPath,
} from "./endpoints.ts";
export {
  DEFAULT_ROUTER,
  hashedCallAbi,
  LOCAL_PAIRS,
  LOCAL_ROUTER_VERSIONS,
  localRouterAddress,
  type LocalRouterVersion,
  namePublicContract,
  ROUTER_ADDRESS,
  routerGenerationOf,
  routerOfApprovalProxy,
  servicePairs,
} from "./routers.ts";
