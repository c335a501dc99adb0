import { describe, expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const workspace = 'stacks: [a, { path: b, needs: [a] }]\n';
const stack = (name: string, more: string) => `stack: ${name}\nplatform: { team: acme }\n${more}\n`;

/** Returns the rehearsals of both stacks, and the exit code. */
async function rehearseStacks(shell: Shell) {
  const ran = await shell.run(['plan', '--all', '--rehearse', '--crash-points', '1', '--json']);
  const stacks: { plan: { rehearsal: object } }[] = JSON.parse(ran.stdout).stacks;
  return { rehearsals: stacks.map(({ plan }) => plan.rehearsal), status: ran.status };
}

describe('stacks of one account are rehearsed one after the other', () => {
  story('what a stack creates exists for the stacks that need it', async () => {
    const shell = await new Shell().write({
      'trueup.workspace.yaml': workspace,
      'a/trueup.yaml': stack('a', 'projects: { web: {} }'),
      'b/trueup.yaml': stack(
        'b',
        'projects: { web: { $existing: true, env: { A: x } }, other: { env: { B: "${projects.web.id}" } } }',
      ),
    });
    const twin = await shell.withTwin({ team: { slug: 'acme' } });
    const before = structuredClone(twin.account);
    const { rehearsals, status } = await rehearseStacks(shell);
    expect(rehearsals).toMatchObject([
      { verdict: 'green', changes: { rehearsed: 1, unknown: 0 }, crashes: { tried: 1, failures: [] } },
      { verdict: 'green', changes: { rehearsed: 3, unknown: 0 }, crashes: { tried: 1, failures: [] } },
    ]);
    expect(status).toBe(0);
    expect(twin.account).toEqual(before);
    expect((await shell.run(['apply', '--all', '--auto-approve'])).status).toBe(0);
  });

  story('an object that one stack hands over to the other is taken over', async () => {
    const shell = await new Shell().write({
      'trueup.workspace.yaml': workspace,
      'a/trueup.yaml': stack('a', 'projects: { web: { env: { A: x } }, kept: {} }'),
      'b/trueup.yaml': stack('b', 'projects: { other: {} }'),
    });
    await shell.withTwin({ team: { slug: 'acme' } });
    expect((await shell.run(['apply', '--all', '--auto-approve'])).status).toBe(0);
    await shell.write({
      'a/trueup.yaml': stack('a', 'projects: { kept: { framework: astro } }'),
      'b/trueup.yaml': stack(
        'b',
        'projects: { other: {}, web: { $from: a, framework: astro, env: { A: y } } }',
      ),
    });
    const { rehearsals, status } = await rehearseStacks(shell);
    expect(rehearsals).toMatchObject([{ verdict: 'green' }, { verdict: 'green', changes: { unknown: 0 } }]);
    expect(status).toBe(0);
    expect((await shell.run(['apply', '--all', '--auto-approve'])).status).toBe(0);
  });

  it('a stack keeps the secrets of its objects, although the other stacks observe them, too', async () => {
    const shell = new Shell();
    const writeStacks = (suffix: string) => {
      const variable = (name: string) =>
        stack(
          name,
          `secrets: { key: {} }\nsharedEnv: { ${name}${suffix}: { value: "\${secret.key}", target: [preview], type: encrypted${suffix === '' ? '' : `, $was: ${name}`} } }`,
        );
      return shell.write({ 'a/trueup.yaml': variable('a'), 'b/trueup.yaml': variable('b') });
    };
    await shell.write({ 'trueup.workspace.yaml': workspace });
    await shell.withTwin({ team: { slug: 'acme' } });
    shell.env.TRUEUP_SECRET_key = 'a-value-that-no-plan-reads';
    await writeStacks('');
    expect((await shell.run(['apply', '--all', '--auto-approve'])).status).toBe(0);
    await writeStacks('_new');
    const { rehearsals } = await rehearseStacks(shell);
    expect(rehearsals).toMatchObject([{ verdict: 'green' }, { verdict: 'green' }]);
    // Now the plan of each stack reads the value of its variable.
    expect((await shell.run(['apply', '--all', '--auto-approve'])).status).toBe(0);
    expect((await rehearseStacks(shell)).rehearsals).toMatchObject([
      { notModelled: [] },
      { notModelled: [] },
    ]);
  });

  story('what a failed stack lacks is unknown for the stacks that need it', async () => {
    const shell = await new Shell().write({
      'trueup.workspace.yaml': workspace,
      'a/trueup.yaml': stack(
        'a',
        'projects: { web: { domains: { a.example.com: { redirect: b.example.com } } } }',
      ),
      'b/trueup.yaml': stack(
        'b',
        'projects: { web: { $existing: true, domains: { a.example.com: { $existing: true } }, env: { A: x } } }',
      ),
    });
    await shell.withTwin({ team: { slug: 'acme' } });
    const { rehearsals, status } = await rehearseStacks(shell);
    expect(rehearsals).toMatchObject([
      { verdict: 'fails', refused: [{ address: 'projects/web/domains/a.example.com' }] },
      { verdict: 'unknown', notModelled: [{ concerned: true }] },
    ]);
    expect(status).toBe(1);
  });
});
