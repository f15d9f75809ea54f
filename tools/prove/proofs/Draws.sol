// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Taken} from "./Taken.sol";

/// @dev `_drawToken` of the executor, with its words in state variables. The proof covers every state that satisfies
/// the invariant, so the bound holds after any number of draws. `_share` is any function with the properties that
/// Share.sol proves.
contract Proof is Taken {
    uint256 private _drawn;

    /// @param ofBefore Amount of the base for the shares drawn so far.
    /// @param ofSum Amount of the base for the shares including this draw.
    function aDrawKeepsTheInvariant(uint256 step, uint256 bps, uint256 live, uint256 ofBefore, uint256 ofSum) external {
        require(bps <= type(uint16).max && step < 256);
        (uint256 before, uint256 sum) = (_DRAWN_BPS_word, _DRAWN_BPS_word + bps);
        // Before the first draw, the drawn amount is zero, and the base is the live balance.
        require(step != 0 || (before == 0 && _BASE_word == live));
        // After the last share, counting starts again.
        if (before == 0) (_drawn, ofBefore) = (0, 0);
        require(before < _WHOLE_BPS && _drawn <= ofBefore);

        uint256 amount = _drawToken(step, bps, live);

        assert(sum <= _WHOLE_BPS);
        if (sum == _WHOLE_BPS) {
            // The last share takes the remaining balance.
            assert(amount == live && _DRAWN_BPS_word == 0);
        } else {
            assert(_DRAWN_BPS_word == sum);
            // The first share takes from the balance at that step.
            assert(before != 0 || _BASE_word == live);
            assert(_sharedAmount == _BASE_word && _sharedBps == bps);
            // See Share.sol.
            require(ofBefore <= ofSum && _ofBps <= ofSum - ofBefore && ofSum <= _BASE_word);
            assert(amount == _ofBps);
            assert(_drawn + amount <= ofSum && _drawn + amount <= _BASE_word);
        }
    }
}
