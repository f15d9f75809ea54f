import { DEPOSITORY_FUNCTIONS as DEPOSITORY, ROUTER_FUNCTIONS as ROUTER } from "./service.ts";

const TOKEN =
  "transfer(address,uint256), transferFrom(address,address,uint256), approve(address,uint256), permit(address,address,uint256,uint256,uint8,bytes32,bytes32)";
/** Functions that only NFTs have: fungible tokens also have `transferFrom` and `approve`. */
const NFT =
  "safeTransferFrom(address,address,uint256), safeTransferFrom(address,address,uint256,bytes), safeTransferFrom(address,address,uint256,uint256,bytes), safeBatchTransferFrom(address,address,uint256[],uint256[],bytes), ownerOf(uint256), tokenURI(uint256)";
const VAULT =
  "deposit(uint256,address), mint(uint256,address), withdraw(uint256,address,address), redeem(uint256,address,address)";

/** Errors of contract libraries and token standards. See `readCatalog` for the format. */
export const LIBRARY_CAUSES = `
# Solidity | ethereum/solidity | docs/control-structures.rst | anywhere
Panic(uint256 code=0) | math | a check that the compiler added does not hold
Panic(uint256 code=1) | math | an assertion of the contract does not hold
Panic(uint256 code=17) | math | a calculation overflows, often because a balance or an allowance is smaller than the amount
Panic(uint256 code=18) | math | a division by zero, often because a pool or a supply is empty
Panic(uint256 code=33) | input | a number is not a value of its enumeration
Panic(uint256 code=34) | state | bytes in the storage of the contract are malformed
Panic(uint256 code=49) | state | an element is removed from an empty list
Panic(uint256 code=50) | input | an index is outside of its list, often because a list in the call is too short
Panic(uint256 code=65) | input | the call asks for too much memory
Panic(uint256 code=81) | state | the contract calls an internal function that is not set
# OpenZeppelin 5 | OpenZeppelin/openzeppelin-contracts | contracts/access | anywhere
OwnableUnauthorizedAccount(address account) | access | only the contract's owner can call this function, and {account} is not the owner
OwnableInvalidOwner(address owner) | input | {owner} cannot be the owner of the contract
AccessControlUnauthorizedAccount(address account, bytes32 neededRole) | access | only accounts with role {neededRole} can call this function, and {account} does not have the role
AccessControlBadConfirmation() | access | a role can be renounced only by the account that has it
AccessControlEnforcedDefaultAdminDelay(uint48 schedule) | state | the change of the contract's admin is not possible before {schedule}
AccessControlEnforcedDefaultAdminRules() | state | the contract's rules for its admin do not allow this change
AccessControlInvalidDefaultAdmin(address defaultAdmin) | input | {defaultAdmin} cannot be the admin of the contract
AccessManagedUnauthorized(address caller) | access | the contract's access manager does not allow {caller} to call this function
AccessManagedRequiredDelay(address caller, uint32 delay) | access | {caller} must schedule this call {delay} seconds ahead
AccessManagedInvalidAuthority(address authority) | input | {authority} is not an access manager
AccessManagerUnauthorizedAccount(address msgsender, uint64 roleId) | access | only accounts with role {roleId} can call this function, and {msgsender} does not have the role
AccessManagerUnauthorizedCall(address caller, address target, bytes4 selector) | access | {caller} is not allowed to call {selector} of {target}
AccessManagerUnauthorizedConsume(address target) | access | {target} is not allowed to use up scheduled calls
AccessManagerExpired(bytes32 operationId) | deadline | the scheduled call {operationId} has expired
AccessManagerNotReady(bytes32 operationId) | state | the scheduled call {operationId} is still delayed
AccessManagerNotScheduled(bytes32 operationId) | state | the call {operationId} is not scheduled
AccessManagerAlreadyScheduled(bytes32 operationId) | state | the call {operationId} is already scheduled
AccessManagerLockedRole(uint64 roleId) | state | role {roleId} is locked
# OpenZeppelin 5 | OpenZeppelin/openzeppelin-contracts | contracts/interfaces/draft-IERC6093.sol | anywhere
ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed) | balance | {sender} has {balance} of the token and needs {needed}
ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed) | allowance | {spender} is allowed to spend {allowance} of the token and needs {needed}
ERC20InvalidSender(address sender) | sender | tokens cannot be sent from {sender}
ERC20InvalidReceiver(address receiver) | recipient | the token does not allow {receiver} as a recipient
ERC20InvalidApprover(address approver) | sender | {approver} cannot approve a spender
ERC20InvalidSpender(address spender) | input | {spender} cannot be a spender
ERC721IncorrectOwner(address sender, uint256 tokenId, address owner) | sender | NFT {tokenId} belongs to {owner}, not to {sender}
ERC721InsufficientApproval(address operator, uint256 tokenId) | allowance | the owner of NFT {tokenId} has not approved {operator}
ERC721InvalidApprover(address approver) | access | {approver} cannot approve a spender of the NFT
ERC721InvalidOperator(address operator) | input | {operator} cannot be an operator
ERC721InvalidOwner(address owner) | input | {owner} cannot own NFTs
ERC721InvalidReceiver(address receiver) | recipient | {receiver} does not accept NFTs: it has code, but no onERC721Received that returns its selector
ERC721InvalidSender(address sender) | sender | NFTs cannot be sent from {sender}
ERC721NonexistentToken(uint256 tokenId) | missing | NFT {tokenId} does not exist
ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 tokenId) | balance | {sender} has {balance} of token id {tokenId} and needs {needed}
ERC1155InvalidReceiver(address receiver) | recipient | {receiver} does not accept ERC-1155 tokens: it has code, but no onERC1155Received that returns its selector
ERC1155InvalidSender(address sender) | sender | tokens cannot be sent from {sender}
ERC1155InvalidArrayLength(uint256 idsLength, uint256 valuesLength) | input | the call has {idsLength} token ids, but {valuesLength} amounts
ERC1155InvalidOperator(address operator) | input | {operator} cannot be an operator
ERC1155InvalidApprover(address approver) | sender | {approver} cannot approve an operator
ERC1155MissingApprovalForAll(address operator, address owner) | allowance | {owner} has not approved {operator} for its tokens
# OpenZeppelin 5 | OpenZeppelin/openzeppelin-contracts | contracts/token | anywhere
SafeERC20FailedOperation(address token) | transfer | {token} returned false, or reverted without data
SafeERC20FailedDecreaseAllowance(address spender, uint256 currentAllowance, uint256 requestedDecrease) | allowance | the allowance of {spender} is {currentAllowance} and cannot be lowered by {requestedDecrease}
ERC20ExceededCap(uint256 increasedSupply, uint256 cap) | limit | the token's supply would become {increasedSupply}, above its cap of {cap}
ERC20InvalidUnderlying(address token) | input | {token} cannot be wrapped by this token
ERC2612ExpiredSignature(uint256 deadline) | deadline | the permit expired at {deadline}
ERC2612InvalidSigner(address signer, address owner) | signature | the permit is signed by {signer}, not by {owner}
ERC4626ExceededMaxDeposit(address receiver, uint256 assets, uint256 max) | limit | the vault takes at most {max} for {receiver}, and the deposit is {assets}
ERC4626ExceededMaxMint(address receiver, uint256 shares, uint256 max) | limit | the vault mints at most {max} shares for {receiver}, and the call asks for {shares}
ERC4626ExceededMaxWithdraw(address owner, uint256 assets, uint256 max) | limit | {owner} can withdraw at most {max}, and the call asks for {assets}
ERC4626ExceededMaxRedeem(address owner, uint256 shares, uint256 max) | limit | {owner} can redeem at most {max} shares, and the call asks for {shares}
ERC3009InvalidAuthorizationTime(uint256 validAfter, uint256 validBefore) | deadline | the authorization is valid only after {validAfter} and before {validBefore}
ERC3009InvalidSignature() | signature | the signature of the authorization is invalid
ERC3009UsedAuthorization(address authorizer, bytes32 nonce) | nonce | {authorizer}'s authorization {nonce} is already used or canceled
ERC3156UnsupportedToken(address token) | missing | {token} has no flash loans
ERC3156ExceededMaxLoan(uint256 maxLoan) | limit | the flash loan is larger than the maximum of {maxLoan}
ERC3156InvalidReceiver(address receiver) | recipient | {receiver} does not accept the flash loan
ERC1363TransferFailed(address receiver, uint256 value) | transfer | the token returned false from a transfer of {value} to {receiver}
ERC1363TransferFromFailed(address sender, address receiver, uint256 value) | transfer | the token returned false from a transfer of {value} from {sender} to {receiver}
ERC1363InvalidReceiver(address receiver) | recipient | {receiver} does not accept the transfer
ERC6909InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 id) | balance | {sender} has {balance} of token id {id} and needs {needed}
ERC6909InsufficientAllowance(address spender, uint256 allowance, uint256 needed, uint256 id) | allowance | {spender} is allowed to spend {allowance} of token id {id} and needs {needed}
# OpenZeppelin 5 | OpenZeppelin/openzeppelin-contracts | contracts/utils, contracts/proxy | anywhere
EnforcedPause() | paused | the contract is paused
ExpectedPause() | state | this function works only while the contract is paused, and it is not
ReentrancyGuardReentrantCall() | reentry | the contract is called again before its first call ended
NotInitializing() | state | this function works only while the contract is initialized
InvalidAccountNonce(address account, uint256 currentNonce) | nonce | the signature's nonce differs from {account}'s current nonce {currentNonce}
ECDSAInvalidSignature() | signature | the signature is invalid
ECDSAInvalidSignatureLength(uint256 length) | signature | the signature has {length} bytes, not 65
ECDSAInvalidSignatureS(bytes32 s) | signature | the signature's s is in the upper half of the curve
AddressEmptyCode(address target) | missing | {target} has no code on this chain | Correct the address: a contract of another chain may have another address here.
FailedCall() | inner | an inner call failed, and the error has no reason | Check the failed call in the trace.
FailedDeployment() | state | a contract could not be created, usually because it already exists at its address
Create2EmptyBytecode() | input | the code of the contract to create is empty
SafeCastOverflowedUintDowncast(uint8 bits, uint256 value) | math | the value {value} does not fit into {bits} bits
SafeCastOverflowedIntDowncast(uint8 bits, int256 value) | math | the value {value} does not fit into {bits} bits
SafeCastOverflowedUintToInt(uint256 value) | math | the value {value} does not fit into a signed number
SafeCastOverflowedIntToUint(int256 value) | math | the value {value} is negative
ERC1967InvalidImplementation(address implementation) | missing | {implementation} has no code
ERC1967NonPayable() | payment | the proxy takes no native currency with this call
UUPSUnauthorizedCallContext() | access | the function works only through a proxy
UUPSUnsupportedProxiableUUID(bytes32 slot) | input | the new implementation is not made for this kind of proxy
ProxyDeniedAdminAccess() | access | the proxy's admin cannot call the contract behind it
RateLimitExceeded() | limit | the contract's rate limit is used up
ERC2771ForwarderExpiredRequest(uint48 deadline) | deadline | the forwarded request expired at {deadline}
ERC2771ForwarderInvalidSigner(address signer, address from) | signature | the forwarded request is signed by {signer}, not by {from}
ERC2771ForwarderMismatchedValue(uint256 requestedValue, uint256 msgValue) | payment | the request needs {requestedValue} native currency, and {msgValue} was sent
ERC2771UntrustfulTarget(address target, address forwarder) | access | {target} does not trust the forwarder {forwarder}
VotesExpiredSignature(uint256 expiry) | deadline | the signature expired at {expiry}
StringTooLong(string str) | input | the text is too long
TimelockUnauthorizedCaller(address caller) | access | only the timelock itself can call this function, and {caller} is not the timelock
TimelockUnexpectedOperationState(bytes32 operationId, bytes32 expectedStates) | state | the operation {operationId} is not in the required state
# OpenZeppelin 5 | OpenZeppelin/openzeppelin-contracts | contracts/utils/Errors.sol, contracts/proxy/utils/Initializable.sol
InvalidInitialization() | state | the contract is already initialized
InsufficientBalance(uint256 balance, uint256 needed) | balance | the contract has {balance} native currency and needs {needed}
# OpenZeppelin 5 | OpenZeppelin/openzeppelin-contracts (v5.0.2) | contracts/utils/Address.sol | anywhere
AddressInsufficientBalance(address account) | balance | {account} does not have the native currency that it sends
FailedInnerCall() | inner | an inner call failed without a reason | Check the failed call in the trace.
# OpenZeppelin 4 | OpenZeppelin/openzeppelin-contracts (v4.9.6) | contracts/token | anywhere
"ERC20: transfer amount exceeds balance" | balance | the holder has less of the token than the call transfers
"ERC20: insufficient allowance" | allowance | the spender is allowed to spend less of the token than the call transfers
"ERC20: burn amount exceeds balance" | balance | the holder has less of the token than the call burns
"ERC20: decreased allowance below zero" | allowance | the allowance is lower than the amount to lower it by
"ERC20: transfer from the zero address" | sender | tokens cannot be sent from the zero address
"ERC20: transfer to the zero address" | recipient | tokens cannot be sent to the zero address
"ERC20: mint to the zero address" | recipient | tokens cannot be minted to the zero address
"ERC20: approve to the zero address" | input | the zero address cannot be a spender
"ERC20: approve from the zero address" | sender | the zero address cannot approve a spender
"ERC20Capped: cap exceeded" | limit | the token's supply is at its cap
"ERC20Pausable: token transfer while paused" | paused | the token is paused
"ERC20Permit: expired deadline" | deadline | the permit has expired
"ERC20Permit: invalid signature" | signature | the permit is not signed by the owner for this token, chain and nonce
"ERC20Votes: signature expired" | deadline | the signature has expired
"ERC20Votes: invalid nonce" | nonce | the signature's nonce is not the account's current nonce
"ERC20FlashMint: amount exceeds maxFlashLoan" | limit | the flash loan is larger than the maximum
"ERC20FlashMint: wrong token" | missing | the token has no flash loans
"SafeERC20: low-level call failed" | transfer | the token reverted without a reason
"SafeERC20: ERC20 operation did not succeed" | transfer | the token returned false
"SafeERC20: approve from non-zero to non-zero allowance" | allowance | the spender already has an allowance, and the call sets another one | Set the allowance to 0 before the new one.
"SafeERC20: decreased allowance below zero" | allowance | the allowance is lower than the amount to lower it by
"SafeERC20: permit did not succeed" | signature | the permit did not raise the nonce of the owner: the token may have no permit
"ERC4626: deposit more than max" | limit | the deposit is larger than the vault's maximum for the receiver
"ERC4626: mint more than max" | limit | the call asks for more shares than the vault's maximum for the receiver
"ERC4626: withdraw more than max" | limit | the owner of the shares can withdraw less than the call asks for
"ERC4626: redeem more than max" | limit | the owner has fewer shares to redeem than the call asks for
"ERC721: caller is not token owner or approved" | allowance | the NFT's owner has not approved the caller
"ERC721: approve caller is not token owner or approved for all" | access | only the NFT's owner or its operator can approve a spender
"ERC721: invalid token ID" | missing | the NFT does not exist
"ERC721: token already minted" | state | the NFT's id is already taken
"ERC721: transfer from incorrect owner" | sender | the NFT does not belong to the sender
"ERC721: transfer to non ERC721Receiver implementer" | recipient | the recipient does not accept NFTs: it has code, but no onERC721Received that returns its selector
"ERC721: transfer to the zero address" | recipient | NFTs cannot be sent to the zero address
"ERC721: mint to the zero address" | recipient | NFTs cannot be minted to the zero address
"ERC721: approval to current owner" | input | the owner of an NFT cannot be its spender
"ERC721Pausable: token transfer while paused" | paused | the NFT contract is paused
"ERC1155: caller is not token owner or approved" | allowance | the holder has not approved the caller
"ERC1155: insufficient balance for transfer" | balance | the holder has less of the token id than the call transfers
"ERC1155: burn amount exceeds balance" | balance | the holder has less of the token id than the call burns
"ERC1155: transfer to non-ERC1155Receiver implementer" | recipient | the recipient does not accept ERC-1155 tokens
"ERC1155: ERC1155Receiver rejected tokens" | recipient | the recipient rejected the ERC-1155 tokens
"ERC1155: transfer to the zero address" | recipient | tokens cannot be sent to the zero address
"ERC1155: mint to the zero address" | recipient | tokens cannot be minted to the zero address
"ERC1155: ids and amounts length mismatch" | input | the call has different numbers of token ids and amounts
"ERC1155Pausable: token transfer while paused" | paused | the token is paused
"ERC777: transfer amount exceeds balance" | balance | the holder has less of the token than the call transfers
"ERC777: caller is not an operator for holder" | access | only an operator of the holder can send its tokens
"ERC777: token recipient contract has no implementer for ERC777TokensRecipient" | recipient | the recipient has code and did not register for ERC-777 tokens
# OpenZeppelin 4 | OpenZeppelin/openzeppelin-contracts (v4.4.2) | contracts/token/ERC20 | anywhere
"ERC20: transfer amount exceeds allowance" | allowance | the spender is allowed to spend less of the token than the call transfers
"ERC20: burn amount exceeds allowance" | allowance | the spender is allowed to burn less of the token than the call burns
# OpenZeppelin 4 | OpenZeppelin/openzeppelin-contracts (v4.9.6) | contracts/access, contracts/security, contracts/utils | anywhere
"Ownable: caller is not the owner" | access | only the contract's owner can call this function
"Ownable: new owner is the zero address" | input | the zero address cannot be the owner
"Ownable2Step: caller is not the new owner" | access | only the pending owner can accept the contract
"AccessControl: account * is missing role *" | access | only accounts with role {1} can call this function, and {0} does not have the role
"AccessControl: can only renounce roles for self" | access | a role can be renounced only by the account that has it
"Pausable: paused" | paused | the contract is paused
"Pausable: not paused" | state | this function works only while the contract is paused, and it is not
"ReentrancyGuard: reentrant call" | reentry | the contract is called again before its first call ended
"Initializable: contract is already initialized" | state | the contract is already initialized
"Initializable: contract is not initializing" | state | this function works only while the contract is initialized
"Address: call to non-contract" | missing | the called address has no code on this chain | Correct the address: a contract of another chain may have another address here.
"Address: insufficient balance" | balance | the contract does not have the native currency that it sends
"Address: insufficient balance for call" | balance | the contract does not have the native currency that it sends
"Address: low-level call failed" | inner | an inner call failed without a reason | Check the failed call in the trace.
"Address: low-level call with value failed" | inner | an inner call with native currency failed without a reason | Check the failed call in the trace.
"Address: low-level delegate call failed" | inner | an inner call failed without a reason | Check the failed call in the trace.
"Address: unable to send value, recipient may have reverted" | transfer | the recipient does not accept native currency, or needs more gas
"ECDSA: invalid signature" | signature | the signature is invalid
"ECDSA: invalid signature length" | signature | the signature does not have 65 bytes
"ECDSA: invalid signature 's' value" | signature | the signature's s is in the upper half of the curve
"SafeCast: value doesn't fit in * bits" | math | a value does not fit into {0} bits
"SafeCast: value must be positive" | math | a value is negative
"Math: mulDiv overflow" | math | a multiplication overflows
"TimelockController: operation is not ready" | state | the operation is not scheduled, or still delayed
"TimelockController: underlying transaction reverted" | inner | the timelock's inner call failed without a reason | Check the failed call in the trace.
"UUPSUpgradeable: must not be called through delegatecall" | access | the function cannot be called through a proxy
"MinimalForwarder: signature does not match request" | signature | the forwarded request is not signed by its sender, or has an old nonce
# Solady | Vectorized/solady | src/tokens | ${TOKEN}, withdraw(uint256)
InsufficientBalance() | balance | the holder has less than the call needs
InsufficientAllowance() | allowance | the spender is allowed to spend less than the call needs
PermitExpired() | deadline | the permit has expired
InvalidPermit() | signature | the permit is not signed by the owner for this token, chain and nonce
AllowanceOverflow() | math | the allowance overflows
AllowanceUnderflow() | allowance | the allowance is lower than the amount to lower it by
TotalSupplyOverflow() | math | the token's supply overflows
Permit2AllowanceIsFixedAtInfinity() | input | the token gives Permit2 an unlimited allowance, which cannot be changed | Omit the approval to Permit2.
# Solady | Vectorized/solady | src/tokens/ERC721.sol, src/tokens/ERC1155.sol, src/tokens/ERC6909.sol | ${NFT}
NotOwnerNorApproved() | allowance | the owner has not approved the caller
TokenDoesNotExist() | missing | the NFT does not exist
TokenAlreadyExists() | state | the NFT's id is already taken
TransferFromIncorrectOwner() | sender | the NFT does not belong to the sender
TransferToNonERC721ReceiverImplementer() | recipient | the recipient does not accept NFTs: it has code, but no onERC721Received that returns its selector
TransferToNonERC1155ReceiverImplementer() | recipient | the recipient does not accept ERC-1155 tokens
TransferToZeroAddress() | recipient | tokens cannot be sent to the zero address
InsufficientPermission() | allowance | the spender is neither operator nor allowed to spend as much
# Solady | Vectorized/solady | src/tokens/ERC4626.sol | ${VAULT}
DepositMoreThanMax() | limit | the deposit is larger than the vault's maximum for the receiver
MintMoreThanMax() | limit | the call asks for more shares than the vault's maximum for the receiver
WithdrawMoreThanMax() | limit | the owner of the shares can withdraw less than the call asks for
RedeemMoreThanMax() | limit | the owner has fewer shares to redeem than the call asks for
# Solady | Vectorized/solady | src/auth, src/utils | anywhere
NewOwnerIsZeroAddress() | input | the zero address cannot be the owner
NoHandoverRequest() | state | the new owner did not request the contract
EnumerableRolesUnauthorized() | access | the caller does not have the required role
TimedRolesUnauthorized() | access | the caller does not have the required role at this time
Reentrancy() | reentry | the contract is called again before its first call ended
ETHTransferFailed() | transfer | the recipient does not accept native currency, or the sender does not have it
TotalSupplyQueryFailed() | missing | the token does not return its supply
MulDivFailed() | math | a multiplication overflows, or a divisor is zero
MulWadFailed() | math | a multiplication overflows
DivWadFailed() | math | a division overflows, or its divisor is zero
FullMulDivFailed() | math | a multiplication overflows, or a divisor is zero
DeploymentFailed() | state | a contract could not be created, usually because it already exists at its address
FnSelectorNotRecognized() | missing | the contract does not have this function
# Solady | Vectorized/solady | src/auth
Unauthorized() | access | the contract does not allow the caller to call this function
# Solady | Vectorized/solady | src/utils/SafeTransferLib.sol, src/utils/CallContextChecker.sol | ${ROUTER}, ${DEPOSITORY}
TransferFromFailed() | transfer | the token returned false or reverted: an allowance or a balance is too small, or the token does not allow the transfer
TransferFailed() | transfer | the token returned false or reverted: the balance is too small, or the token does not allow the transfer
ApproveFailed() | transfer | the token returned false or reverted when a spender was approved
Permit2Failed() | signature | Permit2 rejected the permit
Permit2AmountOverflow() | math | the amount does not fit into Permit2's 160 bits
UnauthorizedCallContext() | access | the function works only through a proxy, or only without one
# solmate | transmissions11/solmate | src/auth, src/tokens, src/utils | anywhere
"ETH_TRANSFER_FAILED" | transfer | the recipient does not accept native currency, or the sender does not have it
"PERMIT_DEADLINE_EXPIRED" | deadline | the permit has expired
"REENTRANCY" | reentry | the contract is called again before its first call ended
# solmate | transmissions11/solmate | src/utils/SafeTransferLib.sol | ${VAULT}, 0x000000000022D473030F116dDEE9F6B43aC78BA3
"TRANSFER_FROM_FAILED" | transfer | the token returned false or reverted: an allowance or a balance is too small, or the token does not allow the transfer | Approve the called contract (for Permit2: approve Permit2 on the token itself), and hold the amount.
"TRANSFER_FAILED" | transfer | the token returned false or reverted: the balance is too small, or the token does not allow the transfer
"APPROVE_FAILED" | transfer | the token returned false or reverted when a spender was approved
# solmate | transmissions11/solmate | src/auth
"UNAUTHORIZED" | access | the contract does not allow the caller to call this function
# solmate | transmissions11/solmate | src/tokens/ERC20.sol | permit(address,address,uint256,uint256,uint8,bytes32,bytes32)
"INVALID_SIGNER" | signature | the permit is not signed by the owner for this token, chain and nonce
# solmate | transmissions11/solmate | src/tokens/ERC721.sol | ${NFT}
"NOT_AUTHORIZED" | allowance | the NFT's owner has not approved the caller
"NOT_MINTED" | missing | the NFT does not exist
"ALREADY_MINTED" | state | the NFT's id is already taken
"WRONG_FROM" | sender | the NFT does not belong to the sender
"UNSAFE_RECIPIENT" | recipient | the recipient does not accept the NFT
# solmate | transmissions11/solmate | src/mixins/ERC4626.sol | ${VAULT}
"ZERO_SHARES" | amount | the deposit is too small for a single share of the vault
"ZERO_ASSETS" | amount | the shares are worth nothing
# Permit2 | Uniswap/permit2 | src/PermitErrors.sol, src/interfaces | 0x000000000022D473030F116dDEE9F6B43aC78BA3
AllowanceExpired(uint256 deadline=0) | allowance | the spender never received an allowance in Permit2: call Permit2.approve | grant: Call Permit2.approve({call.token|token}, {caller|spender}, amount, expiration) from {call.from|the account that pays}, before the call that spends; an approval of the token alone is not enough.
AllowanceExpired(uint256 deadline) | deadline | the spender's allowance in Permit2 expired at {deadline} | grant: Call Permit2.approve({call.token|token}, {caller|spender}, amount, expiration) again with a later expiration, from {call.from|the account that pays}.
InsufficientAllowance(uint256 amount) | allowance | the spender's allowance in Permit2 is {amount}, which is less than the call spends | grant: Raise the allowance with Permit2.approve({call.token|token}, {caller|spender}, amount, expiration) from {call.from|the account that pays}; an approval of the token alone is not enough.
SignatureExpired(uint256 signatureDeadline) | deadline | the permit expired at {signatureDeadline}
InvalidNonce() | nonce | the permit's nonce is already used, or another one is next
InvalidSigner() | signature | the permit is not signed by the owner, for this spender, chain and contents
InvalidContractSignature() | signature | the wallet contract of the owner rejects the signature
InvalidSignature() | signature | the signature is invalid
InvalidSignatureLength() | signature | the signature has neither 64 nor 65 bytes
InvalidAmount(uint256 maxAmount) | limit | the call takes more than the {maxAmount} that the owner signed
LengthMismatch() | input | two lists of the call have different lengths
ExcessiveInvalidation() | input | the call invalidates too many nonces at once
UnsafeCast() | math | a value does not fit into its type
# Multicall3 | mds1/multicall3 | src/Multicall3.sol | anywhere
"Multicall3: call failed" | inner | a call of the multicall failed | Check the failed call in the trace.
"Multicall3: value mismatch" | payment | the values of the calls differ from the native currency sent
# Safe | safe-global/safe-smart-account | docs/error_codes.md | anywhere
"GS000" | state | the Safe's setup could not finish its call
"GS010" | gas | there is not enough gas to run the Safe's transaction
"GS011" | transfer | the Safe could not pay the gas costs in native currency
"GS012" | transfer | the Safe could not pay the gas costs in the token
"GS013" | inner | the Safe's inner call failed, and no gas refund was set | Check the failed call in the trace.
"GS020" | signature | the signatures are shorter than the threshold requires
"GS021" | signature | a contract signature points into the fixed part of the signatures
"GS022" | signature | a contract signature lies outside the signature data
"GS023" | signature | a contract signature is longer than the signature data
"GS024" | signature | the wallet contract of an owner rejects its signature
"GS025" | signature | an owner has not approved the Safe's transaction hash
"GS026" | signature | a signature is not from an owner of the Safe, or the signatures are not sorted by owner
"GS030" | access | only an owner of the Safe can approve a hash
"GS031" | access | only the Safe itself can call this function
"GS100" | state | the Safe's modules are already set up
"GS104" | access | only an enabled module of the Safe can call this function
# ERC-4337 | eth-infinitism/account-abstraction | contracts/core | anywhere
"AA10 *" | state | the account to create already exists
"AA13 *" | gas | the account's creation failed or ran out of gas
"AA14 *" | input | the account was created at an address other than the sender
"AA15 *" | input | the init code did not create the sender
"AA20 *" | missing | the account is not deployed
"AA21 *" | balance | the account did not pay for its operation | Give the account, or its deposit in the entry point, the native currency for the gas of its operation.
"AA22 *" | deadline | the operation has expired or is not valid yet
"AA23 *" | inner | the account reverted while it validated the operation
"AA24 *" | signature | the account rejects the signature of the operation
"AA25 *" | nonce | the operation's nonce is not the account's next nonce
"AA26 *" | gas | the account's validation needs more gas than the operation allows
"AA30 *" | missing | the paymaster is not deployed
"AA31 *" | balance | the paymaster's deposit is too low | Raise the paymaster's deposit in the entry point, or use another paymaster.
"AA32 *" | deadline | the paymaster's data has expired or is not valid yet
"AA33 *" | inner | the paymaster reverted while it validated the operation
"AA34 *" | signature | the paymaster rejects the signature
"AA36 *" | gas | the paymaster's validation needs more gas than the operation allows
"AA40 *" | gas | the account's validation needs more gas than the operation allows
"AA41 *" | gas | the account's validation leaves too little gas
"AA50 *" | inner | the paymaster reverted after the operation
"AA51 *" | gas | the operation costs more gas than was paid for | Raise the gas limits of the operation.
"AA90 *" | input | the beneficiary is the zero address
"AA91 *" | transfer | the beneficiary does not accept native currency
"AA92 *" | access | only the entry point itself can call this function
"AA93 *" | input | the paymaster's data is too short
"AA94 *" | math | a gas value of the operation is too large
"AA95 *" | gas | the bundle has less gas than the operation allows
"AA96 *" | input | the aggregator of the bundle is invalid
SignatureValidationFailed(address aggregator) | signature | the aggregator {aggregator} rejects the signature of the operations
PostOpReverted(bytes returnData) | inner | the paymaster reverted after the operation | Check the failed call in the trace.
`;
