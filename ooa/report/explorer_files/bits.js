// Sets of rows as bits in 32-bit words, and typed arrays out of text.

function bytesOf(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i += 1) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

/** Little-endian numbers, as Python wrote them. */
function numbersOf(text, kind) {
  const view = new DataView(bytesOf(text).buffer);
  if (kind === 8) return new Uint8Array(view.buffer);
  const size = kind === 16 ? 2 : 8;
  const made = kind === 16 ? new Uint16Array(view.byteLength / size) : new Float64Array(view.byteLength / size);
  for (let i = 0; i < made.length; i += 1) {
    made[i] = kind === 16 ? view.getUint16(2 * i, true) : view.getFloat64(8 * i, true);
  }
  return made;
}

function noBits(count) {
  return new Int32Array((count + 31) >>> 5);
}

/** The rows of a column whose code is wanted: `wanted[code]` is 1. */
function bitsWhere(codes, wanted) {
  const bits = noBits(codes.length);
  for (let i = 0; i < codes.length; i += 1) bits[i >>> 5] |= wanted[codes[i]] << (i & 31);
  return bits;
}

function intersect(into, other) {
  for (let w = 0; w < into.length; w += 1) into[w] &= other[w];
}

function unite(into, other) {
  for (let w = 0; w < into.length; w += 1) into[w] |= other[w];
}

function differing(one, other) {
  return one.map((word, w) => word ^ other[w]);
}

/** Call with the number of every row in the set. */
function eachRow(bits, call) {
  for (let w = 0; w < bits.length; w += 1) {
    for (let word = bits[w]; word !== 0; word &= word - 1) {
      call((w << 5) + 31 - Math.clz32(word & -word));
    }
  }
}

function weightOf(bits, weights) {
  let sum = 0;
  for (let w = 0; w < bits.length; w += 1) {
    const from = w << 5;
    for (let word = bits[w]; word !== 0; word &= word - 1) {
      sum += weights[from + 31 - Math.clz32(word & -word)];
    }
  }
  return sum;
}
