// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {AttestationVerifier} from "../../../contracts/attestation/AttestationVerifier.sol";
import {IAttestationVerifier} from "../../../contracts/interfaces/IAttestationVerifier.sol";
import {OracleExecution} from "../../../contracts/libraries/OracleExecution.sol";
import {SignedHash} from "../../../contracts/libraries/SignedHash.sol";
import {AttestationTest} from "../support/AttestationTest.sol";

contract AttestationVerifierTest is AttestationTest {
    OracleExecution.Execution internal order;

    function setUp() public override {
        super.setUp();
        order = execution(keccak256("order"), 2);
    }

    function test_Constructor_WhenOraclesAreGiven_StoresThem() public view {
        address[] memory known = verifier.signers();
        assertEq(known.length, 3, "three");
        for (uint256 i = 0; i < 3; ++i) {
            assertEq(known[i], vm.addr(keys[i]), "in order");
            assertTrue(verifier.isSigner(known[i]), "a signer");
        }
        assertFalse(verifier.isSigner(vm.addr(STRANGER_KEY)), "a stranger");
        assertFalse(verifier.isSigner(address(0)), "zero address");
        assertEq(verifier.threshold(), THRESHOLD, "threshold");
    }

    function test_Constructor_WhenOraclesAreNotInOrder_Reverts() public {
        (address first, address second) = (vm.addr(keys[0]), vm.addr(keys[1]));
        vm.expectRevert(abi.encodeWithSelector(IAttestationVerifier.SignersNotAscending.selector, second, first));
        deploy(addresses(second, first), 1);
        vm.expectRevert(abi.encodeWithSelector(IAttestationVerifier.SignersNotAscending.selector, first, first));
        deploy(addresses(first, first), 2);
    }

    function test_Constructor_WhenAnOracleIsZero_Reverts() public {
        vm.expectRevert(
            abi.encodeWithSelector(IAttestationVerifier.SignersNotAscending.selector, address(0), address(0))
        );
        deploy(addresses(address(0), vm.addr(keys[0])), 1);
    }

    function test_Constructor_WhenThresholdCannotBeMet_Reverts() public {
        address[] memory one = addresses(vm.addr(keys[0]));
        vm.expectRevert(abi.encodeWithSelector(IAttestationVerifier.ThresholdOutOfRange.selector, 0, 1));
        deploy(one, 0);
        vm.expectRevert(abi.encodeWithSelector(IAttestationVerifier.ThresholdOutOfRange.selector, 2, 1));
        deploy(one, 2);
        vm.expectRevert(abi.encodeWithSelector(IAttestationVerifier.ThresholdOutOfRange.selector, 0, 0));
        deploy(new address[](0), 0);
    }

    function test_Constructor_WhenOracleContractIsZero_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IAttestationVerifier.OracleIsZero.selector));
        deployCode("AttestationVerifier", abi.encode(addresses(vm.addr(keys[0])), 1, "2", HUB_CHAIN_ID, address(0)));
    }

    function test_Verify_WhenEnoughHaveSigned_ReturnsTheDigest() public view {
        assertEq(verifier.verify(order, signedByTwo(order)), digestOf(order), "digest");
        assertEq(verifier.hashExecution(order), digestOf(order), "hash");
        assertEq(
            verifier.verify(order, both(signed(order, keys[0]), signed(order, keys[2]))), digestOf(order), "others"
        );
    }

    function test_Verify_WhenMoreThanEnoughHaveSigned_Passes() public view {
        IAttestationVerifier.OracleSignature[] memory all = new IAttestationVerifier.OracleSignature[](3);
        for (uint256 i = 0; i < 3; ++i) {
            all[i] = signed(order, keys[i]);
        }
        assertEq(verifier.verify(order, all), digestOf(order), "digest");
    }

    function test_Verify_WhenSignaturesAreCompact_Passes() public view {
        IAttestationVerifier.OracleSignature[] memory two = signedByTwo(order);
        for (uint256 i = 0; i < 2; ++i) {
            (uint8 v, bytes32 r, bytes32 s) = vm.sign(keys[i], digestOf(order));
            two[i].signature = abi.encodePacked(r, uint256(s) | (uint256(v - 27) << 255));
        }
        verifier.verify(order, two);
    }

    function test_Verify_WhenTooFewHaveSigned_Reverts() public {
        IAttestationVerifier.OracleSignature[] memory one = new IAttestationVerifier.OracleSignature[](1);
        one[0] = signed(order, keys[0]);
        vm.expectRevert(abi.encodeWithSelector(IAttestationVerifier.TooFewSignatures.selector, 1, THRESHOLD));
        verifier.verify(order, one);
        vm.expectRevert(abi.encodeWithSelector(IAttestationVerifier.TooFewSignatures.selector, 0, THRESHOLD));
        verifier.verify(order, new IAttestationVerifier.OracleSignature[](0));
    }

    function test_Verify_WhenOneHasSignedTwice_Reverts() public {
        address first = vm.addr(keys[0]);
        vm.expectRevert(abi.encodeWithSelector(IAttestationVerifier.SignaturesNotAscending.selector, first, first));
        verifier.verify(order, both(signed(order, keys[0]), signed(order, keys[0])));
    }

    function test_Verify_WhenSignaturesAreNotInOrder_Reverts() public {
        (address first, address second) = (vm.addr(keys[0]), vm.addr(keys[1]));
        vm.expectRevert(abi.encodeWithSelector(IAttestationVerifier.SignaturesNotAscending.selector, second, first));
        verifier.verify(order, both(signed(order, keys[1]), signed(order, keys[0])));
    }

    function test_Verify_WhenSignerIsZero_Reverts() public {
        IAttestationVerifier.OracleSignature memory unsigned = IAttestationVerifier.OracleSignature(address(0), "");
        vm.expectRevert(
            abi.encodeWithSelector(IAttestationVerifier.SignaturesNotAscending.selector, address(0), address(0))
        );
        verifier.verify(order, both(unsigned, signed(order, keys[0])));
    }

    function test_Verify_WhenAStrangerHasSigned_Reverts() public {
        IAttestationVerifier.OracleSignature memory theirs = signed(order, STRANGER_KEY);
        IAttestationVerifier.OracleSignature memory ours = signed(order, keys[0]);
        vm.expectRevert(abi.encodeWithSelector(IAttestationVerifier.UnknownSigner.selector, theirs.signer));
        verifier.verify(order, theirs.signer < ours.signer ? both(theirs, ours) : both(ours, theirs));
    }

    function test_Verify_WhenStrangerSignsForOracle_Reverts() public {
        IAttestationVerifier.OracleSignature[] memory two = signedByTwo(order);
        two[1].signature = signed(order, STRANGER_KEY).signature;
        address stranger = vm.addr(STRANGER_KEY);
        vm.expectRevert(abi.encodeWithSelector(SignedHash.WrongSigner.selector, stranger, two[1].signer));
        verifier.verify(order, two);
    }

    function test_Verify_WhenTheLastOfMoreThanEnoughIsWrong_Reverts() public {
        IAttestationVerifier.OracleSignature[] memory all = new IAttestationVerifier.OracleSignature[](3);
        for (uint256 i = 0; i < 3; ++i) {
            all[i] = signed(order, keys[i]);
        }
        all[2].signature = "";
        vm.expectRevert(abi.encodeWithSelector(SignedHash.WrongSignatureLength.selector, 0));
        verifier.verify(order, all);
    }

    /// @dev The attack: one oracle's key is counted twice, directly and through a wallet that it owns.
    function test_Verify_WhenAKeySignsForItsWallet_Reverts() public {
        address key = vm.addr(keys[0]);
        address wallet = deployCode("Wallet1271", abi.encode(key));
        bool isFirst = wallet < key;
        verifier = deploy(isFirst ? addresses(wallet, key) : addresses(key, wallet), 2);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(keys[0], digestOf(order));
        bytes[3] memory forms = [
            abi.encodePacked(r, s, v),
            abi.encodePacked(r, CURVE_ORDER - uint256(s), 55 - v),
            abi.encodePacked(r, s, v - 27)
        ];
        for (uint256 i = 0; i < 3; ++i) {
            vm.mockCall(
                wallet,
                abi.encodeCall(IERC1271.isValidSignature, (digestOf(order), forms[i])),
                abi.encode(IERC1271.isValidSignature.selector)
            );
            IAttestationVerifier.OracleSignature memory own = signed(order, keys[0]);
            IAttestationVerifier.OracleSignature memory twin = IAttestationVerifier.OracleSignature(wallet, forms[i]);
            vm.expectRevert(abi.encodeWithSelector(IAttestationVerifier.SignatureOfAnotherSigner.selector, wallet, key));
            verifier.verify(order, isFirst ? both(twin, own) : both(own, twin));
        }
    }

    /// @dev The attack: one key is counted twice, through two wallets that it owns. Each signature has another form.
    function test_Verify_WhenAKeySignsForTwoWallets_Reverts() public {
        address first = deployCode("Wallet1271", abi.encode(vm.addr(STRANGER_KEY)));
        address second = deployCode("Wallet1271", abi.encode(vm.addr(STRANGER_KEY)));
        if (second < first) (first, second) = (second, first);
        verifier = deploy(addresses(first, second), 2);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(STRANGER_KEY, digestOf(order));
        bytes memory signature = abi.encodePacked(r, s, v);
        bytes[3] memory forms =
            [signature, abi.encodePacked(r, CURVE_ORDER - uint256(s), 55 - v), abi.encodePacked(r, s, v - 27)];
        for (uint256 i = 0; i < 3; ++i) {
            vm.mockCall(
                second,
                abi.encodeCall(IERC1271.isValidSignature, (digestOf(order), forms[i])),
                abi.encode(IERC1271.isValidSignature.selector)
            );
            IAttestationVerifier.OracleSignature[] memory list = both(
                IAttestationVerifier.OracleSignature(first, signature),
                IAttestationVerifier.OracleSignature(second, forms[i])
            );
            vm.expectRevert(
                abi.encodeWithSelector(
                    IAttestationVerifier.SignatureOfAnotherSigner.selector, second, vm.addr(STRANGER_KEY)
                )
            );
            verifier.verify(order, list);
        }
    }

    function testFuzz_Verify_WhenTwoWalletsSign_PassesOnlyWithTwoKeys(uint256 one, uint256 other) public {
        one = bound(one, 1, 4);
        other = bound(other, 1, 4);
        address first = deployCode("Wallet1271", abi.encode(vm.addr(one)));
        address second = deployCode("Wallet1271", abi.encode(vm.addr(other)));
        if (second < first) (first, second, one, other) = (second, first, other, one);
        verifier = deploy(addresses(first, second), 2);
        IAttestationVerifier.OracleSignature[] memory list = both(signed(order, one), signed(order, other));
        (list[0].signer, list[1].signer) = (first, second);
        if (one == other) {
            vm.expectRevert(
                abi.encodeWithSelector(IAttestationVerifier.SignatureOfAnotherSigner.selector, second, vm.addr(other))
            );
        }
        verifier.verify(order, list);
    }

    /// @dev Wallets with their own forms of signatures share no key that the verifier can see.
    function test_Verify_WhenWalletsHaveTheirOwnForm_Passes() public {
        bytes memory accepts = abi.encode(abi.encode(IERC1271.isValidSignature.selector));
        address first = deployCode("FixedAnswer", accepts);
        address second = deployCode("FixedAnswer", accepts);
        if (second < first) (first, second) = (second, first);
        verifier = deploy(addresses(first, second), 2);
        IAttestationVerifier.OracleSignature[] memory list = both(
            IAttestationVerifier.OracleSignature(first, "own form"),
            IAttestationVerifier.OracleSignature(second, "own form")
        );
        assertEq(verifier.verify(order, list), digestOf(order), "digest");
    }

    function test_Verify_WhenAWalletSigns_Passes() public {
        address key = vm.addr(keys[0]);
        address wallet = deployCode("Wallet1271", abi.encode(vm.addr(STRANGER_KEY)));
        bool isFirst = wallet < key;
        verifier = deploy(isFirst ? addresses(wallet, key) : addresses(key, wallet), 2);
        IAttestationVerifier.OracleSignature memory own = signed(order, keys[0]);
        IAttestationVerifier.OracleSignature memory theirs = signed(order, STRANGER_KEY);
        theirs.signer = wallet;
        assertEq(verifier.verify(order, isFirst ? both(theirs, own) : both(own, theirs)), digestOf(order), "digest");
    }

    function test_Verify_WhenSIsHigh_Reverts() public {
        IAttestationVerifier.OracleSignature[] memory two = signedByTwo(order);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(keys[1], digestOf(order));
        uint256 high = CURVE_ORDER - uint256(s);
        two[1].signature = abi.encodePacked(r, high, 55 - v);
        vm.expectRevert(abi.encodeWithSelector(SignedHash.HighS.selector, high, CURVE_ORDER / 2));
        verifier.verify(order, two);
    }

    function test_Verify_WhenSignedForAnotherDomain_Reverts() public {
        AttestationVerifier[3] memory others = [
            AttestationVerifier(
                deployCode("AttestationVerifier", abi.encode(signersOf(keys), THRESHOLD, "1", HUB_CHAIN_ID, ORACLE))
            ),
            AttestationVerifier(
                deployCode("AttestationVerifier", abi.encode(signersOf(keys), THRESHOLD, "2", 1, ORACLE))
            ),
            AttestationVerifier(
                deployCode(
                    "AttestationVerifier", abi.encode(signersOf(keys), THRESHOLD, "2", HUB_CHAIN_ID, address(this))
                )
            )
        ];
        IAttestationVerifier.OracleSignature[] memory two = signedByTwo(order);
        (bytes32 r, bytes32 s) = abi.decode(two[0].signature, (bytes32, bytes32));
        for (uint256 i = 0; i < 3; ++i) {
            address recovered = ecrecover(others[i].hashExecution(order), uint8(two[0].signature[64]), r, s);
            vm.expectRevert(abi.encodeWithSelector(SignedHash.WrongSigner.selector, recovered, two[0].signer));
            others[i].verify(order, two);
        }
    }

    function test_Verify_WhenOracleIsAWallet_ChecksERC1271Signature() public {
        address wallet = deployCode("Wallet1271", abi.encode(vm.addr(STRANGER_KEY)));
        verifier = deploy(addresses(wallet), 1);
        IAttestationVerifier.OracleSignature[] memory one = new IAttestationVerifier.OracleSignature[](1);
        one[0] = IAttestationVerifier.OracleSignature(wallet, signed(order, STRANGER_KEY).signature);
        verifier.verify(order, one);
        one[0].signature = signed(order, keys[0]).signature;
        vm.expectRevert(abi.encodeWithSelector(SignedHash.WalletRefused.selector, wallet, digestOf(order)));
        verifier.verify(order, one);
    }

    function test_Verify_WhenOracleIsAWallet_PassesTheDigest() public {
        address wallet = deployCode("FixedAnswer", abi.encode(abi.encode(IERC1271.isValidSignature.selector)));
        verifier = deploy(addresses(wallet), 1);
        IAttestationVerifier.OracleSignature[] memory one = new IAttestationVerifier.OracleSignature[](1);
        one[0] = IAttestationVerifier.OracleSignature(wallet, "in its own form");
        vm.expectCall(wallet, abi.encodeCall(IERC1271.isValidSignature, (digestOf(order), "in its own form")));
        verifier.verify(order, one);
    }

    /// @dev The vectors were computed with another library. The TypeScript tests also read and count them.
    function test_Verify_WhenVectorsAreShared_Agrees() public {
        string memory json = vm.readFile("test/vectors/executions.json");
        assertEq(bytes32(vm.parseJsonBytes32(json, ".typeHash")), OracleExecution.EXECUTION_TYPEHASH, "type");
        address[] memory signers = vm.parseJsonAddressArray(json, ".signers");
        verifier = AttestationVerifier(
            deployCode(
                "AttestationVerifier",
                abi.encode(
                    signers,
                    signers.length,
                    vm.parseJsonString(json, ".domain.version"),
                    vm.parseJsonUint(json, ".domain.chainId"),
                    vm.parseJsonAddress(json, ".domain.oracle")
                )
            )
        );
        assertEq(verifier.domainSeparator(), vm.parseJsonBytes32(json, ".domain.separator"), "domain");
        string[4] memory rows = [".executions[0]", ".executions[1]", ".executions[2]", ".executions[3]"];
        for (uint256 i = 0; i < rows.length; ++i) {
            OracleExecution.Execution memory vector = OracleExecution.Execution(
                vm.parseJsonBytes32(json, string.concat(rows[i], ".idempotencyKey")),
                vm.parseJsonBytesArray(json, string.concat(rows[i], ".actions"))
            );
            bytes[] memory signatures = vm.parseJsonBytesArray(json, string.concat(rows[i], ".signatures"));
            IAttestationVerifier.OracleSignature[] memory all =
                new IAttestationVerifier.OracleSignature[](signers.length);
            for (uint256 j = 0; j < all.length; ++j) {
                all[j] = IAttestationVerifier.OracleSignature(signers[j], signatures[j]);
            }
            bytes32 digest = vm.parseJsonBytes32(json, string.concat(rows[i], ".digest"));
            assertEq(verifier.verify(vector, all), digest, "digest");
        }
    }
}
