// Color maps. Viridis, cividis and inferno are even steps of the maps of that name (which are in the public domain); grey and
// blue-red are even in lightness by construction (Oklab); distinct is for kinds rather than amounts.

export type MapName = "viridis" | "cividis" | "inferno" | "grey" | "blue-red" | "distinct";

const STOPS: Record<MapName, string> = {
  viridis:
    "44015448186a472d7b4240863b528b33638d2c728e26828e21918c1fa08828ae803fbc735ec96284d44baddc30d8e219fde725",
  cividis:
    "00224e002e6a1a386f32436d434e6c535a6d61656f6f70737d7c788c88789b9476aba072bcae6ccdbb63dec958f0d846fee838",
  inferno:
    "0000040b0724210c4a3d096557106e71196e8a226aa32c61bc3754d24644e45a31f1731df98e09fcac11f9cb35f2ea69fcffa4",
  grey: "1616162121212c2c2c3838384444445151515e5e5e6b6b6b797979878787959595a3a3a3b2b2b2c1c1c1d0d0d0dfdfdfeeeeee",
  "blue-red":
    "0256a92d69b2497bbb638dc37d9fcb98b1d3b2c3dacdd6e1e8e8e8e1d1ccd9bab2d0a397c78c7dbd7664b25f4aa647309a2c0f",
  distinct: "0072b2e69f00009e73cc79a7d55e0056b4e9f0e442888888",
};

export const MAP_NAMES = Object.keys(STOPS) as MapName[];

/** Colors of a map. */
export const MAP_SIZE = 256;

/** Colors of contacts on a light background, from pale to dark. */
const CHAINS = "ecdcc3efc08cec9a55dc6a34b83d3a85224a4d174d1f0f3a";

/** The colors of a map from its lower to its upper end, four bytes each. */
export function mapColors(name: MapName): Uint8Array {
  return name === "distinct" ? repeated(STOPS[name]) : between(STOPS[name]);
}

/** The same from its upper to its lower end. */
export function reversed(colors: Uint8Array): Uint8Array {
  return colors.map((_, k) => colors[4 * (MAP_SIZE - 1 - (k >> 2)) + (k & 3)]);
}

/** Colors of contacts: what carries little is near the background, what carries much stands out. */
export function contactColors(isDark: boolean): Uint8Array {
  if (!isDark) return between(CHAINS);
  const all = mapColors("inferno");
  const from = 0.22;
  return all.map((_, k) => all[4 * Math.round(from * (MAP_SIZE - 1) + (1 - from) * (k >> 2)) + (k & 3)]);
}

function bytesOf(stops: string): number[] {
  return (stops.match(/../g) ?? []).map((byte) => parseInt(byte, 16));
}

/** Stops one after the other, again and again. */
function repeated(stops: string): Uint8Array {
  const bytes = bytesOf(stops);
  return Uint8Array.from({ length: 4 * MAP_SIZE }, (_, k) => ((k & 3) === 3 ? 255 : bytes[(3 * (k >> 2) + (k & 3)) % bytes.length]));
}

/** Colors between stops, evenly. */
function between(stops: string): Uint8Array {
  const bytes = bytesOf(stops);
  const last = bytes.length / 3 - 1;
  return Uint8Array.from({ length: 4 * MAP_SIZE }, (_, k) => {
    const channel = k & 3;
    if (channel === 3) return 255;
    const place = ((k >> 2) / (MAP_SIZE - 1)) * last;
    const stop = Math.min(Math.floor(place), last - 1);
    const [from, to] = [bytes[3 * stop + channel], bytes[3 * stop + 3 + channel]];
    return Math.round(from + (place - stop) * (to - from));
  });
}
