import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/model/ledger.ts';
import type { Send } from '../../src/model/request.ts';
import { actions, changeAt, codes, newWorld } from '../support/scene.ts';
import { oneStoryIn } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const story = oneStoryIn(4);

// What the crash sweep does not come to: the configuration, or the account, is another one by the time of the next run.

const hook = (more = '') =>
  `webhooks: { deploys: { url: "https://hooks.example.com/a", events: [domain.created], $secretTo: discard${more} } }`;
const project = 'projects: { web: { framework: nextjs, nodeVersion: 22.x } }';
const records = (values: string[]) =>
  `domains: { example.com: { $existing: true, records: [${values.map((value) => `{ type: TXT, name: t, value: ${value} }`).join(', ')}] } }`;
const seed = { domains: [{ name: 'example.com' }] };

/** A run of which the answer to the first creation never comes; the ledger is what is kept elsewhere. */
async function interrupted(world: World, yaml: string, isDone = true): Promise<void> {
  let kept: Ledger | undefined;
  const { send } = world.connection;
  let isDown = false;
  const dying: Send = async (request) => {
    if (isDown) throw new Error('the process is gone');
    if (request.endpoint.startsWith('GET ')) return send(request);
    isDown = true;
    if (isDone) await send(request);
    throw new Error('the process is gone');
  };
  await world.apply(await world.plan(yaml), {
    send: dying,
    save: async (ledger, { everywhere }) => {
      if (everywhere && !isDown) kept = structuredClone(ledger);
    },
  });
  world.ledger = kept!;
}

