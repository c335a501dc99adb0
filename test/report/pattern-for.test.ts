import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeName } from '../../src/model/address.ts';
import { createAddressMatcher } from '../../src/model/glob.ts';
import { patternFor } from '../../src/report/pattern-for.ts';
import { grapheme } from '../support/characters.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const sites = ['at', 'de', 'fi', 'fr', 'it'].map((name) => `projects/site-${name}`);

test.each([
  [sites, [...sites, 'projects/docs', 'projects/site-at/env/A@production'], 'projects/site-*'],
  [sites.slice(0, 2), sites, 'projects/site-{at,de}'],
  [
    sites.map((site) => `${site}/env/LEGAL@preview`),
    sites.map((site) => `${site}/env/LEGAL@preview`),
    'projects/site-*/env/LEGAL',
  ],
  [
    sites.map((site) => `${site}/env/LEGAL@preview`),
    sites.flatMap((site) => [`${site}/env/LEGAL@preview`, `${site}/env/LEGAL@production`]),
    'projects/site-*/env/LEGAL@preview',
  ],
  [['projects/a', 'projects/b', 'projects/c', 'projects/d', 'projects/e'], ['projects/f'], undefined],
  [['projects/a', 'domains/a.com/records/www/A', 'projects/c'], [], undefined],
  // The names share half of a character.
  [['a/x\u{1f600}', 'a/x\u{1f601}'], ['a/y'], 'a/x{\u{1f600},\u{1f601}}'],
])('%j of %j', (members, others, pattern) => {
  expect(patternFor(members, [...members, ...others])).toBe(pattern);
});

const name = fc.oneof(
  fc.constantFrom('site-a', 'site-b', 'site-ab', 'site', 'a', 'b', '@', 'www', 'x.y', 'x-y'),
  fc.string({ minLength: 1, maxLength: 4, unit: grapheme }),
  fc.stringMatching(/^[*?{}[\]()!|+,@/%\\^$.a-]{1,4}$/),
);
const address = fc
  .tuple(name, fc.constantFrom('env', 'domains'), name, fc.constantFrom('', '@production', '@preview'))
  .chain(([one, section, two, place]) =>
    fc.constantFrom(
      `projects/${escapeName(one)}`,
      `projects/${escapeName(one)}/${section}/${escapeName(two)}${place}`,
    ),
  );

story('a pattern matches the changes that it stands for, and no other of the plan', () => {
  let found = 0;
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(address, fc.boolean()), {
        selector: ([one]) => one,
        minLength: 2,
        maxLength: 12,
      }),
      (given) => {
        const all = given.map(([one]) => one);
        const members = given.filter(([, isIn]) => isIn).map(([one]) => one);
        if (members.length === 0) return;
        const pattern = patternFor(members, all);
        if (pattern === undefined) return;
        found++;
        expect(all.filter(createAddressMatcher([pattern])).sort()).toEqual([...members].sort());
      },
    ),
    { numRuns: 1000 },
  );
  expect(found).toBeGreaterThan(100);
});
