export { type Fill } from "./runFill.ts";
export { type FillablePlan, type TestPlan } from "./fillablePlan.ts";
export { forkFill } from "./forkFill.ts";
export { crosscallMatchers } from "./matchers.ts";
export { type MisbehavingNode, misbehavingNode } from "./misbehaving/misbehavingNode.ts";
export { type MisbehavingWallet, misbehavingWallet } from "./misbehaving/misbehavingWallet.ts";
export { placeRouter } from "./placeRouter.ts";
export { type TestConnection } from "./testConnection.ts";
