import { describe, expect, it } from 'vitest';
import { readOnly } from '../../src/model/request.ts';
import type { PlanOptions } from '../../src/plan/input.ts';
import { planRun } from '../../src/run/plan-run.ts';
import { actions, changeAt, codes, newWorld } from '../support/scene.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { describe as told, type World } from '../support/world.ts';
import { ownDomains } from '../twin/client.ts';

const story = oneStoryIn(7);

const a = (domains: string, more = '') => `a: { ${more} domains: { ${domains} } }`;
const projects = (...all: string[]) => `projects: { ${all.join(', ')} }`;
const before = projects(a('x.example.com: {}, y.example.com: {}'), 'b: {}');
const after = projects(a('y.example.com: {}'), 'b: { domains: { x.example.com: {} } }');
const now = 'projects/b/domains/x.example.com';
const was = 'projects/a/domains/x.example.com';
const move = 'POST /v1/projects/PROJECT/domains/x.example.com/move';

/** The writes since then, with the ids of projects left out. */
const writes = (world: World, since: number) =>
  world.writes(since).map((line) => line.replace(/\/prj_\w+/g, '/PROJECT'));

const domainsOf = ({ twin }: World): Record<string, string[]> =>
  Object.fromEntries(
    twin.account.projects.map((project) => [
      project.name,
      ownDomains(project)
        .map((one) => [one.name, one.redirect ?? [], one.gitBranch ?? []].flat().join(' '))
        .sort(),
    ]),
  );

/** A world with what was applied first, and the writes that the next configuration took. */
async function changed(first: string, next: string, options: PlanOptions = {}) {
  const world = await newWorld();
  await world.converge(first);
  const old = Object.fromEntries(Object.entries(world.ledger.entries).map(([at, { salt }]) => [at, salt]));
  const since = world.twin.requests.length;
  const plan = await world.converge(next, options);
  return { world, plan, old, sent: writes(world, since), found: domainsOf(world) };
}

