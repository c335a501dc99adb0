import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { defaultSwitches, otherSwitches } from '../../providers/hosting/twin/index.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { Send } from '../../src/model/request.ts';
import { diagnosticsText } from '../../src/report/diagnostics-text.ts';
import { eventWriter } from '../../src/report/events-text.ts';
import { outcomeText } from '../../src/report/outcome-text.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { planText } from '../../src/report/plan-text.ts';
import { styleFor } from '../../src/report/style.ts';
import { atTheLastMoment } from '../support/scene.ts';
import { oneRowIn, oneStoryIn, sampled } from '../support/sweep.ts';
import type { Planned } from '../support/world.ts';
import { Team } from './team.ts';

const story = oneStoryIn(7);

let team: Team;
const start = async (options?: Parameters<typeof Team.start>[0]) => {
  team = await Team.start(options);
  team.world.env.DATABASE = 'one';
};
afterEach(() => team.world.stop());

const changeOf = (plan: Plan, name: string) =>
  plan.changes.find(({ address }) => address === `sharedEnv/${name}`)!;

/** Applies with some answers or requests made different. */
async function applyWith(planned: Planned, change: (send: Send) => Send) {
  const { connection } = team.world;
  const { send } = connection;
  connection.send = change(send);
  const result = await team.world.apply(planned);
  connection.send = send;
  const failed = result.outcome.failed.map(({ address, error }): [string, string] => [
    address.replace('sharedEnv/', ''),
    (error as Error).message,
  ]);
  return { ...result, failed: failed.sort() };
}
const plainly = (planned: Planned) => applyWith(planned, (send) => send);

interface Case {
  before: string;
  after: string;
  sent: string[];
  rows: string[];
}

/** The table at the top of `env-var-rows.ts`, for rows that also have links. */
const table: Record<string, Case> = {
  'exact: value, comment and links at once': {
    before: 'A: { value: one, target: [production, preview], projectId: [web] }',
    after: 'A: { value: two, comment: why, target: [production, preview], projectId: [docs, web] }',
    sent: ['PATCH comment+projectIdUpdates+value'],
    rows: ['A=two encrypted production preview -> docs web # why'],
  },
  'exact: into sensitive': {
    before: 'A: { value: one, target: [production] }',
    after: 'A: { value: one, target: [production], type: sensitive }',
    sent: ['PATCH type'],
    rows: ['A=one sensitive production'],
  },
  'exact: no links any more': {
    before: 'A: { value: one, projectId: [web, docs] }',
    after: 'A: { value: one, projectId: [] }',
    sent: ['PATCH projectIdUpdates'],
    rows: ['A=one encrypted production preview development'],
  },
  'subset: another value in one of two targets, with the links that the row had': {
    before: 'A: { value: one, target: [production, preview], projectId: [web, docs] }',
    after: 'A: [{ value: one, target: [production] }, { value: two, target: [preview] }]',
    sent: ['PATCH target', 'POST 1'],
    rows: ['A=one encrypted production -> docs web', 'A=two encrypted preview -> docs web'],
  },
  'subset: other links in one of two targets': {
    before: 'A: { value: one, target: [production, preview], projectId: [web, docs] }',
    after: `A: [{ value: one, target: [production], projectId: [web] }, { value: one, target: [preview], projectId: [docs] }]`,
    sent: ['PATCH projectIdUpdates+target', 'POST 1'],
    rows: ['A=one encrypted preview -> docs', 'A=one encrypted production -> web'],
  },
  'split three ways: one POST for each target set': {
    before: 'A: one',
    after: `A: [{ value: two, target: [production] }, { value: three, target: [preview] }, { value: four, target: [development] }]`,
    sent: ['PATCH target+value', 'POST 1', 'POST 1'],
    rows: ['A=four encrypted development', 'A=three encrypted preview', 'A=two encrypted production'],
  },
  'split in name only: equal values stay in one row': {
    before: 'A: { value: one, target: [production, preview] }',
    after: 'A: [{ value: one, target: [production] }, { value: one, target: [preview] }]',
    sent: [],
    rows: ['A=one encrypted production preview'],
  },
  'superset: more targets, another value and links, in one request': {
    before: 'A: { value: one, target: [production], projectId: [web] }',
    after: 'A: { value: two, target: [production, preview], projectId: [web, docs] }',
    sent: ['PATCH projectIdUpdates+target+value'],
    rows: ['A=two encrypted production preview -> docs web'],
  },
  'merge: rows of one entry are changed each, in one request': {
    before: 'A: [{ value: one, target: [production] }, { value: two, target: [preview], projectId: [web] }]',
    after: 'A: { value: three, target: [production, preview], projectId: [web] }',
    sent: ['PATCH projectIdUpdates+value value'],
    rows: ['A=three encrypted preview -> web', 'A=three encrypted production -> web'],
  },
  'a target goes from one entry to the other': {
    before: 'A: [{ value: one, target: [production] }, { value: two, target: [preview, development] }]',
    after: 'A: [{ value: one, target: [production, development] }, { value: two, target: [preview] }]',
    sent: ['PATCH target', 'PATCH target'],
    rows: ['A=one encrypted production development', 'A=two encrypted preview'],
  },
  'some targets go away': {
    before: 'A: { value: one, target: [production, preview] }',
    after: 'A: { value: one, target: [production] }',
    sent: ['PATCH target'],
    rows: ['A=one encrypted production'],
  },
  'leaving sensitive': {
    before: 'A: { value: one, type: sensitive, target: [production, preview], projectId: [web] }',
    after: 'A: { value: two, type: encrypted, target: [production, preview], $replace: allow }',
    sent: ['DELETE 1', 'POST 1'],
    rows: ['A=two encrypted production preview -> web'],
  },
  'another name, as `$was` says: the row stays, with its links': {
    before: 'A: { value: one, type: sensitive, target: [production], projectId: [web] }',
    after: 'B: { value: one, type: sensitive, target: [production], $was: A }',
    sent: ['PATCH key'],
    rows: ['B=one sensitive production -> web'],
  },
  'many come and go: one request for each target set and list of projects': {
    before: 'A: one\nB: one\nC: one',
    after: `D: one\nE: { value: two, comment: why }\nF: { value: one, projectId: [web] }\nG: { value: one, target: [production] }`,
    sent: ['DELETE 3', 'POST 1', 'POST 1', 'POST 2'],
    rows: [
      'D=one encrypted production preview development',
      'E=two encrypted production preview development # why',
      'F=one encrypted production preview development -> web',
      'G=one encrypted production',
    ],
  },
};

