// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Taken} from "./Taken.sol";

/// @dev `_drawToken` of the executor, with its words in state variables. The proof is for every state that satisfies
/// the invariant, so the bound holds after any number of draws.
contract Proof is Taken {
    /// @dev Drawn since the shares began to count.
    uint256 private _drawn;

    function aDrawKeepsTheInvariant(uint256 step, uint256 bps, uint256 live) external {
        require(bps <= type(uint16).max && step < 256);
        // Before the first step nothing was drawn, and the base is the live balance.
        require(step != 0 || (_DRAWN_BPS_word == 0 && _BASE_word == live));
        if (_DRAWN_BPS_word == 0) _drawn = 0;
        require(_isInvariant());
        (uint256 before, uint256 sum) = (_DRAWN_BPS_word, _DRAWN_BPS_word + bps);

        uint256 amount = _drawToken(step, bps, live);

        assert(sum <= _WHOLE_BPS);
        if (sum == _WHOLE_BPS) {
            // The last share takes what is there.
            assert(amount == live);
            assert(_DRAWN_BPS_word == 0);
        } else {
            // The first share takes from the balance at its step.
            assert(before != 0 || _BASE_word == live);
            // Lemmas: see Share.sol.
            unchecked {
                require(_share(_BASE_word, before) + _share(_BASE_word, bps) <= _share(_BASE_word, sum));
                require(_share(_BASE_word, before) <= type(uint256).max - _share(_BASE_word, bps));
                require(_share(_BASE_word, sum) <= _BASE_word);
                _drawn += amount;
            }
            assert(_isInvariant());
            assert(_drawn <= _BASE_word);
        }
    }

    function _isInvariant() private view returns (bool) {
        return _DRAWN_BPS_word < _WHOLE_BPS && _drawn <= _share(_BASE_word, _DRAWN_BPS_word);
    }
}
