import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Seed } from '../../providers/hosting/twin/index.ts';
import { canaryOperation } from '../../src/model/plan.ts';
import { readOnly } from '../../src/model/request.ts';
import { canaryCheck } from '../../src/run/check-first-change.ts';
import { atEnd } from '../support/at-end.ts';
import { Shell } from '../support/cli.ts';
import { inFront } from '../support/in-front.ts';
import { RecordedSite } from '../support/recorded-site.ts';
import { newWorld } from '../support/scene.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const story = oneStoryIn(4);

const header = 'stack: demo\nplatform: { team: acme }\n';
const first = { canary: 'on-first-contact' } as const;
const apply = ['apply', '--auto-approve', '--settle', '0'];

/** A stack that was never applied, on an account with these objects. */
async function scene(seed: Seed, yaml: string) {
  const shell = await new Shell().write({ 'trueup.yaml': header + yaml });
  const twin = await shell.withTwin(seed);
  const writes = () => twin.requests.filter(({ method }) => method !== 'GET').map(({ path }) => path);
  const ledger = () => JSON.parse(readFileSync(join(shell.folder, '.trueup/ledger/demo.json'), 'utf8'));
  return { shell, twin, writes, ledger };
}

const twoProjects: Seed = { projects: [{ name: 'api', framework: 'nextjs' }, { name: 'web' }] };
const bothChange = 'projects: { api: { framework: astro }, web: { framework: astro } }';

/** Makes the platform answer writes of a member, and keep the value that it has. */
function freeze<T extends object>(object: T, name: keyof T): void {
  const value = object[name];
  Object.defineProperty(object, name, { get: () => value, set: () => {}, enumerable: true });
}

