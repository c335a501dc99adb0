import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { isApproved, isRemainder } from '../../src/approval/compare-approval.ts';
import { differences } from '../../src/approval/differences.ts';
import { createSecretDigester, decode, encode, isEncoded, isUncompared } from '../../src/approval/encode.ts';
import { parseSavedPlan } from '../../src/approval/parse-saved-plan.ts';
import { type SaveOptions, savePlan } from '../../src/approval/save-plan.ts';
import { shownPlan } from '../../src/approval/shown-plan.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import type { Plan } from '../../src/model/plan.ts';
import { Sealed } from '../../src/model/sealed.ts';
import { isPlainObject } from '../../src/model/value.ts';
import type { PlanInput } from '../../src/plan/input.ts';
import { plan } from '../../src/plan/plan.ts';
import { diagnosticsText } from '../../src/report/diagnostics-text.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { planText } from '../../src/report/plan-text.ts';
import { jsonText } from '../../src/report/show.ts';
import { plainStyle } from '../report/builders.ts';
import { inputsOfEveryKind } from '../support/every-kind.ts';
import { newWorld } from '../support/scene.ts';
import { inTurn, oneStoryIn, runs } from '../support/sweep.ts';
import { kinds } from '../support/world.ts';

const story = oneStoryIn(5);

const key = ledgerKeyFrom('a key for tests, long enough');
const saved = (made: Plan, more: Partial<SaveOptions> = {}) =>
  savePlan(made, {
    baseUrl: 'twin:',
    owner: 'team_1',
    generation: 7,
    options: {},
    kinds,
    secrets: new Map(),
    key,
    ...more,
  });

const forms = [
  { verbose: false, requests: false },
  { verbose: true, requests: true },
  { verbose: true, requests: false },
  { verbose: false, requests: true },
];

describe.each(['creation', 'change', 'end'] as const)('a plan of every kind, its %s', (name) => {
  let input: PlanInput;
  let made: Plan;
  let text: string;
  beforeAll(async () => {
    input = (await inputsOfEveryKind())[name];
    made = plan(input);
    text = jsonText(saved(made, { secrets: input.secrets }));
  });

  story('makes the same bytes of the same input in another order', () => {
    const other = reversed(input);
    expect(jsonText(saved(plan(other), { secrets: other.secrets }))).toBe(text);
    expect(JSON.parse(text).operations.length).toBeGreaterThan(50);
  });

  story('is shown from its file as it was shown, in every form', () => {
    const file = parseSavedPlan(text, 'plan.json');
    const shown = shownPlan(file);
    expect(jsonText(planJson(shown))).toBe(jsonText(planJson(made)));
    for (const form of inTurn(forms, name.length, 1)) {
      const options = { style: plainStyle, ...form };
      expect(planText(shown, options)).toBe(planText(made, options));
    }
    expect(diagnosticsText(shown.diagnostics, { style: plainStyle })).toBe(
      diagnosticsText(made.diagnostics, { style: plainStyle }),
    );
  });

  story('does not depend on where things stand in the files', () => {
    const before = saved(made);
    const resources = new Map(
      [...input.desired.resources].map(([address, one]) => [
        address,
        { ...one, at: { file: 'other.yaml', line: one.at.line + 7, column: 1, text: '# new' } },
      ]),
    );
    const moved = saved(plan({ ...input, desired: { ...input.desired, resources } }));
    expect(isApproved(before, moved)).toBe(true);
    expect(moved.salt).toBe(before.salt);
    if (name !== 'end') expect(jsonText(moved)).not.toBe(jsonText(before));
  });

  it('holds no secret', () => {
    const secrets = new Set<string>();
    collect([made.changes, made.operations], secrets);
    const unnamed = jsonText(saved(made));
    const long = [...secrets].filter((secret) => secret.length > 8);
    for (const secret of long) expect(unnamed.includes(JSON.stringify(secret).slice(1, -1))).toBe(false);
    expect(long.length).toBeGreaterThan(0);
  });
});

describe('the file', () => {
  const yaml = (value: string, framework = 'nextjs') =>
    `projects: { web: { framework: ${framework}, env: { A: { value: ${value}, type: sensitive, target: [production] }, B: { value: ${value}, type: sensitive, target: [production] } } } }`;

  it('tells secrets apart under its own salt, and equal ones do not look equal', async () => {
    const world = await newWorld();
    const { plan: made } = await world.plan(yaml('s3cret-text'));
    const digests = (text: string) => text.match(/"(?:\$sealed|digest|secret)": "[^"]+"/g) ?? [];
    const file = saved(made);
    const all = digests(jsonText(file));
    expect(all.length).toBeGreaterThan(3);
    expect(new Set(all).size).toBe(all.length);
    const other = saved((await world.plan(yaml('another-text'))).plan);
    // The salt is made of what is no secret.
    expect(other.salt).toBe(file.salt);
    expect(differences(file, other).map(({ cause, field }) => [cause, field])).toEqual([
      ['secret', 'value'],
      ['secret', 'value'],
    ]);
    expect(saved((await world.plan(yaml('s3cret-text', 'vite'))).plan).salt).not.toBe(file.salt);
    const keyless = saved(made, { key: undefined });
    expect(
      keyless.operations.some(({ requests }) => requests.some(({ body = null }) => isUncompared(body))),
    ).toBe(true);
    expect(digests(jsonText(keyless))).toEqual([]);
  });

  story(
    'is the rest of a plan only where all that is left was approved and nothing else happened',
    async () => {
      const world = await newWorld();
      const text = 'projects: { one: { framework: vite }, two: { framework: vite } }';
      const approved = saved((await world.plan(text)).plan);
      const now = async (body = text) => saved((await world.plan(body)).plan, { salt: approved.salt });
      expect(isRemainder(approved, await now())).toBe(true);
      await world.apply(await world.plan(text, { targets: ['projects/one'] }));
      expect(isApproved(approved, await now())).toBe(false);
      expect(isRemainder(approved, await now())).toBe(true);
      expect(
        isRemainder(approved, await now(text.replace('one: { framework: vite', 'one: { framework: astro'))),
      ).toBe(false);
      expect(isRemainder(approved, await now(`${text.slice(0, -1)}, three: {} }`))).toBe(false);
      expect(isRemainder(approved, await now('projects: { one: { framework: vite } }'))).toBe(false);
      const [project] = world.twin.account.projects;
      Object.assign(project!, { framework: 'astro' });
      expect(isRemainder(approved, await now())).toBe(false);
      Object.assign(project!, { framework: 'vite' });
      expect(isRemainder(approved, await now())).toBe(true);
      await world.apply(await world.plan(text));
      expect(isRemainder(approved, await now())).toBe(true);
    },
  );
});

