// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Taken} from "./Taken.sol";

/// @dev `_drawToken` of the executor, with its words in state variables. The proof is for every state that satisfies
/// the invariant, so the bound holds after any number of draws. `_share` is any function with the properties that
/// Share.sol proves.
contract Proof is Taken {
    uint256 private _drawn;

    function aDrawKeepsTheInvariant(uint256 step, uint256 bps, uint256 live) external {
        require(bps <= type(uint16).max && step < 256);
        (uint256 before, uint256 sum) = (_DRAWN_BPS_word, _DRAWN_BPS_word + bps);
        // Before the first step nothing was drawn, and the base is the live balance.
        require(step != 0 || (before == 0 && _BASE_word == live));
        // Counting starts again after the last share.
        if (before == 0) _drawn = 0;
        require(before < _WHOLE_BPS && (before == 0 || _drawn <= _share(_BASE_word, before)));

        uint256 amount = _drawToken(step, bps, live);

        assert(sum <= _WHOLE_BPS);
        if (sum == _WHOLE_BPS) {
            // The last share takes what is there.
            assert(amount == live);
            assert(_DRAWN_BPS_word == 0);
            return;
        }
        // The first share takes from the balance at its step.
        assert(before != 0 || _BASE_word == live);
        assert(before == 0 || amount == _share(_BASE_word, bps));
        // See Share.sol.
        require(before == 0 || _share(_BASE_word, before) + _share(_BASE_word, bps) <= _share(_BASE_word, sum));
        require(_share(_BASE_word, sum) <= _BASE_word);
        _drawn += amount;
        assert(_drawn <= _share(_BASE_word, _DRAWN_BPS_word));
        assert(_drawn <= _BASE_word);
    }
}
