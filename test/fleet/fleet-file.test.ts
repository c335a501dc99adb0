import { expect, it } from 'vitest';
import { readFleetFile } from '../../src/fleet/fleet-file.ts';
import { Problems } from '../../src/model/diagnostic.ts';

const problemsIn = async (text: string): Promise<string[]> => {
  const error = await readFleetFile('fleet.yaml', text).catch((one: unknown) => one);
  if (!(error instanceof Problems)) throw new Error('it was taken');
  return error.diagnostics.map(({ at, message }) => `${at?.line ?? 0}:${at?.column ?? 0} ${message}`);
};

it('names repositories, their branches, stacks and where outcomes are told', async () => {
  const found = await readFleetFile(
    'fleet.yaml',
    `repositories:
  acme/shop:
    url: https://git.example.com/acme/shop.git
    branch: main
    stacks: [dns, 'shop@*']
    comments: { github: acme/shop }
  tools: { url: /srv/git/tools.git, branch: trunk, comments: { gitlab: 12 } }
x-note: mine
`,
  );
  expect(Object.fromEntries(found)).toEqual({
    'acme/shop': {
      ...{ url: 'https://git.example.com/acme/shop.git', branch: 'main' },
      ...{ stacks: ['dns', 'shop@*'], comments: { github: 'acme/shop' } },
    },
    tools: { url: '/srv/git/tools.git', branch: 'trunk', stacks: ['**'], comments: { gitlab: '12' } },
  });
});

it('says all that is wrong, with its place', async () => {
  expect(
    await problemsIn(`repositories:
  acme/shop: { url: "ext::sh -c x", branch: main, brnch: x }
  "https://x": { url: -x, branch: "--x" }
  tools: { url: /srv/tools }
  notes: /srv/notes
  one: { url: /srv/one, branch: main, stacks: [{ a: 1 }], comments: { email: x } }
queue: x
`),
  ).toEqual([
    '2:21 this `url` is not one that git can fetch from',
    '2:51 a repository has no `brnch`',
    '3:3 `https://x` is not a valid repository name',
    '3:23 this `url` is not one that git can fetch from',
    '3:35 `--x` is not a valid branch name',
    '4:10 this repository has no `branch`',
    '5:10 a repository is a map with `url` and `branch`, not a text',
    '6:48 `stacks` must be a list of globs, not a map',
    '6:78 `comments` cannot be `email`: `x`',
    '7:1 the file of a fleet has no `queue`',
  ]);
  expect(await problemsIn('')).toEqual(['0:0 fleet.yaml names no repositories: it is empty']);
  expect(await problemsIn('repositories: {}\n')).toEqual([
    '1:15 `repositories` must be a map of repositories by name',
  ]);
  expect(await problemsIn('a: [')).toHaveLength(1);
});
