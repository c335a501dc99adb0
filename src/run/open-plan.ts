import type { Kind, Kinds } from '../kind/kind.ts';
import { isVerified, unverifiedProblem } from '../ledger/proof.ts';
import { type Address, indexByAddress } from '../model/address.ts';
import { createsObject } from '../model/change.ts';
import {
  asWarning,
  type Diagnostic,
  downgradeIncomplete,
  hasErrors,
  lostMembersCode,
  notReadyCode,
} from '../model/diagnostic.ts';
import { foldDiagnostics } from '../model/fold-diagnostics.ts';
import { byKey, groupBy } from '../model/graph.ts';
import type { Ledger } from '../model/ledger.ts';
import { referenceOrigins, referenceTarget } from '../model/logical-changes.ts';
import { addressBefore, type Move } from '../model/move.ts';
import { type Plan, type PlanSource, type RequestCounts, totalOf } from '../model/plan.ts';
import { type Endpoint, readOnly, type Send } from '../model/request.ts';
import type { CollectionId, Desired, FieldPlace, FieldReference, Live } from '../model/resource.ts';
import { type StatedSecret, sealedIn } from '../model/sealed.ts';
import { createRefresh } from '../observe/refresh.ts';
import { addUndo } from '../plan/annotate-changes.ts';
import { findSecretReferences } from '../plan/check-references.ts';
import {
  rewordForReview,
  withoutExplainedSecrets,
  withoutUnrelatedWarnings,
} from '../plan/filter-diagnostics.ts';
import type { PlanOptions } from '../plan/input.ts';
import { changedBy } from './changed-by.ts';
import { isWrittenWhole } from './changed-since.ts';
import { collectionOfChange, isInNewParent } from './checks.ts';
import { findMeaning } from './find-meaning.ts';
import { hideStatedSecrets } from './hide-stated-secrets.ts';
import { withFoundFields } from './look-up-values.ts';
import { type PlannedRun, type PlanRunOptions, planRun } from './plan-run.ts';
import type { RunSession } from './session.ts';
import { standardSettle } from './unsettled.ts';

export interface OpenPlanOptions extends Omit<PlanOptions, 'protectedAddresses' | 'allowLive'> {
  /** Milliseconds that the account's lists may take to show a write. Default: a minute. */
  settle?: number;
  /** True for the plan of a pull request, which should not be given secrets. */
  review?: boolean;
  /** Reports collections that could not be read as warnings, and plans the others. Default: they are errors. */
  allowIncomplete?: boolean;
  /** The requests that the session had sent before this plan. Default: none. */
  sentBefore?: RequestCounts;
  /**
   * True for collections to read although neither the configuration nor the ledger mentions them, for example to find
   * new objects for `accept --new`.
   */
  also?: (kind: Kind, parent: Address | undefined) => boolean;
  /**
   * For a plan that is made again: the ids of objects that the approved plan found. They existed before the run, so a
   * stack that is applied together with this one cannot be just creating them. See `hide-objects-of-others.ts`.
   */
  foundIds?: ReadonlySet<string>;
}

/** A plan of a session, with everything that showing, applying and verifying it need. */
export interface Planned extends PlannedRun {
  /** The configuration's resources; none if the stack is destroyed. */
  desired: Desired;
  /** The state to verify after the plan, if it is not the planned one. */
  after?: {
    desired: Desired;
    /** Selects the part of that state to verify. */
    options: PlanOptions;
    /** For an undo: the number of objects that it cannot restore completely. */
    unrestored?: number;
  };
  /** The digest of the saved plan, if it was approved as one. The ledger remembers it as carried out. */
  digest?: string;
  /** The secrets that stand in clear in the configuration or the account, as findings say. A snapshot may not have them. */
  statedSecrets?: readonly StatedSecret[];
}

