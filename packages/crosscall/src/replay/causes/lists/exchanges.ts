const UNISWAP_V2 =
  "swapExactTokensForTokens(uint256,uint256,address[],address,uint256), swapTokensForExactTokens(uint256,uint256,address[],address,uint256), swapExactETHForTokens(uint256,address[],address,uint256), swapExactTokensForETH(uint256,uint256,address[],address,uint256)";

/** Functions of both swap routers and the position manager, and their addresses on most chains. */
const UNISWAP_V3 =
  "exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160)), exactInputSingle((address,address,uint24,address,uint256,uint256,uint160)), exactInput((bytes,address,uint256,uint256,uint256)), exactInput((bytes,address,uint256,uint256)), exactOutputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160)), exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160)), exactOutput((bytes,address,uint256,uint256,uint256)), exactOutput((bytes,address,uint256,uint256)), unwrapWETH9(uint256,address), unwrapWETH9(uint256), sweepToken(address,uint256,address), sweepToken(address,uint256), unwrapWETH9WithFee(uint256,address,uint256,address), unwrapWETH9WithFee(uint256,uint256,address), sweepTokenWithFee(address,uint256,address,uint256,address), sweepTokenWithFee(address,uint256,uint256,address), refundETH(), multicall(uint256,bytes[]), mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256)), increaseLiquidity((uint256,uint256,uint256,uint256,uint256,uint256)), decreaseLiquidity((uint256,uint128,uint256,uint256,uint256)), collect((uint256,address,uint128,uint128)), 0xE592427A0AEce92De3Edee1F18E0157C05861564, 0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45, 0xC36442b4a4522E871399CD717aBDD847Ab11FE88";

const UNIVERSAL_ROUTER =
  "execute(bytes,bytes[]), execute(bytes,bytes[],uint256), executeSigned(bytes,bytes[],bytes32,bytes32,bool,bytes32,bytes,uint256)";

const CURVE = [
  ...["int128", "uint256"].flatMap((index) =>
    ["", ",address"].map((receiver) => `exchange(${index},${index},uint256,uint256${receiver})`),
  ),
  "exchange(uint256,uint256,uint256,uint256,bool)",
  "exchange_underlying(int128,int128,uint256,uint256)",
  "exchange_underlying(uint256,uint256,uint256,uint256)",
  "remove_liquidity_one_coin(uint256,int128,uint256)",
  "remove_liquidity_one_coin(uint256,uint256,uint256)",
  ...[2, 3, 4].flatMap((coins) => [
    `add_liquidity(uint256[${coins}],uint256)`,
    `remove_liquidity(uint256,uint256[${coins}])`,
    `remove_liquidity_imbalance(uint256[${coins}],uint256)`,
  ]),
].join(", ");

const CURVE_ROUTER = [5, 4]
  .flatMap((parameters) =>
    ["", ",address[5]", ",address[5],address"].map(
      (more) => `exchange(address[11],uint256[${parameters}][5],uint256,uint256${more})`,
    ),
  )
  .join(", ");

/** Functions of AggregationRouterV5 and V6, and their addresses on most chains. */
const ONE_INCH = [
  "swap(address,(address,address,address,address,uint256,uint256,uint256),bytes)",
  "swap(address,(address,address,address,address,uint256,uint256,uint256),bytes,bytes)",
  "uniswapV3Swap(uint256,uint256,uint256[])",
  "uniswapV3SwapTo(address,uint256,uint256,uint256[])",
  "unoswap(address,uint256,uint256,uint256[])",
  "unoswapTo(address,address,uint256,uint256,uint256[])",
  ...["", "2", "3"].flatMap((number, position) => {
    const pools = ",uint256".repeat(position + 1);
    return [
      `unoswap${number}(uint256,uint256,uint256${pools})`,
      `unoswapTo${number}(uint256,uint256,uint256,uint256${pools})`,
      `ethUnoswap${number}(uint256${pools})`,
      `ethUnoswapTo${number}(uint256,uint256${pools})`,
    ];
  }),
  "0x111111125421cA6dc452d289314280a0f8842A65",
  "0x1111111254EEB25477B68fb85Ed929f73A960582",
].join(", ");

const BALANCER_V3 =
  "swapSingleTokenExactIn(address,address,address,uint256,uint256,uint256,bool,bytes), swapSingleTokenExactOut(address,address,address,uint256,uint256,uint256,bool,bytes), swapExactIn((address,(address,address,bool)[],uint256,uint256)[],uint256,bool,bytes), swapExactOut((address,(address,address,bool)[],uint256,uint256)[],uint256,bool,bytes), 0xbA1333333333a1BA1108E8412f11850A5C319bA9";

