import { createRequire } from 'node:module';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dotenvText, parseDotenv } from '../../src/config/values/dotenv.ts';
import { Problems } from '../../src/model/diagnostic.ts';
import { Sealed } from '../../src/model/sealed.ts';
import { codePoint } from '../support/characters.ts';
import { runs } from '../support/sweep.ts';

/** The package whose rules are followed: it never reports an error, so it says only what valid text means. */
const { parse } = createRequire(import.meta.url)('dotenv') as {
  parse(text: string): Record<string, string>;
};
const byPackage = (text: string) => new Map(Object.entries(parse(text)));

it.each([
  ['A=basic', 'basic'],
  ['  export A = spaced \t', 'spaced'],
  ['A=', ''],
  ['A= # only a comment', ''],
  ['A=""', ''],
  ['A=one two # comment', 'one two'],
  ["A=it's", "it's"],
  ['A={"foo": "bar"}', '{"foo": "bar"}'],
  ['A=" both ends "', ' both ends '],
  ['A="new\\nline\\r"', 'new\nline\r'],
  ["A='C:\\new\\dir'", 'C:\\new\\dir'],
  ['A=C:\\new', 'C:\\new'],
  ['A=`a \'b\' "c"`', 'a \'b\' "c"'],
  ['A="two\r\nlines" # comment', 'two\nlines'],
  ['\uFEFF# first\r\n\r\nA=x\r\n', 'x'],
  ['A="x # y"', 'x # y'],
  ['A=a=b', 'a=b'],
])('%j reads as the documented rules say', (text, value) => {
  expect(parseDotenv(text)).toEqual({ values: new Map([['A', value]]), problems: [] });
  expect(byPackage(text)).toEqual(new Map([['A', value]]));
});

it.each([
  ['A="{"type":"canary"}"', 1, 6, 'text after the closing quote'],
  ['A="{\\"a\\":\\"canary\\"}"', 1, 5, 'disagree about this backslash'],
  ['A="a\\tcanary"', 1, 5, 'disagree about this backslash'],
  ["A='canary\\'", 1, 10, 'disagree about this backslash'],
  ["B=1\nA='canary", 2, 3, 'never closed'],
  ['A="canary"b', 1, 11, 'text after the closing quote'],
  ['A="canary"# no space', 1, 11, 'text after the closing quote'],
  ["A='canary' 'b'", 1, 11, 'text after the closing quote'],
  ['A=canary#x', 1, 9, 'whether this `#` begins a comment'],
  ['A=#canary', 1, 3, 'whether this `#` begins a comment'],
  ['A={"a": "canary # b"}', 1, 17, 'begins inside a quote'],
  ['A=\u00a0canary', 1, 3, 'invisible space'],
  ['A=ca\rnary', 1, 5, 'carriage return'],
  ['# canary\rA=b', 1, 9, 'carriage return'],
  ['A=canary\n\nexport A=x', 3, 1, 'already on line 1'],
  ['A: canary', 1, 1, 'not `NAME=value`'],
  ['canary', 1, 1, 'not `NAME=value`'],
  ['Ä=canary', 1, 1, 'not `NAME=value`'],
  ['=canary', 1, 1, 'not `NAME=value`'],
  ['A={\n  "canary": 1\n}', 2, 1, 'not `NAME=value`'],
])('%j is refused with its place, and never quoted', (text, line, column, message) => {
  const { values, problems } = parseDotenv(text);
  expect(values.size).toBe(0);
  expect(problems[0]).toMatchObject({ line, column, message: expect.stringContaining(message) });
  expect(JSON.stringify(problems)).not.toContain('canary');
});

it('a name of any kind is a name', () => {
  expect([...parseDotenv('__proto__=a\nconstructor=b').values]).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
});

it('all mistakes are reported at once', () => {
  expect(parseDotenv('A="x"y\nB\nC=1\nC=2').problems.map(({ line }) => line)).toEqual([1, 2, 4]);
});

it('a large hostile file ends soon', () => {
  const quotes = `${'A="\\x"\n'.repeat(50_000)}`;
  expect(parseDotenv(quotes).problems.length).toBeLessThanOrEqual(101);
  expect(parseDotenv(`A="${'\\n'.repeat(300_000)}"`).values.get('A')).toHaveLength(300_000);
});

const piece = fc.constantFrom(
  ...['A', 'B', '=', '= ', '"', "'", '`', '\\', '\\n', '\\"', '#', ' #', ' ', '\t', '\n', '\r\n', '\r'],
  ...['export ', ':', '{', '}', 'ü', '\u00a0', '$X', '\uFEFF', '.', '-', '1'],
);
const hostile = fc.array(piece, { maxLength: 16 }).map((pieces) => pieces.join(''));
const file = fc
  .array(fc.tuple(fc.constantFrom('A', 'B', 'C_D', 'e.f-1'), hostile), { maxLength: 4 })
  .map((lines) => lines.map(([name, value]) => `${name}=${value}`).join('\n'));

it('text that is read means the same to the package', () => {
  fc.assert(
    fc.property(fc.oneof(hostile, file), (text) => {
      const { values, problems } = parseDotenv(text);
      if (problems.length === 0) expect(values).toEqual(byPackage(text));
    }),
    { numRuns: runs(40_000) },
  );
});

it('a written file holds the values byte by byte, or is refused by the name of the value', () => {
  const value = fc.oneof(hostile, fc.string({ unit: codePoint }), fc.string());
  fc.assert(
    fc.property(fc.array(value, { maxLength: 4 }), (values) => {
      const named = new Map(values.map((text, index) => [`V${index}`, text]));
      const write = () => dotenvText(new Map([...named].map(([name, text]) => [name, new Sealed(text)])));
      const isPossible = values.every((text) => !['"', "'", '`'].every((quote) => text.includes(quote)));
      try {
        const text = write();
        expect(parseDotenv(text)).toEqual({ values: named, problems: [] });
        expect(byPackage(text)).toEqual(named);
      } catch (error) {
        if (!(error instanceof Problems)) throw error;
        expect(error.message).toMatch(/cannot hold the value of V\d/);
        expect(values.some((text) => text.includes('\\') || text.includes('\r')) || !isPossible).toBe(true);
      }
    }),
    { numRuns: runs(10_000) },
  );
});
