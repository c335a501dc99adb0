import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasDrift, type Plan } from '../../src/model/plan.ts';
import { plan as planOf } from '../../src/plan/plan.ts';
import { planText } from '../../src/report/plan-text.ts';
import { plainStyle } from '../report/builders.ts';
import { oneRowIn, oneStoryIn, sampled } from '../support/sweep.ts';
import { Account } from './account.ts';
import { Team } from './team.ts';

const story = oneStoryIn(7);

let account: Account;
beforeEach(async () => {
  account = await Account.start();
});
afterEach(() => account.world.stop());

const A = 'A: { value: x, target: [production] }';
const other = 'B: y';
type Row = ReturnType<Account['row']>;

/** Changes about variables: `delete A@preview`. */
const told = ({ changes }: Plan) =>
  changes.flatMap(({ action, address }) =>
    action === 'noop' || !/(^|\/)(env|sharedEnv)\//.test(address)
      ? []
      : [`${action} ${address.split('/').at(-1)}`],
  );
const environment = (slug: string) => account.project.customEnvironments.find((one) => one.slug === slug)!.id;
/** Somebody gives the row of A more targets. */
const widen = (change: (row: Row) => void = (row) => void row.target.push('preview'), key = 'A') =>
  change(account.row(key));

describe('a target that somebody adds to a variable of ours', () => {
  oneRowIn(2)(
    sampled<[what: string, env: string, widen: (row: Row) => void, changes: string[], after: string]>(
      [
        [
          'a target',
          A,
          (row) => row.target.push('preview'),
          ['delete A@preview'],
          'A=x encrypted production',
        ],
        [
          'two targets',
          A,
          (row) => row.target.push('preview', 'development'),
          ['delete A@development', 'delete A@preview'],
          'A=x encrypted production',
        ],
        [
          'a custom environment',
          A,
          (row) => row.customEnvironmentIds.push(environment('qa')),
          ['delete A@custom:qa'],
          'A=x encrypted production',
        ],
        [
          'all branches',
          'A: { value: x, target: [preview], gitBranch: feature }',
          (row) => {
            row.gitBranch = undefined as never;
          },
          ['delete A@preview', 'create A@preview:feature'],
          'A=x encrypted preview:feature',
        ],
        [
          'a target, while another one is removed',
          'A: { value: x, target: [production, preview] }',
          (row) => {
            row.target = ['production', 'development'];
          },
          ['delete A@development', 'create A@preview'],
          'A=x encrypted production preview',
        ],
        [
          'a target, and another value',
          A,
          (row) => {
            row.target.push('preview');
            row.value = 'theirs';
          },
          ['delete A@preview', 'update A@production'],
          'A=x encrypted production',
        ],
      ],
      2,
    ),
  )('%s: is drift, and is taken away again', async (_, env, change, changes, after) => {
    await account.converge(env);
    widen(change);
    const { plan } = await account.plan(env);
    expect(told(plan)).toEqual(changes);
    expect(hasDrift(plan)).toBe(true);
    expect(plan.unmanaged.filter(({ kind }) => kind === 'projectEnvVar')).toEqual([]);
    await account.converge(env);
    expect(account.rows()).toEqual([after]);
    expect(hasDrift((await account.plan(env)).plan)).toBe(false);
  });

  story('says what is lost where, and by whom', async () => {
    await account.converge(A);
    widen();
    account.sent();
    const { plan } = await account.plan(A);
    expect(plan.changes.find(({ action }) => action === 'delete')).toMatchObject({
      grade: 'disruptive',
      gradeReason: 'preview loses A',
      reason: 'added outside to projects/web/env/A@production, which has the same value',
      undo: { can: 'no' },
    });
    expect(planText(plan, { style: plainStyle, requests: false })).toContain('preview loses A');
    await account.converge(A);
    expect(account.sent()).toEqual(['PATCH target']);
  });

  it('is left alone, and known from then on, if it was there when the variable was adopted', async () => {
    account.project.env.push({ ...(await firstRow()), target: ['production', 'preview'] });
    await expectLeftAlone();
  });

  story('is left alone, and known from then on, if the ledger knows no targets yet', async () => {
    await account.converge(A);
    for (const entry of Object.values(account.world.ledger.entries)) delete entry.targets;
    widen();
    await expectLeftAlone();
  });

  async function expectLeftAlone(): Promise<void> {
    expect(hasDrift((await account.plan(A)).plan)).toBe(false);
    await account.converge(`${A}\n${other}`);
    expect(account.rows()[0]).toBe('A=x encrypted production preview');
    expect(hasDrift((await account.plan(`${A}\n${other}`)).plan)).toBe(false);
  }

  it('is left alone if the ledger is not verified, whatever somebody wrote into it', async () => {
    await account.converge(A);
    widen();
    const { input } = await account.plan(A);
    const plan = planOf({ ...input, unverifiedReason: 'nobody signed it' });
    expect([told(plan), hasDrift(plan)]).toEqual([[], false]);
  });

  /** A row as the platform makes it. */
  async function firstRow(): Promise<Row> {
    await account.converge(A);
    const [row] = account.project.env.splice(0);
    account.world.ledger = { ...account.world.ledger, entries: {} };
    return row!;
  }

  story('is told at adoption, and when the rest of the row goes', async () => {
    account.project.env.push({ ...(await firstRow()), target: ['production', 'preview'] });
    const adoption = (await account.plan(A)).plan;
    expect(
      adoption.changes.find(({ action, kind }) => action === 'adopt' && kind === 'projectEnvVar'),
    ).toMatchObject({
      reason: 'its value is also in preview, which nothing here declares',
    });
    await account.converge(A);
    const { plan } = await account.plan(other);
    expect(plan.changes.find(({ action }) => action === 'delete')).toMatchObject({
      address: 'projects/web/env/A@production',
      reason: 'removed from the configuration; its value stays in preview, which nothing here declares',
    });
    await account.converge(other);
    expect(account.rows()).toContain('A=x encrypted preview');
  });

  story('goes with the block, in one request', async () => {
    await account.converge(`${A}\n${other}`);
    widen();
    account.sent();
    await account.converge(other);
    expect([account.rows(), account.sent()]).toEqual([
      ['B=y encrypted production preview development'],
      ['DELETE 1'],
    ]);
  });

  story('stays where the block is only released', async () => {
    await account.converge(`${A}\n${other}`);
    widen();
    await account.world.converge(
      `${account.yaml(other)}\nremoved: [{ at: projects/web/env/A, delete: false }]`,
    );
    expect(account.rows()[0]).toBe('A=x encrypted production preview');
  });

  story('is adopted where it is declared by now, and known from then on', async () => {
    await account.converge(A);
    widen();
    const wider = 'A: { value: x, target: [production, preview] }';
    const { plan } = await account.plan(wider);
    expect([told(plan), hasDrift(plan)]).toEqual([['adopt A@preview'], false]);
    await account.converge(wider);
    await account.converge(`A: { value: x, target: [production] }\n${other}`);
    expect(account.rows()[0]).toBe('A=x encrypted production');
  });

  it('is still drift after an apply of something else', async () => {
    await account.converge(`${A}\n${other}`);
    widen();
    const planned = await account.plan(`${A}\nB: z`, { targets: ['projects/web/env/B*'] });
    await account.world.apply(planned);
    expect(told((await account.plan(`${A}\nB: z`)).plan)).toEqual(['delete A@preview']);
  });

  it('is nobody else’s after an apply that ended between its write and the record of it', async () => {
    await account.converge(A);
    const before = structuredClone(account.world.ledger);
    await account.converge('A: { value: x, target: [production, preview] }');
    account.world.ledger = before;
    const { plan } = await account.plan('A: { value: x, target: [production, preview] }');
    expect(hasDrift(plan)).toBe(false);
  });

  it('belongs to the stack that owns it, whichever is applied first', async () => {
    await account.converge(A);
    const { world } = account;
    widen();
    const one = world.ledger;
    const named = (stack: string, ledger = world.ledger) => ({
      stack,
      entries: ledger.entries,
      isVerified: true,
      isWellFormed: true,
      inputs: [],
    });
    world.ledger = { ...one, stack: 'two', entries: {} };
    world.others = [named('one', one)];
    const second =
      'stack: two\nplatform: { team: acme }\nprojects: { web: { $existing: true, env: { A: { value: x, target: [preview] } } } }';
    expect(hasDrift((await world.plan(second)).plan)).toBe(false);
    await world.converge(second);
    const two = world.ledger;
    world.ledger = one;
    world.others = [named('two', two)];
    const { plan } = await account.plan(A);
    expect([told(plan), hasDrift(plan)]).toEqual([[], false]);
    // Also if that stack knows the project by another name.
    const renamed = Object.entries(two.entries).map(([address, entry]) => [
      address.replace('web', 'shop'),
      entry,
    ]);
    world.others = [{ ...named('two'), entries: Object.fromEntries(renamed) }];
    expect(hasDrift((await account.plan(A)).plan)).toBe(false);
    // An apply while that stack has it makes it a known target, whatever becomes of that stack.
    await account.converge(`${A}\n${other}`);
    world.others = [];
    expect(hasDrift((await account.plan(`${A}\n${other}`)).plan)).toBe(false);
  });

  it('is left alone, with a warning, where the store cannot tell who owns it', async () => {
    await account.converge(A);
    widen();
    const { input } = await account.plan(A);
    const made = planOf({ ...input, mayHaveUnknownStacks: true });
    expect([told(made), hasDrift(made), made.diagnostics.map(({ code }) => code)]).toEqual([
      [],
      false,
      ['row/joined'],
    ]);
  });
});