describe('a first change that the platform accepts and does not keep', () => {
  it('stops the run before anything else changes, and is in the ledger', async () => {
    const { shell, twin, writes, ledger } = await scene(twoProjects, bothChange);
    freeze(twin.account.projects[0]!, 'framework');
    const stopped = await shell.run(apply);
    expect(stopped.status).toBe(1);
    expect(stopped.all).toContain('`update projects/api` is done first');
    expect(stopped.all.replace(/\s+/g, ' ')).toContain(
      'the platform accepted this first change, but a fresh read shows other values: `framework` should be "astro", but is "nextjs". Nothing else was changed',
    );
    expect(stopped.all).toContain('--no-canary');
    expect(stopped.all.replace(/\s+/g, ' ')).toContain(
      'not tried (1), because the change that is done first failed (--no-canary does not wait for it): projects/web',
    );
    expect(writes()).toHaveLength(1);
    expect(twin.account.projects[1]!.framework).not.toBe('astro');
    expect(ledger()).toMatchObject({
      unverifiedFirstChange: 'projects/api',
      entries: { 'projects/api': { notKept: { framework: expect.any(String) } } },
    });

    const again = await shell.run(apply);
    expect(again.all).toContain('not kept by the platform at the last apply: sent again');
    expect(writes()).toHaveLength(2);
    await shell.run([...apply, '--no-canary']);
    expect(twin.account.projects[1]!.framework).toBe('astro');
    expect(ledger()).not.toHaveProperty('unverifiedFirstChange');
  });

  it('is named as the reason by changes that depend on it, directly or not', async () => {
    const { shell, twin } = await scene(
      { ...twoProjects, projects: [...twoProjects.projects!, { name: 'own' }] },
      'projects: { api: { framework: astro }, own: { framework: astro, $dependsOn: [projects/web] }, web: { framework: astro, $dependsOn: [projects/api] } }',
    );
    freeze(twin.account.projects[0]!, 'framework');
    const { all } = await shell.run(apply);
    expect(all.replace(/\s+/g, ' ')).toContain(
      'not tried (2), because projects/api failed: projects/web projects/own',
    );
  });

  it('may be an object that the account does not show', async () => {
    const { shell, twin, writes } = await scene({}, 'projects: { api: {}, web: {} }');
    Object.defineProperty(twin.account, 'projects', { get: () => [] });
    const stopped = await shell.run(apply);
    expect(stopped.status).toBe(1);
    expect(stopped.all.replace(/\s+/g, ' ')).toContain('but a fresh read does not show it');
    expect(writes()).toHaveLength(1);
  });

  it('is told without secrets', async () => {
    const { shell, twin } = await scene(
      { projects: [{ name: 'web' }] },
      'projects: { web: { env: { A: { value: wanted-value, target: [production] }, B: { value: b, target: [preview] } } } }',
    );
    const front = await inFront(
      () => twin.url,
      async (_, pass) => {
        const answer = await pass();
        const text = answer?.body.toString().replaceAll('"wanted-value"', '"stolen-value"');
        return answer && { ...answer, body: Buffer.from(text!) };
      },
    );
    atEnd(() => front.close());
    shell.env.TRUEUP_BASE_URL = front.url;
    const stopped = await shell.run(apply);
    expect(stopped.all.replace(/\s+/g, ' ')).toContain('`value` should be "wanted-value", but is (secret)');
    expect(stopped.all).not.toContain('stolen');
    expect(twin.account.projects[0]!.env).toHaveLength(1);
  });

  story('is taken back by undo', async () => {
    const site = await RecordedSite.open('file', { projects: [{ name: 'web' }] });
    site.commit(
      'projects: { web: { env: { A: { value: a, type: plain, target: [production] }, B: { value: b, target: [preview] } } } }',
    );
    const { env } = site.twin.account.projects[0]!;
    const front = await inFront(
      () => site.twin.url,
      async ({ method }, pass) => {
        const answer = await pass();
        if (method === 'GET' && answer)
          answer.body = Buffer.from(answer.body.toString().replaceAll('"value":"a"', '"value":"other"'));
        return answer;
      },
    );
    atEnd(() => front.close());
    site.env.TRUEUP_BASE_URL = front.url;
    expect((await site.run(apply)).all).toContain('`value` should be "a", but is "other"');
    expect(env.map(({ key }) => key)).toEqual(['A']);
    const undone = await site.run(['undo', '1', '--auto-approve', '--settle', '0']);
    expect([undone.status, env], undone.all).toEqual([0, []]);
  });

  /** Applies where the account shows the first change late; `sleep` is called between the two readings. */
  async function applyLate(sleep: () => void, stop = new AbortController().signal) {
    const world = await newWorld({ seed: twoProjects });
    const planned = await world.plan(bothChange, first);
    const slept: number[] = [];
    const project = world.twin.account.projects[0]!;
    const { outcome } = await world.apply(planned, {
      checkCanary: canaryCheck({
        planned,
        send: async (request) => {
          const real = project.framework;
          if (slept.length === 0) project.framework = 'nextjs';
          const answer = await readOnly(world.connection.send)(request);
          project.framework = real;
          return answer;
        },
        clock: {
          sleep: async (milliseconds) => {
            sleep();
            slept.push(milliseconds);
          },
        },
        settle: 60_000,
        stop,
        say: () => {},
      }),
    });
    return { slept, outcome };
  }

  it('may only be shown late: it is read once more', async () => {
    const { slept, outcome } = await applyLate(() => {});
    expect(slept).toEqual([60_000]);
    expect(outcome.done).toEqual(['projects/api', 'projects/web']);
  });

  it('is not called lost if the account may be late and there is no request left to read it once more', async () => {
    const world = await newWorld({ seed: { projects: [{ name: 'web', framework: 'astro' }] } });
    const planned = await world.plan(
      'projects: { web: { framework: astro, env: { A: { value: a, target: [production] }, B: { value: b, target: [preview] } } } }',
      first,
    );
    expect(planned.plan.firstContact?.isSplit).toBe(true);
    const { env } = world.twin.account.projects[0]!;
    const shown = [...env];
    const sent: string[] = [];
    const { outcome } = await world.apply(planned, {
      checkCanary: canaryCheck({
        planned,
        send: async (request) => {
          sent.push(request.endpoint);
          const real = env.splice(0, env.length, ...shown);
          const answer = await readOnly(world.connection.send)(request);
          env.splice(0, env.length, ...real);
          return answer;
        },
        clock: { sleep: () => Promise.reject(new Error('there is no second read to wait for')) },
        settle: 60_000,
        stop: new AbortController().signal,
        say: () => {},
      }),
    });
    expect(sent).toHaveLength(1);
    expect(outcome.failed.map(({ error }) => (error as Error & { code: string }).code)).toEqual([
      'canary/unread',
    ]);
  });

  it('is not called lost if the run is stopped before it is read once more', async () => {
    const stop = new AbortController();
    const { outcome } = await applyLate(() => stop.abort(), stop.signal);
    expect(outcome.failed.map(({ error }) => (error as Error & { code: string }).code)).toEqual([
      'canary/unread',
    ]);
  });

  it('is not called lost if the run is stopped before the wait for the second reading', async () => {
    const { slept, outcome } = await applyLate(() => {}, AbortSignal.abort());
    expect(slept).toEqual([]);
    expect(outcome.failed.map(({ error }) => (error as Error & { code: string }).code)).toEqual([
      'canary/unread',
    ]);
  });
});