const rows = Object.entries(table);
describe.each([
  // Some of them here; all of them with `npm run sweep`.
  ['as the evidence says', defaultSwitches, sampled(rows, Math.ceil(rows.length / 12))],
  ['the other way wherever it is silent', otherSwitches, sampled(rows, 1)],
] as const)('rows, the platform behaving %s', (_, switches, some) => {
  it.each(some)('%s', async (_, { before, after, sent, rows }) => {
    await start({ switches });
    await team.converge(before);
    team.sent();
    await team.converge(after, { maxDeletions: 10 });
    expect(team.sent().sort()).toEqual([...sent].sort());
    expect(team.rows()).toEqual(rows);
  });
});

describe('changes of many variables', () => {
  const names = ['A', 'B', 'C', 'D', 'E'];

  story('are one PATCH, whatever they change', async () => {
    await start();
    await team.converge(names.map((name) => `${name}: { value: one, projectId: [web] }`).join('\n'));
    team.sent();
    await team.converge(`
A: { value: two, projectId: [web] }
B: { value: one, projectId: [web, docs] }
C: { value: one, projectId: [web], comment: why }
D: { value: two, target: [production], projectId: [web] }
E: { value: one, projectId: [web] }`);
    expect(team.sent()).toEqual(['PATCH comment projectIdUpdates target+value value']);
  });

  story('do not wait for a project that only one of them is linked to', async () => {
    await start();
    await team.converge('A: one\nB: one\nC: one');
    const yaml = team.yaml(
      'A: two\nB: { value: one, projectId: [next] }\nC: { value: two, projectId: [next] }',
      'web: {}, docs: {}, shop: {}, next: {}',
    );
    const planned = await team.world.plan(yaml);
    team.sent();
    const { outcome } = await applyWith(planned, (send) => (request) => {
      if (request.endpoint.includes('projects')) throw new Error('plan limit');
      return send(request);
    });
    expect(team.sent()).toEqual(['PATCH value']);
    expect(outcome.skipped).toHaveLength(6);
    await team.world.converge(yaml);
    expect(team.sent()).toEqual(['PATCH projectIdUpdates projectIdUpdates+value']);
    expect(team.rows()).toContain('C=two encrypted production preview development -> next');
  });

  story('do not wait for what one of them names in `$dependsOn`', async () => {
    await start();
    await team.converge('A: one\nB: one');
    const yaml = team.yaml(
      'A: two\nB: { value: two, $dependsOn: [projects/next] }',
      'web: {}, docs: {}, shop: {}, next: {}',
    );
    team.sent();
    await team.world.converge(yaml);
    expect(team.sent()).toEqual(['PATCH value', 'PATCH value']);
  });

  story('come before the end of a project that they were linked to', async () => {
    await start();
    await team.converge('A: { value: one, projectId: [web, shop] }');
    const yaml = team.yaml('A: { value: one, projectId: [web] }', 'web: {}, docs: {}');
    const since = team.world.twin.requests.length;
    await team.world.converge(yaml, { containersToDelete: ['projects/shop'], maxDeletions: 10 });
    expect(team.world.writes(since).map((text) => text.split(' ')[0])).toEqual(['PATCH', 'DELETE']);
  });
});

