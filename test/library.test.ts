import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { apply, load, openPlan, startTwin } from '../src/library.ts';
import { hasHidden } from '../src/report/text.ts';
import { keyText } from './support/keys.ts';
import { oneStoryIn } from './support/sweep.ts';

const story = oneStoryIn(4);

const canary = 'canary-of-the-library';

/** A folder with a configuration, and a twin. */
async function surroundings(yaml: string, more: object = {}) {
  const cwd = mkdtempSync(join(tmpdir(), 'trueup-library-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFileSync(join(cwd, 'trueup.yaml'), `stack: shop\nplatform: { team: acme }\n${yaml}`);
  const twin = await startTwin({ seed: { team: { slug: 'acme' }, ...more }, token: 'any' });
  onTestFinished(() => twin.close());
  return { cwd, twin };
}

it('a secret of a command reaches nobody who listens, also in a job of GitHub Actions', async () => {
  const { cwd, twin } = await surroundings(`
secrets: { database: { command: [echo, ${canary}] } }
projects: { web: { env: { DATABASE: { value: "\${secret.database}", type: sensitive, target: [production] } } } }
`);
  const heard: string[] = [];
  const configuration = await load({
    cwd,
    env: {
      PATH: process.env.PATH,
      GITHUB_ACTIONS: 'true',
      TRUEUP_TOKEN: 'any',
      TRUEUP_LEDGER_KEY: keyText(),
    },
    allowCommand: [`echo ${canary}`],
    say: (text) => heard.push(text),
  });
  const open = await openPlan(configuration, { baseUrl: twin.url, settle: 0, ledger: 'ledger.json' });
  const { outcome } = await apply(open, { onEvent: (event) => heard.push(JSON.stringify(event)) });
  await open.close();
  expect(outcome.failed).toEqual([]);
  // The name of the command is no secret, and is shown as the source.
  const told = [...heard, open.text().replaceAll(`command echo ${canary}`, '')].join('\n');
  expect(told).not.toContain(canary);
});

it('a plan is carried out once: again, or at the same time, it is refused with what to do', async () => {
  const { cwd, twin } = await surroundings('projects: { web: {} }\n');
  const configuration = await load({ cwd, env: { PATH: process.env.PATH, TRUEUP_TOKEN: 'any' } });
  const open = await openPlan(configuration, { baseUrl: twin.url, settle: 0 });
  onTestFinished(() => open.close());
  const [first, second] = await Promise.allSettled([apply(open), apply(open)]);
  expect(first.status === 'fulfilled' && first.value.outcome.failed).toEqual([]);
  const refused = /is being applied or was applied already: a plan can be applied only once/;
  expect(String(second.status === 'rejected' && second.reason)).toMatch(refused);
  await expect(apply(open)).rejects.toThrow(refused);
  const next = await openPlan(configuration, { baseUrl: twin.url, settle: 0 });
  onTestFinished(() => next.close());
  expect(next.isEmpty).toBe(true);
});

it('a plan whose ledger could not be read can be applied as soon as it can', async () => {
  const { cwd, twin } = await surroundings('projects: { web: {} }\n');
  const configuration = await load({ cwd, env: { PATH: process.env.PATH, TRUEUP_TOKEN: 'any' } });
  const open = await openPlan(configuration, { baseUrl: twin.url, settle: 0, ledger: 'ledger.json' });
  onTestFinished(() => open.close());
  writeFileSync(join(cwd, 'ledger.json'), 'no ledger');
  await expect(apply(open)).rejects.toThrow(/ledger/);
  rmSync(join(cwd, 'ledger.json'));
  const { outcome } = await apply(open);
  expect(outcome.failed).toEqual([]);
});

it('hidden characters in a text of the configuration are escapes in the text of a plan', async () => {
  const { cwd, twin } = await surroundings(
    'projects: { web: { env: { A: { value: "\\e[2Jgone\\u202e", type: plain } } } }\n',
  );
  const configuration = await load({ cwd, env: { PATH: process.env.PATH, TRUEUP_TOKEN: 'any' } });
  const open = await openPlan(configuration, { baseUrl: twin.url, settle: 0 });
  await open.close();
  expect(open.text()).toContain('gone');
  expect(hasHidden(open.text())).toBe(false);
});

story('what follows the changes is sent, and the outcome says what became of it', async () => {
  const project = { name: 'web', deployments: [{ id: 'dpl_live', target: 'production' }] };
  const yaml = (value: string) =>
    `stack: shop\nplatform: { team: acme }\nprojects: { web: { $then: [redeploy], env: { A: ${value} } } }\n`;
  const more = { projects: [project], builds: { seconds: 600 } };
  const { cwd, twin } = await surroundings('', more);
  const applied = async (value: string) => {
    writeFileSync(join(cwd, 'trueup.yaml'), yaml(value));
    const configuration = await load({ cwd, env: { PATH: process.env.PATH, TRUEUP_TOKEN: 'any' } });
    const open = await openPlan(configuration, { baseUrl: twin.url, settle: 0 });
    const { outcome, after } = await apply(open);
    await open.close();
    expect(after?.operations).toEqual([]);
    return outcome.actions;
  };
  expect(await applied('one')).toMatchObject([{ result: 'done' }]);
  // The build of before is under way: it is owed, and the changes are verified all the same.
  expect(await applied('two')).toMatchObject([
    { result: 'owed', why: expect.stringContaining('a build of web') },
  ]);
});

story(
  'what an action with `wait` set going is followed to its end: how it ended, or that it was called off',
  async () => {
    const yaml = 'projects: { web: { $then: [{ redeploy: {}, wait: { minutes: 5 } }], env: { A: one } } }\n';
    const project = { name: 'web', deployments: [{ id: 'dpl_live', target: 'production' }] };
    const end = async (builds: object) => {
      const { cwd, twin } = await surroundings(yaml, { projects: [project], builds });
      const stop = new AbortController();
      const heard: string[] = [];
      const configuration = await load({
        cwd,
        env: { PATH: process.env.PATH, TRUEUP_TOKEN: 'any' },
        say(text) {
          heard.push(text);
          if (text.includes('QUEUED')) stop.abort();
        },
      });
      const open = await openPlan(configuration, { baseUrl: twin.url, settle: 0 });
      const { outcome, unfinished } = await apply(open, { signal: stop.signal });
      await open.close();
      expect(outcome.actions).toMatchObject([{ result: 'done' }]);
      return { unfinished, heard: heard.join('\n') };
    };
    const built = await end({ seconds: 0 });
    expect(built.unfinished).toBeUndefined();
    expect(built.heard).toMatch(/redeploy projects\/web \(target: production\): READY[\s\S]*done after/);
    const id = 'redeploy projects/web {"target":"production"}';
    expect((await end({ seconds: 0, fails: true })).unfinished).toEqual([{ id, why: 'it ended as ERROR' }]);
    expect((await end({ seconds: 600 })).unfinished).toEqual([{ id, why: 'the wait was called off' }]);
  },
);

/** A plan for a domain that waits for a record in a domain of somebody else. */
async function waitingDomain(minutes = 5) {
  const { cwd, twin } = await surroundings(
    `projects: { web: { domains: { www.other.example: { $wait: { minutes: ${minutes} } } } } }\n`,
    { domains: [{ name: 'other.example', owner: 'personal' }] },
  );
  const configuration = await load({ cwd, env: { PATH: process.env.PATH, TRUEUP_TOKEN: 'any' } });
  const open = await openPlan(configuration, { baseUrl: twin.url, settle: 0 });
  onTestFinished(() => open.close());
  return { open, twin, configuration };
}

story('what has `$wait` is waited for, and who listens hears why', async () => {
  const { open, twin } = await waitingDomain();
  const heard: string[] = [];
  const applied = await apply(open, {
    async onWait(event) {
      heard.push(event.type);
      if (event.type !== 'waiting') return;
      const [value] = /vc-domain-verify=[^"]*/.exec(event.why)!;
      await fetch(`${twin.url}/v2/domains/other.example/records`, {
        method: 'POST',
        headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'TXT', name: '_vercel', value, ttl: 60 }),
      });
    },
  });
  expect(heard).toEqual(['waiting', 'ready']);
  expect(applied.outcome.failed).toEqual([]);
  expect(applied.notReady).toBeUndefined();
});

story('a signal ends the wait with all applied, and the lease is free meanwhile', async () => {
  const { open, twin, configuration } = await waitingDomain();
  const stop = new AbortController();
  let other: Promise<unknown> = Promise.resolve();
  const { outcome, notReady } = await apply(open, {
    signal: stop.signal,
    onWait: () => {
      const next = openPlan(configuration, { baseUrl: twin.url, settle: 0 });
      other = next.then(async (one) => {
        const applied = apply(one, { signal: AbortSignal.abort() });
        // Also where it is refused: nobody is to wait for that.
        await applied.catch(() => {}).finally(() => stop.abort());
        await one.close();
        return (await applied).outcome.failed;
      });
    },
  });
  expect(await other).toEqual([]);
  expect(outcome.done).toContain('projects/web/domains/www.other.example');
  expect(notReady).toMatchObject([{ address: 'projects/web/domains/www.other.example' }]);
  expect(notReady![0]!.why).toContain('the platform has not verified it yet');
});

it.each([{ CI: 'true' }, { JENKINS_URL: 'https://ci.example.com' }])(
  'a plan without a key in CI does not say whether a value is that of a live secret: %j',
  async (ci) => {
    const env = { key: 'A', value: 'live-secret', type: 'encrypted', target: ['production'] };
    const { cwd, twin } = await surroundings(
      'projects: { web: { $existing: true, env: { A: { value: live-secret, target: [production], type: encrypted } } } }\n',
      { projects: [{ name: 'web', env: [env] }] },
    );
    const configuration = await load({ cwd, env: { PATH: process.env.PATH, TRUEUP_TOKEN: 'any', ...ci } });
    const open = await openPlan(configuration, { baseUrl: twin.url, settle: 0 });
    await open.close();
    expect(open.plan.notCompared?.map(({ cause }) => cause)).toEqual(['before-apply']);
  },
);

it('a plan for the embedded twin compares secrets in CI, too, where an apply creates the key of the twin', async () => {
  const { cwd } = await surroundings(
    'projects: { web: { env: { A: { value: a-secret, target: [production], type: encrypted } } } }\n',
  );
  const outside = await load({ cwd, env: { PATH: process.env.PATH } });
  const first = await openPlan(outside, { twin: true });
  await apply(first);
  await first.close();
  for (const name of ['key', 'ledger']) rmSync(join(cwd, '.trueup/twin', name), { recursive: true });
  const inCi = await load({ cwd, env: { PATH: process.env.PATH, CI: 'true' } });
  const open = await openPlan(inCi, { twin: true });
  const { outcome } = await apply(open);
  await open.close();
  expect(outcome.failed).toEqual([]);
  expect(open.plan.notCompared).toBeUndefined();
});
