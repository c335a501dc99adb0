import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/model/plan.ts';
import { readOnly } from '../../src/model/request.ts';
import type { PlanOptions } from '../../src/plan/input.ts';
import { plan } from '../../src/plan/plan.ts';
import { planRun } from '../../src/run/plan-run.ts';
import { everyKind } from '../support/every-kind.ts';
import { actions, codes, newWorld } from '../support/scene.ts';
import { all, oneStoryIn, runs, sampled } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const story = oneStoryIn(3);

/** All that a plan does, and says of what it does or refuses to do with a target. */
const told = ({ changes, operations, diagnostics }: Plan, target: string) => ({
  changes: changes.map(({ address, action, fields, grade, reason }) => ({
    address,
    action,
    fields,
    grade,
    reason,
  })),
  operations: operations.map(({ id, requests, dependsOn }) => ({ id, requests, dependsOn })),
  diagnostics: diagnostics
    .filter(({ address: about }) => about === target || changes.some(({ address }) => address === about))
    .map(({ code, address, message }) => `${code} ${address} ${message}`)
    .sort(),
});

/** Plans for each of some targets with only a part read, and compares with the choice from a plan that has read all. */
async function expectAsIfAllWereRead(world: World, yaml: string, options: PlanOptions): Promise<number> {
  const whole = await world.plan(yaml, options);
  const targets = sampled(
    whole.plan.changes.map(({ address }) => address),
    runs(400, 100),
  );
  expect(targets.length).toBeGreaterThan(3);
  for (const target of targets) {
    const chosen = plan({ ...whole.input, options: { ...whole.input.options, targets: [target] } });
    const narrow = await planRun({
      ...whole.input,
      ledger: world.ledger,
      send: readOnly(world.connection.send),
      settle: world.settle,
      options: { ...whole.input.options, targets: [target] },
    });
    expect(told(narrow.plan, target), target).toEqual(told(chosen, target));
  }
  return targets.length;
}

describe('a plan for some targets', () => {
  story('is the one that it would be if everything had been read', async () => {
    // Rate limits are waited for at once.
    let waited = 0;
    const clock = {
      now: () => Date.now() + waited,
      sleep: async (milliseconds: number) => {
        waited += milliseconds;
      },
    };
    const world = await newWorld({}, { clock });
    const body = everyKind(undefined, 18);
    let count = await expectAsIfAllWereRead(world, body(0), {});
    await world.apply(await world.plan(body(0)));
    const { ledger } = world;
    count += await expectAsIfAllWereRead(world, body(1), {});
    count += await expectAsIfAllWereRead(world, 'projects: {}', { destroy: true });
    // Reading all of it is what takes time.
    if (all) {
      world.ledger = { ...ledger, entries: {} };
      count += await expectAsIfAllWereRead(world, body(1), {});
    }
    console.log(`targets: ${count}`);
  });
});

const records = (web: string, more = '') => `
domains:
  example.com:
    records:
      - { type: A, name: web, value: ${web} }
      - { type: A, name: mail, value: 192.0.2.9 }
projects:
  web: { env: { A: one }, domains: { www.example.com: {} } }
  docs: { env: { A: one } }
${more}`;