describe('a domain that is declared under another project', () => {
  it('is moved by one request, and stays ours', async () => {
    const { world, plan, old, sent, found } = await changed(before, after);
    expect(actions(plan)).toEqual([`move ${now}`]);
    expect(changeAt(plan, now)).toMatchObject({
      recordedAddress: was,
      reason: `it was ${was}`,
      grade: 'disruptive',
    });
    expect(sent).toEqual([move]);
    expect(found).toEqual({ a: ['y.example.com'], b: ['x.example.com'] });
    expect(world.ledger.entries[was]).toBeUndefined();
    expect(world.ledger.entries[now]).toMatchObject({ salt: old[was], origin: 'created' });
    expect(world.beside).toEqual([]);
  });

  it('takes what differs along, and what nobody declares stays as it was found', async () => {
    const world = await newWorld();
    await world.converge(before);
    const domain = world.twin.account.projects
      .flatMap(({ domains }) => domains)
      .find(({ name }) => name === 'x.example.com')!;
    domain.gitBranch = 'next';
    const since = world.twin.requests.length;
    const plan = await world.converge(
      projects(
        a(''),
        'b: { domains: { z.example.com: {}, x.example.com: { redirect: z.example.com, redirectStatusCode: 307 } } }',
      ),
      { maxDeletions: 20 },
    );
    expect(actions(plan)).toContain(`move ${now}`);
    expect(changeAt(plan, now)!.fields.map(({ path }) => path)).toEqual(['redirect', 'redirectStatusCode']);
    expect(writes(world, since).filter((line) => line.includes('x.example.com'))).toEqual([move]);
    expect(domainsOf(world).b).toEqual(['x.example.com z.example.com next', 'z.example.com']);
  });

  story('goes into a project that the plan makes', async () => {
    const { sent, found } = await changed(
      projects(a('x.example.com: {}')),
      projects('a: {}', 'b: { domains: { x.example.com: {} } }'),
    );
    expect(sent.at(-1)).toBe(move);
    expect(sent).toHaveLength(2);
    expect(found).toEqual({ a: [], b: ['x.example.com'] });
  });

  oneRowIn(2)([
    ['deletes', ['projects/a'], { b: ['x.example.com'] }],
    ['lets go', [], { a: [], b: ['x.example.com'] }],
  ])('goes out of a project that the plan %s', async (_, deletions, expected) => {
    const { sent, found } = await changed(
      projects(a('x.example.com: {}'), 'b: {}'),
      projects('b: { domains: { x.example.com: {} } }'),
      { containersToDelete: deletions },
    );
    expect(sent[0]).toBe(move);
    expect(sent.slice(1)).toEqual(deletions.length > 0 ? ['DELETE /v9/projects/PROJECT'] : []);
    expect(found).toEqual(expected);
  });

  story('takes along what redirects to it', async () => {
    const redirects = 'x.example.com: {}, r.example.com: { redirect: x.example.com }';
    const { world, plan, sent, found } = await changed(
      projects(a(redirects), 'b: {}'),
      projects('a: {}', `b: { domains: { ${redirects} } }`),
    );
    expect(actions(plan)).toEqual(['move projects/b/domains/r.example.com', `move ${now}`]);
    expect(sent).toEqual([move]);
    expect(found).toEqual({ a: [], b: ['r.example.com x.example.com', 'x.example.com'] });
    expect(Object.keys(world.ledger.entries).sort()).toEqual([
      'projects/a',
      'projects/b',
      'projects/b/domains/r.example.com',
      now,
    ]);
  });

  oneRowIn(2)([
    ['is taken off it', 'r.example.com: { redirect: null }', ['r.example.com']],
    ['is deleted', '', []],
  ])('waits until what redirects to it %s', async (_, rest, left) => {
    const { sent, found } = await changed(
      projects(a('x.example.com: {}, r.example.com: { redirect: x.example.com }'), 'b: {}'),
      projects(a(rest), 'b: { domains: { x.example.com: {} } }'),
    );
    expect(sent).toHaveLength(2);
    expect(sent[1]).toBe(move);
    expect(found).toEqual({ a: left, b: ['x.example.com'] });
  });

  story('is not taken from under what goes on to redirect to it', async () => {
    const world = await newWorld();
    await world.converge(projects(a('x.example.com: {}'), 'b: {}'));
    const project = world.twin.account.projects.find(({ name }) => name === 'a')!;
    const [domain] = ownDomains(project);
    project.domains.push({ ...domain!, name: 'theirs.example.com', redirect: 'x.example.com' });
    const { plan } = await world.plan(projects('a: {}', 'b: { domains: { x.example.com: {} } }'));
    expect(codes(plan)).toEqual(['plan/still-named']);
    expect(told(plan)).toContain('theirs.example.com refers to it and would move along');
  });

  story('is made anew, as the plan says, where a move cannot say all', async () => {
    const environments = 'customEnvironments: { qa: {} }';
    const { plan, sent, found } = await changed(
      projects(a('x.example.com: {}'), `b: { ${environments} }`),
      projects('a: {}', `b: { ${environments}, domains: { x.example.com: { customEnvironmentId: qa } } }`),
    );
    expect(codes(plan, 'warning')).toEqual(['transfer/anew']);
    expect(told(plan)).toContain('a move cannot set `customEnvironmentId`');
    expect(actions(plan)).toEqual([`delete ${was}`, `create ${now}`]);
    expect(sent.map((line) => line.split(' ')[0])).toEqual(['DELETE', 'POST']);
    expect(found).toEqual({ a: [], b: ['x.example.com'] });
  });

  story('is made anew also out of a project that is let go, and stays', async () => {
    const [first, next] = ['', 'customEnvironmentId: qa'].map((field, index) =>
      projects(
        `${'ab'[index]}: { customEnvironments: { qa: {} }, domains: { x.example.com: { ${field} } } }`,
      ),
    );
    const { plan, found } = await changed(first!, next!);
    expect(changeAt(plan, was)).toMatchObject({ action: 'delete', reason: `it is recreated as ${now}` });
    expect(found).toEqual({ a: [], b: ['x.example.com'] });
  });

  story('is made anew whole or not at all with a selection', async () => {
    const [first, next] = ['', 'customEnvironmentId: qa'].map((field, index) =>
      projects(
        `${'ab'[index]}: { customEnvironments: { qa: {} }, domains: { x.example.com: { ${field} } } }`,
      ),
    );
    const { plan, found } = await changed(first!, next!, { excludes: ['projects/a/**'] });
    expect(codes(plan, 'warning')).toContain('target/excluded');
    expect(found).toEqual({ a: ['x.example.com'], b: [] });
    const whole = await changed(first!, next!, { targets: ['projects/b/domains/**'] });
    expect(codes(whole.plan, 'warning')).toContain('target/closure');
    expect(whole.found).toEqual({ a: [], b: ['x.example.com'] });
  });

  it('is moved only where the ledger knows it', async () => {
    const world = await newWorld();
    await world.converge(before);
    const { [was]: entry, ...entries } = world.ledger.entries;
    world.ledger = { ...world.ledger, entries };
    expect(actions((await world.plan(after)).plan)).toEqual([`create ${now}`]);
    // Another project has the old one's name by now.
    world.ledger = {
      ...world.ledger,
      entries: { ...entries, [was]: entry!, 'projects/a': { ...entries['projects/a']!, ids: ['prj_other'] } },
    };
    const { plan } = await world.plan(after);
    expect(actions(plan)).not.toContain(`move ${now}`);
    expect(plan.operations.flatMap(({ requests }) => requests.map(({ endpoint }) => endpoint))).not.toContain(
      move,
    );
  });

  it('counts as no deletion', async () => {
    const names = Array.from({ length: 15 }, (_, at) => `d${at}.example.com: {}`).join(', ');
    const { sent } = await changed(
      projects(a(names), 'b: {}'),
      projects('a: {}', `b: { domains: { ${names} } }`),
    );
    expect(sent).toHaveLength(15);
    expect(sent.every((line) => line.endsWith('/move'))).toBe(true);
  });

  it('stays where it is protected, until that is lifted or said again', async () => {
    const world = await newWorld();
    const protecting = (name: string) => `${name}: { domains: { x.example.com: { $protect: true } } }`;
    await world.converge(projects(protecting('a'), 'b: {}'));
    const { plan } = await world.plan(projects('a: {}', 'b: { domains: { x.example.com: {} } }'));
    expect(codes(plan)).toEqual(['guard/protected']);
    expect(actions(await world.converge(projects('a: {}', protecting('b'))))).toEqual([`move ${now}`]);
  });

  it('is not taken from its project for a ledger that is not verified', async () => {
    const world = await newWorld();
    await world.converge(before);
    const { input } = await world.plan(after);
    const { plan } = await planRun({
      ...input,
      ledger: world.ledger,
      send: readOnly(world.connection.send),
      settle: 0,
      unverifiedReason: 'the ledger is not signed',
    });
    expect(actions(plan)).toEqual([]);
    expect(plan.operations).toEqual([]);
    expect(plan.diagnostics).toMatchObject([{ code: 'ledger/left-alone', address: now }]);
  });

  it('is nobody’s business where it is only said to exist', async () => {
    const world = await newWorld();
    await world.converge(before);
    const { plan } = await world.plan(
      projects('a: {}', 'b: { domains: { x.example.com: { $existing: true } } }'),
    );
    expect(plan.changes.filter(({ action }) => action === 'move')).toEqual([]);
  });

  story('comes whole or not at all with a selection', async () => {
    const world = await newWorld();
    await world.converge(before);
    const left = await world.plan(after, { excludes: [now] });
    expect(actions(left.plan)).toEqual([]);
    await world.apply(left);
    expect(world.ledger.entries[was]).toBeDefined();
    const plan = await world.converge(after, { targets: [now] });
    expect(actions(plan)).toEqual([`move ${now}`]);
    expect(actions((await world.plan(after)).plan)).toEqual([]);
  });

  oneRowIn(2)(['x', 'r'])('brings along what goes with it if only %s is selected', async (name) => {
    const redirects = 'x.example.com: {}, r.example.com: { redirect: x.example.com }';
    const world = await newWorld();
    await world.converge(projects(a(redirects), 'b: {}'));
    const moved = projects('a: {}', `b: { domains: { ${redirects} } }`);
    const plan = await world.converge(moved, { targets: [`projects/b/domains/${name}.example.com`] });
    expect(actions(plan)).toEqual(['move projects/b/domains/r.example.com', `move ${now}`]);
    expect(actions((await world.plan(moved, { excludes: [now] })).plan)).toEqual([]);
  });

  story('leaves a project that is deleted also if only that is selected', async () => {
    const world = await newWorld();
    await world.converge(projects(a('x.example.com: {}'), 'b: {}'));
    const planned = await world.plan(projects('b: { domains: { x.example.com: {} } }'), {
      containersToDelete: ['projects/a'],
      targets: ['projects/a'],
    });
    expect(actions(planned.plan)).toEqual(['delete projects/a', `move ${now}`]);
    expect((await world.apply(planned)).outcome.failed).toEqual([]);
    expect(domainsOf(world)).toEqual({ b: ['x.example.com'] });
  });

  it('is known where somebody has moved it already', async () => {
    const world = await newWorld();
    await world.converge(before);
    const [from, to] = ['a', 'b'].map(
      (name) => world.twin.account.projects.find((one) => one.name === name)!,
    );
    to!.domains.push(...from!.domains.filter(({ name }) => name === 'x.example.com'));
    from!.domains = from!.domains.filter(({ name }) => name !== 'x.example.com');
    const since = world.twin.requests.length;
    const plan = await world.converge(after);
    expect(actions(plan)).toEqual([`adopt ${now}`]);
    expect(writes(world, since)).toEqual([]);
    expect(world.ledger.entries[now]).toMatchObject({ origin: 'created' });
  });

  it('is not moved if it changed since the plan', async () => {
    const world = await newWorld();
    await world.converge(before);
    const planned = await world.plan(after);
    const project = world.twin.account.projects.find(({ name }) => name === 'a')!;
    project.domains.find(({ name }) => name === 'x.example.com')!.gitBranch = 'theirs';
    const { outcome } = await world.apply(planned);
    expect(outcome.failed).toMatchObject([{ address: now }]);
    expect(domainsOf(world).b).toEqual([]);
    expect(world.ledger.entries[was]).toBeDefined();
  });

  it('is not moved if its project cannot be read again, and says why', async () => {
    const world = await newWorld();
    await world.converge(before);
    const planned = await world.plan(after);
    world.twin.setFaults({
      faults: [{ at: { operation: 'getProjectDomains' }, do: { type: 'status', status: 403 } }],
    });
    const { outcome } = await world.apply(planned);
    expect(outcome.failed).toMatchObject([
      { address: now, error: { message: expect.stringContaining('could not check whether it changed') } },
    ]);
    expect(domainsOf(world).b).toEqual([]);
  });
});