/** Errors of exchanges and aggregators. See `readCatalog` for the format. */
export const EXCHANGE_CAUSES = `
# Uniswap v2 | Uniswap/v2-core | contracts/UniswapV2Pair.sol, contracts/UniswapV2ERC20.sol | anywhere
"UniswapV2: EXPIRED" | deadline | the permit of the pool token has expired
"UniswapV2: INVALID_SIGNATURE" | signature | the permit is not signed by the owner of the pool tokens
"UniswapV2: FORBIDDEN" | access | the contract does not allow the caller to call this function
"UniswapV2: INSUFFICIENT_INPUT_AMOUNT" | amount | the pool received no input: the tokens did not reach it before the swap
"UniswapV2: INSUFFICIENT_LIQUIDITY" | liquidity | the pool holds less than the swap takes out
"UniswapV2: INSUFFICIENT_LIQUIDITY_BURNED" | amount | the pool tokens are worth nothing
"UniswapV2: INSUFFICIENT_LIQUIDITY_MINTED" | amount | the deposit is too small for a single pool token
"UniswapV2: INSUFFICIENT_OUTPUT_AMOUNT" | amount | the swap takes out nothing
"UniswapV2: INVALID_TO" | recipient | the recipient of a swap cannot be one of its tokens
"UniswapV2: K" | amount | the pool received less input than the output is worth, often because a token takes a fee on transfers | For tokens with fees on transfers, use the router's functions that support them.
"UniswapV2: LOCKED" | reentry | the pool is called again before its first call ended
"UniswapV2: OVERFLOW" | math | the pool's reserves overflow
"UniswapV2: TRANSFER_FAILED" | transfer | a token of the pool returned false or reverted
"UniswapV2: PAIR_EXISTS" | state | the pool already exists
# Uniswap v2 | Uniswap/v2-core | contracts/libraries/SafeMath.sol | transfer(address,uint256), transferFrom(address,address,uint256), swap(uint256,uint256,address,bytes), getAmountOut(uint256,uint256,uint256), getAmountsOut(uint256,address[]), ${UNISWAP_V2}
"ds-math-sub-underflow" | balance | a subtraction underflows: in a v2 pool token, a balance or an allowance is too small
"ds-math-add-overflow" | math | an addition overflows
"ds-math-mul-overflow" | math | a multiplication overflows
# Uniswap v2 | Uniswap/v2-periphery | contracts/UniswapV2Router02.sol, contracts/libraries/UniswapV2Library.sol | anywhere
"UniswapV2Router: EXPIRED" | deadline | the swap's deadline has passed
"UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT" | slippage | the swap's output is below its minimum
"UniswapV2Router: EXCESSIVE_INPUT_AMOUNT" | slippage | the swap needs more input than its maximum
"UniswapV2Router: INSUFFICIENT_A_AMOUNT" | slippage | the amount of the first token is below its minimum
"UniswapV2Router: INSUFFICIENT_B_AMOUNT" | slippage | the amount of the second token is below its minimum
"UniswapV2Router: INVALID_PATH" | input | a swap of native currency must start or end with the wrapped native token
"UniswapV2Library: INSUFFICIENT_LIQUIDITY" | liquidity | the pool is empty, or holds less than the swap takes out
"UniswapV2Library: INSUFFICIENT_INPUT_AMOUNT" | amount | the amount to sell is zero
"UniswapV2Library: INSUFFICIENT_OUTPUT_AMOUNT" | amount | the amount to buy is zero
"UniswapV2Library: INSUFFICIENT_AMOUNT" | amount | the amount is zero
"UniswapV2Library: INVALID_PATH" | input | the path has fewer than two tokens
"UniswapV2Library: IDENTICAL_ADDRESSES" | input | both tokens of a pool are the same
"UniswapV2Library: ZERO_ADDRESS" | input | a token of the path is the zero address
# Uniswap v2 fork | pancakeswap/pancake-smart-contracts | projects/exchange-protocol/contracts | anywhere
"*Router: EXPIRED" | deadline | the deadline of the router's call has passed
"*Router: INSUFFICIENT_OUTPUT_AMOUNT" | slippage | the swap's output is below its minimum
"*Router: EXCESSIVE_INPUT_AMOUNT" | slippage | the swap needs more input than its maximum
"*Router: INSUFFICIENT_A_AMOUNT" | slippage | the amount of the first token is below its minimum
"*Router: INSUFFICIENT_B_AMOUNT" | slippage | the amount of the second token is below its minimum
# Uniswap v2 fork | pancakeswap/pancake-smart-contracts | projects/exchange-protocol/contracts | swap(uint256,uint256,address,bytes), getAmountOut(uint256,uint256,uint256), getAmountsOut(uint256,address[]), ${UNISWAP_V2}
"*Router: INVALID_PATH" | input | a swap of native currency must start or end with the wrapped native token
"*: INSUFFICIENT_LIQUIDITY" | liquidity | the pool is empty, or holds less than the swap takes out
"*: K" | amount | the pool received less input than the output is worth, often because a token takes a fee on transfers | For tokens with fees on transfers, use the router's functions that support them.
# Uniswap library | Uniswap/solidity-lib (1.1.1) | contracts/libraries/TransferHelper.sol | anywhere
"TransferHelper: TRANSFER_FROM_FAILED" | transfer | the token returned false or reverted: an allowance or a balance is too small, or the token does not allow the transfer
"TransferHelper: TRANSFER_FAILED" | transfer | the token returned false or reverted: the balance is too small, or the token does not allow the transfer
"TransferHelper: APPROVE_FAILED" | transfer | the token returned false or reverted when a spender was approved
"TransferHelper: ETH_TRANSFER_FAILED" | transfer | the recipient does not accept native currency, or the sender does not have it
# Uniswap library | Uniswap/solidity-lib | contracts/libraries/TransferHelper.sol | anywhere
"TransferHelper::transferFrom: transferFrom failed" | transfer | the token returned false or reverted: an allowance or a balance is too small, or the token does not allow the transfer
"TransferHelper::safeTransfer: transfer failed" | transfer | the token returned false or reverted: the balance is too small, or the token does not allow the transfer
"TransferHelper::safeTransferETH: ETH transfer failed" | transfer | the recipient does not accept native currency, or the sender does not have it
"TransferHelper::safeApprove: approve failed" | transfer | the token returned false or reverted when a spender was approved
# Uniswap v3 | Uniswap/v3-core | contracts | swap(address,bool,int256,uint160,bytes), mint(address,int24,int24,uint128,bytes), burn(int24,int24,uint128), collect(address,int24,int24,uint128,uint128), flash(address,uint256,uint256,bytes), initialize(uint160), observe(uint32[])
"AI" | state | the pool is already initialized
"AS" | amount | the amount to swap is zero
"F0" | amount | the flash loan's fee in the first token was not paid
"F1" | amount | the flash loan's fee in the second token was not paid
"I" | state | the pool is not initialized
"IIA" | amount | the pool received less input than the swap needs, often because a token takes a fee on transfers
"L" | liquidity | the pool has no liquidity in its current range
"LA" | math | the liquidity overflows
"LO" | limit | the tick has its maximum of liquidity
"LOK" | reentry | the pool is called again before its first call ended, or is not initialized
"LS" | balance | the position has less liquidity than the call removes
"M0" | amount | the pool received less of the first token than the position needs
"M1" | amount | the pool received less of the second token than the position needs
"NP" | missing | the position is empty
"OLD" | state | the pool's price history does not reach back as far
"R" | input | the price is outside of the pool's range
"SPL" | slippage | the price limit is on the wrong side of the current price, or outside of the range
"T" | input | the tick is outside of the range
"TF" | transfer | a token of the pool returned false or reverted
"TLM" | input | the lower tick is below the minimum
"TLU" | input | the lower tick is not below the upper tick
"TUM" | input | the upper tick is above the maximum
# Uniswap v3 | Uniswap/v3-periphery | contracts | ${UNISWAP_V3}
"STF" | transfer | the token returned false or reverted: an allowance or a balance is too small, or the token does not allow the transfer | Approve the swap router for the amount, and hold the amount.
"ST" | transfer | the token returned false or reverted: the balance is too small, or the token does not allow the transfer
"SA" | transfer | the token returned false or reverted when a spender was approved
"STE" | transfer | the recipient does not accept native currency, or the router does not have it
"Too little received" | slippage | the swap's output is below its minimum
"Too much requested" | slippage | the swap needs more input than its maximum
"Transaction too old" | deadline | the swap's deadline has passed
"Price slippage check" | slippage | the amounts of the position are below their minimums
"Insufficient WETH9" | slippage | the router has less wrapped native currency than the minimum to unwrap
"Insufficient token" | slippage | the router has less of the token than the minimum to sweep
"Not WETH9" | access | only the wrapped native token can send native currency to the router
"Not approved" | allowance | the position's owner has not approved the caller
"Not cleared" | state | the position still has liquidity or unclaimed tokens
"Invalid token ID" | missing | the position does not exist
"Permit expired" | deadline | the permit has expired
# Uniswap routers | Uniswap/universal-router | contracts | ${UNIVERSAL_ROUTER}
ExecutionFailed(uint256 commandIndex, bytes message) | inner | command {commandIndex} of the universal router failed | Check the failed command in the trace.
TransactionDeadlinePassed() | deadline | the deadline of the universal router's call has passed
ETHNotAccepted() | payment | the universal router takes native currency only from the wrapped native token
LengthMismatch() | input | the universal router's call has different numbers of commands and inputs
InvalidCommandType(uint256 commandType) | input | the universal router has no command {commandType}
InvalidEthSender() | payment | the router takes native currency only from the wrapped native token and the pool manager
ContractLocked() | reentry | the router is called again before its first call ended
V2TooLittleReceived() | slippage | the swap's output is below its minimum
V2TooMuchRequested() | slippage | the swap needs more input than its maximum
V2InvalidPath() | input | the path has fewer than two tokens
V3TooLittleReceived() | slippage | the swap's output is below its minimum
V3TooMuchRequested() | slippage | the swap needs more input than its maximum
V3InvalidAmountOut() | liquidity | the pool gives less than the amount to buy
V3InvalidCaller() | access | the callback did not come from the pool of the swap
V3InvalidSwap() | liquidity | the pool moved no tokens
InsufficientToken() | balance | the router has less of the token than the minimum to sweep
InsufficientETH() | balance | the router has less native currency than the minimum to send
FromAddressIsNotOwner() | access | the permit's owner is not the caller of the universal router | Pay from the caller: through the router, the caller is the router.
BalanceTooLow() | balance | the owner's balance is below the required minimum
InvalidReserves() | liquidity | a pool of the swap is empty
InvalidPath() | input | the path of the swap is malformed
SliceOutOfBounds() | input | the call data is too short
UnsupportedProtocolError() | input | the router does not support the requested protocol
NotAuthorizedForToken(uint256 tokenId) | allowance | the owner of position {tokenId} has not approved the router
# Uniswap routers | Uniswap/swap-router-contracts | contracts/base/OracleSlippage.sol | checkOracleSlippage(bytes,uint24,uint32), checkOracleSlippage(bytes[],uint128[],uint24,uint32), ${UNISWAP_V3}
"TD" | slippage | the pools' prices differ too much from their averages
# Uniswap v4 | Uniswap/v4-core | src | unlock(bytes), swap((address,address,uint24,int24,address),(bool,int256,uint160),bytes), modifyLiquidity((address,address,uint24,int24,address),(int24,int24,int256,bytes32),bytes), donate((address,address,uint24,int24,address),uint256,uint256,bytes), initialize((address,address,uint24,int24,address),uint160), updateDynamicLPFee((address,address,uint24,int24,address),uint24), settle(), settleFor(address), take(address,address,uint256), sync(address), clear(address,uint256), 0x000000000004444c5dc75cB358380D2e3dE08A90
CurrencyNotSettled() | amount | the calls took more from the pool manager than they paid, or left a credit | Settle or take every currency that the swap touched.
PoolNotInitialized() | missing | the pool does not exist, with this fee, tick spacing and hook
PoolAlreadyInitialized() | state | the pool already exists
ManagerLocked() | state | the pool manager works only inside its unlock callback
AlreadyUnlocked() | reentry | the pool manager is unlocked twice
SwapAmountCannotBeZero() | amount | the amount to swap is zero
NonzeroNativeValue() | payment | native currency was sent, but another currency is to be settled
NotEnoughLiquidity() | liquidity | the pool has too little liquidity
PriceLimitAlreadyExceeded(uint160 sqrtPriceCurrentX96, uint160 sqrtPriceLimitX96) | slippage | the pool's price is already beyond the swap's price limit
PriceLimitOutOfBounds(uint160 sqrtPriceLimitX96) | input | the price limit is outside of the pool's range
InvalidFeeForExactOut() | input | the pool's fee is 100%, so that no exact output is possible
WrappedError(address target, bytes4 selector, bytes reason, bytes details) | inner | {target} failed in {selector} | Check the failed call in the trace.
HookCallFailed() | inner | the pool's hook failed
InvalidHookResponse() | inner | the pool's hook returned a value other than its selector
HookDeltaExceedsSwapAmount() | inner | the pool's hook takes more than the swap's amount
CurrenciesOutOfOrderOrEqual(address currency0, address currency1) | input | the pool's currencies {currency0} and {currency1} are equal or not sorted
HookAddressNotValid(address hooks) | input | {hooks} cannot be a hook, by its address
UnauthorizedDynamicLPFeeUpdate() | access | only the pool's hook can change its fee
TickSpacingTooLarge(int24 tickSpacing) | input | the tick spacing {tickSpacing} is too large
TickSpacingTooSmall(int24 tickSpacing) | input | the tick spacing {tickSpacing} is too small
TicksMisordered(int24 tickLower, int24 tickUpper) | input | the lower tick {tickLower} is not below the upper tick {tickUpper}
CannotUpdateEmptyPosition() | missing | the position is empty
NoLiquidityToReceiveFees() | liquidity | the pool has no liquidity to donate to
DelegateCallNotAllowed() | access | the function cannot be called with a delegate call
ERC20TransferFailed() | transfer | the token returned false or reverted
ProtocolFeeCurrencySynced() | state | the currency is being settled
# Uniswap v4 | Uniswap/v4-periphery | src | modifyLiquidities(bytes,uint256), modifyLiquiditiesWithoutUnlock(bytes,bytes[]), initializePool((address,address,uint24,int24,address),uint160), ${UNIVERSAL_ROUTER}
V4TooLittleReceived(uint256 minAmountOutReceived, uint256 amountReceived) | slippage | the swap's output is {amountReceived}, below its minimum of {minAmountOutReceived}
V4TooMuchRequested(uint256 maxAmountInRequested, uint256 amountRequested) | slippage | the swap needs an input of {amountRequested}, above its maximum of {maxAmountInRequested}
V4TooLittleReceivedPerHop(uint256 hopIndex, uint256 minPrice, uint256 price) | slippage | the price of hop {hopIndex} is {price}, below its minimum of {minPrice}
V4TooLittleReceivedPerHopSingle(uint256 minPrice, uint256 price) | slippage | the price is {price}, below its minimum of {minPrice}
MaximumAmountExceeded(uint128 maximumAmount, uint128 amountRequested) | slippage | the position needs {amountRequested}, above its maximum of {maximumAmount}
MinimumAmountInsufficient(uint128 minimumAmount, uint128 amountReceived) | slippage | the position gives {amountReceived}, below its minimum of {minimumAmount}
DeadlinePassed(uint256 deadline) | deadline | the deadline {deadline} has passed
DeltaNotPositive(address currency) | amount | nothing of {currency} can be taken: the swap gave none
DeltaNotNegative(address currency) | amount | nothing of {currency} is to be paid
InsufficientBalance(uint256 amount, uint256 availableBalance) | balance | the router has {availableBalance} and needs {amount}
UnsupportedAction(uint256 action) | input | the router has no action {action}
InputLengthMismatch() | input | two lists of the call have different lengths
NotApproved(address caller) | allowance | the position's owner has not approved {caller}
NotPoolManager() | access | only the pool manager can call this function
PoolManagerMustBeLocked() | state | the positions cannot change while the pool manager is unlocked
NotEnoughLiquidity(bytes32 poolId) | liquidity | pool {poolId} has too little liquidity
SignatureDeadlineExpired() | deadline | the signature has expired
InvalidBips() | input | the share is above 100%
NonceAlreadyUsed() | nonce | the signature's nonce is already used
# Curve | curvefi/curve-contract | contracts/pool-templates, contracts/pools | ${CURVE}
"Exchange resulted in fewer coins than expected" | slippage | the swap's output is below its minimum
"Slippage screwed you" | slippage | the call gives fewer, or takes more, pool tokens than its limit
"Not enough coins removed" | slippage | the withdrawal gives less than its minimum
"Not enough coins withdrawn" | slippage | the withdrawal gives less than its minimum
"Withdrawal resulted in fewer coins than expected" | slippage | the withdrawal gives less than its minimum
"Too few coins in result" | slippage | the swap's output is below its minimum
# Curve | curvefi/curve-router-ng | contracts/Router.vy | ${CURVE_ROUTER}
"Slippage" | slippage | the swap's output is below its minimum
"Received nothing" | amount | a swap on the path gave nothing
# 1inch | 1inch/1inch-sdk-go | constants/abi/aggregationRouterV6.abi.json | ${ONE_INCH}
ReturnAmountIsNotEnough(uint256 result, uint256 minReturn) | slippage | the swap's output is {result}, below its minimum of {minReturn}
ZeroMinReturn() | input | the swap's minimum output is zero
BadPool() | access | the callback did not come from a pool of the swap
BadCurveSwapSelector() | input | the swap's kind of Curve pool is unknown
InvalidMsgValue() | payment | the native currency sent does not match the call's amount
EthDepositRejected() | payment | the router takes no native currency from users without a call
ReservesCallFailed() | missing | a pool of the swap does not return its reserves: it may not exist on this chain
SafeTransferFromFailed() | transfer | the token returned false or reverted: an allowance or a balance is too small, or the token does not allow the transfer
SafeTransferFailed() | transfer | the token returned false or reverted: the balance is too small, or the token does not allow the transfer
Permit2TransferAmountTooHigh() | math | the amount does not fit into Permit2's 160 bits
InvalidPermit2Transfer() | allowance | Permit2 rejected the transfer
OrderExpired() | order | the limit order has expired | Request a new quote, with another order.
BadSignature() | signature | the maker's signature of the order is invalid
PrivateOrder() | order | the limit order is for another taker | Request a quote for the account that calls: through the router, the taker is the router.
InvalidatedOrder() | order | the limit order is filled or canceled | Request a new quote, with another order.
BitInvalidatedOrder() | order | the limit order is filled or canceled | Request a new quote, with another order.
RemainingInvalidatedOrder() | order | nothing of the limit order remains | Request a new quote, with another order.
PredicateIsNotTrue() | order | the limit order's condition does not hold now | Request a new quote, with another order.
MakingAmountTooLow() | slippage | the limit order gives less than the threshold
TakingAmountTooHigh() | slippage | the limit order takes more than the threshold
TakingAmountExceeded() | amount | the limit order takes more than the taker's amount
PartialFillNotAllowed() | order | the limit order can only be filled as a whole | Fill the whole amount of the order.
SwapWithZeroAmount() | amount | the amount to swap is zero
TransferFromMakerToTakerFailed() | transfer | the maker's token could not be transferred
TransferFromTakerToMakerFailed() | transfer | the taker's token could not be transferred
ReentrancyDetected() | reentry | the contract is called again before its first call ended
MismatchArraysLengths() | input | two lists of the call have different lengths
# 1inch | 1inch/fusion-sdk | src/abi/AggregationRouterV5.abi.json | ${ONE_INCH}
ReturnAmountIsNotEnough() | slippage | the swap's output is below its minimum
# 1inch | 1inch/solidity-utils | contracts | ${ONE_INCH}
ForceApproveFailed() | transfer | the token returned false or reverted when a spender was approved
SafePermitBadLength() | input | the permit's data has an unknown length
NotEnoughValue() | payment | less native currency was sent than the call needs
FromIsNotSender() | input | the transfer's sender is not the caller
ApproveCalledOnETH() | input | native currency cannot be approved
# Fluid | Instadapp/fluid-contracts-public | contracts/protocols/dex/error.sol, contracts/protocols/dex/errorTypes.sol | anywhere
FluidDexError(uint256 errorId=51001) | reentry | the contract is called again before its first call ended
FluidDexError(uint256 errorId=51002) | access | only an authorized account can call this function
FluidDexError(uint256 errorId=51003) | paused | the exchange takes no deposits of collateral
FluidDexError(uint256 errorId=51004) | paused | the exchange gives no loans
FluidDexError(uint256 errorId=51005) | state | the pool is not initialized
FluidDexError(uint256 errorId=51006) | liquidity | the pool's reserves are too low for the swap
FluidDexError(uint256 errorId=51007) | payment | the native currency sent does not match the amount
FluidDexError(uint256 errorId=51008) | payment | native currency was sent for a swap of tokens
FluidDexError(uint256 errorId=51009) | missing | the pool has no route for the swap
FluidDexError(uint256 errorId=51010) | slippage | the swap's output is below its minimum
FluidDexError(uint256 errorId=51011) | limit | the utilization cap of a token is reached
FluidDexError(uint256 errorId=51012) | inner | the pool's hook returned false
FluidDexError(uint256 errorId=51013) | access | the exchange does not allow the caller to deposit
FluidDexError(uint256 errorId=51014) | access | the exchange does not allow the caller to borrow
FluidDexError(uint256 errorId=51015) | slippage | the deposit needs more than its maximum
FluidDexError(uint256 errorId=51016) | payment | too little native currency was sent
FluidDexError(uint256 errorId=51017) | limit | the limit for withdrawals is reached
FluidDexError(uint256 errorId=51018) | slippage | the withdrawal gives less than its minimum
FluidDexError(uint256 errorId=51019) | limit | the debt limit is reached
FluidDexError(uint256 errorId=51024) | slippage | the deposit gives fewer shares than its minimum
FluidDexError(uint256 errorId=51025) | slippage | the withdrawal gives less than its minimum
FluidDexError(uint256 errorId=51043) | paused | swaps of the pool are paused
FluidDexError(uint256 errorId=51044) | slippage | the swap needs more input than its maximum
FluidDexError(uint256 errorId=51045) | amount | the swap's input is too small or too large
FluidDexError(uint256 errorId=51046) | amount | the swap's output is too small or too large
FluidDexError(uint256 errorId) | state | the exchange failed with its error {errorId} | Look up the error's number in the exchange's error types, and request a new quote.
# 0x Settler | 0xProject/0x-settler | src/core/SettlerErrors.sol | execute((address,address,uint256),bytes[],bytes32), executeWithPermit((address,address,uint256),bytes[],bytes32,bytes), executeMetaTxn((address,address,uint256),bytes[],bytes32,address,bytes), exec(address,address,uint256,address,bytes), 0x0000000000001fF3684f28c67538d4D072C22734
TooMuchSlippage(address token, uint256 expected, uint256 actual) | slippage | the swap gave {actual} of {token}, below its minimum of {expected}
ActionInvalid(uint256 i, bytes4 action, bytes data) | input | action {i} of the swap is unknown to this version of the contract | Request a new quote: the contract's version has changed.
SignatureExpired(uint256 deadline) | deadline | the swap's signature expired at {deadline}
MsgValueMismatch(uint256 expected, uint256 actual) | payment | the call needs {expected} native currency, and {actual} was sent
Underpayment(uint256 msgValueMin, uint256 msgValueActual) | payment | the call needs {msgValueMin} native currency, and {msgValueActual} was sent
ConfusedDeputy() | access | the contract does not call this target for others
CounterfeitSettler(address counterfeitSettler) | missing | {counterfeitSettler} is not a current Settler | Request a new quote: the contract's address has changed.
ForwarderNotAllowed() | access | the swap cannot be forwarded by this caller
InvalidOffset() | input | the call data is malformed
InvalidTarget() | access | the contract does not call this target
NoDelegateCall() | access | the function cannot be called with a delegate call
NotConverged() | math | the pool's price calculation did not converge
PayerSpent() | reentry | the payer of the swap is already used
ReentrantCallback(uint256 callbackInt) | reentry | a callback is called inside another
ReentrantPayer(address oldPayer) | reentry | the contract is called again before its first call ended
BoughtSellToken(address sellToken) | input | the swap buys the token that it sells, {sellToken}
ZeroSellAmount(address token) | amount | the amount of {token} to sell is zero
ZeroBuyAmount(address buyToken) | liquidity | the swap gives nothing of {buyToken}
ZeroToken() | input | a token of the swap is the zero address
UnknownForkId(uint8 forkId) | missing | the exchange {forkId} is not known on this chain
UnknownPoolManagerId(uint8 poolManagerId) | missing | the pool manager {poolManagerId} is not known on this chain
PermitFailed() | signature | the token rejected the permit
UnsupportedPermitType() | input | the kind of permit is unknown
InvalidSignatureLen() | signature | the signature has an invalid length
# 0x Exchange Proxy | 0xProject/protocol | contracts/zero-ex/contracts/src | transformERC20(address,address,uint256,uint256,(uint32,bytes)[]), sellToUniswap(address[],uint256,uint256,bool), sellToLiquidityProvider(address,address,address,address,uint256,uint256,bytes), sellEthForTokenToUniswapV3(bytes,uint256,address), sellTokenForEthToUniswapV3(bytes,uint256,uint256,address), sellTokenForTokenToUniswapV3(bytes,uint256,uint256,address), 0xDef1C0ded9bec7F1a1670819833240f027b25EfF
IncompleteTransformERC20Error(address outputToken, uint256 outputTokenAmount, uint256 minOutputTokenAmount) | slippage | the swap gave {outputTokenAmount} of {outputToken}, below its minimum of {minOutputTokenAmount}
NegativeTransformERC20OutputError(address outputToken, uint256 outputTokenLostAmount) | slippage | the taker lost {outputTokenLostAmount} of {outputToken} in the swap
TransformerFailedError(address transformer, bytes transformerData, bytes resultData) | inner | the step {transformer} of the swap failed | Check the failed call in the trace.
InsufficientEthAttachedError(uint256 ethAttached, uint256 ethNeeded) | payment | the call needs {ethNeeded} native currency, and {ethAttached} was sent
IncompleteFillSellQuoteError(address sellToken, uint256 soldAmount, uint256 sellAmount) | liquidity | only {soldAmount} of {sellAmount} of {sellToken} could be sold
IncompleteFillBuyQuoteError(address buyToken, uint256 boughtAmount, uint256 buyAmount) | liquidity | only {boughtAmount} of {buyAmount} of {buyToken} could be bought
InsufficientTakerTokenError(uint256 tokenBalance, uint256 tokensNeeded) | balance | the swap has {tokenBalance} to sell and needs {tokensNeeded}
InsufficientProtocolFeeError(uint256 ethAvailable, uint256 ethNeeded) | payment | the protocol fee is {ethNeeded} native currency, and {ethAvailable} is available
LiquidityProviderIncompleteSellError(address providerAddress, address makerToken, address takerToken, uint256 sellAmount, uint256 boughtAmount, uint256 minBuyAmount) | slippage | {providerAddress} gave {boughtAmount} of {makerToken}, below the minimum of {minBuyAmount}
OrderNotFillableError(bytes32 orderHash, uint8 orderStatus) | order | the order {orderHash} is filled, canceled, expired or invalid | Request a new quote, with another order.
OrderNotFillableByTakerError(bytes32 orderHash, address taker, address orderTaker) | order | the order is for {orderTaker}, not for {taker} | Request a quote for the account that calls: through the router, the taker is the router.
OrderNotFillableBySenderError(bytes32 orderHash, address sender, address orderSender) | order | the order can only be filled by {orderSender}, not by {sender} | Request a quote for the account that calls.
OrderNotFillableByOriginError(bytes32 orderHash, address txOrigin, address orderTxOrigin) | order | the order is for transactions of {orderTxOrigin}, and {txOrigin} sent this one | Request a quote without such orders: the solver sends the fill.
OrderNotSignedByMakerError(bytes32 orderHash, address signer, address maker) | signature | the order is signed by {signer}, not by {maker}
FillOrKillFailedError(bytes32 orderHash, uint256 takerTokenFilledAmount, uint256 takerTokenFillAmount) | order | only {takerTokenFilledAmount} of {takerTokenFillAmount} of the order could be filled | Request a new quote, with another order.
BatchFillIncompleteError(bytes32 orderHash, uint256 takerTokenFilledAmount, uint256 takerTokenFillAmount) | order | only {takerTokenFilledAmount} of {takerTokenFillAmount} of the order could be filled | Request a new quote, with another order.
MetaTransactionExpiredError(bytes32 mtxHash, uint256 time, uint256 expirationTime) | deadline | the signed transaction expired at {expirationTime}
MetaTransactionWrongSenderError(bytes32 mtxHash, address sender, address expectedSender) | access | the signed transaction can only be sent by {expectedSender}, not by {sender}
MetaTransactionAlreadyExecutedError(bytes32 mtxHash, uint256 executedBlockNumber) | nonce | the signed transaction was already run in block {executedBlockNumber}
MetaTransactionInsufficientEthError(bytes32 mtxHash, uint256 ethBalance, uint256 ethRequired) | payment | the call needs {ethRequired} native currency, and {ethBalance} is available
NotImplementedError(bytes4 selector) | missing | the exchange has no function {selector}
OnlyOwnerError(address sender, address owner) | access | only the owner {owner} can call this function, and {sender} is not the owner
IllegalReentrancyError(bytes4 selector, uint256 reentrancyFlags) | reentry | the contract is called again before its first call ended
"UniswapV3Feature/UNDERBOUGHT" | slippage | the swap's output is below its minimum
"UniswapFeature/UnderBought" | slippage | the swap's output is below its minimum
"PancakeSwapFeature/UnderBought" | slippage | the swap's output is below its minimum
"MultiplexFeature::_multiplexBatchSell/UNDERBOUGHT" | slippage | the swap's output is below its minimum
"MultiplexFeature::_multiplexMultiHopSell/UNDERBOUGHT" | slippage | the swap's output is below its minimum
"UniswapV3Feature/BAD_PATH_ENCODING" | input | the path of the swap is malformed
"FixinTokenSpender::_transferEth/TRANSFER_FAILED" | transfer | the recipient does not accept native currency
# LI.FI | lifinance/contracts | src/Errors/GenericErrors.sol | 0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE
AlreadyInitialized() | state | the contract is already initialized
CumulativeSlippageTooHigh(uint256 minAmount, uint256 receivedAmount) | slippage | the swaps gave {receivedAmount}, below their minimum of {minAmount}
ContractCallNotAllowed() | access | the contract does not call this target, function or spender for others | Request a new quote, with exchanges that the contract allows.
NoSwapFromZeroBalance() | amount | the swap has nothing to sell
NoSwapDataProvided() | input | the call has no swap
NativeAssetTransferFailed() | transfer | the recipient does not accept native currency, or the contract does not have it
NativeAssetNotSupported() | input | the bridge does not take native currency
NullAddrIsNotAnERC20Token() | input | the token is the zero address
NullAddrIsNotAValidSpender() | input | the spender is the zero address
NoTransferToNullAddress() | recipient | the recipient is the zero address
InvalidAmount() | amount | the amount is zero or does not match
InvalidReceiver() | recipient | the recipient is the zero address or does not match
InvalidSendingToken() | input | the token to send does not match
InvalidDestinationChain() | input | the destination chain is not supported
CannotBridgeToSameNetwork() | input | the destination chain is the origin chain
InformationMismatch() | input | the call's fields contradict each other
ExternalCallFailed() | inner | an inner call failed without a reason | Check the failed call in the trace.
DiamondIsPaused() | paused | the contract is paused
FunctionDoesNotExist() | missing | the contract does not have this function
OnlyContractOwner() | access | only the contract's owner can call this function
UnAuthorized() | access | the contract does not allow the caller to call this function
NotAContract() | missing | the called address has no code on this chain
ReentrancyError() | reentry | the contract is called again before its first call ended
TokenNotSupported() | missing | the token is not supported
DeadlineExpired() | deadline | the deadline has passed
ZeroAmount() | amount | the amount is zero
WithdrawFailed() | transfer | the withdrawal failed
UnsupportedChainId(uint256 chainId) | missing | the chain {chainId} is not supported
# Balancer v2 | balancer/balancer-v2-monorepo | pkg/interfaces/contracts/solidity-utils/helpers/BalancerErrors.sol | anywhere
"BAL#100" | input | an index is out of bounds (OUT_OF_BOUNDS)
"BAL#101" | input | a list is not sorted (UNSORTED_ARRAY)
"BAL#102" | input | the tokens are not sorted (UNSORTED_TOKENS)
"BAL#103" | input | two lists of the call have different lengths (INPUT_LENGTH_MISMATCH)
"BAL#104" | input | a token is the zero address (ZERO_TOKEN)
"BAL#200" | limit | the pool has too few tokens (MIN_TOKENS)
"BAL#205" | access | only the vault can call this function (CALLER_NOT_VAULT)
"BAL#206" | state | the pool is not initialized (UNINITIALIZED)
"BAL#207" | slippage | the call needs more pool tokens than its maximum (BPT_IN_MAX_AMOUNT)
"BAL#208" | slippage | the call gives fewer pool tokens than its minimum (BPT_OUT_MIN_AMOUNT)
"BAL#209" | deadline | the permit has expired (EXPIRED_PERMIT)
"BAL#211" | paused | the function is disabled (DISABLED)
"BAL#304" | limit | the input is too large for the pool's balance (MAX_IN_RATIO)
"BAL#305" | limit | the output is too large for the pool's balance (MAX_OUT_RATIO)
"BAL#306" | limit | the pool tokens to burn are too many (MIN_BPT_IN_FOR_TOKEN_OUT)
"BAL#307" | limit | the pool tokens to mint are too many (MAX_OUT_BPT_FOR_TOKEN_IN)
"BAL#309" | missing | the token is not part of the pool (INVALID_TOKEN)
"BAL#310" | input | the kind of join is unknown (UNHANDLED_JOIN_KIND)
"BAL#321" | math | the pool's invariant did not converge (STABLE_INVARIANT_DIDNT_CONVERGE)
"BAL#322" | math | the pool's balance did not converge (STABLE_GET_BALANCE_DIDNT_CONVERGE)
"BAL#327" | paused | swaps of the pool are disabled (SWAPS_DISABLED)
"BAL#330" | paused | this kind of join or exit is not possible while swaps are disabled (INVALID_JOIN_EXIT_KIND_WHILE_SWAPS_DISABLED)
"BAL#335" | limit | the pool's balance is out of its target range (OUT_OF_TARGET_RANGE)
"BAL#336" | input | the kind of exit is unknown (UNHANDLED_EXIT_KIND)
"BAL#344" | paused | the feature is disabled (FEATURE_DISABLED)
"BAL#356" | price | a circuit breaker of the pool tripped (CIRCUIT_BREAKER_TRIPPED)
"BAL#358" | paused | joins and exits are disabled (JOINS_EXITS_DISABLED)
"BAL#400" | reentry | the contract is called again before its first call ended (REENTRANCY)
"BAL#401" | access | the contract does not allow the caller to call this function (SENDER_NOT_ALLOWED)
"BAL#402" | paused | the contract is paused (PAUSED)
"BAL#406" | balance | the holder has too little (INSUFFICIENT_BALANCE)
"BAL#407" | allowance | the spender is allowed to spend too little (INSUFFICIENT_ALLOWANCE)
"BAL#420" | transfer | the recipient does not accept native currency (ADDRESS_CANNOT_SEND_VALUE)
"BAL#426" | access | only the contract's owner can call this function (CALLER_IS_NOT_OWNER)
"BAL#430" | inner | an inner call failed without a reason (LOW_LEVEL_CALL_FAILED)
"BAL#431" | state | the contract is not paused (NOT_PAUSED)
"BAL#440" | deadline | the signature has expired (EXPIRED_SIGNATURE)
"BAL#441" | signature | the signature is malformed (MALFORMED_SIGNATURE)
"BAL#500" | missing | the pool does not exist (INVALID_POOL_ID)
"BAL#501" | access | only the pool can call this function (CALLER_NOT_POOL)
"BAL#503" | access | the account has not allowed the caller as its relayer (USER_DOESNT_ALLOW_RELAYER)
"BAL#504" | signature | the signature is invalid (INVALID_SIGNATURE)
"BAL#505" | slippage | the exit gives less than its minimum (EXIT_BELOW_MIN)
"BAL#506" | slippage | the join needs more than its maximum (JOIN_ABOVE_MAX)
"BAL#507" | slippage | the swap goes beyond its limit: too little output, or too much input (SWAP_LIMIT)
"BAL#508" | deadline | the swap's deadline has passed (SWAP_DEADLINE)
"BAL#509" | input | both tokens of the swap are the same (CANNOT_SWAP_SAME_TOKEN)
"BAL#510" | amount | the amount of the first swap is zero (UNKNOWN_AMOUNT_IN_FIRST_SWAP)
"BAL#511" | input | the swaps do not follow each other (MALCONSTRUCTED_MULTIHOP_SWAP)
"BAL#513" | balance | the internal balance is too small (INSUFFICIENT_INTERNAL_BALANCE)
"BAL#515" | amount | the flash loan was not paid back (INVALID_POST_LOAN_BALANCE)
"BAL#516" | payment | too little native currency was sent (INSUFFICIENT_ETH)
"BAL#518" | access | the vault takes native currency only from the wrapped native token (ETH_TRANSFER)
"BAL#519" | input | native currency cannot be used here (CANNOT_USE_ETH_SENTINEL)
"BAL#520" | input | the tokens do not match those of the pool (TOKENS_MISMATCH)
"BAL#521" | missing | the token is not registered in the pool (TOKEN_NOT_REGISTERED)
"BAL#528" | liquidity | the vault holds less than the flash loan (INSUFFICIENT_FLASH_LOAN_BALANCE)
# Balancer v3 | balancer/balancer-v3-monorepo | pkg/interfaces/contracts/vault | ${BALANCER_V3}
AmountOutBelowMin(address tokenOut, uint256 amountOut, uint256 minAmountOut) | slippage | the call gives {amountOut} of {tokenOut}, below its minimum of {minAmountOut}
AmountInAboveMax(address tokenIn, uint256 amountIn, uint256 maxAmountIn) | slippage | the call needs {amountIn} of {tokenIn}, above its maximum of {maxAmountIn}
BptAmountOutBelowMin(uint256 amountOut, uint256 minAmountOut) | slippage | the call gives {amountOut} pool tokens, below its minimum of {minAmountOut}
BptAmountInAboveMax(uint256 amountIn, uint256 maxAmountIn) | slippage | the call needs {amountIn} pool tokens, above its maximum of {maxAmountIn}
SwapLimit(uint256 amount, uint256 limit) | slippage | the swap's amount {amount} is beyond its limit of {limit}
SwapDeadline() | deadline | the swap's deadline has passed
AmountGivenZero() | amount | the amount is zero
TradeAmountTooSmall() | amount | the amount is below the vault's minimum
WrapAmountTooSmall(address wrappedToken) | amount | the amount to wrap into {wrappedToken} is below the vault's minimum
BalanceNotSettled() | amount | the calls took more from the vault than they paid, or left a credit
PoolPaused(address pool) | paused | the pool {pool} is paused
VaultPaused() | paused | the vault is paused
VaultBuffersArePaused() | paused | the vault's buffers are paused
PoolNotInitialized(address pool) | state | the pool {pool} is not initialized
PoolNotRegistered(address pool) | missing | the pool {pool} does not exist
TokenNotRegistered(address token) | missing | the token {token} is not part of the pool
CannotSwapSameToken() | input | both tokens of the swap are the same
InvalidToken() | missing | the token is not valid here
VaultIsNotUnlocked() | state | the vault works only inside its unlock callback
RouterNotTrusted() | access | the pool's hook does not trust the router
SenderIsNotVault(address sender) | access | only the vault can call this function, and {sender} is not the vault
CannotReceiveEth() | payment | the vault takes no native currency
EthTransfer() | payment | the router takes native currency only from the wrapped native token
DoesNotSupportUnbalancedLiquidity() | input | the pool takes its tokens only in proportion
NotEnoughUnderlying(address wrappedToken, uint256 expectedUnderlyingAmount, uint256 actualUnderlyingAmount) | slippage | {wrappedToken} gave {actualUnderlyingAmount}, below the expected {expectedUnderlyingAmount}
NotEnoughWrapped(address wrappedToken, uint256 expectedWrappedAmount, uint256 actualWrappedAmount) | slippage | {wrappedToken} gave {actualWrappedAmount}, below the expected {expectedWrappedAmount}
`;
