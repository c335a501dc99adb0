import { expect, test } from 'vitest';
import { configure, told } from './configure.ts';

test.each([
  ['sites:\n  x-base: &base { note: n }\n  web: { <<: *base }', '2:3'],
  ['sites:\n  x-base:\n    # shared\n    &base\n    note: n\n  web: { <<: *base }', '2:3'],
  ['sites:\n  "x-base": &base { note: n }\n  web: { <<: *base }', '2:3'],
  ['sites: { x-base: &base { note: n }, web: { <<: *base } }', '1:10'],
  ['sites:\n  ? x-base\n  : &base { note: n }\n  web: { <<: *base }', '2:5'],
  ['sites:\n  web:\n    env:\n      x-a: &a { value: b }\n      B: *a', '4:7'],
])('an anchor whose home is in a section is a mistake: %j', async (yaml, place) => {
  const configuration = await configure(yaml);
  expect(told(configuration)).toEqual([`config/anchor ${place}`]);
  expect(configuration.diagnostics[0]!.hint).toContain('the top level of the file');
  expect([...configuration.desired.resources.keys()].filter((address) => address.includes('x-'))).toEqual([]);
});

test('a block of its own under such a key gets the same hint', async () => {
  const { diagnostics } = await configure('sites:\n  web:\n    x-base: &base { note: n }');
  expect(diagnostics).toMatchObject([
    { code: 'config/unknown-key', hint: expect.stringContaining('at the top level of the file') },
  ]);
});

test('a name may begin with `x-`, and the top is still their home', async () => {
  const configuration = await configure(
    'x-base: &base { note: n }\nsites:\n  x-ray: { <<: *base }\n  x-rated: *base\n  xl: &xl { note: n }\n  xxl: *xl',
  );
  expect(told(configuration)).toEqual([]);
  expect([...configuration.desired.resources.keys()]).toEqual([
    'sites/x-rated',
    'sites/x-ray',
    'sites/xl',
    'sites/xxl',
  ]);
});