/**
 * Reads the account with a client that cannot write, and returns the plan of one stack with everything that showing,
 * applying and verifying it need. Used by every command that shows or applies a plan. `session`: the stack's
 * configuration, its ledger, and the connection to the account. Steps:
 *
 *   1. Fill in the fields whose values the configuration looks up in the account. A plan of `destroy` has none.
 *   2. Decide the changes (`planRun`). A ledger whose signature could not be verified adds a warning.
 *   3. Mask the secrets that references copy from the account, so that no message shows them.
 *   4. Complete the plan with facts of the session, such as who changed the drifted fields (`completePlan`).
 *   5. Let the guards (the operator's rules) judge the complete plan.
 *
 * Problems of the configuration and of the account are in the plan's diagnostics. Throws `Problems` for lookups that
 * find nothing, and for ledgers of other stacks that cannot be read.
 */
export async function openSessionPlan(session: RunSession, options: OpenPlanOptions = {}): Promise<Planned> {
  const desired = options.destroy
    ? { ...session.desired, resources: new Map() }
    : await withFoundFields(session.desired, session.lookUp, session.kinds);
  const ledgerDoubt = findLedgerDoubt(session);
  const run = await planRun(planRunOptionsOf(session, options, { desired, ledgerDoubt }));
  maskCopiedSecrets(session, run.live);
  const diagnostics = [
    ...session.diagnostics,
    ...(ledgerDoubt ? [asWarning(ledgerDoubt)] : []),
    ...run.diagnostics,
  ];
  const planned: Planned = { ...run, desired };
  const completed: Planned = { ...planned, ...(await completePlan(session, planned, diagnostics, options)) };
  return { ...completed, plan: await addGuardVerdict(completed, session) };
}

/**
 * Returns the options of `planRun` that follow from a session and the options of the command, without those that only `completePlan` takes.
 * `desired`: the configuration with its lookups filled in. `ledgerDoubt`: why the ledger is not verified, if so.
 */
function planRunOptionsOf(
  session: RunSession,
  {
    settle = standardSettle * 1000,
    also,
    foundIds,
    // Only for `completePlan`.
    review: _review,
    allowIncomplete: _allowIncomplete,
    sentBefore: _sentBefore,
    ...planOptions
  }: OpenPlanOptions,
  { desired, ledgerDoubt }: { desired: Desired; ledgerDoubt: Diagnostic | undefined },
): PlanRunOptions {
  const { ledger, kinds, key, secrets, isSecretOfRun, otherStacks, readPartners, siblings, allowLive } =
    session;
  // From the session, because `desired` has no resources if the stack is destroyed.
  const protectedResources = [...session.desired.resources.values()].filter(({ meta }) => meta.protect);
  return {
    desired,
    ledger,
    kinds,
    send: readOnly(session.connection.send),
    mask: (text) => session.masking.mask(text),
    secrets,
    isSecretOfRun,
    facts: session.owner.facts,
    key,
    isWritingRun: session.writes ?? false,
    unverifiedReason: ledgerDoubt?.message,
    now: session.clock.now(),
    settle,
    otherStacks,
    readPartners,
    foundIds,
    mayHaveUnknownStacks: session.areOthersUnknown ?? false,
    also,
    options: {
      ...planOptions,
      siblings,
      allowLive,
      protectedAddresses: protectedResources.map(({ address }) => address),
    },
  };
}

/**
 * Completes a plan with everything that only the session can tell: the diagnostics as they are shown (without unrelated warnings and
 * secrets), the findings of the platform's rules, who made the changes outside, the actions that follow, the reads that an apply takes, and
 * the sources of secrets. Returns it with the secrets in clear that it hides. Only reads.
 */