it('names other requests as the difference, and no problem that an approval does not cover', async () => {
  const world = await newWorld();
  const { plan: made } = await world.plan('projects: { web: { framework: vite } }');
  const file = saved(made);
  const hint = 'another hint';
  const problems: Plan['diagnostics'] = [{ severity: 'warning', code: 'a/b', message: 'Known.' }];
  const later: Plan = {
    ...made,
    operations: made.operations.map((operation) => ({ ...operation, id: `${operation.id} once more` })),
    diagnostics: [
      ...problems.map((problem) => ({ ...problem, hint })),
      { severity: 'warning', code: 'guards/freeze', message: 'It is frozen.' },
    ],
  };
  const approved = saved({ ...made, diagnostics: problems }, { salt: file.salt });
  const current = saved(later, { salt: file.salt });
  expect(differences(approved, current).map(({ what }) => what)).toEqual([
    'its requests, or their order, are different',
  ]);
  expect(differences(file, current).map(({ what }) => what)).toEqual(['the plan now says: Known.']);
});

describe('values', () => {
  const digestSecret = createSecretDigester(key, 'salt', new Map([['a', new Sealed('text')]]));

  it('come back as they were, also where their names look like holes', () => {
    const names = fc.oneof(fc.string(), fc.constantFrom('$sealed', '$$x', '$', '$unknown', 'digest'));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 0 }),
        fc.array(tie('value')),
        fc.dictionary(names, tie('value')),
      ),
    }));
    fc.assert(
      fc.property(value, (one) => {
        const encoded = JSON.parse(JSON.stringify(encode(one, 'at', digestSecret)));
        expect(isEncoded(encoded)).toBe(true);
        expect(JSON.stringify(decode(encoded))).toBe(JSON.stringify(one));
      }),
      { numRuns: runs(600) },
    );
  });

  it('keep holes, and of secrets only the name and a digest', () => {
    const { $sealed, ...rest } = encode(new Sealed('text'), 'at', digestSecret) as Record<string, unknown>;
    expect(rest).toEqual({});
    expect($sealed).toMatch(/^[\w-]{32}$/);
    expect(encode({ $secret: 'gone' }, 'at', digestSecret)).toEqual({ $secret: 'gone', digest: null });
    const joined = encode({ $join: ['in the clear', { $secret: 'a' }] }, 'at', digestSecret);
    expect(joined).toEqual({ $secrets: ['a'], digest: expect.stringMatching(/^[\w-]{32}$/) });
    for (const hole of [
      { $ref: 'projects/web', attr: 'id' },
      { $result: 0, path: ['a', { b: 1 }] },
      { $join: ['x', { $ref: 'a', attr: 'id' }] },
    ])
      expect(decode(encode(hole, 'at', digestSecret))).toEqual(hole);
    for (const wrong of [
      { $ref: 1 },
      { $secret: 'a' },
      { $sealed: 1 },
      { $join: [{ $x: 1 }] },
      { $ref: 'a', attr: 'id', more: 1 },
    ])
      expect(isEncoded(wrong), JSON.stringify(wrong)).toBe(false);
  });
});

/** Every sealed text in a value. */
function collect(value: unknown, into: Set<string>): void {
  if (value instanceof Sealed) into.add(value.reveal());
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) collect(inner, into);
}

/** The same input with the members of maps and objects the other way round. */
function reversed(input: PlanInput): PlanInput {
  const members = <T>(value: T): T =>
    isPlainObject(value)
      ? (Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([name, inner]) => [name, members(inner)]),
        ) as T)
      : value;
  const map = <V extends { fields: object }>(of: ReadonlyMap<string, V>) =>
    new Map(
      [...of].reverse().map(([name, one]): [string, V] => [name, { ...one, fields: members(one.fields) }]),
    );
  const { desired, live, ledger, secrets } = input;
  return {
    ...input,
    secrets: new Map([...secrets].reverse()),
    desired: { ...desired, resources: map(desired.resources) },
    live: { ...live, resources: map(live.resources) },
    ledger: { ...ledger, entries: members(ledger.entries) },
  };
}
