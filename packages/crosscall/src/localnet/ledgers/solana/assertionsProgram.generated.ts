// Written by `npm run build:svm`. Do not edit.
/** SHA-256 of the program. */
export const ASSERTIONS_SHA256 = "8f40c9bc541cfd90d8ce7fb8204b693b03815d0c49cd32aeae03c09d323e6dff";

/** The program, compressed with gzip, in base64. */
export const ASSERTIONS_GZIP =
  "H4sIAAAAAAACA61UvU6EQBD+QPBOLURtKInVVUQ7Siy0svANLggbIXLHBdbIVVY+gs9yrY9zb2CJws0IbNxo4STkm1m+L/OzAy/XtzemYYBtDx9oI4+OQjqvzW8KQgSwEGKKSce1B3wVLzDGKWH72gJwRzwVZxijqquJp+I7xsg68xfdCmNknWv0NbWwMYHzr55fHaBpmmZDvDfCq6oSpcyKpRfFsVhJkXjPmUyLJ+lFXpyK+HHHO+H+aK6nFDuEZ0q8T7ilWmyuj/SHCv+vZug0VZHP8+JhTmFg9Hk615eilvDLIolkBD9ZL6NFFndOtV7sUJbwS5G3PvwqrWQpo3v8ixn08Fx0ewflPtkmpOe11u2fTn9MuVmv2ydb0fOsXQBHAz3f61apX9W73G/3rfZ63gNG54d5Da3t72Cg5z2cKXpLU/8l5VctMMf/DV3+T3185Mh4BAAA";
