/** Functions that Aave v2, whose numbers mean something else, does not have. */
const AAVE_V3 =
  "supply(address,uint256,address,uint16), supplyWithPermit(address,uint256,address,uint16,uint256,uint8,bytes32,bytes32), repayWithATokens(address,uint256,uint256), repayWithPermit(address,uint256,uint256,address,uint256,uint8,bytes32,bytes32), setUserEMode(uint8), flashLoanSimple(address,address,uint256,bytes,uint16)";

/** Errors of lending protocols and vaults. See `readCatalog` for the format. */
export const LENDING_CAUSES = `
# Aave v3 | aave/aave-v3-core | contracts/protocol/libraries/helpers/Errors.sol | ${AAVE_V3}
"1" | access | only a pool admin can call this function (CALLER_NOT_POOL_ADMIN)
"2" | access | only an emergency admin can call this function (CALLER_NOT_EMERGENCY_ADMIN)
"3" | access | only a pool or emergency admin can call this function (CALLER_NOT_POOL_OR_EMERGENCY_ADMIN)
"4" | access | only a risk or pool admin can call this function (CALLER_NOT_RISK_OR_POOL_ADMIN)
"5" | access | only an asset listing or pool admin can call this function (CALLER_NOT_ASSET_LISTING_OR_POOL_ADMIN)
"6" | access | only a bridge can call this function (CALLER_NOT_BRIDGE)
"7" | input | the addresses provider is not registered (ADDRESSES_PROVIDER_NOT_REGISTERED)
"8" | input | the id of the addresses provider is invalid (INVALID_ADDRESSES_PROVIDER_ID)
"9" | missing | an address has no code (NOT_CONTRACT)
"10" | access | only the pool configurator can call this function (CALLER_NOT_POOL_CONFIGURATOR)
"11" | access | only an aToken can call this function (CALLER_NOT_ATOKEN)
"12" | input | the address of the addresses provider is invalid (INVALID_ADDRESSES_PROVIDER)
"13" | inner | the receiver of the flash loan did not return true (INVALID_FLASHLOAN_EXECUTOR_RETURN)
"14" | state | the reserve is already listed (RESERVE_ALREADY_ADDED)
"15" | limit | the pool has its maximum of reserves (NO_MORE_RESERVES_ALLOWED)
"16" | input | eMode category 0 is reserved (EMODE_CATEGORY_RESERVED)
"17" | input | the eMode category of the asset is invalid (INVALID_EMODE_CATEGORY_ASSIGNMENT)
"18" | state | the reserve's liquidity is not zero (RESERVE_LIQUIDITY_NOT_ZERO)
"19" | input | the flash loan premium is invalid (FLASHLOAN_PREMIUM_INVALID)
"20" | input | the reserve's risk parameters are invalid (INVALID_RESERVE_PARAMS)
"21" | input | the risk parameters of the eMode category are invalid (INVALID_EMODE_CATEGORY_PARAMS)
"22" | input | the bridge fee is invalid (BRIDGE_PROTOCOL_FEE_INVALID)
"23" | access | only the pool can call this function (CALLER_MUST_BE_POOL)
"24" | amount | the amount to mint is too small (INVALID_MINT_AMOUNT)
"25" | amount | the amount to burn is too small (INVALID_BURN_AMOUNT)
"26" | amount | the amount is zero (INVALID_AMOUNT)
"27" | paused | the reserve is not active (RESERVE_INACTIVE)
"28" | paused | the reserve is frozen: no new supply or borrowing (RESERVE_FROZEN)
"29" | paused | the reserve is paused (RESERVE_PAUSED)
"30" | paused | the reserve has no borrowing (BORROWING_NOT_ENABLED)
"31" | paused | the reserve has no stable borrowing (STABLE_BORROWING_NOT_ENABLED)
"32" | balance | the account withdraws more than it supplied (NOT_ENOUGH_AVAILABLE_USER_BALANCE)
"33" | input | the interest rate mode is invalid: only variable (2) remains (INVALID_INTEREST_RATE_MODE_SELECTED)
"34" | health | the account has no collateral (COLLATERAL_BALANCE_IS_ZERO)
"35" | health | the account's health factor would fall below the liquidation threshold (HEALTH_FACTOR_LOWER_THAN_LIQUIDATION_THRESHOLD)
"36" | health | the account's collateral does not cover the new debt (COLLATERAL_CANNOT_COVER_NEW_BORROW)
"37" | health | the collateral is mostly the currency to borrow (COLLATERAL_SAME_AS_BORROWING_CURRENCY)
"38" | limit | the loan is above the maximum at a stable rate (AMOUNT_BIGGER_THAN_MAX_LOAN_SIZE_STABLE)
"39" | state | the account has no debt of this kind in the asset (NO_DEBT_OF_SELECTED_TYPE)
"40" | input | a repayment for another account needs an exact amount (NO_EXPLICIT_AMOUNT_TO_REPAY_ON_BEHALF)
"41" | state | the account has no debt at a stable rate in the asset (NO_OUTSTANDING_STABLE_DEBT)
"42" | state | the account has no debt at a variable rate in the asset (NO_OUTSTANDING_VARIABLE_DEBT)
"43" | balance | the account has no supply of the asset (UNDERLYING_BALANCE_ZERO)
"44" | state | the conditions to rebalance the rate are not met (INTEREST_RATE_REBALANCE_CONDITIONS_NOT_MET)
"45" | health | the account's health factor is not below the threshold (HEALTH_FACTOR_NOT_BELOW_THRESHOLD)
"46" | health | the chosen collateral cannot be liquidated (COLLATERAL_CANNOT_BE_LIQUIDATED)
"47" | state | the account did not borrow the currency (SPECIFIED_CURRENCY_NOT_BORROWED_BY_USER)
"49" | input | two lists of the flash loan have different lengths (INCONSISTENT_FLASHLOAN_PARAMS)
"50" | limit | the borrow cap of the reserve is exceeded (BORROW_CAP_EXCEEDED) | Borrow less, or another asset: read the borrow cap before you request a quote.
"51" | limit | the supply cap of the reserve is exceeded (SUPPLY_CAP_EXCEEDED) | Supply less, or to another market: read the supply cap and the aToken's supply before you request a quote.
"52" | limit | the unbacked mint cap of the reserve is exceeded (UNBACKED_MINT_CAP_EXCEEDED)
"53" | limit | the debt ceiling of the isolated collateral is exceeded (DEBT_CEILING_EXCEEDED)
"54" | state | the reserve has open claims (UNDERLYING_CLAIMABLE_RIGHTS_NOT_ZERO)
"55" | state | the reserve has debt at a stable rate (STABLE_DEBT_NOT_ZERO)
"56" | state | the reserve has debt at a variable rate (VARIABLE_DEBT_SUPPLY_NOT_ZERO)
"57" | health | the account has collateral with a loan-to-value of 0, which must be withdrawn first (LTV_VALIDATION_FAILED)
"58" | input | the eMode category does not match the account's debt (INCONSISTENT_EMODE_CATEGORY)
"59" | price | the price oracle sentinel does not allow this now (PRICE_ORACLE_SENTINEL_CHECK_FAILED)
"60" | input | the asset cannot be borrowed against isolated collateral (ASSET_NOT_BORROWABLE_IN_ISOLATION)
"61" | state | the reserve is already initialized (RESERVE_ALREADY_INITIALIZED)
"62" | health | the account is in isolation mode, or the loan-to-value is 0 (USER_IN_ISOLATION_MODE_OR_LTV_ZERO)
"63" | input | the loan-to-value is invalid (INVALID_LTV)
"64" | input | the liquidation threshold is invalid (INVALID_LIQ_THRESHOLD)
"65" | input | the liquidation bonus is invalid (INVALID_LIQ_BONUS)
"66" | input | the asset's decimals are invalid (INVALID_DECIMALS)
"67" | input | the reserve factor is invalid (INVALID_RESERVE_FACTOR)
"68" | input | the borrow cap is invalid (INVALID_BORROW_CAP)
"69" | input | the supply cap is invalid (INVALID_SUPPLY_CAP)
"70" | input | the liquidation fee is invalid (INVALID_LIQUIDATION_PROTOCOL_FEE)
"71" | input | the eMode category is invalid (INVALID_EMODE_CATEGORY)
"72" | input | the unbacked mint cap is invalid (INVALID_UNBACKED_MINT_CAP)
"73" | input | the debt ceiling is invalid (INVALID_DEBT_CEILING)
"74" | input | the reserve's index is invalid (INVALID_RESERVE_INDEX)
"75" | input | the admin cannot be the zero address (ACL_ADMIN_CANNOT_BE_ZERO)
"76" | input | two lists of the call have different lengths (INCONSISTENT_PARAMS_LENGTH)
"77" | input | the zero address is not allowed (ZERO_ADDRESS_NOT_VALID)
"78" | deadline | the permit has expired (INVALID_EXPIRATION)
"79" | signature | the permit is not signed by the owner for this token, chain and nonce (INVALID_SIGNATURE)
"80" | missing | the operation is not supported (OPERATION_NOT_SUPPORTED)
"81" | state | the debt ceiling is not zero (DEBT_CEILING_NOT_ZERO)
"82" | missing | the asset is not listed in the pool (ASSET_NOT_LISTED)
"83" | input | the optimal usage ratio is invalid (INVALID_OPTIMAL_USAGE_RATIO)
"84" | input | the optimal debt ratio is invalid (INVALID_OPTIMAL_STABLE_TO_TOTAL_DEBT_RATIO)
"85" | access | the underlying asset cannot be rescued (UNDERLYING_CANNOT_BE_RESCUED)
"86" | state | the addresses provider is already added (ADDRESSES_PROVIDER_ALREADY_ADDED)
"87" | input | the token belongs to another pool (POOL_ADDRESSES_DO_NOT_MATCH)
"88" | state | stable borrowing is enabled (STABLE_BORROWING_ENABLED)
"89" | health | the account borrows a siloed asset together with another asset (SILOED_BORROWING_VIOLATION)
"90" | state | the reserve still has debt (RESERVE_DEBT_NOT_ZERO)
"91" | paused | the asset has no flash loans (FLASHLOAN_DISABLED)
# Aave v3 | aave-dao/aave-v3-origin (v3.3.0) | src/contracts/protocol/libraries/helpers/Errors.sol | ${AAVE_V3}
"92" | input | the maximum borrow rate is invalid (INVALID_MAX_RATE)
"93" | recipient | a withdrawal to the aToken is not allowed (WITHDRAW_TO_ATOKEN)
"94" | recipient | a supply for the aToken is not allowed (SUPPLY_TO_ATOKEN)
"95" | input | the second slope of the rate is below the first (SLOPE_2_MUST_BE_GTE_SLOPE_1)
"96" | access | only a risk, pool or emergency admin can call this function (CALLER_NOT_RISK_OR_POOL_OR_EMERGENCY_ADMIN)
"97" | state | the liquidation is in its grace period (LIQUIDATION_GRACE_SENTINEL_CHECK_FAILED)
"98" | input | the grace period is invalid (INVALID_GRACE_PERIOD)
"99" | state | the reserve is already in this freeze state (INVALID_FREEZE_STATE)
"100" | input | the asset cannot be borrowed in the account's eMode (NOT_BORROWABLE_IN_EMODE)
"101" | access | only the umbrella contract can call this function (CALLER_NOT_UMBRELLA)
"102" | state | the reserve has no deficit (RESERVE_NOT_IN_DEFICIT)
"103" | amount | the liquidation leaves dust: liquidate the whole position (MUST_NOT_LEAVE_DUST)
"104" | state | the account must have no debt for this (USER_CANNOT_HAVE_DEBT)
# Aave v2 | aave/protocol-v2 | contracts/protocol/libraries/helpers/Errors.sol | 0x7d2768dE32b0b80b7a3454c06BdAc94A69DDc7A9, 0x8dFf5E27EA6b7AC08EbFdf9eB090F32ee9a30fcf, 0x4F01AeD16D97E3aB5ab2B501154DC9bb0F1A5A2C
"1" | amount | the amount is zero (VL_INVALID_AMOUNT)
"2" | paused | the reserve is not active (VL_NO_ACTIVE_RESERVE)
"3" | paused | the reserve is frozen: no new deposits or loans (VL_RESERVE_FROZEN)
"4" | liquidity | the pool has too little liquidity (VL_CURRENT_AVAILABLE_LIQUIDITY_NOT_ENOUGH)
"5" | balance | the account withdraws more than it deposited (VL_NOT_ENOUGH_AVAILABLE_USER_BALANCE)
"6" | health | the account's collateral does not allow the transfer (VL_TRANSFER_NOT_ALLOWED)
"7" | paused | the reserve has no borrowing (VL_BORROWING_NOT_ENABLED)
"8" | input | the interest rate mode is invalid (VL_INVALID_INTEREST_RATE_MODE_SELECTED)
"9" | health | the account has no collateral (VL_COLLATERAL_BALANCE_IS_0)
"10" | health | the account's health factor would fall below the liquidation threshold (VL_HEALTH_FACTOR_LOWER_THAN_LIQUIDATION_THRESHOLD)
"11" | health | the account's collateral does not cover the new debt (VL_COLLATERAL_CANNOT_COVER_NEW_BORROW)
"12" | paused | the reserve has no stable borrowing (VL_STABLE_BORROWING_NOT_ENABLED)
"13" | health | the collateral is mostly the currency to borrow (VL_COLLATERAL_SAME_AS_BORROWING_CURRENCY)
"14" | limit | the loan is above the maximum at a stable rate (VL_AMOUNT_BIGGER_THAN_MAX_LOAN_SIZE_STABLE)
"15" | state | the account has no debt of this kind in the asset (VL_NO_DEBT_OF_SELECTED_TYPE)
"16" | input | a repayment for another account needs an exact amount (VL_NO_EXPLICIT_AMOUNT_TO_REPAY_ON_BEHALF)
"19" | balance | the account has no deposit of the asset (VL_UNDERLYING_BALANCE_NOT_GREATER_THAN_0)
"29" | access | only the pool can call this function (CT_CALLER_MUST_BE_LENDING_POOL)
"42" | health | the account's health factor is not below the threshold (LPCM_HEALTH_FACTOR_NOT_BELOW_THRESHOLD)
"56" | amount | the amount to mint is too small (CT_INVALID_MINT_AMOUNT)
"58" | amount | the amount to burn is too small (CT_INVALID_BURN_AMOUNT)
"59" | allowance | the account has not delegated enough credit to the caller (BORROW_ALLOWANCE_NOT_ENOUGH) | grant: Let the account call approveDelegation of the debt token for the caller.
"64" | paused | the pool is paused (LP_IS_PAUSED)
# Aave v3.4 | aave-dao/aave-v3-origin | src/contracts/protocol/libraries/helpers/Errors.sol | ${AAVE_V3}, withdraw(address,uint256,address), borrow(address,uint256,uint256,uint16,address), repay(address,uint256,uint256,address), setUserUseReserveAsCollateral(address,bool), liquidationCall(address,address,address,uint256,bool), flashLoan(address,address[],uint256[],uint256[],address,bytes,uint16)
CallerNotPoolAdmin() | access | only a pool admin can call this function
CallerNotPoolOrEmergencyAdmin() | access | only a pool or emergency admin can call this function
CallerNotRiskOrPoolAdmin() | access | only a risk or pool admin can call this function
CallerNotAssetListingOrPoolAdmin() | access | only an asset listing or pool admin can call this function
AddressesProviderNotRegistered() | input | the addresses provider is not registered
InvalidAddressesProviderId() | input | the id of the addresses provider is invalid
NotContract() | missing | an address has no code
CallerNotPoolConfigurator() | access | only the pool configurator can call this function
CallerNotAToken() | access | only an aToken can call this function
InvalidAddressesProvider() | input | the address of the addresses provider is invalid
InvalidFlashloanExecutorReturn() | inner | the receiver of the flash loan did not return true
ReserveAlreadyAdded() | state | the reserve is already listed
NoMoreReservesAllowed() | limit | the pool has its maximum of reserves
EModeCategoryReserved() | input | eMode category 0 is reserved
ReserveLiquidityNotZero() | state | the reserve's liquidity is not zero
FlashloanPremiumInvalid() | input | the flash loan premium is invalid
InvalidReserveParams() | input | the reserve's risk parameters are invalid
InvalidEmodeCategoryParams() | input | the risk parameters of the eMode category are invalid
CallerMustBePool() | access | only the pool can call this function
InvalidMintAmount() | amount | the amount to mint is too small
InvalidBurnAmount() | amount | the amount to burn is too small
ReserveInactive() | paused | the reserve is not active
ReserveFrozen() | paused | the reserve is frozen: no new supply or borrowing
ReservePaused() | paused | the reserve is paused
BorrowingNotEnabled() | paused | the reserve has no borrowing
NotEnoughAvailableUserBalance() | balance | the account withdraws more than it supplied
InvalidInterestRateModeSelected() | input | the interest rate mode is invalid: only variable (2) remains
HealthFactorLowerThanLiquidationThreshold() | health | the account's health factor would fall below the liquidation threshold
CollateralCannotCoverNewBorrow() | health | the account's collateral does not cover the new debt
NoDebtOfSelectedType() | state | the account has no debt of this kind in the asset
NoExplicitAmountToRepayOnBehalf() | input | a repayment for another account needs an exact amount
UnderlyingBalanceZero() | balance | the account has no supply of the asset
HealthFactorNotBelowThreshold() | health | the account's health factor is not below the threshold
CollateralCannotBeLiquidated() | health | the chosen collateral cannot be liquidated
SpecifiedCurrencyNotBorrowedByUser() | state | the account did not borrow the currency
InconsistentFlashloanParams() | input | two lists of the flash loan have different lengths
BorrowCapExceeded() | limit | the borrow cap of the reserve is exceeded | Borrow less, or another asset: read the borrow cap before you request a quote.
SupplyCapExceeded() | limit | the supply cap of the reserve is exceeded | Supply less, or to another market: read the supply cap and the aToken's supply before you request a quote.
LtvValidationFailed() | health | the account has collateral with a loan-to-value of 0, which must be withdrawn first
InconsistentEModeCategory() | input | the eMode category does not match the account's debt
ReserveAlreadyInitialized() | state | the reserve is already initialized
UserHasAssetWithZeroLtv() | health | the account has collateral with a loan-to-value of 0
InvalidLtv() | input | the loan-to-value is invalid
InvalidLiquidationThreshold() | input | the liquidation threshold is invalid
InvalidLiquidationBonus() | input | the liquidation bonus is invalid
InvalidDecimals() | input | the asset's decimals are invalid
InvalidReserveFactor() | input | the reserve factor is invalid
InvalidBorrowCap() | input | the borrow cap is invalid
InvalidSupplyCap() | input | the supply cap is invalid
InvalidLiquidationProtocolFee() | input | the liquidation fee is invalid
InvalidReserveIndex() | input | the reserve's index is invalid
AclAdminCannotBeZero() | input | the admin cannot be the zero address
InconsistentParamsLength() | input | two lists of the call have different lengths
ZeroAddressNotValid() | input | the zero address is not allowed
InvalidExpiration() | deadline | the permit has expired
OperationNotSupported() | missing | the operation is not supported
AssetNotListed() | missing | the asset is not listed in the pool
InvalidOptimalUsageRatio() | input | the optimal usage ratio is invalid
UnderlyingCannotBeRescued() | access | the underlying asset cannot be rescued
AddressesProviderAlreadyAdded() | state | the addresses provider is already added
PoolAddressesDoNotMatch() | input | the token belongs to another pool
ReserveDebtNotZero() | state | the reserve still has debt
FlashloanDisabled() | paused | the asset has no flash loans
InvalidMaxRate() | input | the maximum borrow rate is invalid
WithdrawToAToken() | recipient | a withdrawal to the aToken is not allowed
SupplyToAToken() | recipient | a supply for the aToken is not allowed
Slope2MustBeGteSlope1() | input | the second slope of the rate is below the first
CallerNotRiskOrPoolOrEmergencyAdmin() | access | only a risk, pool or emergency admin can call this function
LiquidationGraceSentinelCheckFailed() | state | the liquidation is in its grace period
InvalidGracePeriod() | input | the grace period is invalid
InvalidFreezeState() | state | the reserve is already in this freeze state
InvalidLtvzeroState() | state | the reserve is already in this state
NotBorrowableInEMode() | input | the asset cannot be borrowed in the account's eMode
CallerNotUmbrella() | access | only the umbrella contract can call this function
ReserveNotInDeficit() | state | the reserve has no deficit
MustNotLeaveDust() | amount | the liquidation leaves dust: liquidate the whole position
UserCannotHaveDebt() | state | the account must have no debt for this
SelfLiquidation() | access | an account cannot liquidate itself
CallerNotPositionManager() | access | the account has not made the caller its position manager
InvalidCollateralInEmode(address reserve, uint256 categoryId) | input | the account's collateral {reserve} is not part of eMode category {categoryId}
InvalidDebtInEmode(address reserve, uint256 categoryId) | input | the account's debt in {reserve} is not part of eMode category {categoryId}
MustBeEmodeCollateral(address reserve, uint256 categoryId) | input | {reserve} is not collateral of eMode category {categoryId}
# Compound v3 | compound-finance/comet | contracts/CometMainInterface.sol, contracts/CometExtInterface.sol | supply(address,uint256), supplyTo(address,address,uint256), supplyFrom(address,address,address,uint256), withdrawTo(address,address,uint256), withdrawFrom(address,address,address,uint256), transferAsset(address,address,uint256), transferAssetFrom(address,address,address,uint256), buyCollateral(address,uint256,uint256,address), absorb(address,address[]), allow(address,bool), allowBySig(address,address,bool,uint256,uint256,uint8,bytes32,bytes32)
Paused() | paused | the contract is paused
Unauthorized() | access | the contract does not allow the caller to call this function | grant: Let the account call Comet.allow for the caller, or supply and withdraw for the caller itself.
SupplyCapExceeded() | limit | the supply cap is exceeded | Supply less, or to another market: read the cap before you request a quote.
NotCollateralized() | health | the account's collateral does not cover its debt after this call
BorrowTooSmall() | amount | the debt would be below the market's minimum
BadAsset() | missing | the asset is not part of this market
BadPrice() | price | the price feed returned no valid price
BadAmount() | amount | the allowance must be 0 or unlimited | Call allow, or approve 0 or the maximum.
BadNonce() | nonce | the signature's nonce is not the account's current nonce
BadSignatory() | signature | the signature is not from the account
InvalidValueS() | signature | the signature's s is in the upper half of the curve
InvalidValueV() | signature | the signature's v is neither 27 nor 28
SignatureExpired() | deadline | the signature has expired
InsufficientReserves() | liquidity | the market's reserves are too small
NoSelfTransfer() | recipient | a transfer to oneself is not allowed
NotForSale() | state | the market sells no collateral now
NotLiquidatable() | health | the account cannot be liquidated
ReentrantCallBlocked() | reentry | the contract is called again before its first call ended
TooMuchSlippage() | slippage | the collateral is below its minimum
TransferInFailed() | transfer | the token did not move to the market: an allowance or a balance is too small, or the token does not allow the transfer
TransferOutFailed() | transfer | the token did not move to the recipient
Absurd() | input | the call transfers nothing, or between contradicting accounts
BadMinimum() | input | the minimum is invalid
TimestampTooLarge() | math | the time does not fit into its type
TooManyAssets() | limit | the market has its maximum of assets
# Compound v3 | compound-finance/comet | contracts/bulkers/BaseBulker.sol | invoke(bytes32[],bytes[])
UnhandledAction() | input | the bulker has no such action
InvalidArgument() | input | an argument is invalid
FailedToSendNativeToken() | transfer | the recipient does not accept native currency
UnsupportedBaseAsset() | missing | the asset is not supported
# Morpho Blue | morpho-org/morpho-blue | src/libraries/ErrorsLib.sol | supply((address,address,address,address,uint256),uint256,uint256,address,bytes), withdraw((address,address,address,address,uint256),uint256,uint256,address,address), borrow((address,address,address,address,uint256),uint256,uint256,address,address), repay((address,address,address,address,uint256),uint256,uint256,address,bytes), supplyCollateral((address,address,address,address,uint256),uint256,address,bytes), withdrawCollateral((address,address,address,address,uint256),uint256,address,address), liquidate((address,address,address,address,uint256),address,uint256,uint256,bytes), createMarket((address,address,address,address,uint256)), setAuthorization(address,bool), setAuthorizationWithSig((address,address,bool,uint256,uint256),(uint8,bytes32,bytes32)), 0xBBBBBbbBBb9cC5e90e3b3Af64bdAF62C37EEFFCb
"not owner" | access | only the contract's owner can call this function
"market not created" | missing | the market does not exist, with these parameters
"market already created" | state | the market already exists
"inconsistent input" | input | exactly one of assets and shares must be zero
"zero assets" | amount | the amount is zero
"zero address" | input | an address is zero
"unauthorized" | access | the position's owner has not authorized the caller | grant: Let the account call setAuthorization, or use a signed authorization.
"insufficient collateral" | health | the account's collateral does not cover its debt after this call
"insufficient liquidity" | liquidity | the market has lent out too much for this withdrawal or loan
"position is healthy" | health | the account cannot be liquidated
"invalid signature" | signature | the signature is not from the account
"signature expired" | deadline | the signature has expired
"invalid nonce" | nonce | the signature's nonce is not the account's current nonce
"transfer reverted" | transfer | the token reverted: the contract has too little, or the token does not allow the transfer
"transfer returned false" | transfer | the token returned false
"transferFrom reverted" | transfer | the token reverted: an allowance or a balance is too small, or the token does not allow the transfer
"transferFrom returned false" | transfer | the token returned false: an allowance or a balance is too small, or the token does not allow the transfer
"max uint128 exceeded" | math | a value does not fit into 128 bits
"already set" | state | the value is already set
"IRM not enabled" | missing | the interest rate model is not enabled
"LLTV not enabled" | missing | the loan-to-value of the market is not enabled
"max LLTV exceeded" | limit | the loan-to-value is too high
"max fee exceeded" | limit | the fee is too high
"no code" | missing | the token has no code
# MetaMorpho | morpho-org/metamorpho | src/libraries/ErrorsLib.sol | reallocate(((address,address,address,address,uint256),uint256)[])
AllCapsReached() | limit | all markets of the vault are at their caps | Deposit less, or to another vault: read maxDeposit before you request a quote.
SupplyCapExceeded(bytes32 id) | limit | the cap of market {id} is exceeded
NotEnoughLiquidity() | liquidity | the vault's markets have too little liquidity for the withdrawal
MarketNotEnabled(bytes32 id) | missing | the market {id} is not enabled in the vault
MarketNotCreated() | missing | the market does not exist
NotAllocatorRole() | access | only an allocator of the vault can call this function
NotCuratorRole() | access | only the vault's curator can call this function
NotGuardianRole() | access | only the vault's guardian can call this function
InconsistentReallocation() | amount | the reallocation withdraws and supplies different amounts
UnauthorizedMarket(bytes32 id) | missing | the market {id} is not authorized in the vault
# Maker | makerdao/dss | src/dai.sol, src/vat.sol, src/join.sol, src/pot.sol | anywhere
"Dai/insufficient-balance" | balance | the holder has less Dai than the call moves
"Dai/insufficient-allowance" | allowance | the spender is allowed to spend less Dai than the call moves
"Dai/invalid-permit" | signature | the permit is not signed by the holder
"Dai/permit-expired" | deadline | the permit has expired
"Dai/invalid-nonce" | nonce | the permit's nonce is not the holder's current nonce
"Dai/not-authorized" | access | the contract does not allow the caller to call this function
"Vat/ceiling-exceeded" | limit | the debt ceiling is reached
"Vat/dust" | amount | the debt would be below the minimum
"Vat/not-safe" | health | the vault would have too little collateral
"Vat/not-allowed-u" | access | the vault's owner has not allowed the caller
"Vat/not-allowed" | access | the account has not allowed the caller
"GemJoin/failed-transfer" | transfer | the token returned false
"DaiJoin/not-live" | paused | the contract is shut down
"Pot/rho-not-updated" | state | the savings rate must be updated first, with drip
`;
