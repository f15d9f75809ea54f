/** Fields that a function needs, and fields that must be numbers if present. */
export interface NeededFields {
  readonly needs: readonly string[];
  readonly numbers: readonly string[];
}

/**
 * Needed fields by function; all others can be missing. `[]` stands for each item of a list, `<phase>` for `quoted` or
 * `actual`. For `executeSteps`, the fields are those of the response to a posted signature; for `claimAppFees`, those of
 * the step to sign.
 */
export const NEEDED_FIELDS: Readonly<Record<string, NeededFields>> = {
  planSteps: {
    needs: [
      "steps",
      "steps[].kind",
      "steps[].items",
      "steps[].items[].data",
      "steps[].items[].data.from",
      "steps[].items[].data.to",
      "steps[].items[].data.chainId",
      "steps[].items[].data.sign.signatureKind",
      "steps[].items[].data.post.endpoint",
      "steps[].items[].data.post.method",
    ],
    numbers: ["steps[].items[].data.value", "steps[].items[].data.gas"],
  },
  requestIdOf: { needs: ["steps"], numbers: [] },
  minimumOutput: {
    needs: [
      "details.currencyOut",
      "details.currencyOut.minimumAmount",
      "details.currencyOut.currency.chainId",
      "details.currencyOut.currency.address",
      "protocol.v2.orderData.output.payments[].currency",
      "protocol.v2.orderData.output.payments[].minimumAmount",
    ],
    numbers: [],
  },
  quoteFeeTable: {
    needs: [
      "details.expandedPriceImpact",
      "details.expandedPriceImpact.swap.usd",
      "details.expandedPriceImpact.execution.usd",
      "details.expandedPriceImpact.relay.usd",
      "details.expandedPriceImpact.app.usd",
      "details.currencyOut.currency.chainId",
      "details.currencyOut.currency.address",
      "protocol.v2.orderData.output.payments[].currency",
      "protocol.v2.orderData.output.payments[].minimumAmount",
    ],
    numbers: [
      "details.expandedPriceImpact.sponsored.usd",
      "details.totalImpact.usd",
      "details.currencyIn.amountUsd",
      "details.currencyOut.amountUsd",
      "details.currencyOut.minimumAmount",
      "fees.gas.amountUsd",
    ],
  },
  getStatus: { needs: ["status"], numbers: [] },
  listRequests: { needs: ["requests"], numbers: [] },
  recordFeeTable: {
    needs: [],
    numbers: [
      "data.fees.<phase>.swap.usd",
      "data.fees.<phase>.swap.amount",
      "data.fees.<phase>.execution.usd",
      "data.fees.<phase>.execution.amount",
      "data.fees.<phase>.platform.usd",
      "data.fees.<phase>.platform.amount",
      "data.fees.<phase>.app.usd",
      "data.fees.<phase>.app.amount",
      "data.fees.<phase>.sponsored.usd",
      "data.fees.<phase>.sponsored.amount",
      "data.feeSponsorship.<phase>.sponsoredTotal.amountUsd",
      "data.feeSponsorship.<phase>.userPaysTotal.amountUsd",
      "data.route",
      "data.route.<phase>",
    ],
  },
  listRequestsV2: { needs: ["requests"], numbers: [] },
  getChains: { needs: ["chains"], numbers: [] },
  recoverRequestSigner: {
    needs: [
      "requestData",
      "requestData.originChainId",
      "requestData.originUser",
      "requestData.originCurrency",
      "requestData.originAmount",
      "requestData.destinationChainId",
      "requestData.destinationUser",
      "signature",
    ],
    numbers: [],
  },
  recoverRequestSignerV2: {
    needs: [
      "requestData",
      "requestData.originChainId",
      "requestData.originUser",
      "requestData.originCurrency",
      "requestData.destinationChainId",
      "requestData.destinationUser",
      "requestData.destinationCurrency",
      "signature",
    ],
    numbers: [],
  },
  getTokenPrice: { needs: ["price"], numbers: [] },
  getChainHealth: { needs: ["healthy"], numbers: [] },
  getChainLiquidity: { needs: ["liquidity"], numbers: [] },
  getSwapSources: { needs: ["sources"], numbers: [] },
  getUsage: { needs: ["metrics"], numbers: [] },
  getDepositAddress: { needs: ["depositAddress", "requestId"], numbers: [] },
  listAppFeeClaims: { needs: ["claims"], numbers: [] },
  claimAppFees: {
    needs: [
      "steps",
      "steps[].kind",
      "steps[].items",
      "steps[].items[].data",
      "steps[].items[].data.sign",
      "steps[].items[].data.sign.signatureKind",
      "steps[].items[].data.sign.message",
      "steps[].items[].data.post",
      "steps[].items[].data.post.endpoint",
      "steps[].items[].data.post.method",
      "steps[].items[].data.post.body",
      "steps[].items[].data.post.body.kind",
      "steps[].items[].data.post.body.requestId",
    ],
    numbers: [],
  },
  executeSteps: { needs: ["steps[].kind", "steps[].items", "steps[].items[].data"], numbers: [] },
  verifyWebhook: { needs: ["event", "data", "data.requestId", "data.status"], numbers: [] },
};
