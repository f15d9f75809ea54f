/** Requests that a preflight fails although the local network fills them, each with the reason why it should. */
export const FALSE_ALARMS: Readonly<Record<string, string>> = {
  "calls with the expected amount":
    "The order permits less than the expected amount, and the calls fail with less. This time, the price did not move.",
  "calls that leave tokens on the router": "The fill succeeds, but anyone can take what remains on the public router.",
  "refundTo that rejects native currency":
    "The fill succeeds. If it had failed, the refund would not have arrived, and the outcome is unknown beforehand.",
};
