/*
 * Snapshots of a plan command: reads the one to plan from, and writes what a plan was made from.
 */

import type { PlanningOptions } from '../../app/planning/plan-options.ts';
import type { PlannedStack, SessionSource } from '../../app/planning/plan-stacks.ts';
import type { StackAccounts } from '../../app/session/stack-accounts.ts';
import { prepareOutputFile, writeOutputFile } from '../../files/write-files.ts';
import { type Host, resolvePath } from '../../host.ts';
import type { Provider } from '../../kind/provider.ts';
import { isVerified, type Proof } from '../../ledger/proof.ts';
import type { Pace } from '../../model/budget.ts';
import { type Diagnostic, flagOf, Problems, raise } from '../../model/diagnostic.ts';
import type { LedgerKey } from '../../model/digest.ts';
import { ageText } from '../../model/ledger.ts';
import { version } from '../../model/version.ts';
import { cleanLine } from '../../report/text.ts';
import { findLedgerKey } from '../../stores/open-ledger.ts';
import { type AccountSnapshot, snapshotVersion } from '../snapshot.ts';
import { decodeSnapshot, encodeSnapshot, readSnapshot } from '../snapshot-file.ts';
import { checkSnapshot } from './check-snapshot.ts';
import { makeParts } from './make-parts.ts';
import { createSnapshotSource } from './snapshot-source.ts';

/** The accounts of the stacks, if there are several, and the pace of the platform that the plans show. */
interface ObservedAccounts {
  accounts: StackAccounts | undefined;
  pace: Pace;
}

/** The snapshots of one command. */
interface CommandSnapshots {
  /** Opens the sessions from the snapshot of `--from`. */
  source?: SessionSource;
  /** The pace of the platform for its account, as that plan found it. */
  pace?: Pace;
  /** Where that snapshot comes from, for people. */
  origin?: string;
  /**
   * Writes a snapshot of what these stacks were planned from, if the command asks for one. Returns why it was refused, which the command
   * says after the plan, because the plan is correct; no problems if it was written. Throws `Problems` if the file cannot be written.
   */
  save(
    planned: readonly PlannedStack[],
    port: { say(text: string): void },
    observed: ObservedAccounts,
  ): Promise<readonly Diagnostic[]>;
}

/** The doubts about the signature of a snapshot, for people. */
const doubtTexts = {
  'no-key': 'not verified here: no key',
  'other-key': 'not verified: signed by a different key',
  unsigned: 'not signed',
  altered: 'changed',
} as const;

/** The codes of problems for which no snapshot is written although the plan is correct. */
const refusalCodes: ReadonlySet<string> = new Set(['snapshot/unequal', 'snapshot/clear-secret']);

/** The options of `plan` about snapshots. */
type SnapshotOptions = PlanningOptions & {
  snapshot?: string;
  anonymous?: boolean;
  from?: string;
  out?: string;
};

/** The options that an anonymous snapshot leaves without effect: it has the configuration, and guards would judge pseudonyms. */
const unusedOptions = [
  ...(['guards', 'check', 'file', 'stage', 'var', 'varFile'] as const),
  ...(['allowEnv', 'allowEnvShown', 'allowFiles', 'allowCommand', 'allowLive'] as const),
];

/**
 * Throws `Problems` for an option or variable that a plan from an anonymous snapshot would ignore, such as guards. Otherwise the user would
 * believe that the guards had judged the plan, or that it was made from another file.
 */
function refuseUnusedOptions(options: SnapshotOptions, host: Host): void {
  const name = unusedOptions.find((option) => options[option] !== undefined);
  const guardsVariable = host.env.TRUEUP_GUARDS ? 'TRUEUP_GUARDS' : undefined;
  const setting = name === undefined ? guardsVariable : flagOf(name);
  if (setting !== undefined)
    raise('cli/options', `${setting} and an anonymous snapshot cannot be combined`, {
      hint: 'an anonymous snapshot has its own configuration with pseudonyms, which nothing else may replace or judge',
    });
}

/**
 * Throws `Problems` if options of `plan` about snapshots contradict each other: `--from` beside an option that would need the account or
 * make an approval, or `--anonymous` without `--snapshot`.
 */
function refuseContradictions({ snapshot, from, out, baseUrl, anonymous }: SnapshotOptions): void {
  const conflictingFlags = { '--out': out, '--snapshot': snapshot, '--base-url': baseUrl };
  const conflict = Object.entries(conflictingFlags).find(([, value]) => value !== undefined)?.[0];
  if (from !== undefined && conflict !== undefined)
    raise('cli/options', `--from and ${conflict} cannot be combined`, {
      hint: 'a plan from a snapshot needs no account, and cannot be approved',
    });
  if (anonymous && snapshot === undefined)
    raise('cli/options', '--anonymous needs --snapshot', {
      hint: 'write `--snapshot FILE --anonymous`',
    });
}

/**
 * Reads the snapshot of `plan --from`, and prepares the file of `plan --snapshot`, which the returned `save` writes after planning. `save`
 * returns the problems for which no snapshot may be written, so that the plan is shown nevertheless. Throws `Problems` for options that
 * cannot be combined, and if a file cannot be read or written.
 */