/** Method and path of what was asked since the last call. */
const asked = ({ twin }: World) => {
  const paths = twin.requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`);
  twin.clearRequests();
  return paths;
};

describe('what is not needed for a target', () => {
  it('is not read, and not touched in the ledger', async () => {
    const world = await newWorld();
    await world.converge(records('192.0.2.1'));
    const before = structuredClone(world.ledger.entries);
    asked(world);
    const target = 'domains/example.com/records/web/A';
    const planned = await world.plan(records('192.0.2.2'), { targets: [target] });
    expect(asked(world).length).toBeLessThan(6);
    expect(actions(planned.plan)).toEqual([`update ${target}`]);
    expect(planned.plan.isNarrowed).toBe(true);
    expect(planned.plan.diagnostics).toMatchObject([{ code: 'target/narrowed', severity: 'warning' }]);
    await world.apply(planned);
    const { [target]: changed, ...others } = world.ledger.entries;
    const { [target]: old, ...kept } = before;
    expect(others).toEqual(kept);
    expect(changed!.fields).not.toEqual(old!.fields);
    expect(actions((await world.plan(records('192.0.2.2'))).plan)).toEqual([]);
  });

  it('is neither created nor deleted where it lacks, whatever the glob', async () => {
    const world = await newWorld();
    await world.converge(records('192.0.2.1'));
    world.twin.account.projects.splice(0, 2);
    asked(world);
    const { plan } = await world.plan(
      records(
        '192.0.2.2',
        'webhooks: { a: { url: https://a.example.com, events: [domain.created], $secretTo: discard } }',
      ),
      {
        targets: ['domains/*/records/**'],
      },
    );
    expect(actions(plan)).toEqual(['update domains/example.com/records/web/A']);
    expect(asked(world).filter((path) => /projects|webhooks/.test(path) && !path.startsWith('POST'))).toEqual(
      [],
    );
  });

  it('does not hide what was left by an interrupted run', async () => {
    const world = await newWorld();
    const first = await world.plan(records('192.0.2.1'));
    let left = 3;
    await world.apply(first, {
      send: async (request) => {
        if (left-- <= 0) throw new Error('the machine is gone');
        return world.connection.send(request);
      },
    });
    const begun = Object.keys(world.ledger.begun ?? {});
    expect(begun.length).toBeGreaterThan(0);
    const { ledger, live } = await world.plan(records('192.0.2.1'), { targets: ['projects/docs'] });
    for (const address of begun) expect(live.scope!.has(address), address).toBe(true);
    expect(Object.keys(ledger.begun ?? {}).sort()).toEqual(
      Object.keys((await world.plan(records('192.0.2.1'))).ledger.begun ?? {}).sort(),
    );
  });

  story('is known by its id under the name that it has now: nothing is adopted twice', async () => {
    const world = await newWorld({ seed: { projects: [{ name: 'old' }, { name: 'other' }] } });
    await world.converge('projects: { old: {}, other: {} }');
    world.twin.account.projects[0]!.name = 'now';
    const yaml = 'projects: { now: {}, other: {} }';
    const options = { targets: ['projects/now'] };
    const whole = await world.plan(yaml);
    const narrow = await world.plan(yaml, options);
    expect(told(narrow.plan, 'projects/now')).toEqual(
      told(plan({ ...whole.input, options: { ...whole.input.options, ...options } }), 'projects/now'),
    );
    expect(codes(narrow.plan)).toContain('was/missing');
  });

  it('may stand beside what an `$exclusive` deletes', async () => {
    const world = await newWorld({
      seed: {
        domains: [
          {
            name: 'example.com',
            records: [
              { type: 'A', name: 'gone', value: '192.0.2.1' },
              { type: 'A', name: 'stays', value: '192.0.2.1' },
            ],
          },
        ],
      },
    });
    const { plan } = await world.plan(
      'domains: { example.com: { $existing: true, $exclusive: [records], records: [{ type: A, name: stays, value: 192.0.2.1 }] } }\nprojects: { web: {} }',
      { targets: ['domains/example.com/records/gone/*'] },
    );
    expect(actions(plan)).toEqual(['delete domains/example.com/records/gone/A']);
  });

  it('a target that is not there is an error, as ever', async () => {
    const world = await newWorld();
    const { plan } = await world.plan(records('192.0.2.1'), { targets: ['domains/nope/**'] });
    expect(codes(plan)).toContain('target/nothing');
    expect(plan.operations).toEqual([]);
  });

  const webhook = '\nwebhooks: { a: { url: https://a.example, events: [project.created] } }';

  it.each([
    ['projects/wbe', 'projects/web'],
    ['project/web', 'projects/web'],
    ['projects/wbe/**', 'projects/web/**'],
    ['projects/*/env/LEVLE', 'projects/*/env/LEVEL'],
    ['projects/web/env/LEVEL@prodcution', 'projects/web/env/LEVEL@production'],
    ['projects/shop', undefined],
  ])('names the declared address that a misspelled target probably means: %s', async (target, meant) => {
    const world = await newWorld({ seed: { projects: [{ name: 'web' }] } });
    const planned = await world.plan(`projects: { web: { env: { LEVEL: info } } }${webhook}`, {
      targets: [target],
    });
    expect(planned.diagnostics.map(({ code, message, hint }) => [code, message, hint])).toEqual([
      [
        'target/nothing',
        `no address matches ${target}`,
        meant === undefined ? expect.stringContaining('addresses look like') : `did you mean \`${meant}\`?`,
      ],
    ]);
  });

  it('says which part was read if one of two targets is misspelled', async () => {
    const world = await newWorld({ seed: { projects: [{ name: 'web' }] } });
    const planned = await world.plan(`projects: { web: {} }${webhook}`, {
      targets: ['projects/web', 'projects/wbe'],
    });
    expect(planned.diagnostics.map(({ code }) => code)).toEqual(['target/nothing', 'target/narrowed']);
  });
});

it('what names an object that goes by its id alone, in plain text, is seen by a narrow plan, too', async () => {
  const world = await newWorld({ seed: { domains: [{ name: 'example.com' }], projects: [{ name: 'web' }] } });
  const web = (deployments: string, to: string) =>
    `projects: { web: { deployments: { ${deployments} }, aliases: { demo.example.com: { deploymentId: "${to}" } } }, docs: {} }`;
  const made = 'v1: { gitSource: { type: github, org: acme, repo: web, ref: main } }';
  await world.converge(web(made, '${projects.web.deployments.v1.id}'));
  const target = 'projects/web/deployments/v1';
  const [id] = world.ledger.entries[target]!.ids;
  const { plan: narrow } = await world.plan(web('', id!), {
    containersToDelete: [target],
    targets: [target],
  });
  expect(codes(narrow)).toEqual(['plan/still-named']);
});
