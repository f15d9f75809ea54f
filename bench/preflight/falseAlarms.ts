/**
 * Requests that fail the preflight although the local network fills them, with the reason why the preflight is right.
 */
export const FALSE_ALARMS: Readonly<Record<string, string>> = {
  "calls with the expected amount":
    "The order permits a delivery below the expected amount, which makes the calls fail. This time, the price did not move.",
  "calls that leave tokens on the router":
    "The fill succeeds, but anyone can take the tokens that remain on the public router.",
  "refundTo that rejects native currency":
    "The fill succeeds. But the refund of a failed fill would not arrive, and the preflight cannot know the outcome.",
};
