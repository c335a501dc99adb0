import { describe, expect, it } from 'vitest';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import type { FaultPlan, Seed } from '../../providers/hosting/twin/index.ts';
import type { PlanOptions } from '../../src/plan/input.ts';
import { findSideEffects } from '../../src/plan/side-effects.ts';
import { styleFor } from '../../src/report/style.ts';
import { sideEffectsText } from '../../src/report/verified-text.ts';
import { everyKind } from '../support/every-kind.ts';
import { sampleSeed } from '../support/samples.ts';
import { newWorld } from '../support/scene.ts';
import { all, oneStoryIn, sampled } from '../support/sweep.ts';
import { kinds, type World } from '../support/world.ts';

const story = oneStoryIn(5);

const style = styleFor({ color: false, width: 120 });

/** One run; what it reports as changed beside it, line by line, and how many of its changes were carried out. */
async function run(world: World, yaml: string, options: PlanOptions = {}) {
  const first = await world.plan(yaml, options);
  const { outcome } = await world.apply(first);
  expect(outcome.failed).toEqual([]);
  const { live } = await world.plan(yaml, { ...options, containersToDelete: [] });
  const { desired } = first.configuration;
  const effects = findSideEffects(first.plan, first.live, live, { desired, ledger: first.ledger, kinds });
  const lines = sideEffectsText(effects, { style }).split('\n').slice(1);
  return { effects, lines: lines.map((line) => line.trim()), done: outcome.done.length };
}

// What each field of each kind does is looked at where they converge: test/converge.test.ts.
describe('a run that nobody disturbs', () => {
  story('reports nothing: an adoption of everything, and the end of it', async () => {
    // A region that shows under its older name, too, is told: no request of the run names that field.
    const world = await newWorld({ seed: sampleSeed, switches: { regionMirrored: false } });
    // The platform lists no OAuth apps: without a record in the ledger none is found.
    const listedKinds = allKinds.filter(({ name }) => !name.startsWith('oauth'));
    const body = everyKind(sampled(listedKinds, 8));
    await world.apply(await world.plan(body(0)));
    world.ledger = { ...world.ledger, entries: {} };
    for (const options of [{}, { destroy: true }]) {
      const { lines, done } = await run(world, body(1), { maxDeletions: 1000, ...options });
      expect(lines).toEqual([]);
      expect(done).toBeGreaterThan(all ? 100 : 30);
    }
  });
});

describe('what the run takes away', () => {
  story('is not told: one of two of the same name', async () => {
    const world = await newWorld();
    const rule = (path: string) =>
      `{ name: one, active: true, conditionGroup: [{ conditions: [{ type: path, op: pre, value: ${path} }] }], action: { mitigate: { action: deny } } }`;
    const yaml = `projects: { web: { firewall: { $exclusive: [rules], rules: [${rule('/a')}] } } }`;
    await world.converge(yaml);
    const { rules } = world.twin.account.projects[0]!.firewall.active!;
    rules.push({ ...rules[0]!, id: 'rule_theirs' });
    const { lines, done } = await run(world, yaml);
    expect([lines, done]).toEqual([[], 1]);
  });
});

describe('what somebody else does meanwhile', () => {
  const seed: Seed = {
    projects: [
      {
        name: 'web',
        framework: 'vite',
        env: [
          { key: 'OLD', value: 'a', type: 'plain', target: ['production'] },
          { key: 'TOKEN', value: 'canary-theirs', type: 'encrypted', target: ['production'] },
        ],
      },
    ],
  };
  type Change = Extract<FaultPlan['faults'][number]['do'], { type: 'foreignChange' }>['change'];

  /** A run that changes the framework of the project, and what somebody else does just before that is written. */
  async function disturbed(change: Change, env = '', more: Record<string, string> = {}) {
    const world = await newWorld({ seed });
    Object.assign(world.env, more);
    const yaml = (framework: string) =>
      `${more.KEY ? 'secrets: { key: { env: KEY } }\n' : ''}projects: { web: { framework: ${framework}, env: { MINE: { value: b, target: [preview] }${env} } } }`;
    await world.converge(yaml('vite'));
    world.twin.setFaults({
      faults: [{ at: { operation: 'updateProject' }, do: { type: 'foreignChange', change } }],
    });
    const { lines, effects } = await run(world, yaml('nextjs'));
    expect(world.twin.account.projects[0]!.framework).toBe('nextjs');
    return { lines, said: JSON.stringify(effects) + lines.join() };
  }

  it('is told: fields, what came and what went', async () => {
    const { lines } = await disturbed(({ projects: [web] }) => {
      Object.assign(web!, { buildCommand: 'make', framework: 'gatsby' });
      const [old] = web!.env;
      web!.env.push({ ...old!, id: 'env_new', key: 'NEW', target: ['preview'] });
      web!.env = web!.env.filter(({ key }) => key !== 'OLD');
    });
    // The framework is what the run wrote.
    expect(lines).toEqual([
      'projects/web: buildCommand: null → make',
      'projects/web/env/NEW@preview: appeared',
      'projects/web/env/OLD@production: is gone',
    ]);
  });

  it('to a secret is told without it', async () => {
    const { lines, said } = await disturbed(({ projects: [web] }) => {
      web!.env.find(({ key }) => key === 'TOKEN')!.value = 'canary-new';
    });
    expect(lines).toEqual(['projects/web/env/TOKEN@production: value: (secret)']);
    expect(said).not.toContain('canary');
  });

  it('to a field that a secret of the configuration is in is told without either', async () => {
    const { lines, said } = await disturbed(
      ({ projects: [web] }) => {
        web!.env.find(({ key }) => key === 'KEY')!.value = 'canary-new';
      },
      // The platform does not take it for a secret.
      `, KEY: { value: "\${secret.key}", type: plain, target: [production] }`,
      { KEY: 'canary-mine' },
    );
    expect(lines).toEqual(['projects/web/env/KEY@production: value: (secret)']);
    expect(said).not.toContain('canary');
  });

  story('to what the run deletes or creates, and all that is in it, is not told', async () => {
    const world = await newWorld({ seed });
    const yaml = (more: string) => `projects: { web: {}, ${more}: { env: { A: a } } }`;
    await world.converge(yaml('old'));
    const { lines, done } = await run(world, yaml('new'), { containersToDelete: ['projects/old'] });
    expect(lines).toEqual([]);
    expect(done).toBeGreaterThan(0);
    expect(world.twin.account.projects.map(({ name }) => name)).toEqual(['web', 'new']);
  });
});

