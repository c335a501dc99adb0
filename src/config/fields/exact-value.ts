import type { ScalarNode } from '../yaml/nodes.ts';
import type { FieldPath, Reading } from './reading.ts';

/** A scalar's value, which JSON must hold as it is written: `.nan` would be sent as null, and long numbers rounded. */
export function exactValue(node: ScalarNode, path: FieldPath, reading: Reading): unknown {
  if (typeof node.value !== 'number' || isExact(node.text, node.value)) return node.value;
  const isRound = Number.isFinite(node.value);
  reading.findings.push({
    code: 'config/number',
    message: isRound
      ? `this number cannot be represented exactly: it would be sent as ${JSON.stringify(node.value)}`
      : 'this number cannot be sent',
    hint: isRound ? 'use fewer digits, or quote it if it is text' : 'quote it if it is text',
    path,
    node,
  });
  return 0;
}

/** True if a number that is written in YAML is sent as that number, digit by digit. */
export function isExact(text: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  if (/^0[ox]/.test(text)) return Number.isSafeInteger(value);
  const [written, sent] = [text, String(value)].map(decimalOf);
  // What is no decimal came from elsewhere as a number.
  return written === undefined || written === sent;
}

/** A decimal as its digits without idle zeros, and the power of ten of the last one: equal numbers have equal ones. */
function decimalOf(text: string): string | undefined {
  const [, sign = '', whole = '', part = '', power = '0'] =
    /^([-+]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([-+]?[0-9]+))?$/.exec(text) ?? [];
  if (whole + part === '') return undefined;
  const all = (whole + part).replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  if (digits === '') return '0';
  const exponent = BigInt(power) - BigInt(part.length) + BigInt(all.length - digits.length);
  return `${sign === '-' ? '-' : ''}${digits}e${exponent}`;
}
