// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Known functions that move a caller's tokens, authorize others to act for the caller, or take on debt
/// @notice A contract that makes arbitrary calls for anyone must not call these functions: the authorization or payment
/// of one caller would affect the tokens of the next.
/// @dev The list has the functions of ERC standards and of widely used protocols; docs/contracts.md names their sources. It
/// cannot cover every protocol: a program's author still trusts the tokens and the targets.
library DeniedSelectors {
    /// @dev Bitmap of the first bytes of the selectors below.
    uint256 private constant _FIRST_BYTES = 0x4400d40227a4042f11501a1c8c2001a088240c0420a9081522134a08801f0200;

    /// @dev Bitmap of the selectors below, modulo `_MODULUS`. The modulus is a number with which few functions that programs
    /// often call need the comparisons.
    uint256 private constant _REMAINDERS = 0x001d440098b00a505911422eb081426046720c01009020a3aa60007002200201;
    uint32 private constant _MODULUS = 245;

    /// @notice Whether a selector is denied.
    function includes(bytes4 selector) internal pure returns (bool isIncluded) {
        // Lets most calls skip the comparisons.
        if ((_FIRST_BYTES >> uint8(bytes1(selector))) & 1 != 0) {
            if ((_REMAINDERS >> (uint32(selector) % _MODULUS)) & 1 != 0) isIncluded = _isListed(selector);
        }
    }

    function _isListed(bytes4 selector) private pure returns (bool) {
        // ERC-20, and ERC-721 functions of the same name.
        if (selector == bytes4(keccak256("transfer(address,uint256)"))) return true;
        if (selector == bytes4(keccak256("transferFrom(address,address,uint256)"))) return true;
        if (selector == bytes4(keccak256("approve(address,uint256)"))) return true;
        // Extensions of widely held tokens.
        if (selector == bytes4(keccak256("approve(address)"))) return true;
        if (selector == bytes4(keccak256("increaseAllowance(address,uint256)"))) return true;
        if (selector == bytes4(keccak256("increaseApproval(address,uint256)"))) return true;
        if (selector == bytes4(keccak256("allow(address,bool)"))) return true;
        // ERC-1363 and ERC-677.
        if (selector == bytes4(keccak256("approveAndCall(address,uint256)"))) return true;
        if (selector == bytes4(keccak256("approveAndCall(address,uint256,bytes)"))) return true;
        if (selector == bytes4(keccak256("transferAndCall(address,uint256)"))) return true;
        if (selector == bytes4(keccak256("transferAndCall(address,uint256,bytes)"))) return true;
        if (selector == bytes4(keccak256("transferFromAndCall(address,address,uint256)"))) return true;
        if (selector == bytes4(keccak256("transferFromAndCall(address,address,uint256,bytes)"))) return true;
        // ERC-777, ERC-721, ERC-1155, ERC-6909 and LSP7.
        if (selector == bytes4(keccak256("authorizeOperator(address)"))) return true;
        if (selector == bytes4(keccak256("send(address,uint256,bytes)"))) return true;
        if (selector == bytes4(keccak256("operatorSend(address,address,uint256,bytes,bytes)"))) return true;
        if (selector == bytes4(keccak256("setApprovalForAll(address,bool)"))) return true;
        if (selector == bytes4(keccak256("setOperator(address,bool)"))) return true;
        if (selector == bytes4(keccak256("approve(address,uint256,uint256)"))) return true;
        if (selector == bytes4(keccak256("transferFrom(address,address,uint256,uint256)"))) return true;
        if (selector == bytes4(keccak256("authorizeOperator(address,uint256,bytes)"))) return true;
        if (selector == bytes4(keccak256("increaseAllowance(address,uint256,bytes)"))) return true;
        // Permit2, which has copies at other addresses.
        if (selector == bytes4(keccak256("approve(address,address,uint160,uint48)"))) return true;
        // Tokens that delegatecall to themselves, which would forward the functions above.
        if (selector == bytes4(keccak256("multicall(bytes[])"))) return true;
        // Token plugins, which run code at every transfer to or from an account.
        if (selector == bytes4(keccak256("addPlugin(address)"))) return true;
        if (selector == bytes4(keccak256("addHook(address)"))) return true;
        if (selector == bytes4(keccak256("addPod(address)"))) return true;
        // Lasting authorizations by protocols: Morpho, Aave, Balancer, Maker, EVC and Superfluid.
        if (selector == bytes4(keccak256("setAuthorization(address,bool)"))) return true;
        if (selector == bytes4(keccak256("approveDelegation(address,uint256)"))) return true;
        if (selector == bytes4(keccak256("setRelayerApproval(address,address,bool)"))) return true;
        if (selector == bytes4(keccak256("hope(address)"))) return true;
        if (selector == bytes4(keccak256("setAccountOperator(address,address,bool)"))) return true;
        if (selector == bytes4(keccak256("setOperator(bytes19,address,uint256)"))) return true;
        if (selector == bytes4(keccak256("callAgreement(address,bytes,bytes)"))) return true;
        // Debt in the caller's name, which would prevent later programs from sending collateral on: Aave, Morpho,
        // Compound v2 and Euler.
        if (selector == bytes4(keccak256("borrow(address,uint256,uint256,uint16,address)"))) return true;
        if (selector == bytes4(keccak256("flashLoan(address,address[],uint256[],uint256[],address,bytes,uint16)"))) {
            return true;
        }
        if (
            selector
                == bytes4(
                    keccak256("borrow((address,address,address,address,uint256),uint256,uint256,address,address)")
                )
        ) return true;
        if (selector == bytes4(keccak256("borrow(uint256)"))) return true;
        if (selector == bytes4(keccak256("borrow(uint256,address)"))) return true;
        // ERC-1820 hooks, which run when an account receives a token, and so between a push and its program.
        if (selector == bytes4(keccak256("setInterfaceImplementer(address,bytes32,address)"))) return true;
        if (selector == bytes4(keccak256("setManager(address,address)"))) return true;
        // Wrappers that call their own functions for the caller, which would forward the functions above: BoringBatchable, EVC
        // and Superfluid.
        if (selector == bytes4(keccak256("batch(bytes[],bool)"))) return true;
        if (selector == bytes4(keccak256("batch((address,address,uint256,bytes)[])"))) return true;
        if (selector == bytes4(keccak256("call(address,address,uint256,bytes)"))) return true;
        if (selector == bytes4(keccak256("batchCall((uint32,address,bytes)[])"))) return true;
        // Further lasting authorizations by protocols. Aave v3 and v4, Venus, Morpho's optimizers, Curve and Prisma.
        if (selector == bytes4(keccak256("approvePositionManager(address,bool)"))) return true;
        if (selector == bytes4(keccak256("setUserPositionManager(address,bool)"))) return true;
        if (selector == bytes4(keccak256("updateDelegate(address,bool)"))) return true;
        if (selector == bytes4(keccak256("approveManager(address,bool)"))) return true;
        if (selector == bytes4(keccak256("approve(address,bool)"))) return true;
        if (selector == bytes4(keccak256("setDelegateApproval(address,bool)"))) return true;
        // Maker's manager, Reflexer, dYdX and Dolomite, BentoBox, Synthetix, Alchemix and Notional.
        if (selector == bytes4(keccak256("urnAllow(address,uint256)"))) return true;
        if (selector == bytes4(keccak256("approveSAFEModification(address)"))) return true;
        if (selector == bytes4(keccak256("setOperators((address,bool)[])"))) return true;
        if (selector == bytes4(keccak256("setMasterContractApproval(address,address,bool,uint8,bytes32,bytes32)"))) {
            return true;
        }
        if (selector == bytes4(keccak256("approveAllDelegatePowers(address)"))) return true;
        if (selector == bytes4(keccak256("approveExchangeOnBehalf(address)"))) return true;
        if (selector == bytes4(keccak256("approveIssueOnBehalf(address)"))) return true;
        if (selector == bytes4(keccak256("approveMint(address,uint256)"))) return true;
        if (selector == bytes4(keccak256("approveWithdraw(address,address,uint256)"))) return true;
        if (selector == bytes4(keccak256("nTokenTransferApproveAll(address,uint256)"))) return true;
        // CoW Protocol, 0x, GMX, Superfluid's forwarder and Amp.
        if (selector == bytes4(keccak256("setPreSignature(bytes,bool)"))) return true;
        if (selector == bytes4(keccak256("registerAllowedOrderSigner(address,bool)"))) return true;
        if (selector == bytes4(keccak256("addSubaccount(address)"))) return true;
        if (selector == bytes4(keccak256("signalTransfer(address)"))) return true;
        if (selector == bytes4(keccak256("setFlowrate(address,address,int96)"))) return true;
        if (selector == bytes4(keccak256("createFlow(address,address,address,int96,bytes)"))) return true;
        if (selector == bytes4(keccak256("grantPermissions(address,address)"))) return true;
        if (selector == bytes4(keccak256("updateFlowOperatorPermissions(address,address,uint8,int96)"))) return true;
        if (selector == bytes4(keccak256("authorizeOperatorByPartition(bytes32,address)"))) return true;
        if (selector == bytes4(keccak256("approveByPartition(bytes32,address,uint256)"))) return true;
        if (selector == bytes4(keccak256("increaseAllowanceByPartition(bytes32,address,uint256)"))) return true;
        // A controller of EVC can seize and block the caller's collateral, and its lockdown ends all deposits in the caller's
        // name.
        if (selector == bytes4(keccak256("enableController(address,address)"))) return true;
        if (selector == bytes4(keccak256("setLockdownMode(bytes19,bool)"))) return true;
        // Debt in the caller's name, or consent to receive it: Aave on rollups, and Silo.
        if (selector == bytes4(keccak256("borrow(bytes32)"))) return true;
        if (selector == bytes4(keccak256("borrow(uint256,address,address)"))) return true;
        if (selector == bytes4(keccak256("borrowShares(uint256,address,address)"))) return true;
        if (selector == bytes4(keccak256("borrowSameAsset(uint256,address,address)"))) return true;
        if (selector == bytes4(keccak256("setReceiveApproval(address,uint256)"))) return true;
        return selector == bytes4(keccak256("increaseReceiveAllowance(address,uint256)"));
    }
}
