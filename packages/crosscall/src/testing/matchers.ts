import { addDeliver } from "./deliver.ts";
import { addFailWith } from "./failWith.ts";
import { addLeaveNothingBehind } from "./leaveNothingBehind.ts";
import { addPassPreflight } from "./passPreflight.ts";

// Keeps the augmented types of the matchers.
export type * from "./matcherTypes.ts";

/** Chai plugin with matchers for fills and quotes: `chai.use(crosscallMatchers)`. */
export const crosscallMatchers: Chai.ChaiPlugin = (chai, utils) => {
  addDeliver(chai, utils);
  addLeaveNothingBehind(chai, utils);
  addFailWith(chai, utils);
  addPassPreflight(chai, utils);
};