describe('the first contact', () => {
  const sayings = async (shell: Shell, ...flags: string[]) =>
    (await shell.run(['plan', ...flags])).stdout
      .match(/First contact.*?\.(?=\n\n)/s)?.[0]
      .replace(/\s+/g, ' ');
  const variables = (names: string) =>
    `projects: { web: { env: { ${[...names].map((name) => `${name}: { value: ${name}, type: plain, target: [production] }`).join(', ')} } } }`;

  it.each([
    [
      'creations, before their contents',
      variables('AB'),
      {},
      'First contact with this account: `create projects/web` is done first and checked by a fresh read before the other 2 changes.',
    ],
    [
      'one of a batch',
      variables('AB'),
      { projects: [{ name: 'web' }] },
      'First contact with this account: `create projects/web/env/A@production` is done first and checked by a fresh read before the other change.',
    ],
    [
      'nothing that disrupts, costs, deletes or has a secret',
      `projects: { web: { env: { A: { value: '\${secret.s}' }, B: { value: '\${secret.s}' } } } }\nsecrets: { s: { env: TRUEUP_SECRET_s } }`,
      { projects: [{ name: 'web' }] },
      'First contact with this account: no change is harmless enough to be tried before the others.',
    ],
    ['nothing where only one change is sent', variables('A'), { projects: [{ name: 'web' }] }, undefined],
  ])('tries %s', async (_, yaml, seed: Seed, expected) => {
    const { shell } = await scene(seed, yaml);
    shell.env.TRUEUP_SECRET_s = 'a-secret-value';
    expect(await sayings(shell)).toBe(expected);
    expect(await sayings(shell, '--no-canary')).toBeUndefined();
    const planned = JSON.parse((await shell.run(['plan', '--json'])).stdout);
    expect(planned.firstContact === undefined).toBe(expected === undefined);
  });

  story('is over once a run has sent something, and not by adopting', async () => {
    const { shell, twin } = await scene({ projects: [{ name: 'web' }] }, 'projects: { web: {} }');
    expect((await shell.run(apply)).status).toBe(0);
    await shell.write({ 'trueup.yaml': header + variables('AB') });
    expect(await sayings(shell)).toContain('`create projects/web/env/A@production` is done first');
    const before = twin.requests.length;
    expect((await shell.run(apply)).status).toBe(0);
    const bodies = twin.requests
      .slice(before)
      .flatMap(({ method, body }) => (method === 'POST' ? [body] : []));
    expect(bodies).toMatchObject([[{ key: 'A' }], [{ key: 'B' }]]);
    await shell.write({ 'trueup.yaml': header + variables('ABCD') });
    expect(await sayings(shell)).toBeUndefined();
  });

  oneRowIn(2)(['createProject', 'getProject'])(
    'ends with 75 at a rate limit of %s, and goes on later',
    async (operation) => {
      const { shell, twin } = await scene({}, variables('AB'));
      twin.setFaults({ faults: [{ at: { operation }, do: { type: 'rateLimit', retryAfter: 3600 } }] });
      const stopped = await shell.run([...apply, '--max-wait', '1']);
      expect(stopped.status).toBe(75);
      expect(stopped.all).toMatch(/0 done, 3 left/);
      expect(twin.account.projects[0]?.env ?? []).toEqual([]);
      twin.setFaults({ faults: [] });
      const again = await shell.run(apply);
      expect(again.all.includes('First contact')).toBe(operation === 'createProject');
      expect(again.status).toBe(0);
      expect(twin.account.projects[0]!.env).toHaveLength(2);
    },
  );

  it('is decided by a saved plan, also where a part of it is done', async () => {
    const { shell, twin } = await scene({ projects: [{ name: 'web' }] }, variables('AB'));
    await shell.run(['plan', '--out', 'plan.json']);
    expect((await shell.run(['show', 'plan.json'])).stdout).toContain(
      '`create projects/web/env/A@production`',
    );
    twin.setFaults({
      faults: [
        { at: { operation: 'createProjectEnv', nth: 2 }, do: { type: 'rateLimit', retryAfter: 3600 } },
      ],
    });
    expect((await shell.run(['apply', 'plan.json', '--max-wait', '1'])).status).toBe(75);
    expect(twin.account.projects[0]!.env.map(({ key }) => key)).toEqual(['A']);
    twin.setFaults({ faults: [] });
    const again = await shell.run(['apply', 'plan.json']);
    expect(again.all).not.toContain('First contact');
    expect(again.status).toBe(0);
    expect(twin.account.projects[0]!.env.map(({ key }) => key)).toEqual(['A', 'B']);
  });
});

describe('a run that was killed', () => {
  const yaml = 'projects: { api: {}, web: {}, zoo: {} }';

  /** A world whose first run ended when its first change was answered, before it was checked. */
  async function killed(): Promise<World> {
    const world = await newWorld();
    const planned = await world.plan(yaml, first);
    const stop = new AbortController();
    await world.apply(planned, {
      stop: stop.signal,
      checkCanary: async () => {
        stop.abort();
        throw new Error('killed');
      },
    });
    expect(world.ledger.unverifiedFirstChange).toBe('projects/api');
    return world;
  }

  it('goes on if the account shows its first change', async () => {
    const world = await killed();
    expect((await world.plan(yaml, first)).plan.firstContact).toBeUndefined();
    await world.converge(yaml, first);
    expect(world.ledger.unverifiedFirstChange).toBeUndefined();
  });

  it('tries another one first if it does not', async () => {
    const world = await killed();
    world.twin.account.projects.splice(0);
    const { plan } = await world.plan(yaml, first);
    expect(canaryOperation(plan)?.id).toBe('create projects/web');
    await world.converge(yaml, first);
  });
});
