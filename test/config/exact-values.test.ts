import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isExact } from '../../src/model/read-json.ts';
import { configure, fieldsOf, told } from './configure.ts';

const at = (value: string) => `sites:\n  web:\n    extra: { a: [1, ${value}] }\n`;

describe('a number that JSON cannot hold exactly', () => {
  it.each([
    '.inf',
    '-.Inf',
    '.nan',
    '1e400',
    '-1e400',
    '9007199254740993',
    '-9007199254740993',
    '1e-400',
    '0.12345678901234567890123',
    '0x20000000000001',
  ])('%s is an error at its place', async (value) => {
    expect(told(await configure(at(value)))).toEqual(['config/number 3:21']);
    const [first, ...more] = told(await configure(`sites: { web: { size: ${value} } }`));
    expect(first).toMatch(/^config\/(number|value) 1:23$/);
    expect(more).toEqual([]);
  });

  it('is none in text, or in quotes', async () => {
    const yaml = `sites: { web: { note: 1e400, version: .inf, extra: ["9007199254740993", '.nan'] } }`;
    expect(fieldsOf(await configure(yaml), 'sites/web')).toMatchObject({
      note: '1e400',
      version: '.inf',
      extra: ['9007199254740993', '.nan'],
    });
  });

  it('is one through a variable, and each is reported', async () => {
    const yaml =
      'variables: { big: { default: 9007199254740993 } }\nsites: { web: { extra: ["${var.big}", .nan] } }';
    expect(told(await configure(yaml))).toEqual(['config/number 2:25', 'config/number 2:39']);
  });

  it('is any whose digits are not those that are sent', () => {
    const digits = fc.stringMatching(/^[1-9][0-9]{0,24}$/);
    fc.assert(
      fc.property(
        digits,
        fc.option(fc.stringMatching(/^[0-9]{1,20}$/)),
        fc.option(fc.integer({ min: -30, max: 30 })),
        (whole, part, power) => {
          const text = `${whole}${part === null ? '' : `.${part}`}${power === null ? '' : `e${power}`}`;
          const plain = (one: string) => {
            const [mantissa, exponent = '0'] = one.toLowerCase().split('e');
            const [left, right = ''] = mantissa!.split('.');
            return [BigInt(left! + right), BigInt(exponent) - BigInt(right.length)] as const;
          };
          const [a, b] = [plain(text), plain(JSON.stringify(Number(text)))];
          const least = a[1] < b[1] ? a[1] : b[1];
          const isSame = a[0] * 10n ** (a[1] - least) === b[0] * 10n ** (b[1] - least);
          expect(isExact(text, Number(text))).toBe(isSame);
        },
      ),
    );
  });

  it.each([
    '0',
    '-0',
    '1.10',
    '1e3',
    '+5',
    '.5',
    '5.',
    '1e21',
    '9007199254740992',
    '0o17',
    '0x1F',
    '0.1',
    '123456789.123',
  ])('is not %s', (text) => {
    expect(isExact(text, text.startsWith('0o') ? 15 : Number(text))).toBe(true);
  });
});
