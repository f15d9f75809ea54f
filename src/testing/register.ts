import { use } from "chai";

import { crosscallMatchers } from "./matchers.ts";

// The declarations of this file keep this, and with it the types of the matchers.
export type * from "./matchers.ts";

use(crosscallMatchers);
