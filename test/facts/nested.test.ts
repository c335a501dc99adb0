import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { stringify } from 'yaml';
import { kinds } from '../../providers/hosting/kinds/index.ts';
import type { Ledger } from '../../src/model/ledger.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { Pages } from '../../src/model/request.ts';
import { exported } from '../export/exported.ts';
import { accounts, fill } from '../sdk/fill.ts';
import { bodyOf, casesOf } from '../support/field-cases.ts';
import { merged, sampleSeed } from '../support/samples.ts';
import { intercept } from '../support/scene.ts';
import { oneStoryIn, sampled } from '../support/sweep.ts';
import { describe as planText, World } from '../support/world.ts';
import { changedAt, formOfRow, type Loose, looseBelow, withUnknownBelow } from './published-shapes.ts';
import { asRecorded } from './recorded-shapes.ts';

const story = oneStoryIn(3);

/*
 * Kinds read answers whose nested objects have unpublished members, or lack members that the published form does not require. The public SDK
 * filled the account. Kinds that an export leaves out, or that the SDK cannot create, were applied before, and are planned with a ledger of their own.
 */

type Row = Record<string, unknown>;

/** Kinds that an export leaves out, or of which only a declaration says where they are. */
const declaredKinds = kinds.filter(
  ({ name, read, shape }) =>
    name !== 'sharedEnvLink' &&
    name !== 'team' &&
    (read === undefined || shape?.onlyDeclared === true || /install|integration|experiment/.test(name)),
);

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isPages = (answer: unknown): answer is Pages =>
  isRow(answer) && typeof (answer as unknown as Pages).items === 'function';

let world: World;
let declared: { yaml: string; ledger: Ledger };
let baseline: { yaml: string; ledger: Ledger };
let vary: (row: Row, endpoint: string, lists: string[]) => Row = (row) => row;
/** The changes that answers allow, by endpoint. */
const allowed = new Map<string, Map<string, Loose>>();

beforeAll(async () => {
  world = await World.start({ seed: sampleSeed });
  const bodies = declaredKinds.map((kind) => bodyOf(kind, casesOf(kind).slice(-1), 1));
  const yaml = stringify(merged(...bodies));
  await world.apply(await world.plan(yaml, { maxDeletions: 1000 }));
  declared = { yaml, ledger: world.ledger };
  const [body] = fc.sample(await accounts(), { numRuns: 1, seed: 1 });
  await fill(world.twin, body!, {});
  world.ledger = { ...world.ledger, entries: {} };
  baseline = { yaml: (await exported(world)).yaml, ledger: world.ledger };
  intercept(world, async (request, send) => {
    const answer = await send(request);
    const { endpoint, items } = request as { endpoint: string; items?: unknown };
    if (!endpoint.startsWith('GET ')) return answer;
    const named = isRow(items) ? items.list : items;
    const lists = (Array.isArray(named) ? named : [named ?? '']) as string[];
    const change = (row: unknown) => (isRow(row) ? vary(row, endpoint, lists) : row);
    if (Array.isArray(answer)) return answer.map(change);
    if (!isPages(answer)) return change(answer);
    const all = answer.items.bind(answer);
    answer.items = () => all().map(change);
    return answer;
  });
  vary = (row, endpoint, lists) => {
    const form = formOfRow(endpoint, lists, row);
    const changes = allowed.get(endpoint) ?? new Map<string, Loose>();
    for (const loose of form === undefined ? [] : looseBelow(form, row)) {
      const name = `${loose.path.join('.')} ${loose.change}`;
      if (!statements.test(name)) changes.set(name, loose);
    }
    if (changes.size > 0) allowed.set(endpoint, changes);
    return row;
  };
  for (const { yaml, ledger } of [declared, baseline]) {
    world.ledger = ledger;
    const { plan } = await world.plan(yaml);
    expect(actionsOf(plan), planText(plan)).toEqual([]);
  }
});
afterAll(() => world.stop());

/** Returns the names of what a plan does beyond adoption. */
const actionsOf = ({ changes }: Plan) =>
  changes.flatMap(({ action, address }) =>
    action === 'noop' || action === 'adopt' ? [] : [`${action} ${address}`],
  );

story('rows of declared kinds as they are recorded plan to nothing', async () => {
  vary = (row, endpoint) => asRecorded(endpoint, row);
  world.ledger = declared.ledger;
  const { plan } = await world.plan(declared.yaml);
  expect(actionsOf(plan), planText(plan)).toEqual([]);
});

story('an unpublished member of a nested object changes nothing', async () => {
  vary = (row, endpoint, lists) => {
    const form = formOfRow(endpoint, lists, row);
    return form === undefined ? row : (withUnknownBelow(form, row) as Row);
  };
  for (const { yaml, ledger } of [declared, baseline]) {
    world.ledger = ledger;
    const { plan } = await world.plan(yaml);
    const errors = plan.diagnostics.filter(({ severity }) => severity === 'error');
    expect([actionsOf(plan), errors], planText(plan)).toEqual([[], []]);
  }
  world.ledger = { ...world.ledger, entries: {} };
  const withoutComments = (yaml: string) => yaml.replaceAll(/^ *#.*\n/gm, '');
  expect(withoutComments((await exported(world)).yaml)).toBe(withoutComments(baseline.yaml));
});

/** Members whose absence says that an object does not exist: a version that is not live, no mapping of roles, a key that was not imported. */
const statements =
  /^(versions\.\[\]\.(isLive|isStaging)|saml|saml\.roles|signingKeys\.\[\]\.importKeyId) missing$/;

/** Enough rounds for the endpoint with the most changes; other endpoints begin again. */
const rounds = Array.from({ length: 64 }, (_, round) => round);

for (const round of sampled(rounds, 1))
  story(`a nested member that lacks or is null, ${round}`, async () => {
    const varied: string[] = [];
    const chosen = new Map(
      [...allowed].map(([endpoint, changes]) => [endpoint, [...changes.values()][round % changes.size]!]),
    );
    vary = (row, endpoint) => {
      const loose = chosen.get(endpoint);
      if (loose === undefined) return row;
      varied.push(`${endpoint} ${loose.path.join('.')} ${loose.change}`);
      return changedAt(row, loose.path, loose.change) as Row;
    };
    for (const { yaml, ledger } of [declared, baseline]) {
      world.ledger = ledger;
      const { plan } = await world.plan(yaml);
      const words = `${[...new Set(varied)].join('\n')}\n${planText(plan)}`;
      // A value may be gone, and its object is updated; no object is.
      expect(
        actionsOf(plan).filter((action) => !action.startsWith('update ')),
        words,
      ).toEqual([]);
      expect(words).not.toMatch(/not a function|not iterable|Cannot read|\[object/);
    }
    world.ledger = { ...world.ledger, entries: {} };
    const { yaml } = await exported(world);
    const { plan } = await world.plan(yaml);
    expect(actionsOf(plan), `${[...new Set(varied)].join('\n')}\n${planText(plan)}`).toEqual([]);
  });
