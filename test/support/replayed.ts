import type { Connection, Owner } from '../../src/kind/provider.ts';
import { Problems } from '../../src/model/diagnostic.ts';
import type { LedgerKey } from '../../src/model/digest.ts';
import type { Ledger } from '../../src/model/ledger.ts';
import type { Desired } from '../../src/model/resource.ts';
import { Sealed } from '../../src/model/sealed.ts';
import type { SecretFinder } from '../../src/model/secret-finder.ts';
import type { OtherStacks } from '../../src/run/other-stacks.ts';
import type { PlannedRun } from '../../src/run/plan-run.ts';
import { replaceLiterals } from '../../src/snapshot/literal-secrets.ts';
import { makePart } from '../../src/snapshot/make-part.ts';
import type { PartSource } from '../../src/snapshot/part-source.ts';
import { SessionRecording } from '../../src/snapshot/recording.ts';
import { replayPart } from '../../src/snapshot/replay-part.ts';
import { snapshotVersion } from '../../src/snapshot/snapshot.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/snapshot/snapshot-file.ts';
import { expectListedRefusal, isRefusalExpected } from './expected-refusals.ts';

/** What a plan reads. */
export interface PlannedAccount {
  connection: Pick<Connection, 'send' | 'call'>;
  key: LedgerKey | undefined;
  otherStacks: OtherStacks;
  isSecretOfRun?: SecretFinder | undefined;
}

/**
 * Plans and records what the plan reads, puts that through the file of a snapshot, and plans again from it. Returns the first plan. Throws an error if the
 * second one is another plan.
 */
export async function planTwice(
  source: Pick<PartSource, 'desired' | 'kinds' | 'secrets'> & { owner: Owner; ledger: Ledger; now: number },
  { connection, key, otherStacks }: PlannedAccount,
  plan: (
    account: PlannedAccount,
    secrets?: ReadonlyMap<string, Sealed>,
    desired?: Desired,
  ) => Promise<PlannedRun>,
): Promise<PlannedRun> {
  const recording = new SessionRecording();
  const recordedKey = recording.digests.record(key);
  const run = await plan({ connection: recording.reads.record(connection), key: recordedKey, otherStacks });
  const account = { type: source.owner.type, name: source.owner.slug };
  const store = { place: 'memory', proof: () => undefined };
  const clock = { now: () => source.now };
  const session = { ...source, key, otherStacks, account, store, clock, origins: new Map(), diagnostics: [] };
  expectListedRefusal();
  const madePart = await makePart(session, run, recording).catch((error) => {
    if (error instanceof Problems && isRefusalExpected()) return undefined;
    throw error;
  });
  if (!madePart) return run;
  const bytes = await encodeSnapshot(
    { formatVersion: snapshotVersion, trueup: '0', madeAt: '2026-01-01T00:00:00Z', stacks: { '': madePart } },
    key,
  );
  const { snapshot } = await decodeSnapshot(bytes, 'the snapshot', key);
  const part = snapshot.stacks['']!;
  const secrets = new Map(
    part.secrets.map(({ name, token }) => [name, new Sealed(token, source.secrets.get(name)?.secretName)]),
  );
  const {
    connection: replayedConnection,
    key: replayedKey,
    otherStacks: others,
    isSecretOfRun,
  } = replayPart(part);
  const replayed = await plan(
    { connection: replayedConnection, key: replayedKey, otherStacks: others, isSecretOfRun },
    secrets,
    replaceLiterals(source.desired, part.literals),
  );
  const [made, again] = [planText(run), planText(replayed)];
  if (made !== again) throw new Error(`another plan from the snapshot:\n${firstDifference(made, again)}`);
  return run;
}

/** Returns a plan and its diagnostics as text, with one value in each line. */
const planText = ({ plan, diagnostics }: PlannedRun): string =>
  JSON.stringify({ plan, diagnostics }, (_, value) => (value instanceof Map ? [...value] : value), 1);

/** Returns the first lines in which two texts differ, with some of the lines before them. */
export function firstDifference(text: string, other: string): string {
  const [lines, otherLines] = [text.split('\n'), other.split('\n')];
  const index = lines.findIndex((line, number) => line !== otherLines[number]);
  const begin = Math.max(0, index - 12);
  return [
    ...lines.slice(begin, index).map((line) => `  ${line}`),
    ...lines.slice(index, index + 6).map((line) => `- ${line}`),
    ...otherLines.slice(index, index + 6).map((line) => `+ ${line}`),
  ].join('\n');
}
