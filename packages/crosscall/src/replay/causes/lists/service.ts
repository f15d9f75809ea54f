const CALLS = "(address,bool,uint256,bytes)[],address,address";

/** Functions of the routers and approval proxies of all generations. */
export const ROUTER_FUNCTIONS = [
  `multicall(${CALLS})`,
  `multicall(${CALLS},bytes)`,
  "cleanupErc20s(address[],address[],uint256[])",
  "cleanupErc20s(address[],address[],uint256[],bytes)",
  "cleanupNative(uint256,address)",
  "cleanupNative(uint256,address,bytes)",
  "cleanupErc20sViaCall(address[],address[],bytes[],uint256[])",
  "cleanupNativeViaCall(uint256,address,bytes)",
  `transferAndMulticall(address[],uint256[],${CALLS},bytes)`,
  `permit2TransferAndMulticall(address,((address,uint256)[],uint256,uint256),${CALLS},bytes,bytes)`,
  `permitTransferAndMulticall((address,address,uint256,uint256,uint8,bytes32,bytes32)[],${CALLS},bytes)`,
  `permit3009TransferAndMulticall((address,uint256,uint256,uint256,uint8,bytes32,bytes32)[],address[],${CALLS},bytes,bytes[])`,
].join(", ");

export const DEPOSITORY_FUNCTIONS =
  "execute(((address,bytes,uint256,bool)[],uint256,uint256),bytes), depositErc20(address,address,bytes32), depositErc20(address,address,uint256,bytes32), depositNative(address,bytes32), setAllocator(address)";

const AUTHORIZATIONS = ["transferWithAuthorization", "receiveWithAuthorization"]
  .flatMap((name) =>
    ["bytes", "uint8,bytes32,bytes32"].map(
      (signature) => `${name}(address,address,uint256,uint256,uint256,bytes32,${signature})`,
    ),
  )
  .join(", ");