describe('links', () => {
  const bodies = () =>
    team.world.twin.requests.flatMap(({ method, body }) =>
      method === 'PATCH' ? Object.values((body as { updates: object }).updates) : [],
    );

  story('are changed by what is linked and unlinked, and in no other way', async () => {
    await start();
    await team.converge('A: { value: one, projectId: [web, docs] }');
    await team.converge('A: { value: one, projectId: [docs, shop] }');
    const [web, shop] = [team.projectId('web'), team.projectId('shop')];
    expect(bodies()).toEqual([{ projectIdUpdates: { link: [shop], unlink: [web] } }]);
  });

  story('that somebody made meanwhile are not undone by a change', async () => {
    await start();
    await team.converge('A: { value: one, projectId: [web] }');
    const planned = await team.plan('A: { value: one, projectId: [web, docs] }');
    const linked = () => void team.row('A').projectId.push(team.projectId('shop'));
    const { outcome } = await team.world.apply(planned, atTheLastMoment(team.world, linked));
    expect(outcome.failed).toEqual([]);
    expect(team.rows()).toEqual(['A=one encrypted production preview development -> docs shop web']);
    // Which is drift to the next plan: a declared set is the whole set.
    const { plan } = await team.plan('A: { value: one, projectId: [web, docs] }');
    expect(changeOf(plan, 'A@preview').fields).toMatchObject([{ path: 'projectId' }]);
  });

  it('that are not declared are not ours', async () => {
    await start();
    await team.converge('A: one\nB: { value: one, projectId: [web] }');
    for (const row of team.all) row.projectId = [team.projectId('shop')];
    team.sent();
    await team.converge('A: two\nB: one');
    expect(team.sent()).toEqual(['PATCH value']);
    expect(team.rows().map((row) => row.split(' -> ')[1])).toEqual(['shop', 'shop']);
  });

  story('do not mind their order', async () => {
    await start();
    await team.converge('A: { value: one, projectId: [web, docs] }');
    team.row('A').projectId.reverse();
    team.sent();
    await team.converge('A: { value: one, projectId: [docs, web] }');
    expect(team.sent()).toEqual([]);
  });

  it('to a project that is not declared are an error at the name', async () => {
    await start();
    const { diagnostics } = (await team.plan('A: { value: one, projectId: [nowhere] }')).plan;
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
      { at: { line: expect.any(Number) } },
    ]);
  });
});

