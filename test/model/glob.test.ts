import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileGlob, type Glob, globFault, splitGlob } from '../../src/model/glob.ts';
import { codePoint } from '../support/characters.ts';
import { oneRowIn, oneStoryIn, runs } from '../support/sweep.ts';

const story = oneStoryIn(4);

const matches = (glob: string, text: string) => compileGlob(glob).matches(text);

test.each<[glob: string, matching: string[], others: string[]]>([
  ['projects/web', ['projects/web'], ['projects/web/env/A', 'projects/we', '']],
  ['projects/*', ['projects/web', 'projects/', 'projects/..', 'projects/a\nb'], ['projects', 'projects/a/b']],
  ['projects/web/**', ['projects/web', 'projects/web/a', 'projects/web/a/b'], ['projects/webs', 'projects']],
  ['**', ['', 'a', 'a/b', '.', '../..', 'a/./b', '\u2028', '\n/\u2029'], []],
  ['**/env/*', ['env/A', 'projects/web/env/A'], ['env', 'projects/env']],
  ['a/**/z', ['a/z', 'a/b/z', 'a/b/c/z'], ['az', 'a/bz']],
  ['a**z', ['az', 'abz'], ['a/z']],
  ['site-?', ['site-a', 'site-\ud83d\ude00', 'site-\n'], ['site-', 'site-ab', 'site-/']],
  ['[a-c]', ['a', 'b', 'c'], ['d', '-', '']],
  ['[!a-c]', ['d', '-'], ['a', '/', '']],
  ['[^a-c]', ['d'], ['b', '/']],
  ['[a\\-c\\]]', ['a', '-', 'c', ']'], ['b', '\\']],
  ['[😀-😂]', ['😁'], ['😃', '\ud83d']],
  ['{a,b}/c', ['a/c', 'b/c'], ['a', 'c', '{a,b}/c']],
  ['{a}', ['a'], ['{a}']],
  ['{a,{b,c}d,}e', ['ae', 'bde', 'cde', 'e'], ['be', 'a']],
  ['a/{b,c/**}', ['a/b', 'a/c', 'a/c/d/e'], ['a/b/x', 'a']],
  ['a/{**,x}/z', ['a/z', 'a/b/c/z', 'a/x/z'], ['az']],
  ['{a/**,b}/z', ['a/z', 'a/x/z', 'b/z'], ['b/x/z']],
  ['a/**{/b,/c}', ['a/b', 'a/x/y/c'], ['a']],
  ['\\*\\{\\}', ['*{}'], ['a{}']],
  ['a+b$|^', ['a+b$|^'], ['aab']],
])('%s', (glob, matching, others) => {
  expect(matching.filter((text) => !matches(glob, text))).toEqual([]);
  expect(others.filter((text) => matches(glob, text))).toEqual([]);
});

test.each([
  ['a/[b', '`[` is not closed'],
  ['a]', '`]` has no opening bracket'],
  ['{a,b', '`{` is not closed'],
  ['a}', '`}` has no opening bracket'],
  ['[]', '`[]` has no characters'],
  ['[a/b]', 'a class is part of one name and cannot have a `/`'],
  ['[[:alpha:]]', 'a class such as `[:alpha:]` is not supported; write `[a-z]`'],
  ['projects/(a|b)', '`(a|b)` is not supported; write `{a,b}`'],
  ['!(a)', 'a leading `!` is not supported'],
  ['{1..3}', 'a range such as `{1..3}` is not supported; write `{1,2,3}`'],
  ['a\\', 'it ends in a single `\\`'],
  [`${'{'.repeat(21)}${'}'.repeat(21)}`, 'it has more than 20 groups inside each other'],
])('%s is an error, since it would match nothing', (glob, fault) => {
  expect(globFault(glob)).toBe(`\`${glob}\` is not a valid glob: ${fault}`);
});

const name = fc.oneof(
  fc.constantFrom(
    '.',
    '..',
    '.env',
    'web',
    '\u2028',
    '\u2029',
    '\n',
    '\r\n',
    '%2F',
    '',
    '[a]',
    '{a,b}',
    '(',
    '\\',
    '!',
  ),
  fc.string({ unit: codePoint, maxLength: 6 }),
  fc.string({
    unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    maxLength: 4,
  }),
);
const withoutSlash = name.filter((text) => !text.includes('/'));

test('wildcards match names of any characters', () => {
  fc.assert(
    fc.property(fc.array(withoutSlash, { minLength: 1, maxLength: 5 }), (names) => {
      const text = names.join('/');
      const last = names.at(-1)!;
      const globs = ['**', names.map(() => '*').join('/'), `**/${names.map(() => '*').join('/')}`];
      expect(globs.filter((glob) => !matches(glob, text))).toEqual([]);
      expect(matches('*', last)).toBe(true);
      expect(matches(`${names.map(() => '*').join('/')}/*`, text)).toBe(false);
      expect(compileGlob('*', { hasParts: false }).matches(text)).toBe(true);
      const literal = [...text].map((char) => `\\${char}`).join('');
      expect([matches(literal, text), matches(literal, `${text}x`)]).toEqual([true, false]);
    }),
  );
});

