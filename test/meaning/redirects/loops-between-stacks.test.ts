import { expect, test } from 'vitest';
import type { Seed } from '../../../providers/hosting/twin/index.ts';
import { Shell } from '../../support/cli.ts';

const stackOf = (name: string, other: string, path = `/from-${name}`) => `stack: ${name}
platform: { team: acme }
projects:
  ${name}:
    domains: { ${name}.example.com: {} }
    bulkRedirects: { ${path}: https://${other}.example.com/from-${other} }
`;

/** Returns the messages of `plan --all` about circles, of two stacks `a` and `b`. */
async function circlesIn(a: string, b: string, seed: Seed = {}): Promise<string[]> {
  const files = { 'trueup.workspace.yaml': 'stacks: [a, b]\n', 'a/trueup.yaml': a, 'b/trueup.yaml': b };
  const shell = await new Shell().write(files);
  await shell.withTwin({ team: { slug: 'acme' }, ...seed });
  const { stdout } = await shell.run(['plan', '--all', '--format', 'json']);
  return [...stdout.matchAll(/"message": ?"(these redirects lead in a circle[^"]*)"/g)].map(
    ([, message]) => message!,
  );
}

const circle =
  'these redirects lead in a circle: https://a.example.com/from-a → https://b.example.com/from-b → https://a.example.com/from-a, so no request for them ever ends';

test('two stacks that each add one half of a circle of redirects are warned', async () => {
  expect(await circlesIn(stackOf('a', 'b'), stackOf('b', 'a'))).toEqual([circle, circle]);
});

test('a stack is not concerned by redirects of another one that lead on', async () => {
  expect(await circlesIn(stackOf('a', 'b'), stackOf('b', 'a', '/elsewhere'))).toEqual([]);
});
