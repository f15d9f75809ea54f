/** Errors of tokens with an issuer, and of NFT markets. See `readCatalog` for the format. */
export const MARKET_CAUSES = `
# USDC | circlefin/stablecoin-evm | contracts/v1, contracts/v2 | anywhere
"Blacklistable: account is blacklisted" | recipient | the token's issuer has blocked the sender, the recipient or the caller | Use another account: the issuer has blocked one of the transfer's accounts.
"FiatTokenV2_2: Account is blacklisted" | recipient | the token's issuer has blocked the sender, the recipient or the caller | Use another account: the issuer has blocked one of the transfer's accounts.
"Blacklistable: caller is not the blacklister" | access | only the token's blacklister can call this function
"FiatToken: caller is not a minter" | access | only a minter of the token can call this function
"FiatToken: caller is not the masterMinter" | access | only the token's master minter can call this function
"FiatToken: mint amount exceeds minterAllowance" | limit | the minter's allowance is used up
"FiatToken: mint amount not greater than 0" | amount | the amount to mint is zero
"FiatToken: mint to the zero address" | recipient | tokens cannot be minted to the zero address
"FiatToken: burn amount exceeds balance" | balance | the holder has less of the token than the call burns
"FiatTokenV2: authorization is expired" | deadline | the authorization has expired
"FiatTokenV2: authorization is not yet valid" | deadline | the authorization is not valid yet
"FiatTokenV2: authorization is used or canceled" | nonce | the authorization is already used or canceled
"FiatTokenV2: caller must be the payee" | access | only the recipient of the authorization can call this function | grant: Call transferWithAuthorization, or sign for the account that calls.
"FiatTokenV2: invalid signature" | signature | the authorization is not signed by the payer for this token, chain and contents
"FiatTokenV2: permit is expired" | deadline | the permit has expired
"EIP2612: invalid signature" | signature | the permit is not signed by the owner for this token, chain and nonce
"ECRecover: invalid signature" | signature | the signature is invalid
"ECRecover: invalid signature length" | signature | the signature does not have 65 bytes
"ECRecover: invalid signature 'v' value" | signature | the signature's v is neither 27 nor 28
"ECRecover: invalid signature 's' value" | signature | the signature's s is in the upper half of the curve
"Pausable: caller is not the pauser" | access | only the token's pauser can call this function
# OpenZeppelin community | OpenZeppelin/openzeppelin-community-contracts | contracts/token/ERC20/extensions/ERC20Blocklist.sol | anywhere
ERC20Blocked(address user) | recipient | the token's issuer has blocked {user} | Use another account: the issuer has blocked {user}.
# Seaport | ProjectOpenSea/seaport-types | src/interfaces | 0x0000000000000068F116a894984e2DB1123eB395, 0x00000000000000ADc04C56Bf30aC9d3c0aAF14dC, 0x1E0049783F008A0085193E00003D00cd54003c71
OrderAlreadyFilled(bytes32 orderHash) | order | the order {orderHash} is already filled | Buy another item: this order is already filled.
OrderPartiallyFilled(bytes32 orderHash) | order | the order {orderHash} is partly filled, and this function fills whole orders | Use fulfillAdvancedOrder for the rest of the order.
OrderIsCancelled(bytes32 orderHash) | order | the order {orderHash} is canceled | Get an open order from the marketplace right before you request a quote.
InvalidTime(uint256 startTime, uint256 endTime) | order | the order is valid only from {startTime} to {endTime} | Get an order from the marketplace that is valid.
InexactFraction() | order | the fraction does not divide the order's amounts | Buy a fraction that divides the order's amounts without a remainder.
PartialFillsNotEnabledForOrder() | order | the order can only be filled as a whole
NoSpecifiedOrdersAvailable() | order | none of the orders can be filled | Get open orders from the marketplace right before you request a quote.
InsufficientNativeTokensSupplied() | payment | less native currency was sent than the order costs
InvalidMsgValue(uint256 value) | payment | the function takes no native currency, and {value} was sent
InvalidSigner() | signature | the order is not signed by its offerer
BadSignatureV(uint8 v) | signature | the signature's v is {v}, neither 27 nor 28
BadContractSignature() | signature | the wallet contract of the offerer rejects the signature
InvalidConduit(bytes32 conduitKey, address conduit) | missing | the conduit {conduit} does not exist
ChannelClosed(address channel) | access | the conduit does not allow {channel}
InvalidRestrictedOrder(bytes32 orderHash) | order | the zone of the order {orderHash} rejected the fill | Get an order for the router as the fulfiller from the marketplace.
InvalidContractOrder(bytes32 orderHash) | order | the contract order {orderHash} was rejected
ConsiderationNotMet(uint256 orderIndex, uint256 considerationIndex, uint256 shortfallAmount) | amount | order {orderIndex} receives {shortfallAmount} too little
NativeTokenTransferGenericFailure(address account, uint256 amount) | transfer | {account} does not accept {amount} native currency
TokenTransferGenericFailure(address token, address from, address to, uint256 identifier, uint256 amount) | transfer | {token} could not be transferred from {from} to {to}
BadReturnValueFromERC20OnTransfer(address token, address from, address to, uint256 amount) | transfer | {token} returned false from the transfer of {amount} from {from} to {to}
NoContract(address account) | missing | {account} has no code on this chain
NoReentrantCalls() | reentry | the contract is called again before its first call ended
MissingItemAmount() | amount | the amount of an item is zero
InvalidERC721TransferAmount(uint256 amount) | amount | the amount of an NFT is {amount}, not 1
InvalidProof() | input | the proof is invalid
# SeaDrop | ProjectOpenSea/seadrop | src/lib | mintPublic(address,address,address,uint256), mintAllowList(address,address,address,uint256,(uint256,uint256,uint256,uint256,uint256,uint256,uint256,bool),bytes32[]), 0x00005EA00Ac477B1030CE78506496e8C2dE24bf5
IncorrectPayment(uint256 got, uint256 want) | payment | the mint costs {want}, and {got} was sent
NotActive(uint256 currentTimestamp, uint256 startTimestamp, uint256 endTimestamp) | paused | the mint runs from {startTimestamp} to {endTimestamp}, and it is {currentTimestamp}
MintQuantityCannotBeZero() | amount | the number to mint is zero
MintQuantityExceedsMaxMintedPerWallet(uint256 total, uint256 allowed) | limit | the account would have minted {total}, and {allowed} are allowed
MintQuantityExceedsMaxSupply(uint256 total, uint256 maxSupply) | limit | {total} would be minted, and the maximum is {maxSupply}
MintQuantityExceedsMaxTokenSupplyForStage(uint256 total, uint256 maxTokenSupplyForStage) | limit | {total} would be minted, and the stage's maximum is {maxTokenSupplyForStage}
FeeRecipientNotAllowed() | input | the fee recipient is not allowed
PayerNotAllowed() | access | the contract does not allow this payer | Mint through a contract that the drop allows as a payer: through the router, the payer is the router.
SignatureAlreadyUsed() | nonce | the signature of the mint is already used
# ERC721A | chiru-labs/ERC721A | contracts/IERC721A.sol | anywhere
OwnerQueryForNonexistentToken() | missing | the NFT does not exist
ApprovalCallerNotOwnerNorApproved() | access | only the NFT's owner or its operator can approve a spender
TransferCallerNotOwnerNorApproved() | allowance | the NFT's owner has not approved the caller
MintToZeroAddress() | recipient | the zero address cannot receive what is minted
MintZeroQuantity() | amount | the number to mint is zero
# thirdweb | thirdweb-dev/contracts | contracts/extension/Drop.sol | claim(address,uint256,address,uint256,(bytes32[],uint256,uint256,address),bytes), claim(address,uint256,uint256,address,uint256,(bytes32[],uint256,uint256,address),bytes)
DropClaimExceedLimit(uint256 expected, uint256 actual) | limit | the account can claim {expected}, and the call claims {actual}
DropClaimExceedMaxSupply(uint256 expected, uint256 actual) | limit | the drop has {expected}, and {actual} would be claimed
DropClaimNotStarted(uint256 expected, uint256 actual) | paused | the drop starts at {expected}, and it is {actual}
# Zora | ourzora/zora-drops-contracts | src/interfaces/IERC721Drop.sol | purchase(uint256), purchaseWithComment(uint256,string), mintWithRewards(address,uint256,string,address)
Mint_SoldOut() | limit | all NFTs are minted
Purchase_TooManyForAddress() | limit | the account would mint more than it may
Purchase_WrongPrice(uint256 correctPrice) | payment | the mint costs {correctPrice}, but a different amount was sent
Sale_Inactive() | paused | the sale is not active
# Zora | ourzora/zora-protocol | packages/shared-contracts/src/interfaces/errors | mint(address,uint256,uint256,address[],bytes), mintWithRewards(address,uint256,uint256,bytes,address)
CannotMintMoreTokens(uint256 tokenId, uint256 quantity, uint256 totalMinted, uint256 maxSupply) | limit | {totalMinted} of {maxSupply} of token id {tokenId} are minted, and the call mints {quantity}
SaleEnded() | paused | the sale has ended
SaleHasNotStarted() | paused | the sale has not started
WrongValueSent() | payment | the amount sent differs from the cost of the mint
`;
