import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { Shell } from '../support/cli.ts';
import { keyText } from '../support/keys.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(3);

/*
 * Plans with the ownership index of a store: they are the same as without it, and read only the ledgers that concern them.
 */

const configuration = (stack: string, project: string) =>
  `stack: ${stack}\nplatform: { team: acme }\nprojects: { ${project} }\n`;
const apply = ['apply', '--auto-approve', '--settle', '0'];
const owner = 'site: { framework: vite, env: { A: { value: one, target: [production] } } }';
const guest = 'site: { $existing: true, env: { B: { value: two, target: [production] } } }';

/** A folder with the ledgers of three stacks: `web` and `growth` have variables in one project, `blog` has a project of its own. */
async function threeStacks() {
  const shell = new Shell();
  await shell.withTwin();
  shell.env.TRUEUP_LEDGER_KEY = keyText();
  await shell.write({
    'web.yaml': configuration('web', owner),
    'growth.yaml': configuration('growth', guest),
    'blog.yaml': configuration('blog', 'blog: { framework: vite }'),
  });
  for (const stack of ['web', 'growth', 'blog']) {
    const applied = await shell.run([...apply, '-f', `${stack}.yaml`]);
    expect(applied.status, applied.stderr).toBe(0);
  }
  const run = async (...args: string[]) => {
    const ran = await shell.run(args);
    expect(ran.status, ran.stderr).toBe(0);
    return ran;
  };
  const ledgerPath = (stack: string) => join(shell.folder, `.trueup/ledger/${stack}.json`);
  /** Plans a stack, and returns the plan without its date. */
  const plan = async (stack: string, ...args: string[]) =>
    (await run('plan', '--json', '-f', `${stack}.yaml`, ...args)).stdout.replace(/"at": "[^"]*"/g, '');
  /** Makes a ledger unreadable without changing its version, so that a plan fails if it reads that ledger. */
  const damage = (stack: string) => {
    const text = readFileSync(ledgerPath(stack), 'utf8');
    writeFileSync(ledgerPath(stack), `<<<<<<< ${text.slice('<<<<<<< '.length)}`);
    return () => writeFileSync(ledgerPath(stack), text);
  };
  return { shell, run, plan, damage, ledgerPath };
}

describe('a plan with an ownership index', () => {
  story(
    'is the same, and reads only the ledgers of stacks that own something near its own objects',
    async () => {
      const { shell, run, plan, damage } = await threeStacks();
      // Also what it may not declare or delete, and whose the other objects of the account are.
      await shell.write({
        'greedy.yaml': configuration('web', `${owner.slice(0, -3)}, B: other } }`),
        'without.yaml': `stack: web\nplatform: { team: acme }\nremoved: [{ at: projects/site, delete: true }]\n`,
      });
      const plans = () =>
        Promise.all(
          ['web', 'growth', 'blog', 'greedy', 'without'].map(async (stack) => {
            const { all } = await shell.run(['plan', '-f', `${stack}.yaml`]);
            return all.replace(/\d+ seconds? ago|just now/g, '');
          }),
        );
      const before = await plans();
      expect(before[3]).toContain('owned by the stack growth');
      expect(before[4]).toContain('cannot be deleted');
      const indexed = await run('ledger', 'index', '-f', 'web.yaml');
      expect(indexed.stdout).toMatch(
        /^Indexed: 3 ledgers\. A plan reads \d+ kB of index instead of \d+ kB of ledgers\.\n$/,
      );
      expect(await plans()).toEqual(before);
      const planBefore = await plan('web');
      const repair = damage('blog');
      expect(await plan('web')).toBe(planBefore);
      repair();
      damage('growth');
      expect((await shell.run(['plan', '-f', 'web.yaml'])).stderr).toContain(
        'may be the ledger of another stack',
      );
    },
  );

  story('reads a ledger that is not in the index, or not as it is', async () => {
    const { shell, run, plan, damage, ledgerPath } = await threeStacks();
    await run('ledger', 'index', '-f', 'web.yaml');
    // A ledger that somebody copied there.
    const copied = JSON.parse(readFileSync(ledgerPath('growth'), 'utf8'));
    delete copied.signature;
    writeFileSync(ledgerPath('copied'), JSON.stringify({ ...copied, stack: 'copied' }, null, 2));
    await shell.write({ 'greedy.yaml': configuration('web', `${owner.slice(0, -3)}, B: other } }`) });
    expect((await shell.run(['plan', '-f', 'greedy.yaml'])).stderr).toContain('owned by the stack copied');
    rmSync(ledgerPath('copied'));
    // One that a run wrote, whose record was lost.
    const folder = join(shell.folder, '.trueup/ledger/.ownership');
    const [key = ''] = readdirSync(folder);
    const shards = readdirSync(join(folder, key)).map((name) => join(folder, key, name));
    const texts = shards.map((path) => readFileSync(path, 'utf8'));
    await shell.write({ 'blog.yaml': configuration('blog', 'blog: { framework: nextjs }') });
    await run(...apply, '-f', 'blog.yaml');
    expect(shards.map((path) => readFileSync(path, 'utf8'))).not.toEqual(texts);
    const repair = damage('blog');
    await plan('web');
    for (const [index, path] of shards.entries()) writeFileSync(path, texts[index]!);
    expect((await shell.run(['plan', '-f', 'web.yaml'])).stderr).toContain(
      'may be the ledger of another stack',
    );
    repair();
    await run('ledger', 'index', '-f', 'web.yaml');
    damage('blog');
    await plan('web');
  });
});
