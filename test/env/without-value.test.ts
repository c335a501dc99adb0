import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { hasErrors } from '../../src/model/diagnostic.ts';
import { oneStoryIn, runs } from '../support/sweep.ts';
import { Account } from './account.ts';
import { Team } from './team.ts';

const story = oneStoryIn(7);

let account: Account;
const start = async (options?: Parameters<typeof Account.start>[0]) => {
  account = await Account.start(options);
  isOpen = true;
};
let isOpen = false;
const stop = async () => {
  if (isOpen) await account.world.stop();
  isOpen = false;
};
afterEach(stop);

const errors = async (env: string, options?: Parameters<Account['plan']>[1]) =>
  (await account.plan(env, options)).plan.diagnostics.filter(({ severity }) => severity === 'error');

describe('a variable without a value', () => {
  it('is ours but for its value: adopted, changed, and released by nobody', async () => {
    await start({
      env: [
        { key: 'A', value: 'canary-one', target: ['production', 'preview'] },
        { key: 'S', value: 'two', type: 'sensitive', target: ['production'] },
      ],
    });
    const yaml = 'A: { target: [production, preview] }\nS: { target: [production], type: sensitive }';
    const adopted = await account.converge(yaml);
    expect(account.sent()).toEqual([]);
    const actions = adopted.changes
      .filter(({ kind }) => kind === 'projectEnvVar')
      .map(({ action }) => action);
    expect(new Set(actions)).toEqual(new Set(['adopt']));
    const entries = Object.entries(account.world.ledger.entries).filter(([address]) =>
      address.includes('/env/'),
    );
    expect(entries).toHaveLength(3);
    for (const [, { secrets, fields }] of entries)
      expect({ ...secrets, ...fields }).not.toHaveProperty('value');

    const changed = await account.converge(
      'A: { target: [production, preview], comment: ours }\nS: { target: [production], comment: ours }',
    );
    expect(account.sent()).toEqual(['PATCH comment', 'PATCH comment']);
    expect(JSON.stringify(changed)).not.toContain('canary');
    expect(account.rows()).toEqual([
      'A=canary-one encrypted production preview # ours',
      'S=two sensitive production # ours',
    ]);
    await account.converge('A: { target: [production, preview], type: plain }');
    expect(account.rows()).toEqual(['A=canary-one plain production preview # ours']);
  });

  story('is not drift when its value changes outside, and its comment is', async () => {
    await start({ env: [{ key: 'A', value: 'one', target: ['production'], comment: 'ours' }] });
    const yaml = 'A: { target: [production], comment: ours }';
    await account.converge(yaml);
    account.row('A').value = 'theirs';
    account.row('A').updatedAt += 60_000;
    const quiet = (await account.plan(yaml)).plan;
    expect(quiet.operations).toEqual([]);
    expect(quiet.changes.filter(({ action }) => action !== 'noop')).toEqual([]);
    expect(quiet.diagnostics).toEqual([]);
    account.row('A').comment = 'theirs';
    await account.converge(yaml);
    expect(account.rows()).toEqual(['A=theirs encrypted production # ours']);
  });

  story('cannot be created: the plan says how to give it a value', async () => {
    await start();
    const [error, ...more] = await errors('A: {}\nB: one');
    expect(more).toEqual([]);
    expect(error).toMatchObject({ code: 'env/no-value' });
    expect(error!.message).toContain('A@development');
    expect(error!.hint).toContain('secret.NAME');
    await account.converge('A: one\nB: one');
    await account.converge('A: {}\nB: one');
    account.project.env = account.project.env.filter(({ key }) => key !== 'A');
    expect((await errors('A: {}\nB: one')).map(({ code }) => code)).toContain('env/no-value');
  });

  story('that had one before is released of it, and deleted when it leaves the configuration', async () => {
    await start();
    await account.converge('A: { value: one, target: [production] }');
    const { plan } = await account.plan('A: { target: [production] }');
    const change = plan.changes.find(({ address }) => address.endsWith('A@production'))!;
    expect(change).toMatchObject({ action: 'release', fields: [{ path: 'value', cause: 'released' }] });
    expect(JSON.stringify(change.fields)).not.toContain('one');
    await account.converge('A: { target: [production] }');
    expect(account.rows()).toEqual(['A=one encrypted production']);
    await account.converge('B: one', { maxDeletions: 5 });
    expect(account.rows()).toEqual(['B=one encrypted production preview development']);
  });

  it('`value: null` and an entry without anything are mistakes', async () => {
    await start();
    expect(await errors('A: { value: null }')).toMatchObject([{ code: 'config/null' }]);
    expect(await errors('A:')).toMatchObject([{ code: 'config/null-entry' }]);
  });
});

