import fc from 'fast-check';
import { hasErrors, Problems } from '../../src/model/diagnostic.ts';
import { samples } from '../support/samples.ts';
import type { World } from '../support/world.ts';
import { type Counts, checkedRun, expectNone, forgetDeclared, newMemory } from './checked-run.ts';
import { anyNumber, pick } from './edits.ts';
import { inventory } from './inventory.ts';
import type { Item } from './inventory-item.ts';
import { bodyOfParts, type Part, partKey, variantsOf, yamlOf } from './parts.ts';
import { beginAnew } from './play-edits.ts';

/** An object that others have made. It may be declared by us as well, with other fields. */
interface SharedPart {
  kind: number;
  label: string;
  variant: number;
  isOurs: boolean;
  ours: number[];
  theirs: number[];
  side: 0 | 1;
}

export const sharedPart: fc.Arbitrary<SharedPart> = fc.record({
  kind: anyNumber,
  label: fc.constantFrom('a', 'b'),
  variant: anyNumber,
  isOurs: fc.boolean(),
  ours: fc.array(anyNumber, { maxLength: 3, size: 'max' }),
  theirs: fc.array(anyNumber, { maxLength: 4, size: 'max' }),
  side: fc.constantFrom<0 | 1>(0, 1),
});

/**
 * Somebody else makes objects, as another stack would whose ledger we never see. Then a configuration that names some of
 * them, with some of their fields, is applied, changed, cut down and destroyed.
 */
export async function playBeside(
  world: World,
  { kinds, parts }: { kinds: string[]; parts: SharedPart[] },
  counts: Counts & { begun: number; stories: number; foreign: number },
): Promise<void> {
  const chosen = new Map(
    parts.map((part) => partsOf(part, kinds)).map((both) => [partKey(both.theirs), both]),
  );
  const all = [...chosen.values()];
  const ours = all.flatMap(({ ours }) => ours ?? []);
  counts.begun += 1;
  beginAnew(world);
  const untouchable = [...inventory(world.twin.account).values()].filter(isTheirsAlone);
  if (!(await made(world, bodyOfParts(all.map(({ theirs }) => theirs)))) || ours.length === 0) return;
  counts.stories += 1;

  // What they wrote of that is no secret of ours.
  const memory = newMemory();
  forgetDeclared(memory);
  const before = structuredClone(world.twin.account);
  const flipped = ours.map(
    (part): Part => ({ ...part, leaves: mapped(part.leaves, (side) => (1 - side) as 0 | 1) }),
  );
  const released = ours.map((part): Part => ({ ...part, leaves: {} }));
  const fewer = released.filter((_, index) => index % 2 === 0);
  const limits = { maxDeletions: 1000, overwriteConflicts: true };
  for (const next of [ours, flipped, released, fewer])
    await checkedRun(world, bodyOfParts(next), limits, memory, counts);
  await checkedRun(world, bodyOfParts(fewer), { ...limits, destroy: true }, memory, counts);

  // Over all runs: what no configuration names is as it was.
  const [was, is] = [inventory(before, world.twin.account), inventory(world.twin.account)];
  for (const { key } of untouchable) {
    counts.foreign += 1;
    const [then, now] = [was.get(key)?.content, is.get(key)?.content];
    expectNone(then === now ? [] : [`${key} was ${then}, and is ${now}`]);
  }
}

/** Settings that each project has, so that a configuration may share them with others. */
const settings = [
  ...['firewall', 'featureFlagSettings', 'attackMode', 'rollingRelease', 'crons', 'observability'],
  ...['speedInsights', 'webAnalytics', 'tracingConfig', 'avatar'],
];

/** Of the seed: neither what others share with us, nor a setting of it. */
const isTheirsAlone = ({ within, section }: Item): boolean =>
  within.length > 0 && !settings.includes(section);

/** The same object as they and as we declare it: no field of it twice, but those that it cannot be without. */
function partsOf({ kind, label, variant, isOurs, ours, theirs, side }: SharedPart, kinds: string[]) {
  const name = pick(kinds, kind);
  const { leaves, identity = [] } = samples[name]!;
  // One delivery does not have all fields that there are.
  const paths = Object.keys(leaves).filter((path) => !(name === 'drain' && path.startsWith('delivery.')));
  const shared = paths.filter((path) => !identity.includes(path));
  const some = (from: string[], numbers: number[]) =>
    new Set(from.length === 0 ? [] : numbers.map((number) => pick(from, number)));
  const theirPaths = some(paths, theirs);
  const ourPaths = [...some(shared, ours)].filter((path) => !theirPaths.has(path));
  const part = (of: Iterable<string>, side: 0 | 1): Part => ({
    kind: name,
    label,
    variant: variant % variantsOf(name),
    leaves: Object.fromEntries([...of].map((path) => [path, side])),
    meta: {},
  });
  return { theirs: part(theirPaths, side), ...(isOurs ? { ours: part(ourPaths, side) } : {}) };
}

const mapped = <T, U>(members: Record<string, T>, to: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, to(value)]));

/** Makes what others have; not everything goes together, and then there is nothing to see. */
async function made(world: World, body: ReturnType<typeof bodyOfParts>): Promise<boolean> {
  const { ledger } = world;
  try {
    const planned = await world.plan(yamlOf(body), { maxDeletions: 1000 });
    if (hasErrors(planned.plan.diagnostics)) return false;
    const { outcome } = await world.apply(planned, { deliver: async () => {} });
    return outcome.failed.length === 0;
  } catch (error) {
    if (error instanceof Problems) return false;
    throw error;
  } finally {
    world.ledger = ledger;
  }
}
