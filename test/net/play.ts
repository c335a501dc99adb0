import crypto, { createHash } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { stringify } from 'yaml';
import type { Switches } from '../../providers/hosting/twin/index.ts';
import type { Kind } from '../../src/kind/kind.ts';
import { eventWriter } from '../../src/report/events-text.ts';
import { outcomeText } from '../../src/report/outcome-text.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { planText } from '../../src/report/plan-text.ts';
import { jsonText } from '../../src/report/show.ts';
import { plainStyle } from '../report/builders.ts';
import { bodyOf, casesOf, withoutKind } from '../support/field-cases.ts';
import { sampleSeed } from '../support/samples.ts';
import { World } from '../support/world.ts';

/** Everything that one plan and its apply print, send and remember. */
export interface StepRecord {
  planText: string;
  planJson: string;
  applyText: string;
  requests: string;
  ledger: string;
}

/** One step for each configuration that `playKind` applies. */
export const stepTitles = [
  'Create the objects',
  'Change each field',
  'Reset each field',
  'Remove the fields from the configuration',
  'Remove the objects from the configuration',
];

const start = Date.UTC(2026, 0, 1);
const style = plainStyle;

/**
 * Plans and applies every field of every object of a kind in five steps. The clock, the salts and the order of requests are fixed, so that
 * two runs of the same code return the same records.
 */
export async function playKind(kind: Kind, switches: Switches): Promise<StepRecord[]> {
  const now = () => start;
  const cases = casesOf(kind);
  const bodies = [0, 1, 2, 3].map((step) => bodyOf(kind, cases, step));
  const { team, sharedEnv } = sampleSeed;
  // The records of other kinds are as without it: each object in the account moves the ids and times after it.
  const isNamed = sharedEnv.some(({ id }) => stringify(bodies).includes(id));
  const world = await World.start({ switches, seed: isNamed ? sampleSeed : { team }, now });
  // A plan from a snapshot would take salts of the fixed sequence.
  world.replays = false;
  world.now = now;
  world.parallelism = 1;
  const restoreRandomBytes = countRandomBytes();
  try {
    const records: StepRecord[] = [];
    for (const body of [...bodies, withoutKind(bodies[3]!, kind)])
      records.push(await playStep(world, stringify(body)));
    return records;
  } finally {
    restoreRandomBytes();
    await world.stop();
  }
}

async function playStep(world: World, yaml: string): Promise<StepRecord> {
  const requestsBefore = world.twin.requests.length;
  const planned = await world.plan(yaml, { maxDeletions: 1000 });
  const { plan } = planned;
  const printedPlan = planText(plan, { style, requests: true, verbose: true });
  const { events, outcome } = await world.apply(planned);
  const write = eventWriter(plan, { style });
  const printedEvents = events.map(write).filter((line) => line !== '');
  const printedOutcome = outcomeText(plan, outcome, { style, now: start });
  // The port of the twin differs in each run.
  const withoutPort = (text: string) => text.replaceAll(world.twin.url, 'https://twin');
  return {
    planText: withoutPort(printedPlan),
    planJson: withoutPort(jsonText(planJson(plan))),
    applyText: withoutPort([...printedEvents, printedOutcome].join('\n\n')),
    requests: withoutPort(requestLines(world, requestsBefore)),
    ledger: withoutPort(JSON.stringify(world.ledger, undefined, 1)),
  };
}

/** Returns the requests since `first`, one per line. Reads run in parallel, so they are sorted and stand in front of the writes. */
function requestLines(world: World, first: number): string {
  const requests = world.twin.requests.slice(first).map(({ method, path, status, body }) => ({
    isRead: method === 'GET',
    line: `${status} ${method} ${path} ${JSON.stringify(body) ?? ''}`,
  }));
  const linesWhere = (isRead: boolean) =>
    requests.filter((request) => request.isRead === isRead).map(({ line }) => line);
  return [...linesWhere(true).sort(), ...linesWhere(false)].join('\n');
}

/** Makes `randomBytes` return a fixed sequence, because salts end up in the ledger. Returns a function that undoes this. */
function countRandomBytes(): () => void {
  const { randomBytes } = crypto;
  const replaceRandomBytes = (replacement: unknown) => {
    Object.assign(crypto, { randomBytes: replacement });
    syncBuiltinESMExports();
  };
  let count = 0;
  replaceRandomBytes((size: number) => createHash('sha512').update(`${count++}`).digest().subarray(0, size));
  return () => replaceRandomBytes(randomBytes);
}
