/** Stands in for the QR library's segments: one segment of bytes, without a search for modes. */
const ByteData = require('qrcode/lib/core/byte-data');

exports.fromArray = (segments) => segments.map(({ data }) => new ByteData(data));
