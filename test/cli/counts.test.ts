import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { keyText } from '../support/keys.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { workplace } from '../workspace/workplace.ts';

const story = oneStoryIn(3);

/*
 * Every command counts objects alike: a variable in three targets, or the two MX records of a name, are one object. The account has both.
 */

story('export, validate, plan, apply and the ledger count the objects of an account alike', async () => {
  const shell = await new Shell().write({});
  await shell.withTwin(JSON.parse(readFileSync('examples/company.seed.json', 'utf8')));
  shell.env.TRUEUP_LEDGER_KEY = keyText();
  const exported = await shell.run(['export', '--team', 'acme', '--out', 'trueup.yaml']);
  const [, number] = /(\d+) objects exported\./.exec(exported.stderr)!;
  expect((await shell.run(['validate'])).stdout).toContain(`is valid: ${number} objects in 1 file.`);
  const { summary, changes } = JSON.parse((await shell.run(['plan', '--json'])).stdout);
  expect(summary).toMatchObject({ adopt: Number(number), unmanaged: 0, ofOtherStacks: 0 });
  expect(changes.length).toBeGreaterThan(summary.adopt);
  const applied = await shell.run(['apply', '--auto-approve']);
  expect(applied.stdout).toContain(`${number} adopted`);
  expect((await shell.run(['ledger', 'list'])).stderr).toContain(
    `${number} objects in ${changes.length} entries.`,
  );
});

const stacks = {
  'trueup.workspace.yaml': 'stacks: [a, b]\n',
  'a/trueup.yaml': 'stack: a\nplatform: { team: acme }\nprojects: { one: {}, two: { env: { A: x } } }\n',
  'b/trueup.yaml': 'stack: b\nplatform: { team: acme }\nprojects: { three: {} }\n',
};
const env = [{ key: 'A', value: 'x', type: 'plain' }];
const seed = {
  team: { slug: 'acme', name: 'Acme' },
  projects: [{ name: 'one' }, { name: 'two', env }, { name: 'three' }, { name: 'old' }],
};

story('objects of other stacks are not "not managed", before and after they are in a ledger', async () => {
  const { shell } = await workplace(stacks, seed as never);
  const summaries = async () =>
    JSON.parse((await shell.run(['plan', '--all', '--json'])).stdout).stacks.map(
      ({ plan }: { plan: { summary: object } }) => plan.summary,
    );
  const numbers = [
    { unmanaged: 1, ofOtherStacks: 1 },
    { unmanaged: 1, ofOtherStacks: 2 },
  ];
  expect(await summaries()).toMatchObject(numbers);
  const text = (await shell.run(['plan', '--all', '--verbose'])).stdout;
  expect(text).toContain(
    'Not managed here, left alone: 1 project, 2 objects of other stacks.\n  projects/old\n',
  );
  await shell.run(['apply', '--all', '--auto-approve']);
  expect(await summaries()).toMatchObject(numbers);
  const alone = JSON.parse((await shell.run(['plan', '-f', 'b/trueup.yaml', '--json'])).stdout);
  expect(alone.summary).toMatchObject(numbers[1]!);
});

it('a target of a variable that no stack declares is not of another stack', async () => {
  const one = 'stack: one\nplatform: { team: acme }\nprojects: { web: { env: { A: x } } }\n';
  const shell = await new Shell().write({ 'trueup.yaml': one });
  await shell.withTwin({
    team: { slug: 'acme' },
    projects: [
      {
        name: 'web',
        customEnvironments: [{ slug: 'staging' }],
        env: [{ key: 'A', value: 'y', type: 'plain', target: [], customEnvironments: ['staging'] }],
      },
    ],
  } as never);
  const { summary } = JSON.parse((await shell.run(['plan', '--json'])).stdout);
  expect(summary).toMatchObject({ unmanaged: 2, ofOtherStacks: 0 });
});
