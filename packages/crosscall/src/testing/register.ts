import { use } from "chai";

import { crosscallMatchers } from "./matchers.ts";

// Keeps the augmented types of the matchers.
export type * from "./matcherTypes.ts";

use(crosscallMatchers);