describe('what an interrupted run made', () => {
  story('is recorded as created here, and nothing is sent', async () => {
    for (const [yaml, address] of [
      [project.replace(', nodeVersion: 22.x', ''), 'projects/web'],
      [hook(), 'webhooks/deploys'],
      [records(['one']), 'domains/example.com/records/t/TXT'],
    ] as const) {
      const world = await newWorld({ seed });
      await interrupted(world, yaml);
      const { plan } = await world.plan(yaml);
      expect(changeAt(plan, address)).toMatchObject({
        action: 'adopt',
        reason: 'done by an interrupted run',
      });
      expect(plan.operations).toEqual([]);
      await world.converge(yaml);
      expect(world.ledger.entries[address]).toMatchObject({ origin: 'created' });
      expect(world.ledger.begun).toBeUndefined();
    }
  });

  story('goes where it is not wanted any more, and does not stay behind as somebody else’s', async () => {
    for (const [yaml, left, address] of [
      [hook(), 'projects: {}', 'webhooks/deploys'],
      [records(['one']), records(['two']).replace('name: t', 'name: u'), 'domains/example.com/records/t/TXT'],
    ] as const) {
      const world = await newWorld({ seed });
      await interrupted(world, yaml);
      const { plan } = await world.plan(left);
      expect(changeAt(plan, address)).toMatchObject({ action: 'delete' });
      expect(plan.unmanaged.map((one) => one.address)).not.toContain(address);
    }
  });

  it('is changed like anything of ours where something else is wanted by now', async () => {
    const world = await newWorld({ seed });
    await interrupted(world, project);
    const { plan } = await world.plan(project.replace('nextjs', 'vite'));
    expect(changeAt(plan, 'projects/web')).toMatchObject({
      action: 'update',
      fields: [
        { path: 'framework', cause: 'edit' },
        { path: 'nodeVersion', cause: 'edit' },
      ],
    });
  });

  it('is not taken for ours where its content is another one', async () => {
    const world = await newWorld({ seed });
    await interrupted(world, project, false);
    world.ledger = {
      ...world.ledger,
      begun: { 'projects/web': { ...world.ledger.begun!['projects/web']!, sent: true } },
    };
    // Somebody else makes one of that name.
    await world.connection.send({
      endpoint: 'POST /v11/projects',
      body: { name: 'web', framework: 'astro' },
    });
    const { plan } = await world.plan(project);
    expect(changeAt(plan, 'projects/web')).toMatchObject({ action: 'adopt' });
    expect(changeAt(plan, 'projects/web')!.reason).not.toBe('done by an interrupted run');
  });

  it('stops the plan if several new objects could be it, until `$id` selects one', async () => {
    const world = await newWorld({ seed });
    await interrupted(world, hook());
    const [made] = world.twin.account.webhooks;
    world.twin.account.webhooks.push({ ...made!, id: 'hook_of_somebody_else' });
    const { plan } = await world.plan(hook());
    expect(codes(plan)).toContain('resume/ambiguous');
    expect(plan.diagnostics.find(({ code }) => code === 'resume/ambiguous')!.message).toMatch(
      /2 new matching objects: .*hook_of_somebody_else/,
    );
    const selected = hook(`, $id: ${made!.id}`);
    expect(codes((await world.plan(selected)).plan)).toEqual([]);
    await world.converge(selected);
    expect(world.ledger.entries['webhooks/deploys']!.ids).toEqual([made!.id]);
  });

  it('is forgotten once the lists have settled and do not show it', async () => {
    const world = await newWorld({ seed });
    await interrupted(world, hook(), false);
    expect(Object.keys(world.ledger.begun!)).toEqual(['webhooks/deploys']);
    world.settle = 60_000;
    // Counted from when the run was about to begin: that is in the ledger of a machine that was lost, too.
    const early = await world.plan('projects: {}');
    expect(Object.keys(early.ledger.begun!)).toEqual(['webhooks/deploys']);
    const sent = Date.now();
    world.now = () => sent + 61_000;
    expect((await world.plan('projects: {}')).ledger.begun).toBeUndefined();
  });

  story(
    'stays in the ledger while its list cannot be read, also if a run changes something else',
    async () => {
      const world = await newWorld({ seed });
      await interrupted(world, hook());
      const { send } = world.connection;
      world.connection.send = async (request) => {
        if (request.endpoint.startsWith('GET /v1/webhooks'))
          throw Object.assign(new Error('down'), { status: 500 });
        return send(request);
      };
      const both = `${hook()}\n${project}`;
      const planned = await world.plan(both);
      expect(actions(planned.plan)).toContain('create projects/web');
      await world.apply(planned);
      expect(Object.keys(world.ledger.begun!)).toEqual(['webhooks/deploys']);
      world.connection.send = send;
      // Its content is another one by now: only the intent says that it is ours.
      await world.converge(
        both.replace('example.com/a', 'example.com/b').replace('discard', 'discard, $replace: allow'),
      );
      expect(world.twin.account.webhooks.map(({ url }) => url)).toEqual(['https://hooks.example.com/b']);
    },
  );

  it('keeps its name where the configuration has another one for it now', async () => {
    const world = await newWorld({ seed });
    await interrupted(world, hook());
    const renamed = hook().replace('deploys:', 'builds:').replace('{ url', '{ $was: deploys, url');
    await world.converge(renamed, { adoptRenamed: true });
    expect(world.twin.account.webhooks).toHaveLength(1);
  });
});

it('a set of which a part was made has the other part made, and a stranger in it is told', async () => {
  const world = await newWorld({ seed });
  const both = records(['one', 'two'])
    .replaceAll('TXT', 'A')
    .replace('one', '192.0.2.1')
    .replace('two', '192.0.2.2');
  await interrupted(world, both);
  expect(actions((await world.plan(both)).plan)).toEqual(['update domains/example.com/records/t/A']);
  await world.connection.send({
    endpoint: 'POST /v2/domains/example.com/records',
    body: { type: 'A', name: 't', value: '192.0.2.9' },
  });
  expect(codes((await world.plan(both)).plan)).toEqual(['dns/undeclared-members']);
});

story('what somebody made at the last moment is not doubled: a set that grew is left alone', async () => {
  const world = await newWorld({ seed });
  const planned = await world.plan(records(['one']).replace('TXT', 'A').replace('one', '192.0.2.1'));
  await world.connection.send({
    endpoint: 'POST /v2/domains/example.com/records',
    body: { type: 'A', name: 't', value: '192.0.2.9' },
  });
  const { outcome } = await world.apply(planned);
  expect(outcome.failed.map(({ error }) => (error as Error).message)).toEqual([
    'domains/example.com/records/t/A was created by somebody else after the plan was made; plan again',
  ]);
});