async function completePlan(
  session: RunSession,
  planned: Planned,
  diagnostics: Diagnostic[],
  { review, allowIncomplete = false, sentBefore = new Map(), ...planOptions }: OpenPlanOptions,
): Promise<Pick<Planned, 'plan' | 'statedSecrets'>> {
  const { kinds, masking, ledger: storedLedger } = session;
  const { plan, desired, live, ledger, input } = planned;
  // Warnings and reasons may quote the platform, and so a secret. The addresses in them are in the YAML, and the YAML has no secrets.
  const addresses = [...desired.resources.keys()].join('\n');
  const mask = (text: string) => masking.mask(text, addresses);
  const maskedDiagnostics = withoutUnrelatedWarnings(diagnostics, plan, desired).map((diagnostic) =>
    quotingCodes.has(diagnostic.code) ? maskDiagnostic(diagnostic, mask) : diagnostic,
  );
  const reportedDiagnostics = review
    ? rewordForReview(maskedDiagnostics)
    : withoutExplainedSecrets(maskedDiagnostics);
  // Destroying a stack uses no secrets and variables, so their sources do not matter.
  const sources = planOptions.destroy ? [] : comparePlanSources(session, planned);
  const driftSources = await changedBy(session, plan, storedLedger, live);
  const actions = mayHaveActions(desired, ledger)
    ? await (await import('./planned-actions.ts')).planActions(session, planned, planOptions)
    : undefined;
  const planReads = countsSince(session.sent(), sentBefore);
  const { findings, lists } = await findMeaning(session, planned, actions);
  // From now on, messages of the platform may quote these secrets, which the configuration or the account has in clear.
  for (const secret of findings.secrets) masking.addSecret(secret);
  const foldedDiagnostics = foldDiagnostics(reportedDiagnostics)
    .map(findings.hideLines)
    .map((diagnostic) => (allowIncomplete ? downgradeIncomplete(diagnostic) : diagnostic));
  const complete: Plan = {
    ...hideStatedSecrets(plan, findings.secrets, (changes) => addUndo(changes, input)),
    account: session.account,
    // Findings are not folded here: reports fold them themselves, because each of them has causes of its own.
    diagnostics: [...foldedDiagnostics, ...findings.shown],
    lists: undefinedIfEmpty(lists),
    fixedFindings: undefinedIfEmpty(findings.fixed),
    suppressedFindings: undefinedIfEmpty(findings.suppressed),
    waiting: plan.waiting?.map((planWait) => ({ ...planWait, why: mask(planWait.why) })),
    changedBy: undefinedIfEmpty(driftSources),
    actions,
    reads: { sent: totalOf(planReads), ofApply: countApplyReads(plan, planReads, kinds) },
    sources: undefinedIfEmpty(sources),
  };
  return { plan: complete, statedSecrets: findings.secrets };
}

/** Returns undefined instead of an empty list, because the optional lists of a plan are never empty. */
const undefinedIfEmpty = <T>(list: T[]): T[] | undefined => (list.length > 0 ? list : undefined);

/**
 * Creates the function to read parts of a plan's account again (the objects of one kind under one
 * parent). Used by an apply, around its writes, and while it waits for objects. `read`: sends reads only.
 */
export const createPlanRefresh = (
  { kinds, key, owner }: RunSession,
  { desired, ledger, aliases, live }: Planned,
  read: Send,
): ReturnType<typeof createRefresh> =>
  createRefresh({ desired, ledger, kinds, send: read, facts: owner.facts, key, aliases, before: live });

/** The codes of warnings that quote the platform: its reasons, or its names of members that no schema knows. */
const quotingCodes = new Set([notReadyCode, lostMembersCode]);

/** Returns a warning that quotes the platform, with its texts masked. */
const maskDiagnostic = (
  { message, hint, ...diagnostic }: Diagnostic,
  mask: (text: string) => string,
): Diagnostic => ({ ...diagnostic, message: mask(message), hint: hint && mask(hint) });

/** True if actions may follow a plan: the configuration has some, or earlier runs owe some. Code for actions is loaded only then. */
const mayHaveActions = ({ resources }: Desired, { owed = {} }: Ledger): boolean =>
  Object.keys(owed).length > 0 || [...resources.values()].some(({ meta }) => meta.actions);

/**
 * Adds the secrets that references copy from the account to the masking, so that no message shows them. The platform
 * may quote them in its errors. Called once the account is read, because their values are not known before.
 */
function maskCopiedSecrets({ desired: { references = [] }, masking }: RunSession, live: Live): void {
  for (const { source, isLive } of references)
    if (isLive)
      for (const secret of sealedIn(live.resources.get(source.address)?.fields[source.field]))
        masking.addSecret(secret);
}

/**
 * Returns a plan with the verdict of the operator's guards (rules that a plan must obey) and their diagnostics. A
 * refused plan is not applied. Without guards, returns the plan as it is.
 */