describe('rows of variables without a value', () => {
  story('gain and lose targets', async () => {
    await start({ env: [{ key: 'A', value: 'one', type: 'sensitive', target: ['production'] }] });
    await account.converge('A: { target: [production, preview] }');
    expect(account.sent()).toEqual(['PATCH target']);
    expect(account.rows()).toEqual(['A=one sensitive production preview']);
    await account.converge('A: { target: [preview] }');
    expect(account.rows()).toEqual(['A=one sensitive preview']);
  });

  it('are split with their value where it can be read, and refused where not', async () => {
    await start({
      env: [
        { key: 'A', value: 'canary-one', target: ['production', 'preview'] },
        { key: 'S', value: 'two', type: 'sensitive', target: ['production', 'preview'] },
      ],
    });
    const split = (key: string) => `${key}: [{ target: [production], comment: ours }, { target: [preview] }]`;
    expect((await errors(split('S'))).map(({ code, hint }) => [code, hint])).toEqual([
      ['env/unknown-value', 'set its `value`, or declare the same for all its targets'],
    ]);
    const plan = await account.converge(split('A'));
    expect(JSON.stringify(plan)).not.toContain('canary');
    expect(account.rows()).toEqual([
      'A=canary-one encrypted preview',
      'A=canary-one encrypted production # ours',
      'S=two sensitive production preview',
    ]);
  });

  story('stay two where the values may differ: no new place is given one of them by chance', async () => {
    await start({
      env: [
        { key: 'A', value: 'one', target: ['production'] },
        { key: 'A', value: 'two', target: ['preview'] },
        { key: 'B', value: 'same', target: ['production'] },
        { key: 'B', value: 'same', target: ['preview'] },
        { key: 'S', value: 'one', type: 'sensitive', target: ['production'] },
        { key: 'S', value: 'one', type: 'sensitive', target: ['preview'] },
      ],
    });
    expect((await errors('A: {}')).map(({ code }) => code)).toEqual(['env/which-value']);
    const custom = 'S: { target: [production, preview], customEnvironmentIds: [qa] }';
    expect((await errors(custom)).map(({ code }) => code)).toEqual(['env/which-value']);
    await account.converge('A: { target: [production, preview] }\nB: {}');
    expect(account.rows()).toEqual([
      'A=one encrypted production',
      'A=two encrypted preview',
      'B=same encrypted preview development',
      'B=same encrypted production',
      'S=one sensitive preview',
      'S=one sensitive production',
    ]);
  });

  story('leave two rows with two values, not one', async () => {
    await start({
      env: [
        { key: 'A', value: 'one', target: ['production', 'preview'] },
        { key: 'A', value: 'two', target: ['development'], customEnvironments: ['qa'] },
      ],
    });
    await account.converge(
      `A:
  - { target: [production], value: new }
  - { target: [preview, development] }
  - { customEnvironmentIds: [qa], value: new }`,
    );
    expect(account.rows()).toEqual([
      'A=new encrypted custom:qa',
      'A=new encrypted production',
      'A=one encrypted preview',
      'A=two encrypted development',
    ]);
  });

  it('are not made readable again by deleting a value that nobody knows', async () => {
    await start({ env: [{ key: 'A', value: 'one', type: 'sensitive', target: ['production'] }] });
    await account.converge('A: { target: [production], type: sensitive }');
    const codes = (await errors('A: { target: [production], type: plain, $replace: allow }')).map(
      ({ code }) => code,
    );
    expect(codes).toEqual(['env/unknown-value']);
    expect(account.rows()).toEqual(['A=one sensitive production']);
  });
});

