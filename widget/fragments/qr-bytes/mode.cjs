/** Stands in for the QR library's modes: the element encodes bytes only. */

/** Bits of the mode, and of the count of characters in versions up to 9, 26 and 40. */
exports.BYTE = { bit: 4, ccBits: [8, 16, 16] };

exports.getCharCountIndicator = ({ ccBits }, version) => {
  if (version < 10) return ccBits[0];
  return version < 27 ? ccBits[1] : ccBits[2];
};
