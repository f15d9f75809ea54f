import type { FailReason, RefundFailReason } from "../../packages/protocol/src/request/failReasons.ts";

export interface ReasonText {
  /** What happened, in one sentence. */
  readonly meaning: string;
  /** What usually leads to it. */
  readonly causes: string;
}

/** What to do, and whether the local network causes or simulates a reason, comes from the scenarios. */
export const FAIL_REASON_TEXTS: Readonly<Record<FailReason, ReasonText>> = {
  SLIPPAGE: {
    meaning: "A call received less than its minimum, or had to pay more than its maximum.",
    causes:
      "The price moved between the quote and the fill; the minimum was computed from the expected amount instead of the minimum amount; the pool is too small for the amount.",
  },
  TOO_LITTLE_RECEIVED: {
    meaning:
      "A swap in your calls yielded less than its minimum output, or a proxy received less than its minimum input.",
    causes:
      "The calls embed a minimum computed from the expected amount; the fill delivered less than expected; the price in the pool moved.",
  },
  MISSING_REVERT_DATA: {
    meaning: "A call reverted and returned no data, so the reason is unknown.",
    causes:
      "The target has no code on the destination chain; the contract does not have the function; a `require` without a message failed; the call ran out of gas.",
  },
  EXECUTION_REVERTED: {
    meaning: "A call reverted with an error that the service does not know.",
    causes: "Your contract or a protocol reverted with a custom error; a precondition in your own code failed.",
  },
  TRANSACTION_REVERTED: {
    meaning: "The fill succeeded in a simulation, but reverted in its block.",
    causes:
      "Another transaction changed the state first; a call depends on the timestamp, the gas price or the block's proposer.",
  },
  QUOTED_GAS_LIMIT_EXCEEDED: {
    meaning: "The calls need more gas than the quote allows.",
    causes:
      "Gas use depends on state that changed since the quote; a call loops over data that other accounts can extend.",
  },
  SWAP_USES_TOO_MUCH_GAS: {
    meaning: "A call used all available gas.",
    causes: "A call has an endless or very long loop; a target burns gas on purpose; a route has many pools.",
  },
  CONTRACT_PAUSED: {
    meaning: "A call reached a contract that its operator has paused.",
    causes: "An emergency stop or maintenance of the protocol that your calls use.",
  },
  INSUFFICIENT_POOL_LIQUIDITY: {
    meaning: "A pool in your calls does not have enough liquidity for the swap.",
    causes: "The pool is small; the amount is large; liquidity was removed since the quote.",
  },
  FLUID_DEX_ERROR: {
    meaning: "The exchange Fluid rejected a swap with an error number.",
    causes: "The amount exceeds a limit of the pool; the swap is too small; the price moved beyond the limit.",
  },
  ZERO_SELL_AMOUNT: {
    meaning: "A swap was called with a zero amount.",
    causes: "The call sells the current balance before the tokens arrive, or after another call used all of them.",
  },
  INVALID_GAS_PRICE: {
    meaning: "A contract in your calls rejects the gas price of the fill.",
    causes: "The contract limits the gas price, for example to stop bots.",
  },
  ACCOUNT_ABSTRACTION_INVALID_NONCE: {
    meaning: "The entry point rejected a user operation because of its nonce (AA25).",
    causes: "Another operation of the account used the nonce first; the operation was sent twice.",
  },
  ACCOUNT_ABSTRACTION_SIGNATURE_ERROR: {
    meaning: "The account rejected the signature of a user operation (AA24).",
    causes: "The operation was signed for another chain or entry point, or by a former owner.",
  },
  ACCOUNT_ABSTRACTION_GAS_LIMIT: {
    meaning: "A user operation ran out of its own gas limits (AA95).",
    causes: "The gas limits were estimated on a different state, or before the account was deployed.",
  },
  TRANSFER_AMOUNT_EXCEEDS_BALANCE: {
    meaning: "A call transfers more tokens than the sender holds.",
    causes:
      "The calls embed the quoted amount, but the fill delivered less; the token takes a fee on transfers; an earlier call used a part of the tokens.",
  },
  TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE: {
    meaning: "A call spends more tokens than the owner has approved.",
    causes: "The approval is missing, comes after the call, is for another spender, or is below the delivered amount.",
  },
  TRANSFER_FROM_FAILED: {
    meaning: "A token rejected a `transferFrom` without a reason.",
    causes: "The allowance or balance is too low; an old token returns `false`; an address is blocked.",
  },
  TRANSFER_FAILED: {
    meaning: "A transfer of a token or native currency failed.",
    causes: "The recipient is a contract that rejects payments; an old token returns `false`; an address is blocked.",
  },
  DESTINATION_TOKEN_TRANSFER_REJECTED: {
    meaning: "The delivered token rejects transfers to the recipient.",
    causes: "The recipient is on the token's block list, or is a contract that does not accept the NFT.",
  },
  INVALID_SENDER: {
    meaning: "A token rejected the sender of a transfer.",
    causes: "A call transfers from the zero address, or from an account that is not allowed to send this token.",
  },
  TOKEN_NOT_TRANSFERABLE: {
    meaning: "The token cannot be transferred at all.",
    causes: "The token is a soulbound NFT, a locked receipt token, or not launched yet.",
  },
  SIGNATURE_EXPIRED: {
    meaning: "A permit, an authorization or a deadline in your calls is in the past.",
    causes: "The fill came after the deadline of the signature; the deadline is in milliseconds instead of seconds.",
  },
  INVALID_SIGNER: {
    meaning: "A permit was not signed by the owner.",
    causes: "Another account signed; the domain is wrong, such as that of the origin chain; the nonce is not current.",
  },
  INVALID_NONCE: {
    meaning: "A signature in your calls uses a nonce that is already used.",
    causes: "Two requests contain the same signature; another transaction of the owner used the nonce.",
  },
  INVALID_SIGNATURE: {
    meaning: "A signature in your calls is malformed.",
    causes:
      "`v` is 0 or 1; the signature was truncated or encoded twice; a contract wallet signed, but the token only accepts signatures of keys.",
  },
  INSUFFICIENT_NATIVE_TOKENS_SUPPLIED: {
    meaning: "A call sends less native currency than its target requires.",
    causes:
      "The value does not include a fee of the marketplace, or the sum of all values exceeds the delivered amount.",
  },
  ORDER_IS_CANCELLED: {
    meaning: "A marketplace order in your calls was cancelled.",
    causes: "The seller cancelled the order between your quote and the fill.",
  },
  ORDER_ALREADY_FILLED: {
    meaning: "A marketplace order in your calls was already filled.",
    causes: "Another buyer filled the order first; two requests contain the same order.",
  },
  SEAPORT_INEXACT_FRACTION: {
    meaning: "Seaport rejected a partial purchase because the amounts are not divisible.",
    causes: "The requested fraction does not divide every amount of the order into whole units.",
  },
  SEAPORT_INVALID_FULFILLER: {
    meaning: "The marketplace order is reserved for another buyer.",
    causes: "The marketplace signed the order for the user's wallet, but the router is the buyer.",
  },
  MINT_NOT_ACTIVE: {
    meaning: "The mint has not started or has ended.",
    causes: "The fill was after the end of the mint; the user paid before its start.",
  },
  MINT_QUANTITY_EXCEEDS_MAX_PER_WALLET: {
    meaning: "The mint exceeds the limit of one wallet.",
    causes: "The contract counts mints by the router, which all users share; the user already minted.",
  },
  MINT_QUANTITY_EXCEEDS_MAX_SUPPLY: {
    meaning: "The mint exceeds the remaining supply.",
    causes: "The collection sold out between the quote and the fill.",
  },
  ERC_1155_TOO_MANY_REQUESTED: {
    meaning: "The mint exceeds the remaining supply of an ERC-1155 id.",
    causes: "The id sold out between the quote and the fill.",
  },
  INCORRECT_PAYMENT: {
    meaning: "A mint or a purchase was not paid with exactly its price.",
    causes: "The price changed since the quote; the call does not include a fee of the price.",
  },
  AMOUNT_TOO_LOW_TO_REFUND: {
    meaning: "The request failed, and the deposit is worth less than the gas of its refund.",
    causes: "The amount is very small; the chain of the refund has high gas prices.",
  },
  DEPOSIT_ADDRESS_MISMATCH: {
    meaning: "The deposit arrived at the deposit address of another request.",
    causes: "The user reused an address from an earlier request.",
  },
  DEPOSIT_CHAIN_MISMATCH: {
    meaning: "The deposit is not on the origin chain of the order.",
    causes: "The wallet was connected to another chain when it sent the transaction.",
  },
  INCORRECT_DEPOSIT_CURRENCY: {
    meaning: "The deposit is not in the origin currency of the order.",
    causes: "The app built the deposit itself, or from the steps of an older quote.",
  },
  ORIGIN_CURRENCY_MISMATCH: {
    meaning: "The deposited currency differs from the currency of the order.",
    causes: "The app changed a step, or sent the deposit of another request.",
  },
  DEPOSITED_AMOUNT_TOO_LOW_TO_FILL: {
    meaning: "The deposit is below the input amount of the order.",
    causes: "The token takes a fee on transfers; the app changed the amount of the step.",
  },
  NEGATIVE_NEW_AMOUNT_AFTER_FEES: {
    meaning: "Nothing is left of the deposit after the fees.",
    causes: "The amount is small; gas prices rose since the quote.",
  },
  DOUBLE_SPEND: {
    meaning: "A second deposit arrived for a request that was already paid.",
    causes: "The app sent a step again because its first transaction seemed lost; the user clicked twice.",
  },
  DEPOSIT_CONFIRMATION_TIMEOUT: {
    meaning: "The service saw the deposit, but it was not confirmed in time.",
    causes: "The gas fees are too low; the chain is congested; another transaction replaced the deposit.",
  },
  DEPOSIT_REORGED: {
    meaning: "A reorg removed the deposit from its chain.",
    causes: "The origin chain had a reorg after the service saw the deposit.",
  },
  ORPHANED_DEPOSIT_REFUND: {
    meaning: "The deposit belongs to no request that can be filled, so it is refunded.",
    causes: "The deposit has an old or changed order id; the order expired before the deposit.",
  },
  GASLESS_PERMIT_BALANCE_TOO_LOW: {
    meaning: "The user holds less than the amount of the signed permit.",
    causes: "The user spent the tokens after signing.",
  },
  ORDER_EXPIRED: {
    meaning:
      "The order expired before the solver could fill it, or a marketplace order in the calls is not valid at this time.",
    causes:
      "The deposit was long after the quote; the solver was delayed; a marketplace order was valid for a short time.",
  },
  TTL_EXPIRED: {
    meaning: "The quoted price expired before the deposit was processed.",
    causes: "The user confirmed late; the deposit was confirmed late.",
  },
  PROTOCOL_DEADLINE_EXPIRED: {
    meaning: "The settlement deadline of the order passed before it was filled.",
    causes: "The deposit was late; the destination chain or the solver had an outage.",
  },
  BLOCKED_WALLET: {
    meaning: "The service blocks a wallet of the request.",
    causes: "The user, the recipient or the refund address is on a block list.",
  },
  MANUAL_ADMIN_REFUND: {
    meaning: "An operator of the service refunded the deposit.",
    causes: "Support refunded the request, or the request has the referrer `debug-force-refund`.",
  },
  SPONSOR_BALANCE_TOO_LOW: {
    meaning: "The integrator's balance cannot pay the fees that it sponsors.",
    causes: "Sponsored requests used up the balance since the last top-up.",
  },
  UNKNOWN: {
    meaning: "The service does not know why the request failed.",
    causes: "The failure has no name in the service.",
  },
  SOLVER_CAPACITY_EXCEEDED: {
    meaning: "The solver has reached its limit of open orders.",
    causes: "The service has a high load. Your calls are not the cause.",
  },
  SOLVER_BALANCE_TOO_LOW: {
    meaning: "The solver holds less of the destination currency than the fill needs.",
    causes: "The amount is large, or the solver holds little of the currency.",
  },
  NO_QUOTES: {
    meaning: "The swap of the fill was quoted again, and no source returned a price.",
    causes: "Liquidity was removed between the quote and the fill; the price sources had an outage.",
  },
  REVERSE_SWAP_FAILED: {
    meaning: "The fill failed, and the swap back to the deposited currency failed too.",
    causes: "The pair has little liquidity, or its price moved quickly.",
  },
  GENERATE_SWAP_FAILED: {
    meaning: "The service could not build the swap of the fill.",
    causes: "The pair has little liquidity, or the swap source had an outage.",
  },
  NO_INTERNAL_SWAP_ROUTES_FOUND: {
    meaning: "The solver's own liquidity has no route for the swap of the fill.",
    causes: "The currency is rare, or the amount is large.",
  },
  SWAP_IMPACT_TOO_HIGH: {
    meaning: "The swap of the fill would move the price too far.",
    causes: "The amount is large for the pool.",
  },
  TRANSACTION_NOT_INCLUDED: {
    meaning: "The fill was sent, but not included in time.",
    causes: "The destination chain is congested. Your calls are not the cause.",
  },
  TRANSACTION_SUBMISSION_FAILED: {
    meaning: "No node of the destination chain accepted the fill.",
    causes: "The destination chain's nodes have an outage. Your calls are not the cause.",
  },
  TRANSACTION_TOO_LARGE: {
    meaning: "The fill exceeds the transaction size limit of its chain.",
    causes: "The calls are many or long; on the SVM chain, a swap uses many pools.",
  },
  NEW_CALLDATA_INCLUDES_HIGHER_RENT_FEE: {
    meaning: "The SVM fill was rebuilt, and its accounts need more rent than quoted.",
    causes: "An account that existed at the time of the quote was closed.",
  },
  INSUFFICIENT_FUNDS_FOR_RENT: {
    meaning: "The SVM fill leaves an account below its required rent.",
    causes: "The recipient's account is new, and the amount is below the rent of a new account.",
  },
  JUPITER_INVALID_TOKEN_ACCOUNT: {
    meaning: "The SVM swap uses a token account that is not valid for its currency.",
    causes: "The recipient is a token account of another currency instead of a wallet.",
  },
};

export const REFUND_REASON_TEXTS: Readonly<Record<RefundFailReason, ReasonText>> = {
  AMOUNT_TOO_LOW_TO_REFUND: {
    meaning: "The deposit is worth less than the gas of its refund.",
    causes: "The amount is very small; the chain of the refund has high gas prices.",
  },
  NEGATIVE_NEW_AMOUNT_AFTER_FEES: {
    meaning: "The fees of the refund exceed the deposit.",
    causes: "The amount is small; gas prices rose since the quote.",
  },
  SWAP_CURRENCY_NOT_ON_ORIGIN: {
    meaning: "The deposit was already swapped to a currency that does not exist on the origin chain.",
    causes: "The request has a swap before the transfer between chains.",
  },
  REFUND_RECIPIENT_IS_VASP: {
    meaning: "The refund address belongs to an exchange that would not credit the refund.",
    causes: "The user paid from an exchange, and `refundTo` was omitted.",
  },
  MANUAL_REFUND_REQUIRED: {
    meaning: "The refund cannot be sent automatically.",
    causes: "The refund address rejects the currency, or the request has none.",
  },
};