describe('a batch of which a part fails', () => {
  const theirs = (key: string, target: string[]) =>
    team.add({ id: `env_${key}`, key, value: 'theirs', target });

  oneRowIn(2)([409, 'failed'] as const)(
    'fails only its own units: PATCH (a conflict alone: %s)',
    async (alone) => {
      await start({ switches: { sharedEnvConflictAlone: alone } });
      const three = (target: string) =>
        `A: { value: two, target: [production] }\nB: { value: two, target: [${target}] }\nC: { value: two, target: [production] }`;
      await team.converge(three('production').replaceAll('two', 'one'));
      const planned = await team.plan(three('production, preview'));
      theirs('B', ['preview']);
      team.sent();
      const { failed, outcome, events } = await plainly(planned);
      expect(team.sent()).toEqual(['PATCH target+value value value']);
      expect(failed).toEqual(
        ['B@preview', 'B@production'].map((name) => [
          name,
          expect.stringMatching(/^existing_key_and_target: .*`B`/),
        ]),
      );
      expect(outcome.done).toEqual(
        expect.arrayContaining(['sharedEnv/A@production', 'sharedEnv/C@production']),
      );
      expect(outcome.skipped).toEqual([]);
      expect(events.map(({ type }) => type)).toContain('failed');
      // What did not happen is not in the ledger.
      expect(Object.keys(team.world.ledger.entries)).not.toContain('sharedEnv/B@preview');
      team.all.splice(
        team.all.findIndex(({ id }) => id === 'env_B'),
        1,
      );
      await team.converge(three('production, preview'));
      expect(team.sent()).toEqual(['PATCH target+value']);
      expect(team.rows()).toEqual([
        'A=two encrypted production',
        'B=two encrypted production preview',
        'C=two encrypted production',
      ]);
    },
  );

  it('fails only its own units: POST', async () => {
    await start();
    const planned = await team.plan('A: one\nB: one\nC: one');
    theirs('B', ['preview']);
    const { failed, outcome } = await plainly(planned);
    expect(failed).toEqual(
      ['B@development', 'B@preview', 'B@production'].map((name) => [
        name,
        expect.stringMatching(/^existing_key_and_target: .*`B`/),
      ]),
    );
    expect(outcome.done).toEqual(expect.arrayContaining(['sharedEnv/A@preview', 'sharedEnv/C@preview']));
    expect(team.rows()).toHaveLength(3);
  });

  story('fails only its own units: DELETE, and what is gone already is no failure', async () => {
    await start();
    await team.converge('A: one\nB: one\nC: one\nD: one');
    const planned = await team.plan('D: one');
    team.all.splice(team.all.indexOf(team.row('A')), 1);
    const id = team.row('B').id;
    const { failed } = await applyWith(planned, (send) => async (request) => {
      if (!request.endpoint.startsWith('DELETE')) return send(request);
      const { ids } = request.body as { ids: string[] };
      const answer = (await send({ ...request, body: { ids: ids.filter((one) => one !== id) } })) as {
        failed: object[];
      };
      // In another order than asked, so that only what an error says of itself tells.
      const error = { code: 'forbidden', message: 'not allowed', envVarId: id };
      return { ...answer, failed: [...answer.failed, { error }, { error: { code: 'other', message: '' } }] };
    });
    const units = ['B@development', 'B@preview', 'B@production'];
    expect(failed).toEqual(units.map((name) => [name, 'forbidden: not allowed']));
    const known = Object.keys(team.world.ledger.entries).filter((address) =>
      address.startsWith('sharedEnv/'),
    );
    expect(known.map((address) => address.slice(10, 11)).join('')).toBe('BBBDDD');
    await team.converge('D: one');
    expect(team.rows()).toHaveLength(1);
  });

  story('holds up nothing that left its row: that would stay away', async () => {
    await start();
    await team.converge(
      'A: { value: one, target: [production, preview] }\nB: { value: one, target: [production] }',
    );
    const planned = await team.plan(
      'A: [{ value: one, target: [production] }, { value: two, target: [preview] }]\nB: { value: one, target: [production, preview] }',
    );
    theirs('B', ['preview']);
    const { failed, outcome } = await plainly(planned);
    expect(failed.map(([name]) => name)).toEqual(['B@preview']);
    expect(outcome.skipped).toEqual([]);
    expect(team.rows()).toContain('A=two encrypted preview');
  });

  story('is looked up where an answer says nothing of an item', async () => {
    await start();
    await team.converge('A: one\nB: one');
    const planned = await team.plan('A: two\nB: two');
    const { failed } = await applyWith(planned, (send) => async (request) => {
      const answer = (await send(request)) as { updated?: unknown[] };
      return answer.updated ? { ...answer, updated: answer.updated.slice(1) } : answer;
    });
    expect(failed).toEqual([]);
    expect(team.row('A').value).toBe('two');
  });
});

story('an encrypted value that the list keeps back is read by itself, and compared', async () => {
  await start({ found: [{ key: 'A', value: 'theirs', target: ['production', 'preview'] }] });
  const yaml = 'A: { value: mine, target: [production, preview] }';
  await team.converge(yaml);
  expect(team.sent()).toEqual(['PATCH value']);
  team.row('A').value = 'drifted';
  expect(await team.codes(yaml)).toEqual([]);
  await team.converge(yaml);
  expect(team.sent()).toEqual(['PATCH value']);
  expect(team.row('A').value).toBe('mine');
});