describe('what the platform does of itself', () => {
  story('is told: a redirect has a status', async () => {
    const world = await newWorld({ switches: { redirectDefaultStatus: 307 } });
    const yaml = (more: string) =>
      `projects: { web: { domains: { a.example.org: {}, b.example.org: { ${more} } } } }`;
    await world.converge(yaml(''));
    const { lines } = await run(world, yaml('redirect: a.example.org'));
    expect(lines).toEqual(['projects/web/domains/b.example.org: redirectStatusCode: null → 307']);
  });

  story('is told: a domain takes those of projects with it', async () => {
    const world = await newWorld({
      switches: { domainDeleteCascades: true },
      seed: {
        domains: [{ name: 'example.com' }],
        projects: [{ name: 'web', domains: [{ name: 'www.example.com' }, { name: 'example.org' }] }],
      },
    });
    const yaml = (domains: string) =>
      `projects: { web: { domains: { example.org: {} } } }\ndomains: { ${domains} }`;
    await world.converge(yaml('example.com: {}, example.net: {}'));
    const { lines } = await run(world, yaml('example.net: {}'), {
      containersToDelete: ['domains/example.com'],
    });
    expect(lines).toEqual(['projects/web/domains/www.example.com: is gone']);
  });
});

describe('what goes by another address now', () => {
  const bypass = (letter: string) => ({ secret: letter.repeat(32) });

  it('is the same: an id that is a secret, where there was no key before', async () => {
    const world = await newWorld({
      seed: { projects: [{ name: 'web', protectionBypasses: [bypass('a'), bypass('b')] }] },
    });
    world.env = { A: 'a'.repeat(32) };
    const yaml =
      'secrets: { a: { env: A } }\nprojects: { web: { protectionBypass: { ci: { secret: "${secret.a}", note: n } } } }';
    const { key } = world;
    Object.assign(world, { key: undefined });
    const before = await world.plan(yaml);
    Object.assign(world, { key });
    const { live } = await world.plan(yaml);
    const known = { desired: before.configuration.desired, ledger: before.ledger, kinds };
    expect([...before.live.resources.keys()]).not.toEqual([...live.resources.keys()]);
    expect(
      findSideEffects({ ...before.plan, changes: [], operations: [] }, before.live, live, known),
    ).toEqual([]);
  });

  story('is the same: what was adopted under a label', async () => {
    const url = 'https://hooks.example.com';
    const world = await newWorld({ seed: { webhooks: [{ url, events: ['domain.created'] }] } });
    const yaml = `webhooks: { deploys: { url: "${url}", events: [domain.created] } }`;
    const { lines, done } = await run(world, yaml);
    expect([lines, done]).toEqual([[], 1]);
  });

  story('is the same: what others refer to, renamed by somebody else', async () => {
    const world = await newWorld({
      seed: {
        projects: [
          { name: 'web', customEnvironments: [{ slug: 'qa' }], domains: [{ name: 'a.example.org' }] },
        ],
      },
    });
    const [web] = world.twin.account.projects;
    const [qa] = web!.customEnvironments;
    web!.domains[0]!.customEnvironmentId = qa!.id;
    const yaml = (more: string) => `projects: { web: { domains: { b.example.org: {} }, ${more} } }`;
    await world.converge(yaml(''));
    const change = () => {
      qa!.slug = 'test';
    };
    world.twin.setFaults({
      faults: [{ at: { operation: 'updateProject' }, do: { type: 'foreignChange', change } }],
    });
    const at = 'projects/web/customEnvironments/test';
    expect((await run(world, yaml('framework: vite'))).lines).toEqual([`${at}: slug: qa → test`]);
  });
});
