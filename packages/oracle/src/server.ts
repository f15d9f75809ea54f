export type { PeerSettings } from "./config/settings.ts";
export { documentationPages } from "./service/documentationPages.ts";
export { guardServer } from "./service/guardServer.ts";
export { createLocalNames, hostNameOf, isLoopback, type LocalNames } from "./service/localNames.ts";