describe('a value that cannot be read', () => {
  const two = [{ key: 'A', value: 'theirs', type: 'sensitive' as const, target: ['production', 'preview'] }];

  story('is not sent on adoption, until asked for once', async () => {
    await start({ found: two });
    const yaml = 'A: { value: mine, target: [production, preview] }';
    await team.converge(yaml);
    expect(await team.codes(yaml)).toEqual(['secret/unverified', 'secret/unverified']);
    expect(team.sent()).toEqual([]);
    await team.converge(yaml, { sendUnverified: ['sharedEnv/A@*'] });
    expect(team.sent()).toEqual(['PATCH value']);
    expect(await team.codes(yaml)).toEqual([]);
  });

  story('is sent when it is rotated, and known by its digest before and after', async () => {
    await start();
    const yaml = 'A: "${secret.database}"';
    await team.converge(yaml);
    team.sent();
    await team.converge(yaml);
    expect(team.sent()).toEqual([]);
    team.world.env.DATABASE = 'two';
    await team.converge(yaml);
    expect(team.sent()).toEqual(['PATCH value']);
    expect(team.row('A').value).toBe('two');
  });

  it('cannot leave its row: it could not be created again', async () => {
    await start({ found: two });
    const { plan } = await team.plan(
      'A: [{ value: x, target: [production], comment: why }, { value: y, target: [preview] }]',
    );
    expect(plan.diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'env/unknown-value', address: 'sharedEnv/A@preview' },
    ]);
    expect(plan.operations).toEqual([]);
  });

  story('is compared in memory where the list does', async () => {
    await start({
      found: [{ key: 'A', value: 'theirs', target: ['production', 'preview'] }],
      switches: { sharedEnvListDecrypted: true },
    });
    await team.converge('A: { value: theirs, target: [production, preview] }');
    expect(team.sent()).toEqual([]);
    expect(await team.codes('A: { value: theirs, target: [production, preview] }')).toEqual([]);
    await team.converge('A: { value: mine, target: [production, preview] }');
    expect(team.sent()).toEqual(['PATCH value']);
  });
});

describe('what is not declared', () => {
  it('is left alone: other targets of a row, which a new value would reach', async () => {
    await start({ found: [{ key: 'A', value: 'theirs' }] });
    const one = (value: string) => `A: { value: ${value}, target: [production], comment: why }`;
    expect(await team.codes(one('x'))).toContain('env/undeclared-targets');
  });

  it('is not even there: the platform’s own, plain ones, and what is being deleted', async () => {
    const gone = { deletedAt: 5 } as object;
    await start({
      found: [
        { key: 'A', value: '1', type: 'system' },
        { key: 'B', value: '1', type: 'plain' },
        { key: 'C', value: '1', ...gone },
        { key: 'D', value: '1' },
      ],
    });
    const { plan } = await team.plan('E: x');
    expect(new Set(plan.unmanaged.map(({ address }) => address.split('@')[0]))).toEqual(
      new Set(['sharedEnv/D']),
    );
  });
});

describe.each([true, false])("the team's policy (makes variables sensitive: %s)", (policyMakesSensitive) => {
  const switches = { policyMakesSensitive };
  story('decides the type that is not declared, with development in a row of its own', async () => {
    await start({ strict: true, switches });
    await team.converge('A: one');
    expect(team.rows()).toEqual(['A=one encrypted development', 'A=one sensitive production preview']);
    expect(await team.codes('A: { value: one, type: encrypted, target: [production] }')).toEqual([
      'env/policy',
    ]);
  });

  oneRowIn(4)([false, true])(
    'lets older ones be, until they are written to (values listed: %s)',
    async (listed) => {
      await start({ strict: true, switches: { ...switches, sharedEnvListDecrypted: listed } });
      team.add({ id: 'env_a', key: 'A', value: 'one' });
      const yaml = (value: string) => `A: ${value}`;
      await team.converge(yaml('one'));
      expect(team.sent()).toEqual([]);
      // Without a ledger that knows what was sent, an unread value is only sent when asked for.
      await team.converge(yaml('two'), { sendUnverified: ['**'] });
      expect(team.rows()).toEqual(['A=two encrypted development', 'A=two sensitive production preview']);
    },
  );
});

