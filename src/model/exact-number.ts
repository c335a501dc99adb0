/** A number in a text that JavaScript would round: `123456789012345678`. It keeps its digits, and is printed with them. */
export class InexactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** Reads a number of a JSON text: as a number if that has the same value, else with its digits. */
export function exactNumber(text: string): number | InexactNumber {
  const value = Number(text);
  return isExact(text, value) ? value : new InexactNumber(text);
}

/** True if a number that is written as `text` is sent as that number, digit by digit. */
export function isExact(text: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  if (/^0[ox]/.test(text)) return Number.isSafeInteger(value);
  const [written, sent] = [text, String(value)].map(normalDecimal);
  // A text that is no decimal came from elsewhere as a number.
  return written === undefined || written === sent;
}

/** Returns a decimal as its digits without idle zeros and the power of ten of the last digit, so that equal numbers have equal texts. */
function normalDecimal(text: string): string | undefined {
  const [, sign = '', whole = '', part = '', power = '0'] =
    /^([-+]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([-+]?[0-9]+))?$/.exec(text) ?? [];
  if (whole + part === '') return undefined;
  const all = (whole + part).replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  if (digits === '') return '0';
  const exponent = BigInt(power) - BigInt(part.length) + BigInt(all.length - digits.length);
  return `${sign === '-' ? '-' : ''}${digits}e${exponent}`;
}