async function addGuardVerdict(
  { plan, moves, aliases }: Pick<Planned, 'plan' | 'moves' | 'aliases'>,
  { guards }: RunSession,
): Promise<Plan> {
  if (!guards) return plan;
  const { judge, ...guardInfo } = guards;
  // An adopted object can be renamed, too. The ledger does not know it, so that rename is not among the moves.
  const adoptedRenames = [...aliases]
    .map(([from, to]): Move => ({ from, to, renamedBy: to }))
    .filter(({ to }) => moves.every((move) => move.to !== to));
  const renames = [...adoptedRenames, ...moves];
  const diagnostics = await judge(plan, (address) => addressBefore(address, renames));
  return {
    ...plan,
    diagnostics: [...plan.diagnostics, ...diagnostics],
    guards: { ...guardInfo, verdict: hasErrors(diagnostics) ? 'refused' : 'allowed' },
  };
}

/**
 * Like `openSessionPlan`, but if the plan depends on objects that an earlier run may have created and lists may not show yet, waits until
 * lists must show them, and plans again. Used before applying. `forgetReads`: drops answers that are cached for several sessions.
 */
export async function openSettledPlan(
  session: RunSession,
  options: OpenPlanOptions = {},
  forgetReads = () => {},
): Promise<Planned> {
  for (;;) {
    const planned = await openSessionPlan(session, options);
    if (planned.settlesIn === undefined) return planned;
    const seconds = Math.ceil(planned.settlesIn / 1000);
    session.say(`Waiting ${seconds} s: the account may not show what the last run created yet.`);
    await session.clock.sleep(planned.settlesIn + 1);
    forgetReads();
  }
}

/**
 * Returns why the signature of the ledger could not be verified; undefined if it was, or if there is no key or no
 * ledger yet. A plan made from such a ledger is shown with this as a warning.
 */
function findLedgerDoubt({ key, store }: RunSession): Diagnostic | undefined {
  const proof = store.proof();
  return key && proof && !isVerified(proof) ? unverifiedProblem(proof, key) : undefined;
}

/**
 * Returns where each secret and variable of a plan comes from, by name, with the source that the ledger recorded at the last apply if that
 * was another one. Used to show in the plan that a value now comes from somewhere else.
 */
function comparePlanSources({ origins, ledger }: RunSession, planned: Planned): PlanSource[] {
  const references = findSecretReferences(planned.input);
  const recordedSources = renameRecordedSources(references, ledger, planned);
  const sources = new Map([...origins, ...referenceOrigins(references)]);
  return [...sources].sort(byKey).map(([name, source]): PlanSource => {
    const before = Object.hasOwn(recordedSources, name) ? recordedSources[name] : undefined;
    if (before === source) return { name, source };
    return before === undefined ? { name, source, since: 'new' } : { name, source, since: 'changed', before };
  });
}

/**
 * Returns the recorded sources of a ledger with the new addresses of objects that the plan renames or moves. The ledger records for each
 * field that copies a secret from another object where it comes from: `field value of projects/web/env/A` <- `field secret of
 * projects/web/protectionBypass/e2e`. Both texts have addresses, so after a rename the plan would report a changed source although only the
 * name changed. `references`: the references of the configuration that may copy a secret. The old names stay in the result; the caller
 * looks up the names of the plan only.
 */