test('a glob reaches below exactly the folders of the texts that it matches', () => {
  const part = fc.constantFrom('*', '**', 'a', 'b', 'a*', '{a,b/**}', '?', '[ab]');
  const text = fc.array(fc.constantFrom('a', 'b', 'ab', ''), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), text, (parts, names) => {
      const glob = compileGlob(parts.join('/'));
      if (!glob.matches(names.join('/'))) return;
      for (let depth = 1; depth < names.length; depth++)
        expect(glob.reach(names.slice(0, depth).join('/'))).not.toBe('none');
    }),
  );
  const paths = ['projects', 'projects/web', 'projects/api', 'projects/web/env', 'domains'];
  const below = paths.filter((path) => compileGlob('projects/w*/env').reach(path) === 'below');
  expect(below).toEqual(['projects', 'projects/web']);
});

const parts: Record<string, RegExp> = {
  '*': /^.*$/,
  'a*': /^a.*$/,
  'a*b': /^a.*b$/,
  '{a,b}*': /^[ab].*$/,
  'a?': /^a.$/,
  '[ab]': /^[ab]$/,
  '[!a]': /^[^a]$/,
  a: /^a$/,
};

/** Matches part by part and tries each length of `**`: simple, and slow. */
function matchesSlowly([part, ...others]: string[], names: string[]): boolean {
  if (part === undefined) return names.length === 0;
  if (part === '**')
    return names
      .map((_, i) => i)
      .concat(names.length)
      .some((i) => matchesSlowly(others, names.slice(i)));
  return names.length > 0 && parts[part]!.test(names[0]!) && matchesSlowly(others, names.slice(1));
}

test('parts match as they do one by one', () => {
  const written = fc.array(fc.constantFrom('**', ...Object.keys(parts)), { minLength: 1, maxLength: 5 });
  const names = fc.array(fc.stringMatching(/^[ab]{0,3}$/), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(written, names, (glob, text) => {
      const isMatch = matches(glob.join('/'), text.join('/'));
      expect([glob, text, isMatch]).toEqual([glob, text, matchesSlowly(glob, text)]);
    }),
    { numRuns: runs(10_000) },
  );
});

oneRowIn(5)([
  ['*a'.repeat(30), 'a'.repeat(2_000)],
  [`${'**/'.repeat(200)}z`, 'a/'.repeat(2_000)],
  ['{a,aa}'.repeat(500), 'a'.repeat(400)],
  [`${`${'{a,'.repeat(20)}*${'}'.repeat(20)}`.repeat(20)}b`, 'a'.repeat(1_000)],
  [`a${'/**'.repeat(30_000)}`, 'b'],
  ['{a,}'.repeat(30_000), 'a'],
  [`{${Array.from({ length: 5_000 }, (_, i) => `site-${i}`).join(',')}}b`, 'site-4999'],
])('matching ends whatever the glob is: %.30s', (glob, text) => {
  expect(matches(glob, `${text}!`)).toBe(false);
});

test('hidden files match only a literal dot', () => {
  const glob = (text: string) => compileGlob(text, { matchesHidden: false });
  expect(['.env', 'a/.env', '.git/a', '..'].filter(glob('**').matches)).toEqual([]);
  expect(['.env', '.x'].filter(glob('{.e*,[.]x,?x}').matches)).toEqual(['.env']);
  expect(['a.b', 'a/b.c'].filter(glob('**').matches)).toEqual(['a.b', 'a/b.c']);
});

test.each([
  ['secrets/*.txt', 'secrets', '*.txt'],
  ['/etc/{a,b}', '/etc', '{a,b}'],
  ['/*', '/', '*'],
  ['a\\*/b', 'a*/b', ''],
  ['**', '', '**'],
])('%s starts in a folder', (glob, folder, below) => {
  expect(splitGlob(glob)).toEqual({ folder, below });
});

story('what a glob remembers of other texts changes no answer', () => {
  const glob = fc.array(fc.constantFrom('*', '**', '/', 'a', 'b', '{a,ab}', '?', '[ab]'), { maxLength: 12 });
  const texts = fc.array(fc.stringMatching(/^[ab/]{0,8}$/), { minLength: 2, maxLength: 12 });
  fc.assert(
    fc.property(glob, texts, (parts, texts) => {
      const text = parts.join('');
      const shared = compileGlob(text);
      const answers = (pick: () => Glob) => texts.map((text) => [pick().matches(text), pick().reach(text)]);
      expect(answers(() => shared)).toEqual(answers(() => compileGlob(text)));
    }),
  );
  // More sets of states than are remembered.
  const many = compileGlob(`${'*a'.repeat(300)}c`);
  const names = Array.from({ length: 20 }, (_, i) => `${'b'.repeat(i)}a`.repeat(299 + (i % 2)));
  expect(names.map((name) => many.matches(`${name}c`))).toEqual(names.map((_, i) => i % 2 === 1));
});

test('a text that takes more steps than allowed does not match', () => {
  const limited = (maxSteps: number) => compileGlob('*a*b', { maxSteps }).matches('aab'.repeat(100));
  expect([limited(1_000), limited(100)]).toEqual([true, false]);
});
