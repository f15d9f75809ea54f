import type { FailReason, RefundFailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";

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
      "The price moved between the quote and the fill; the minimum was computed from the expected amount instead of the minimum amount; a pool is small for the amount.",
  },
  TOO_LITTLE_RECEIVED: {
    meaning:
      "A swap in your calls yielded less than its minimum output, or a proxy received less than its minimum input.",
    causes:
      "The calls embed a minimum computed from the expected amount; the fill delivered less than expected; the pool moved.",
  },
  MISSING_REVERT_DATA: {
    meaning: "A call reverted and returned no data, so the reason is unknown.",
    causes:
      "The target has no code on the destination chain; the contract has no such function; `require` without a message; the call is out of gas.",
  },
  EXECUTION_REVERTED: {
    meaning: "A call reverted with an error that the service does not know.",
    causes: "A custom error of your contract or of a protocol; a failed precondition in your own code.",
  },
  TRANSACTION_REVERTED: {
    meaning: "The fill succeeded in a simulation, but reverted in its block.",
    causes:
      "Another transaction changed the state first; a call depends on the timestamp, the gas price or the block's miner.",
  },
  QUOTED_GAS_LIMIT_EXCEEDED: {
    meaning: "The calls need more gas than the quote allows.",
    causes: "Gas use depends on state that changed since the quote; a loop over data that others can grow.",
  },
  SWAP_USES_TOO_MUCH_GAS: {
    meaning: "A call used all available gas.",
    causes: "An endless or very long loop; a target that burns gas on purpose; a route through many pools.",
  },
  CONTRACT_PAUSED: {
    meaning: "A call reached a contract that its operator has paused.",
    causes: "An emergency stop or maintenance of the protocol that your calls use.",
  },
  INSUFFICIENT_POOL_LIQUIDITY: {
    meaning: "A pool in your calls does not hold enough for the swap.",
    causes: "A small pool; a large amount; liquidity that left the pool since the quote.",
  },
  FLUID_DEX_ERROR: {
    meaning: "Fluid rejected a swap with an error number.",
    causes: "The amount exceeds a limit of the pool; the swap is too small; the price moved beyond the limit.",
  },
  ZERO_SELL_AMOUNT: {
    meaning: "A swap was called with a zero amount.",
    causes: "The call sells a live balance before the tokens arrive, or after another call used all of them.",
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
    causes: "The operation was signed for another chain, another entry point or by a former owner.",
  },
  ACCOUNT_ABSTRACTION_GAS_LIMIT: {
    meaning: "A user operation ran out of its own gas limits (AA95).",
    causes: "The gas limits were estimated on other state, or before the account was deployed.",
  },
  TRANSFER_AMOUNT_EXCEEDS_BALANCE: {
    meaning: "A call moves more tokens than the sender holds.",
    causes:
      "The calls embed the quoted amount, but the fill delivered less; a token takes a fee on transfers; an earlier call used a part.",
  },
  TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE: {
    meaning: "A call spends more tokens than the owner has approved.",
    causes: "The approval is missing, comes after the call, is for another spender, or is below the delivered amount.",
  },
  TRANSFER_FROM_FAILED: {
    meaning: "A token rejected a transfer on behalf of its owner without a reason.",
    causes: "An old token that returns `false`; a missing allowance or balance; a blocked address.",
  },
  TRANSFER_FAILED: {
    meaning: "A token or native currency could not be sent.",
    causes: "The recipient is a contract that rejects payments; an old token that returns `false`; a blocked address.",
  },
  DESTINATION_TOKEN_TRANSFER_REJECTED: {
    meaning: "The delivered token rejects transfers to the recipient.",
    causes: "The recipient is on the token's block list, or is a contract that does not accept the NFT.",
  },
  INVALID_SENDER: {
    meaning: "A token rejected the account that sends it.",
    causes: "A call transfers from the zero address, or from an account that may not send this token.",
  },
  TOKEN_NOT_TRANSFERABLE: {
    meaning: "The token cannot be transferred at all.",
    causes: "A soulbound NFT, a receipt token that is locked, or a token before its launch.",
  },
  SIGNATURE_EXPIRED: {
    meaning: "A permit, an authorization or a deadline in your calls is in the past.",
    causes: "The fill came after the deadline of the signature; the deadline is in milliseconds instead of seconds.",
  },
  INVALID_SIGNER: {
    meaning: "A permit was signed by another account than the owner.",
    causes: "Another account or domain; the permit was signed for the origin chain; the nonce is not current.",
  },
  INVALID_NONCE: {
    meaning: "A signature in your calls uses a nonce that is already used.",
    causes: "The same signature in two requests; another transaction of the owner used the nonce.",
  },
  INVALID_SIGNATURE: {
    meaning: "A signature in your calls is malformed.",
    causes:
      "`v` is 0 or 1; the signature was cut or encoded twice; a contract wallet signed, but the token only accepts keys.",
  },
  INSUFFICIENT_NATIVE_TOKENS_SUPPLIED: {
    meaning: "A call sends less native currency than its target needs.",
    causes: "The value leaves out a fee of the marketplace, or the sum of all values exceeds the delivered amount.",
  },
  ORDER_IS_CANCELLED: {
    meaning: "A marketplace order in your calls was cancelled.",
    causes: "The seller cancelled the order between your quote and the fill.",
  },
  ORDER_ALREADY_FILLED: {
    meaning: "A marketplace order in your calls was already filled.",
    causes: "Another buyer was faster; the same order is in two requests.",
  },
  SEAPORT_INEXACT_FRACTION: {
    meaning: "Seaport rejected a partial purchase because the amounts do not divide.",
    causes: "The requested fraction does not divide every amount of the order into whole units.",
  },
  SEAPORT_INVALID_FULFILLER: {
    meaning: "The marketplace order is reserved for another buyer.",
    causes: "The marketplace signed the order for the user's wallet, but the router is the buyer.",
  },
  MINT_NOT_ACTIVE: {
    meaning: "The mint has not started or has ended.",
    causes: "The fill came after the end of the mint; the user paid before its start.",
  },
  MINT_QUANTITY_EXCEEDS_MAX_PER_WALLET: {
    meaning: "The mint exceeds the limit of one wallet.",
    causes: "The contract counts the router as the minter, which all users share; the user already minted.",
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
    meaning: "A mint or a purchase was paid with another amount than its price.",
    causes: "The price changed since the quote; the price includes a fee that the call leaves out.",
  },
  AMOUNT_TOO_LOW_TO_REFUND: {
    meaning: "The request failed, and the deposit is worth less than the gas of its refund.",
    causes: "A very small amount; a refund on a chain with high gas prices.",
  },
  DEPOSIT_ADDRESS_MISMATCH: {
    meaning: "The deposit arrived at the deposit address of another request.",
    causes: "The user reused an address from an earlier request.",
  },
  DEPOSIT_CHAIN_MISMATCH: {
    meaning: "The deposit was made on another chain than the order states.",
    causes: "The wallet was connected to another chain when it sent the step.",
  },
  INCORRECT_DEPOSIT_CURRENCY: {
    meaning: "The deposit is in another currency than the order states.",
    causes: "The app built the deposit itself, or from the steps of an older quote.",
  },
  ORIGIN_CURRENCY_MISMATCH: {
    meaning: "The deposited currency differs from the currency of the order.",
    causes: "The app changed a step, or sent the deposit of another request.",
  },
  DEPOSITED_AMOUNT_TOO_LOW_TO_FILL: {
    meaning: "The deposit is below the input amount of the order.",
    causes: "A token that takes a fee on transfers; an app that changed the amount of the step.",
  },
  NEGATIVE_NEW_AMOUNT_AFTER_FEES: {
    meaning: "Nothing is left of the deposit after the fees.",
    causes: "A small amount; gas prices that rose since the quote.",
  },
  DOUBLE_SPEND: {
    meaning: "A second deposit arrived for a request that was already paid.",
    causes: "The app sent a step again because its first transaction looked lost; the user clicked twice.",
  },
  DEPOSIT_CONFIRMATION_TIMEOUT: {
    meaning: "The service saw the deposit, but it was not confirmed in time.",
    causes: "Gas fees that are too low; a congested chain; a transaction that another one replaced.",
  },
  DEPOSIT_REORGED: {
    meaning: "A reorg removed the deposit from its chain.",
    causes: "A reorg of the origin chain after the deposit was seen.",
  },
  ORPHANED_DEPOSIT_REFUND: {
    meaning: "The deposit belongs to no request that can be filled, so it is refunded.",
    causes: "A deposit with an old or changed order id; a deposit after the order expired.",
  },
  GASLESS_PERMIT_BALANCE_TOO_LOW: {
    meaning: "The user holds less than the signed permit moves.",
    causes: "The user spent the tokens after signing.",
  },
  ORDER_EXPIRED: {
    meaning:
      "The order expired before the solver could fill it, or a marketplace order in the calls is out of its time.",
    causes: "The deposit came long after the quote; the solver was delayed; a marketplace order with a short life.",
  },
  TTL_EXPIRED: {
    meaning: "The quoted price expired before the deposit was processed.",
    causes: "The user confirmed late; the deposit was slow to confirm.",
  },
  PROTOCOL_DEADLINE_EXPIRED: {
    meaning: "The settlement deadline of the order passed before it was filled.",
    causes: "A late deposit; an outage of the destination chain or the solver.",
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
    causes: "Any failure that the service has no name for.",
  },
  SOLVER_CAPACITY_EXCEEDED: {
    meaning: "The solver has reached its limit of open orders.",
    causes: "High load on the service. Your calls are not the cause.",
  },
  SOLVER_BALANCE_TOO_LOW: {
    meaning: "The solver holds less of the destination currency than the fill needs.",
    causes: "A large amount, or a currency that the solver holds little of.",
  },
  NO_QUOTES: {
    meaning: "The swap of the fill was quoted again, and no source returned a price.",
    causes: "Liquidity left between the quote and the fill; an outage of the price sources.",
  },
  REVERSE_SWAP_FAILED: {
    meaning: "The fill failed, and the swap back to the deposited currency failed too.",
    causes: "Little liquidity in the pair, or a price that moved quickly.",
  },
  GENERATE_SWAP_FAILED: {
    meaning: "The service could not build the swap of the fill.",
    causes: "Little liquidity in the pair, or an outage of the swap source.",
  },
  NO_INTERNAL_SWAP_ROUTES_FOUND: {
    meaning: "The solver's own liquidity has no route for the swap of the fill.",
    causes: "A rare currency or a large amount.",
  },
  SWAP_IMPACT_TOO_HIGH: {
    meaning: "The swap of the fill would move the price too far.",
    causes: "A large amount in a small pool.",
  },
  TRANSACTION_NOT_INCLUDED: {
    meaning: "The fill was sent, but not included in time.",
    causes: "A congested destination chain. Your calls are not the cause.",
  },
  TRANSACTION_SUBMISSION_FAILED: {
    meaning: "No node of the destination chain accepted the fill.",
    causes: "An outage of the destination chain's nodes. Your calls are not the cause.",
  },
  TRANSACTION_TOO_LARGE: {
    meaning: "The fill exceeds the transaction size limit of its chain.",
    causes: "Many or long calls; on the SVM chain, a swap through many pools.",
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
    causes: "A very small amount; a refund on a chain with high gas prices.",
  },
  NEGATIVE_NEW_AMOUNT_AFTER_FEES: {
    meaning: "The fees of the refund exceed the deposit.",
    causes: "A small amount; gas prices that rose since the quote.",
  },
  SWAP_CURRENCY_NOT_ON_ORIGIN: {
    meaning: "The deposit was already swapped to a currency that does not exist on the origin chain.",
    causes: "A request with a swap before the transfer between chains.",
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