describe("a target that somebody adds to a team's variable of ours", () => {
  const shared = 'A: { value: x, target: [production] }';
  let team: Team;
  beforeEach(async () => {
    team = await Team.start();
    await team.converge(shared);
  });
  afterEach(() => team.world.stop());

  story('is drift, and is taken away again', async () => {
    team.row('A').target.push('preview');
    const { plan } = await team.plan(shared);
    expect([told(plan), hasDrift(plan)]).toEqual([['delete A@preview'], true]);
    await team.converge(shared);
    expect(team.rows()).toEqual(['A=x encrypted production']);
  });

  story('is also all custom environments at once, unless the configuration names that field', async () => {
    team.row('A').applyToAllCustomEnvironments = true;
    const { plan } = await team.plan(shared);
    expect(hasDrift(plan)).toBe(true);
    // An apply of something else does not make it known.
    const both = `${shared}\nB: { value: y }`;
    await team.world.apply(await team.plan(both, { targets: ['sharedEnv/B*'] }));
    expect(hasDrift((await team.plan(both)).plan)).toBe(true);
    await team.converge(both);
    expect(team.row('A').applyToAllCustomEnvironments).toBe(false);
    const declared = both.replace('[production]', '[production], applyToAllCustomEnvironments: true');
    await team.converge(declared);
    await team.converge(both);
    expect(hasDrift((await team.plan(both)).plan)).toBe(false);
    expect(team.row('A').applyToAllCustomEnvironments).toBe(true);
  });
});
