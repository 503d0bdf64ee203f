// Raw deflate, for browsers that cannot inflate by themselves (RFC 1951).

/** Lengths and distances: the smallest of each symbol, and how many bits follow. */
const LENGTH_BASE = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289,
  16385, 24577,
];
const DISTANCE_BITS = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];
const ORDER_OF_LENGTHS = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const MAX_CODE_BITS = 15;

/** A canonical Huffman code: how many codes have each length, and the symbols in order of their codes. */
interface Code {
  counts: Uint16Array;
  symbols: Uint16Array;
}

function codeOf(lengths: ArrayLike<number>): Code {
  const counts = new Uint16Array(MAX_CODE_BITS + 1);
  for (let symbol = 0; symbol < lengths.length; symbol++) counts[lengths[symbol]]++;
  counts[0] = 0;
  const next = new Uint16Array(MAX_CODE_BITS + 2);
  for (let bits = 1; bits <= MAX_CODE_BITS; bits++) next[bits + 1] = next[bits] + counts[bits];
  const symbols = new Uint16Array(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    if (lengths[symbol] > 0) symbols[next[lengths[symbol]]++] = symbol;
  }
  return { counts, symbols };
}

class Bits {
  private at = 0;
  private held = 0;
  private bits = 0;

  constructor(private readonly bytes: Uint8Array) {}

  take(count: number): number {
    while (this.bits < count) {
      if (this.at >= this.bytes.length) throw new Error("the data end too early");
      this.held |= this.bytes[this.at++] << this.bits;
      this.bits += 8;
    }
    const value = this.held & ((1 << count) - 1);
    this.held >>>= count;
    this.bits -= count;
    return value;
  }

  /** Whole bytes, from the next border between bytes on. */
  copy(count: number): Uint8Array {
    this.held = this.bits = 0;
    if (this.at + count > this.bytes.length) throw new Error("the data end too early");
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  symbol(code: Code): number {
    let value = 0;
    let first = 0;
    let index = 0;
    for (let bits = 1; bits <= MAX_CODE_BITS; bits++) {
      value |= this.take(1);
      const count = code.counts[bits];
      if (value - count < first) return code.symbols[index + (value - first)];
      index += count;
      first = (first + count) << 1;
      value <<= 1;
    }
    throw new Error("the data have a code that does not exist");
  }
}

/** Bytes that grow. */
class Output {
  bytes = new Uint8Array(1 << 16);
  length = 0;

  reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.length + more));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }

  /** Repeats what stands `distance` back. */
  repeat(distance: number, length: number): void {
    if (distance > this.length) throw new Error("the data refer to what is not there");
    this.reserve(length);
    for (let k = 0; k < length; k++, this.length++) this.bytes[this.length] = this.bytes[this.length - distance];
  }
}

/** The bytes that raw deflate stands for. */
export function inflate(deflated: Uint8Array): Uint8Array {
  const bits = new Bits(deflated);
  const output = new Output();
  for (let isLast = false; !isLast; ) {
    isLast = bits.take(1) === 1;
    const kind = bits.take(2);
    if (kind === 0) {
      // Stored: the length, its complement, the bytes.
      const head = bits.copy(4);
      const length = head[0] | (head[1] << 8);
      output.reserve(length);
      output.bytes.set(bits.copy(length), output.length);
      output.length += length;
    } else if (kind === 3) {
      throw new Error("the data have a block of no known kind");
    } else {
      const [literals, distances] = kind === 1 ? fixedCodes() : dynamicCodes(bits);
      inflateBlock(bits, literals, distances, output);
    }
  }
  return output.bytes.slice(0, output.length);
}

function inflateBlock(bits: Bits, literals: Code, distances: Code, output: Output): void {
  for (;;) {
    const symbol = bits.symbol(literals);
    if (symbol < 256) {
      output.reserve(1);
      output.bytes[output.length++] = symbol;
    } else if (symbol === 256) {
      return;
    } else {
      const length = LENGTH_BASE[symbol - 257] + bits.take(LENGTH_BITS[symbol - 257]);
      const far = bits.symbol(distances);
      output.repeat(DISTANCE_BASE[far] + bits.take(DISTANCE_BITS[far]), length);
    }
  }
}

function fixedCodes(): [Code, Code] {
  const lengths = Array.from({ length: 288 }, (_, symbol) => (symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8));
  return [codeOf(lengths), codeOf(new Uint8Array(30).fill(5))];
}

function dynamicCodes(bits: Bits): [Code, Code] {
  const [literals, distances, codes] = [bits.take(5) + 257, bits.take(5) + 1, bits.take(4) + 4];
  const ofLengths = new Uint8Array(19);
  for (let k = 0; k < codes; k++) ofLengths[ORDER_OF_LENGTHS[k]] = bits.take(3);
  const code = codeOf(ofLengths);
  const lengths = new Uint8Array(literals + distances);
  for (let k = 0; k < lengths.length; ) {
    const symbol = bits.symbol(code);
    if (symbol < 16) {
      lengths[k++] = symbol;
      continue;
    }
    const value = symbol === 16 ? lengths[k - 1] : 0;
    const times = symbol === 16 ? 3 + bits.take(2) : symbol === 17 ? 3 + bits.take(3) : 11 + bits.take(7);
    lengths.fill(value, k, k + times);
    k += times;
  }
  return [codeOf(lengths.subarray(0, literals)), codeOf(lengths.subarray(literals))];
}
