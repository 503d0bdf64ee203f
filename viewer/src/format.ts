// Numbers and words for people.

/** A number in a few digits, without zeros that say nothing. */
export function short(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "none" : String(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-3) return value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e");
  return String(Number(value.toPrecision(digits)));
}

/** A whole number with its thousands apart. */
export function whole(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** A count with its noun: 1 contact, 2 contacts. */
export function counted(value: number, noun: string): string {
  return `${whole(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** Round numbers between two ends, about as many as wanted. */
export function ticks(lo: number, hi: number, wanted: number): number[] {
  if (!(hi > lo)) return [lo];
  const rough = (hi - lo) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const between = (step: number): number[] => {
    const found: number[] = [];
    for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi + 1e-9 * step; k++) found.push(Number((k * step).toPrecision(12)));
    return found;
  };
  // One number alone does not say how far it is to the next: then steps are finer.
  const steps = [0.2, 0.5, 1, 2, 5, 10].map((factor) => factor * power);
  let k = Math.max(0, steps.findIndex((step) => step >= rough));
  while (k > 0 && between(steps[k]).length < 2) k--;
  return between(steps[k]);
}

/** Powers of ten between two ends, with twice and five times of them where those alone are few. */
export function logTicks(lo: number, hi: number, wanted: number): number[] {
  const between = (factors: number[]): number[] => {
    const found: number[] = [];
    for (let power = Math.floor(Math.log10(lo)); 10 ** power <= hi * (1 + 1e-9); power++) {
      for (const factor of factors) found.push(Number((factor * 10 ** power).toPrecision(12)));
    }
    return found.filter((tick) => tick >= lo * (1 - 2e-3) && tick <= hi * (1 + 2e-3));
  };
  const powers = between([1]);
  if (powers.length <= 2) return between([1, 2, 5]);
  const every = Math.ceil(powers.length / wanted);
  return powers.filter((_, k) => k % every === 0);
}
