/**
 * A number in a text that JavaScript would round: `123456789012345678`. It keeps its digits, and is printed with them.
 */
export class InexactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** Reads a number of a JSON text: as a number if that has the same value, otherwise with its digits. */
export function exactNumber(text: string): number | InexactNumber {
  const value = Number(text);
  return isExact(text, value) ? value : new InexactNumber(text);
}

/**
 * True if a number that is written as `text` is sent as the same number, digit by digit. Used to report numbers in the
 * configuration that JSON would change.
 */
export function isExact(text: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  if (/^0[ox]/.test(text)) return Number.isSafeInteger(value);
  const writtenDecimal = normalDecimal(text);
  // A text that is no decimal came from elsewhere as a number.
  return writtenDecimal === undefined || writtenDecimal === normalDecimal(String(value));
}

/**
 * Returns a decimal as its significant digits and the power of ten of the last one, so that equal numbers have equal
 * texts. Returns undefined for a text that is no decimal, such as `.5.`.
 */
function normalDecimal(text: string): string | undefined {
  const [, sign = '', integer = '', fraction = '', power = '0'] =
    /^([-+]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([-+]?[0-9]+))?$/.exec(text) ?? [];
  if (integer + fraction === '') return undefined;
  const digits = (integer + fraction).replace(/^0+/, '');
  const significantDigits = digits.replace(/0+$/, '');
  if (significantDigits === '') return '0';
  const trailingZeros = digits.length - significantDigits.length;
  const exponent = BigInt(power) - BigInt(fraction.length) + BigInt(trailingZeros);
  return `${sign === '-' ? '-' : ''}${significantDigits}e${exponent}`;
}