/** Errors of the service's contracts of all generations, and of this kit. See `readCatalog` for the format. */
export const SERVICE_CAUSES = `
# Router | relayprotocol/relay-periphery | src/v2.1, src/v3, src/common | ${ROUTER_FUNCTIONS}
InvalidMsgSender(address storedSender, address actualSender) | reentry | the router is in use by {storedSender}, and {actualSender} called it inside the fill | Do not call the router from a contract that the fill calls.
InvalidRecipient(address recipient) | recipient | the router cannot forward NFTs to {recipient} | Set the user as the NFT recipient.
InvalidTarget(address target) | access | the router does not call {target}
NoRecipientSet() | recipient | an NFT arrived at the router, and the fill has no NFT recipient | Set an NFT recipient, or mint to the user.
ArrayLengthsMismatch() | input | two lists of the call have different lengths
CallFailed() | inner | a call that the router made failed | Check the failed call in the trace.
NativeTransferFailed() | transfer | the recipient does not accept native currency, or the sender does not have it
RefundToCannotBeZeroAddress() | input | the approval proxy needs a recipient for remaining funds
# Depository | relayprotocol/relay-depository | packages/ethereum-vm/src/RelayDepository.sol | ${DEPOSITORY_FUNCTIONS}
AddressCannotBeZero() | input | the allocator cannot be the zero address
CallRequestExpired() | deadline | the depository's signed request has expired
CallRequestAlreadyUsed() | nonce | the depository's signed request is already used
CallFailed(bytes returnData) | inner | a call of the depository failed | Check the failed call in the trace.
# Kit | @crosscall/contracts | interfaces/IRouter.sol, localnet | ${ROUTER_FUNCTIONS}, ${DEPOSITORY_FUNCTIONS}
ReentrantCall(address caller, address allowed) | reentry | the router is in use by {allowed}, and {caller} called it inside the fill | Do not call the router from a contract that the fill calls.
ArrayLengthMismatch(uint256 actual, uint256 expected) | input | two lists of the call have different lengths: {actual} and {expected}
InvalidNftRecipient(address nftRecipient) | recipient | the router cannot forward NFTs to {nftRecipient} | Set the user as the NFT recipient.
OnlyOwner(address caller) | access | only the contract's owner can call this function, and {caller} is not the owner
InvalidMulticallSignature() | signature | the holder did not sign these calls
PermitsCannotBeEmpty() | input | the request has no tokens to transfer
RequestAlreadyExecuted(bytes32 id) | nonce | the depository already executed the request {id}
RequestExpired(uint256 expiration, uint256 timestamp) | deadline | the depository's request expired at {expiration}
InvalidSignature(address allocator, bytes32 digest) | signature | the allocator {allocator} did not sign the depository's request
# Kit | @crosscall/contracts | localnet/tokens | transfer(address,uint256), transferFrom(address,address,uint256), approve(address,uint256), permit(address,address,uint256,uint256,uint8,bytes32,bytes32), permit(address,address,uint256,uint256,bytes), ${AUTHORIZATIONS}
ApprovalNotZero(uint256 current, uint256 wanted) | allowance | the allowance is {current}, and the token changes it only from or to zero | Set the allowance to 0 before the new one.
BalanceTooLow(address holder, uint256 balance, uint256 needed) | balance | {holder} has {balance} of the token and needs {needed}
AllowanceTooLow(address spender, uint256 allowance, uint256 needed) | allowance | {spender} is allowed to spend {allowance} of the token and needs {needed}
AuthorizationExpired(uint256 validBefore, uint256 timestamp) | deadline | the authorization expired at {validBefore}
AuthorizationNotYetValid(uint256 validAfter, uint256 timestamp) | deadline | the authorization is valid only after {validAfter}
AuthorizationAlreadyUsed(address authorizer, bytes32 nonce) | nonce | {authorizer}'s authorization {nonce} is already used
InvalidAuthorizationSigner(address signer, address authorizer) | signature | the authorization is signed by {signer}, not by {authorizer}
CallerNotPayee(address caller, address payee) | access | only the recipient {payee} of the authorization can call this function, and {caller} called it
PermitExpired(uint256 deadline, uint256 timestamp) | deadline | the permit expired at {deadline}
InvalidSignature(address account) | signature | {account} did not sign the message
# Kit | @crosscall/contracts | interfaces/IRouter32.sol | ${ROUTER_FUNCTIONS}
RecipientAlreadySet(address current, address requested) | recipient | the fill's NFT recipient is {current}, and a nested multicall asks for {requested} | Use one NFT recipient in the whole fill.
# Kit | @crosscall/contracts | interfaces/IDestinationProxy.sol and other proxies | execute(address,uint256,uint256,uint256), executeNative(address,uint256,uint256,uint256), repay(address,uint256,uint256,uint256), repayNative(address,uint256,uint256,uint256), restoreAllowance()
TokenWithoutCode(address token) | missing | the proxy's token {token} has no code on this chain
DeadlinePassed(uint256 deadline, uint256 timestamp) | deadline | the deadline {deadline} has passed
RecipientIsZero() | recipient | the recipient is the zero address
RecipientIsProxy(address proxy) | recipient | the recipient is the proxy, where the funds would be stuck | Set the user as the recipient.
RecipientIsCaller(address caller) | recipient | the recipient {caller} is the calling contract: in a fill the router, from which anyone could take the funds | Set the user as the recipient.
RecipientIsToken(address token) | recipient | the recipient {token} is a token of the proxy, where the funds would be stuck | Set the user as the recipient.
RecipientIsPlaceholder(address recipient) | recipient | the swap router sends to an address other than the recipient {recipient} | Set the user as the recipient.
InsufficientInput(uint256 amountIn, uint256 minimumIn) | slippage | {amountIn} arrived, and the minimum is {minimumIn}
InsufficientOutput(uint256 amountOut, uint256 minimumOut) | slippage | the recipient received {amountOut}, and the minimum is {minimumOut}
InputLeft(uint256 amount) | amount | the protocol left {amount} of the input on the proxy
AllowanceLeft(address spender, uint256 amount) | amount | the protocol left an allowance of {amount} for {spender}
NativeNotTaken(address inputToken, address wrappedNative) | payment | the proxy's input is {inputToken}, and it takes no native currency
NativeRefused(address sender) | payment | the proxy takes native currency only from the wrapped native token, not from {sender}
NativeNotGiven(address token, address wrappedNative) | input | the proxy's output is {token}, and it cannot give native currency
ReserveTokenMismatch(address token, address tokenOfPool) | input | the pool's token for the asset is {tokenOfPool}, not {token}
PathMalformed(uint256 tokens, uint256 fees) | input | the path has {tokens} tokens and {fees} fees
PathReturns(address token) | input | the path ends with its first token {token}
PoolMissing(address tokenA, address tokenB, uint24 fee) | missing | {tokenA} and {tokenB} have no pool with the fee {fee}
NativeTransferFailed(address recipient, uint256 amount, bytes returnData) | transfer | {recipient} does not accept {amount} native currency
# Kit | @crosscall/contracts | interfaces/IPushExecutor.sol | execute(), pullAndExecute(address), runSteps(), pull(address,address)
UnknownVersion(uint256 version) | input | the program's version {version} is not supported
InvalidAmount(uint256 size) | input | an amount of the program has {size} bytes, more than 32
ProgramTruncated(uint256 length, uint256 needed) | input | the program has {length} bytes and needs {needed}
TrailingBytes(uint256 length, uint256 used) | input | the program has {length} bytes and uses {used}
RecipientDenied(address recipient) | recipient | the program's recipient {recipient} is not allowed | Set the user as the recipient.
TargetDenied(uint256 step, address target) | access | step {step} of the program calls {target}, which is not allowed
SelectorDenied(uint256 step, bytes4 selector) | access | step {step} of the program calls {selector}, which could move or approve the funds of others
SpenderDenied(uint256 step, address spender) | access | step {step} of the program approves {spender}, which is not allowed
NativeNotDeclared(uint256 value) | payment | the call has a value of {value}, and the program does not use native currency
InsufficientInput(address token, uint256 amount, uint256 minimumIn) | slippage | {amount} of {token} arrived, and the minimum is {minimumIn}
InsufficientOutput(address token, uint256 amount, uint256 minimumOut) | slippage | the recipient gained {amount} of {token}, and the minimum is {minimumOut}
TargetWithoutCode(uint256 step, address target) | missing | step {step} of the program calls {target}, which has no code on this chain
ReturnWordMissing(uint256 step, uint256 word, uint256 length) | input | the step before step {step} returned {length} bytes, and word {word} is not part of them
AmountTooWide(uint256 step, uint256 amount, uint256 width) | math | the amount {amount} of step {step} does not fit into {width} bytes
SentinelMissing(uint256 step, uint256 offset, uint256 found) | input | the call data of step {step} has a different value in place of the amount
StepFailed(uint256 step, address target, bytes revertData) | inner | step {step} of the program failed in {target} | Check the failed call in the trace.
AllowanceLeft(address token, address spender, uint256 amount) | amount | the program left an allowance of {amount} of {token} for {spender}
NativeTransferFailed(address recipient, uint256 amount) | transfer | {recipient} does not accept {amount} native currency
InsufficientGas(uint256 available, uint256 needed) | gas | the program needs {needed} gas, and the call had {available}
StepsOutOfGas(uint256 given) | gas | the steps of the program used almost all of their {given} gas
OnlyExecutor(address caller) | access | only the push executor can call this function, and {caller} called it
# Kit | @crosscall/contracts | interfaces/IRequestReceiver.sol | payNative((bytes32,uint256,bytes32,bytes32,uint256,uint256,bytes32),(uint256,bytes32),bytes), payToken((bytes32,uint256,bytes32,bytes32,uint256,uint256,bytes32),(uint256,bytes32),bytes), payTokenWithPermit((bytes32,uint256,bytes32,bytes32,uint256,uint256,bytes32),(uint256,bytes32),bytes,uint8,bytes32,bytes32), payTokenWithPermit2((bytes32,uint256,bytes32,bytes32,uint256,uint256,bytes32),(uint256,bytes32),bytes,uint256,bytes)
PaymentExpired(uint256 validUntil, uint256 timestamp) | deadline | the time to pay the request ended at {validUntil}
WrongChain(uint256 chainId, uint256 originChainId) | input | the request must be paid on chain {originChainId}
WrongPayer(bytes32 payer, bytes32 originUser) | access | only the request's user {originUser} can pay it, and {payer} paid
RequestAlreadyPaid(bytes32 requestId) | nonce | the request {requestId} is already paid
WrongCurrency(bytes32 currency, bytes32 originCurrency) | payment | the request must be paid in {originCurrency}
WrongAmount(uint256 amount, uint256 originAmount) | payment | the request costs {originAmount}, and {amount} was paid
WrongDelivery(address recipient, uint256 amount, uint256 originAmount) | amount | {recipient} received {amount} of {originAmount}: the token may take a fee
ForwardFailed(address solver, uint256 amount, bytes returnData) | transfer | {solver} does not accept {amount} native currency
`;