describe('variables of the team without a value', () => {
  it('are ours but for their value, too', async () => {
    const team = await Team.start({
      found: [
        { key: 'A', value: 'canary-one', target: ['production', 'preview'] },
        { key: 'S', value: 'two', type: 'sensitive', target: ['production'] },
      ],
    });
    try {
      await team.converge('A: { target: [production, preview] }\nS: { target: [production] }');
      expect(team.sent()).toEqual([]);
      await team.converge(
        'A: { target: [production], projectId: [web] }\nS: { target: [production, preview] }',
      );
      expect(team.rows()).toEqual([
        'A=canary-one encrypted production -> web',
        'S=two sensitive production preview',
      ]);
      const { plan } = await team.plan('A: { target: [production, preview] }\nNEW: {}');
      expect(plan.diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual(
        ['env/no-value'],
      );
      expect(JSON.stringify(plan)).not.toContain('canary');
    } finally {
      await team.world.stop();
    }
  });
});

const places = ['production', 'preview', 'development', 'custom:staging', 'custom:qa'];

interface Part {
  places: string[];
  value: string;
  type: 'plain' | 'encrypted' | 'sensitive';
  comment: string;
}

/** Some of the places, dealt out to up to three parts. */
const parts: fc.Arbitrary<Part[]> = fc
  .tuple(
    fc.tuple(...places.map(() => fc.option(fc.nat(2), { nil: undefined, freq: 3 }))),
    fc.array(
      fc.record({
        value: fc.constantFrom('u', 'v'),
        type: fc.constantFrom('plain' as const, 'encrypted' as const, 'sensitive' as const),
        comment: fc.constantFrom('', 'c', 'd'),
      }),
      { minLength: 3, maxLength: 3 },
    ),
  )
  .map(([dealt, more]) =>
    more.flatMap(({ type, ...rest }, index) => {
      const mine = places.filter((_, at) => dealt[at] === index);
      const isPossible = type !== 'sensitive' || !mine.includes('development');
      return mine.length === 0
        ? []
        : [{ ...rest, places: mine, type: isPossible ? type : ('encrypted' as const) }];
    }),
  );

const targetsOf = ({ places }: Part) => places.filter((place) => !place.startsWith('custom:'));
const slugsOf = ({ places }: Part) =>
  places.flatMap((place) => (place.startsWith('custom:') ? [place.slice('custom:'.length)] : []));

const entry = (part: Part) =>
  `{ comment: ${JSON.stringify(part.comment)}, target: [${targetsOf(part)}]${slugsOf(part).length > 0 ? `, customEnvironmentIds: [${slugsOf(part)}]` : ''} }`
    .replace('target: [], ', '')
    .replace(', target: [] }', ' }');

story(
  'whatever is found and declared: no place gets another value, and a new one only what its entry has',
  async () => {
    let done = 0;
    await fc.assert(
      fc.asyncProperty(parts, parts, async (found, wanted) => {
        fc.pre(wanted.length > 0);
        await start({
          env: found.map((part) => ({
            ...{ key: 'A', value: part.value, type: part.type, comment: part.comment },
            ...{ target: targetsOf(part) as never, customEnvironments: slugsOf(part) },
          })),
        });
        const valueAt = () => {
          const slug = (id: string) => account.project.customEnvironments.find((one) => one.id === id)!.slug;
          return new Map(
            account.project.env.flatMap(({ value, target, customEnvironmentIds }) =>
              [...target, ...customEnvironmentIds.map((id) => `custom:${slug(id)}`)].map(
                (place) => [place, value] as [string, string],
              ),
            ),
          );
        };
        const before = valueAt();
        const yaml = `A: [${wanted.map(entry).join(', ')}]`;
        if (!hasErrors((await account.plan(yaml)).plan.diagnostics)) {
          await account.converge(yaml);
          done += 1;
          const after = valueAt();
          for (const [place, value] of before) expect(after.get(place), place).toBe(value);
          for (const { places } of wanted)
            for (const place of places) {
              const had = places.flatMap((other) => before.get(other) ?? []);
              expect(had, place).toContain(after.get(place));
            }
        }
        await stop();
      }),
      { numRuns: runs(300, 30), seed: 20_260_301 },
    );
    console.log(`applied: ${done}`);
    expect(done).toBeGreaterThan(0);
  },
);
