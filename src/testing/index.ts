export { type AccountLike } from "./accountLike.ts";
export { type ExpectedDelivery } from "./deliver.ts";
export { type Fill } from "./fill.ts";
export { type FillablePlan, type TestPlan } from "./fillablePlan.ts";
export { forkFill, type ForkFillOptions } from "./forkFill.ts";
export { crosscallMatchers } from "./matchers.ts";
export { placeRouter } from "./placeRouter.ts";
export { type TestConnection, type TestProvider } from "./testConnection.ts";
