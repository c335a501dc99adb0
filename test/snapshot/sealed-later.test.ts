import { describe, expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';

const configuration = (type: string) => `stack: shop
platform: { team: acme }
projects: { web: { env: { REGION: { value: frankfurt-1, type: ${type}, target: [production] } } } }
`;

/** Returns the paths of the fields that a plan changes. */
const pathsOf = (json: string): string[] =>
  JSON.parse(json).changes.flatMap(({ fields }: { fields: { path: string }[] }) =>
    fields.map(({ path }) => path),
  );

describe('a value that the account shows, and that the configuration seals from now on', () => {
  it.each([
    ['usual', []],
    ['anonymous', ['--anonymous']],
  ])('is equal in a plan from a snapshot: %s', async (_, flags) => {
    const shell = await new Shell().write({ 'trueup.yaml': configuration('plain') });
    await shell.withTwin({ team: { slug: 'acme' } });
    const applied = await shell.run(['apply', '--auto-approve']);
    expect(applied.status, applied.all).toBe(0);
    await shell.write({ 'trueup.yaml': configuration('sensitive') });
    const planned = await shell.run(['plan', '--json', '--snapshot', 'account.snapshot', ...flags]);
    expect(planned.status, planned.stderr).toBe(0);
    const again = await shell.run(['plan', '--json', '--from', 'account.snapshot']);
    expect(pathsOf(again.stdout)).toEqual(pathsOf(planned.stdout));
  });
});