export async function openSnapshots(
  provider: Provider,
  options: SnapshotOptions,
  host: Host,
): Promise<CommandSnapshots> {
  const { snapshot: path, from } = options;
  refuseContradictions(options);
  // Before the work, so that a wrong path fails early.
  if (path !== undefined) await prepareOutputFile(host, path);
  const key = await findLedgerKey(options, host);
  const anonymous = options.anonymous
    ? await (await import('../anonymous/record-parts.ts')).prepareAnonymousParts(provider, options)
    : undefined;
  const save = createSave(path === undefined ? undefined : { provider, host, path, key, anonymous });
  if (from === undefined) return { save };
  const { snapshot, proof } = await readSnapshot(resolvePath(host, from), from, key);
  if (snapshot.anonymous) refuseUnusedOptions(options, host);
  const pace = await loadSnapshotPace(snapshot, provider);
  const origin = describeOrigin(from, snapshot, proof, host.clock.now());
  return { source: createSnapshotSource(snapshot), pace, origin, save };
}

/**
 * Returns the sentence with which `plan --from` begins: where the snapshot comes from, how old it is, and who signed it. `from`: its file.
 */
function describeOrigin(from: string, snapshot: AccountSnapshot, proof: Proof, now: number): string {
  const content = snapshot.anonymous ? ', with pseudonyms and the configuration in it' : '';
  const age = ageText(now - Date.parse(snapshot.madeAt));
  const signer = isVerified(proof) ? `signed by the key ${proof.by}` : doubtTexts[proof.doubt];
  return cleanLine(
    `Planning from ${from}${content}, made ${age} (${snapshot.madeAt}) by trueup ${snapshot.trueup}, ${signer}.`,
  );
}

/**
 * Creates the `save` of `openSnapshots`, which writes the file of `plan --snapshot`. Without a target, there is no such option, and nothing
 * is written. Returns the problems for which a correct plan gets no snapshot (`refusalCodes`), so that the plan is shown nevertheless.
 */
const createSave =
  (target: SnapshotTarget | undefined): CommandSnapshots['save'] =>
  async (planned, port, observed) => {
    if (!target) return [];
    try {
      port.say(await writeSnapshot(target, planned, observed));
      return [];
    } catch (error) {
      if (error instanceof Problems && error.diagnostics.every(({ code }) => refusalCodes.has(code)))
        return error.diagnostics;
      throw error;
    }
  };

/** The file of `plan --snapshot`, and the means to write it. */
interface SnapshotTarget {
  provider: Provider;
  host: Host;
  path: string;
  /** The key that signs it, unless it is anonymous. */
  key: LedgerKey | undefined;
  /** Replaces names and values by pseudonyms; undefined if the snapshot is not anonymous. */
  anonymous: Parameters<typeof makeParts>[1];
}

/**
 * Writes the file of `plan --snapshot`: what these stacks were planned from. Returns a sentence for the user, also if nothing is written
 * because a stack has no plan. Throws `Problems` if a plan from the snapshot would differ, or if it would contain a secret. `key`: the
 * ledger key that signs it. `pace`: the rate limits, for the forecast of a later plan.
 */
async function writeSnapshot(
  { provider, host, path, key, anonymous }: SnapshotTarget,
  planned: readonly PlannedStack[],
  { accounts, pace }: ObservedAccounts,
): Promise<string> {
  const missingPlans = describeMissingPlans(planned);
  if (missingPlans !== undefined) return `${path} was not written: ${missingPlans}.`;
  const limitStates = pace.limits.flatMap(({ name, now }) => (now ? [{ name, state: now }] : []));
  const snapshot: AccountSnapshot = {
    formatVersion: snapshotVersion,
    trueup: version,
    madeAt: new Date(host.clock.now()).toISOString(),
    stacks: await makeParts(planned, anonymous),
    ...(anonymous && { anonymous: true }),
    ...(limitStates.length > 0 && { limitStates }),
  };
  const bytes = await encodeSnapshot(snapshot, anonymous ? undefined : key);
  if (!anonymous) {
    // Check it as somebody else will read it.
    const decoded = await decodeSnapshot(bytes, path, key);
    await checkSnapshot(provider, planned, decoded.snapshot, { accounts, path });
  }
  await writeOutputFile(host, path, bytes, 0o600);
  return anonymous
    ? `Saved what this plan was made from to ${path}, with pseudonyms for all names and values. It has no secrets.`
    : `Saved what this plan was made from to ${path}. It is as confidential as the account; it has no secrets.`;
}

/**
 * Returns which stacks have no plan, as the reason why no snapshot is written; undefined if all have one. Their errors may come from the
 * account, so a plan from the snapshot could not repeat them.
 */
function describeMissingPlans(planned: readonly PlannedStack[]): string | undefined {
  const unplanned = planned.filter((plannedStack) => !plannedStack.planned);
  if (unplanned.length === 0) return undefined;
  if (unplanned.length === planned.length) return 'there is no plan';
  return `there is no plan of ${unplanned.map(({ stack }) => stack.id).join(', ')}`;
}

/**
 * Returns the rate limits of the platform for the account of a snapshot, in the state that its plan found, for the forecast of the new
 * plan.
 */
async function loadSnapshotPace({ stacks, limitStates }: AccountSnapshot, provider: Provider): Promise<Pace> {
  const owners = new Map(Object.values(stacks).map(({ owner }) => [owner.id, owner]));
  const documentedPace = await provider.pace(owners.size === 1 ? [...owners.values()][0] : undefined);
  const stateOf = new Map(limitStates?.map(({ name, state }) => [name, state]));
  const limits = documentedPace.limits.map((limit) => ({ ...limit, now: stateOf.get(limit.name) }));
  return { ...documentedPace, limits };
}