function renameRecordedSources(
  references: readonly FieldReference[],
  { sources: recordedSources = {} }: Pick<Ledger, 'sources'>,
  { moves, input: { identities } }: Pick<Planned, 'moves' | 'input'>,
): Record<string, string> {
  const withOldAddress = <P extends FieldPlace>(place: P): P => {
    // The address of its ledger entry, if that is another one; then the one before the renames of the plan.
    const recordedAddress = identities?.recordedAddresses?.get(place.address) ?? place.address;
    return { ...place, address: addressBefore(recordedAddress, moves) };
  };
  const withOldAddresses = (reference: FieldReference): FieldReference => ({
    ...reference,
    source: withOldAddress(reference.source),
    target: withOldAddress(reference.target),
  });
  const renamedSources = [...groupBy(references, referenceTarget)].flatMap(([name, sameTarget]) => {
    const [oldOrigin, ...otherOrigins] = referenceOrigins(sameTarget.map(withOldAddresses));
    // References to one field that had several names are left out: only some of the names may be new.
    if (!oldOrigin || otherOrigins.length > 0) return [];
    const [oldName, oldSource] = oldOrigin;
    if (!Object.hasOwn(recordedSources, oldName)) return [];
    const recorded = recordedSources[oldName]!;
    // If the recorded source is another one even by its old address, the source has changed, and the plan must show that.
    const source = recorded === oldSource ? referenceOrigins(sameTarget).get(name)! : recorded;
    return [[name, source] as const];
  });
  return { ...recordedSources, ...Object.fromEntries(renamedSources) };
}

/*
 * Counts the reads of an apply, for the forecast of its plan:
 *
 *   | reads                                        | number                                                            |
 *   | the plan that apply makes again              | as many as for the plan                                           |
 *   | the check of each list before it is changed  | one; for objects that are written whole, one for each operation.  |
 *   |                                              | Not counted: a longer apply checks again after each wait          |
 *   | the second plan, which verifies the result   | as many as for the plan, and at most one for each new object that |
 *   |                                              | only a further read shows to work (`read.later.check`)            |
 */

/** Returns the requests that were counted since `before`, such as the reads of one plan in a longer session. */
function countsSince(counts: RequestCounts, before: RequestCounts): RequestCounts {
  const differences = [...counts].map(
    ([endpoint, count]) => [endpoint, count - (before.get(endpoint) ?? 0)] as const,
  );
  return new Map(differences.filter(([, count]) => count > 0));
}

/**
 * Returns the reads that an apply of a plan sends, by endpoint, so that the forecast counts them towards the platform's rate limits.
 * `planReads`: the reads that the plan took.
 */
function countApplyReads(
  plan: Pick<Plan, 'changes' | 'operations'>,
  planReads: RequestCounts,
  kinds: Kinds,
): RequestCounts {
  // Apply plans once before its changes and once after them.
  const counts = new Map([...planReads].map(([endpoint, count]) => [endpoint, 2 * count]));
  for (const endpoint of [...listCheckReads(plan, kinds), ...listReadinessReads(plan, kinds)])
    counts.set(endpoint, (counts.get(endpoint) ?? 0) + 1);
  return counts;
}

/**
 * Returns the endpoint of each read that checks the objects of an operation before it is sent: an apply reads a collection before its first
 * write there, and before each write if the writes send whole objects or the platform counts them (`isWrittenWhole`). Objects in a parent
 * that the plan creates are not checked.
 */
function listCheckReads(
  { changes, operations }: Pick<Plan, 'changes' | 'operations'>,
  kinds: Kinds,
): Endpoint[] {
  const changeOf = indexByAddress(changes);
  const checkedCollections = new Set<CollectionId>();
  return operations.flatMap((operation) => {
    const kind = kinds.get(operation.kind)!;
    const checkedChanges = operation.changes
      .map((address) => changeOf.get(address)!)
      .filter((change) => !isInNewParent(change, kinds, changeOf));
    const collections = [...new Set(checkedChanges.map(collectionOfChange))];
    const collectionsToRead = isWrittenWhole(kind)
      ? collections
      : collections.filter((collection) => !checkedCollections.has(collection));
    for (const collection of collections) checkedCollections.add(collection);
    // A kind has no endpoint that lists its objects, one, or several. Each collection takes a read of all of them.
    const endpoints = [kind.read.endpoint ?? []].flat();
    return collectionsToRead.flatMap(() => endpoints);
  });
}

/** Returns the endpoint of each read after an apply that shows whether a new object works. Only some kinds have one. */
const listReadinessReads = ({ changes }: Pick<Plan, 'changes'>, kinds: Kinds): Endpoint[] =>
  changes.filter(createsObject).flatMap(({ kind, after }) => {
    const check = kinds.get(kind)!.read.later?.check;
    return check?.appliesTo(after!.fields) ? [check.endpoint] : [];
  });