describe('what hurts', () => {
  it('is refused or graded: leaving sensitive, a split, a deletion', async () => {
    await start();
    await team.converge('A: { value: one, type: sensitive, target: [production, preview] }\nB: one');
    expect(
      await team.codes('A: { value: one, type: encrypted, target: [production, preview] }\nB: one'),
    ).toEqual(['replace/refused', 'replace/refused']);
    const { plan } = await team.plan(
      'A: [{ value: two, type: sensitive, target: [production] }, { value: one, type: sensitive, target: [preview] }]',
    );
    expect(changeOf(plan, 'A@preview')).toMatchObject({ action: 'noop', grade: 'disruptive' });
    expect(changeOf(plan, 'B@preview').grade).toBe('irreversible');
  });

  it('is said while the YAML is read: a sensitive one has no development', async () => {
    await start();
    expect(await team.codes('A: { value: one, type: sensitive }')).toEqual(['config/check']);
    expect(await team.codes('A: { value: one, type: plain }')).not.toEqual([]);
    expect(await team.codes('1A: one')).not.toEqual([]);
  });
});

describe('no value is in anything that is shown or kept', () => {
  const canaries = ['canary-secret-2', 'canary-live-3', 'canary-rotated-4'];
  // It stands in the YAML for everybody to read.
  const literal = 'literal-1';
  const [first, live, rotated] = canaries as [string, string, string];
  const style = styleFor({ color: false, width: 200 });

  oneRowIn(2)([false, true])(
    'neither wanted nor found ones, nor what a failure quotes (listed: %s)',
    async (listed) => {
      const seen: string[] = [];
      const see = (...things: unknown[]) => {
        for (const thing of things)
          seen.push(
            typeof thing === 'string'
              ? thing
              : `${inspect(thing, { depth: 12, showHidden: true })}\n${JSON.stringify(thing)}`,
          );
      };
      await start({
        switches: { sharedEnvListDecrypted: listed },
        found: [
          { key: 'L', value: live },
          { key: 'M', value: live, target: ['production', 'preview'] },
        ],
      });
      const go = async (yaml: string, change: (send: Send) => Send = (send) => send) => {
        const planned = await team.plan(yaml, { sendUnverified: ['**'], maxDeletions: 20 });
        const { plan } = planned;
        see(plan, planned.live, planned.ledger, planned.input.desired, planned.input.secrets, planJson(plan));
        for (const verbose of [false, true]) see(planText(plan, { style, requests: true, verbose }));
        see(diagnosticsText(plan.diagnostics, { style }));
        const { outcome, events } = await applyWith(planned, change);
        see(
          outcome,
          events,
          events.map(eventWriter(plan, { style })),
          outcomeText(plan, outcome, { style, now: 0 }),
        );
        for (const { error } of outcome.failed)
          see(String((error as Error).stack), (error as Error).cause ?? '');
        see(team.world.ledger);
        return outcome;
      };
      team.world.env.DATABASE = first;
      const yaml = `
L: ${literal}
M: [{ value: ${literal}, target: [production] }, { value: ${literal}-b, target: [preview] }]
S: { value: "x\${secret.database}y", type: sensitive, target: [production], projectId: [web] }`;
      expect((await go(yaml)).failed).toEqual([]);
      team.world.env.DATABASE = rotated;
      // A platform that refuses everything, and says what it was given.
      const refusing =
        (send: Send): Send =>
        async (request) => {
          const { updates, evs } = (request.body ?? {}) as {
            updates?: Record<string, { value?: unknown }>;
            evs?: { value?: unknown }[];
          };
          const given = [...Object.values(updates ?? {}), ...(evs ?? [])];
          if (given.length === 0) return send(request);
          const text = (value: unknown) => (value as { reveal?(): string }).reveal?.() ?? String(value);
          return {
            created: [],
            updated: [],
            failed: given.map(({ value }) => ({
              error: {
                code: 'bad_request',
                message: `the value ${text(value)} is not allowed`,
                value: text(value),
              },
            })),
          };
        };
      const outcome = await go(`${yaml}\nN: ${literal}`, refusing);
      expect(outcome.failed.map(({ error }) => (error as Error).message)).toContain(
        'bad_request: the value (secret) is not allowed',
      );
      await go('Z: z');
      const text = seen.join('\n');
      for (const canary of canaries) expect(text.includes(canary), canary).toBe(false);
      expect(text).toContain('sharedEnv/S@production');
      expect(text).toContain('failed');
    },
  );
});
