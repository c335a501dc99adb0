import { afterAll, beforeAll, expect, it } from 'vitest';
import { kinds } from '../../providers/hosting/kinds/index.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { Pages } from '../../src/model/request.ts';
import { exported } from '../export/exported.ts';
import { everySeed } from '../support/every-seed.ts';
import { samples } from '../support/samples.ts';
import { intercept } from '../support/scene.ts';
import { oneStoryIn, sampled } from '../support/sweep.ts';
import { describe as planText, World } from '../support/world.ts';
import { asRecorded, looseMembers, recordedShapes } from './recorded-shapes.ts';

const story = oneStoryIn(4);

/*
 * Kinds read an account whose rows have the shape that public evidence shows. In each round every endpoint answers with one change: an unpublished
 * member, an optional member less, or null for a member that can be null. Objects that others are in change in rounds of their own, because
 * a container that cannot be read hides its contents.
 */

type Row = Record<string, unknown>;

const containers = new Set(kinds.flatMap(({ parent }) => (parent ? [parent] : [])));
const containerEndpoints = new Set(
  kinds.flatMap(({ name, read }) => (containers.has(name) && read?.endpoint ? [String(read.endpoint)] : [])),
);

/** Answers that are a value of the user's, in which any member means something. */
const values = new Set(['GET /v1/global-config/{globalConfig}/schema']);
/** Answers in which null says that the object does not exist. */
const nullIsAbsent = new Set([
  'GET /v1/projects/{project}/rolling-release/config',
  'GET /v1/security/firewall/config?projectId={project}',
]);

/** The change of this round in the rows of an endpoint. */
type Variation = (row: Row, endpoint: string, list: string | undefined) => Row;

let world: World;
let baseline: string;
let vary: Variation = (row) => row;
/** The members that changed in this round, with their endpoints. */
const varied = new Set<string>();
/** The endpoints that were read so far. */
const asked = new Set<string>();

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPages = (answer: unknown): answer is Pages =>
  isRow(answer) && typeof (answer as unknown as Pages).items === 'function';

beforeAll(async () => {
  world = await World.start({ seed: everySeed(samples) });
  intercept(world, async (request, send) => {
    const answer = await send(request);
    const { endpoint, items } = request as { endpoint: string; items?: string | { list: string } };
    if (!endpoint.startsWith('GET ') || values.has(endpoint)) return answer;
    asked.add(endpoint);
    const list = typeof items === 'object' ? items.list : items || undefined;
    const change = (row: unknown) => (isRow(row) ? vary(asRecorded(endpoint, row), endpoint, list) : row);
    if (Array.isArray(answer)) return answer.map(change);
    if (!isPages(answer)) return change(answer);
    // A list that is read page by page.
    const all = answer.items.bind(answer);
    answer.items = () => all().map(change);
    return answer;
  });
  baseline = (await exported(world)).yaml;
  const planned = await world.plan(baseline);
  expect([actionsOf(planned.plan), planned.plan.operations], planText(planned.plan)).toEqual([[], []]);
  await world.apply(planned);
});
afterAll(() => world.stop());

/** Returns the names of what a plan does beyond adoption. */
const actionsOf = ({ changes }: Plan) =>
  changes.flatMap(({ action, address }) =>
    action === 'noop' || action === 'adopt' ? [] : [`${action} ${address}`],
  );

/**
 * Plans the configuration from before, which may find that a value is gone but must not create, replace or delete anything; and a new export, which
 * must plan to nothing.
 */
async function expectHarmless(): Promise<void> {
  const { plan } = await world.plan(baseline);
  expect(
    actionsOf(plan).filter((action) => !action.startsWith('update ')),
    planText(plan),
  ).toEqual([]);
  expect(planText(plan)).not.toMatch(/not a function|not iterable|Cannot read|\[object/);
  const { ledger } = world;
  world.ledger = { ...ledger, entries: {} };
  const { yaml } = await exported(world);
  const own = (await world.plan(yaml)).plan;
  world.ledger = ledger;
  expect(actionsOf(own), `${[...varied].join('\n')}\n${planText(own)}`).toEqual([]);
}

it('has shapes of endpoints that kinds read', () => {
  // No list shows which aliases are declared: nested.test.ts reads them.
  const others = new Set(['GET /v4/aliases?projectId={project}']);
  const unread = Object.keys(recordedShapes).filter((endpoint) => !asked.has(endpoint));
  expect(unread.filter((endpoint) => !others.has(endpoint))).toEqual([]);
});

story('an unpublished member changes nothing', async () => {
  vary = (row) => ({ ...row, somethingNew: { of: ['another', null] } });
  const { plan } = await world.plan(baseline);
  expect([actionsOf(plan), plan.diagnostics.filter(({ severity }) => severity === 'error')]).toEqual([
    [],
    [],
  ]);
  expect((await exported(world)).yaml).toBe(baseline);
});

/** Enough rounds for the endpoint with the most changes; other endpoints begin again. */
const rounds = ['contents', 'containers'].flatMap((which) =>
  Array.from({ length: 60 }, (_, round) => [which, round] as const),
);

it.each(sampled(rounds, 1))('%s: optional members that lack or are null, %i', async (which, round) => {
  varied.clear();
  vary = (row, endpoint, list) => {
    if (containerEndpoints.has(endpoint) !== (which === 'containers')) return row;
    const { optional, nullable: canBeNull } = looseMembers(endpoint, list);
    const nullable = nullIsAbsent.has(endpoint) ? [] : canBeNull;
    const missing = optional.filter((member) => member in row);
    const changes = missing.length + nullable.length;
    if (changes === 0) return row;
    const at = round % changes;
    const member = at < missing.length ? missing[at]! : nullable[at - missing.length]!;
    varied.add(`${endpoint} ${member}`);
    const { [member]: _, ...rest } = row;
    return at < missing.length ? rest : { ...rest, [member]: null };
  };
  await expectHarmless();
  expect(varied.size).toBeGreaterThan(0);
});
