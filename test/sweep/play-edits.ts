import { defaultSwitches, otherSwitches, type Switches } from '../../providers/hosting/twin/index.ts';
import { sampleSeed } from '../support/samples.ts';
import { World } from '../support/world.ts';
import { type Counts, checkedRun, forgetDeclared, type Memory, newMemory } from './checked-run.ts';
import { type Asked, type Draft, draftAfter, type Edit, optionsFor } from './edits.ts';
import { foreignMember, foreignSeed } from './foreign-seed.ts';
import { meddle } from './outside.ts';
import { bodyOfParts, secretEnv } from './parts.ts';
import { nothingPromised } from './promises.ts';

/** What happens to one account, step by step. */
export interface Story {
  kinds: string[];
  steps: { edits: Edit[]; asked: Asked }[];
}

/** The platform as the evidence says, and the other way wherever it is silent; but nobody can keep what cannot be read. */
const behaviours: Switches[] = [defaultSwitches, { ...otherSwitches, managedGroupsReadable: true }];

/** One shared world for each behaviour of the platform. */
export const sharedWorlds = (): Promise<World[]> => Promise.all(behaviours.map(sharedWorld));

/** A world in which others have things, too. */
async function sharedWorld(switches: Switches): Promise<World> {
  const { members } = sampleSeed.team;
  const world = await World.start({
    switches,
    seed: { ...sampleSeed, team: { members: [...members, foreignMember] } },
  });
  world.env = secretEnv;
  return world;
}

/** The account as it is before a story: only others have something in it. */
export function beginAnew(world: World): void {
  world.clear();
  world.twin.clearRequests();
  world.twin.add(foreignSeed);
}

/** Only what is declared no more can be deleted by its name. */
const withoutLabels = (draft: Draft, addresses: string[]): Draft => ({
  ...draft,
  parts: draft.parts.filter(
    ({ label, home }) => !addresses.some((address) => [label, home].includes(address.split(/[/.-]/)[1])),
  ),
});

/**
 * Plays edits one after another, each planned and applied; throws where a promise is broken. `isExpected`: true for failures that the story expects.
 */
export async function playEdits(
  world: World,
  { kinds, steps }: Story,
  counts: Counts,
  isExpected: Memory['isExpected'] = () => false,
): Promise<void> {
  beginAnew(world);
  const memory = { ...newMemory(), isExpected };
  let draft: Draft = { parts: [], renames: new Map(), kinds };
  for (const { edits, asked } of steps) {
    if (asked.how === 'lost ledger') {
      world.ledger = { ...world.ledger, entries: {} };
      memory.promised = nothingPromised();
      forgetDeclared(memory);
    }
    for (const number of asked.outside) meddle(world.twin.account, number);
    const options = optionsFor(asked, world.ledger);
    const edited = edits.reduce(draftAfter, draft);
    const next = asked.how === 'deletion' ? withoutLabels(edited, options.containersToDelete!) : edited;
    const body = bodyOfParts(next.parts, next.renames);
    // An edit that is refused is taken back.
    if (await checkedRun(world, body, options, memory, counts)) draft = next;
  }
}
