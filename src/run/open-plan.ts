import { canDo } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { isVerified, unverifiedProblem } from '../ledger/proof.ts';
import { type Address, isWithinAny } from '../model/address.ts';
import { type Diagnostic, hasErrors, warning } from '../model/diagnostic.ts';
import { foldDiagnostics } from '../model/fold-diagnostics.ts';
import { byKey } from '../model/graph.ts';
import type { Ledger, OtherStack } from '../model/ledger.ts';
import { addressBefore, type Move } from '../model/move.ts';
import type { Plan, PlanSource } from '../model/plan.ts';
import { referenceOrigins } from '../model/reference-origins.ts';
import { readOnly, type Send } from '../model/request.ts';
import type { Desired, Live, LiveResource } from '../model/resource.ts';
import { sealedIn } from '../model/sealed.ts';
import { observe } from '../observe/observe.ts';
import { secretReferencesFound } from '../plan/check-references.ts';
import { concerning, forReview } from '../plan/filter-diagnostics.ts';
import { followOutsideRenames } from '../plan/follow-outside-renames.ts';
import type { PlanInput, PlanOptions } from '../plan/input.ts';
import { plan } from '../plan/plan.ts';
import { rebase, rebaseFound, unfoundRenames } from '../plan/rebase.ts';
import { scopeOf } from '../plan/scope.ts';
import { sealUnderAnyName } from '../plan/seal-under-any-name.ts';
import { hasTakeOvers, takeOverByAddress, takeOverById, withoutHandedOver } from '../plan/take-over.ts';
import { transferred } from '../plan/transfers.ts';
import { changedBy } from './changed-by.ts';
import { withFoundFields } from './look-up-values.ts';
import { plannedActions } from './planned-actions.ts';
import { resume } from './resume.ts';
import type { Session } from './session.ts';
import { isSettled, standardSettle, unsettled } from './unsettled.ts';

export interface OpenPlanOptions extends Omit<PlanOptions, 'protectedAddresses' | 'allowLive'> {
  /** Milliseconds that the account's lists may take to show a write. Default: a minute. */
  settle?: number;
  /** True for the plan of a pull request, which should not be given secrets. */
  review?: boolean;
  /** Collections that could not be read are only a warning; the rest is planned. */
  allowIncomplete?: boolean;
  /** Requests of the session that are not this plan's. Default: none. */
  sentBefore?: number;
  /** Reads these collections too, whether something mentions them or not. */
  also?: (kind: Kind, parent: Address | undefined) => boolean;
}

export interface Planned extends PlannedRun {
  /** The configuration's resources; none if the stack is destroyed. */
  desired: Desired;
  /** The state to look for after the plan, and the part of it, if they differ from the planned ones. */
  after?: {
    desired: Desired;
    options: PlanOptions;
    /** For an undo: the number of objects that it cannot restore completely. */
    unrestored?: number;
  };
  /** The digest of the saved plan, if it was approved as one; the ledger remembers whose work was done. */
  digest?: string;
}

/** Reads the account, with a client that cannot write, and plans. Problems are in the plan's diagnostics. */
export async function openPlan(session: Session, options: OpenPlanOptions = {}): Promise<Planned> {
  const { kinds, key, ledger } = session;
  const {
    settle = standardSettle * 1000,
    review,
    allowIncomplete = false,
    sentBefore = 0,
    also,
    ...rest
  } = options;
  const desired = rest.destroy
    ? { ...session.desired, resources: new Map() }
    : await withFoundFields(session.desired, session.lookUp, kinds);
  const doubt = doubtOf(session);
  const run = await planRun({
    desired,
    ledger,
    kinds,
    send: readOnly(session.connection.send),
    secrets: session.secrets,
    isSecretOfRun: session.isSecretOfRun,
    facts: session.owner.facts,
    key,
    isWritingRun: session.writes ?? false,
    ...(doubt ? { unverifiedReason: doubt.message } : {}),
    now: session.clock.now(),
    settle,
    others: session.others,
    mayHaveUnknownStacks: session.areOthersUnknown ?? false,
    ...(also ? { also } : {}),
    options: {
      ...rest,
      ...(session.siblings ? { siblings: session.siblings } : {}),
      ...(session.allowLive ? { allowLive: session.allowLive } : {}),
      protectedAddresses: [...session.desired.resources.values()]
        .filter(({ meta }) => meta.protect)
        .map(({ address }) => address),
    },
  });
  knowReferenced(session, run.live);
  const diagnostics = [
    ...session.diagnostics,
    ...(doubt ? [{ ...doubt, severity: 'warning' as const }] : []),
    ...run.diagnostics,
  ];
  const relevant = concerning(diagnostics, run.plan, desired);
  const { waiting } = run.plan;
  const origins = new Map([...session.origins, ...referenceOrigins(secretReferencesFound(run.input))]);
  const sources = comparedSources(origins, ledger);
  const changed = await changedBy(session, run.plan, ledger, run.live);
  const actions = await plannedActions(session, { ...run, desired }, rest);
  const planned: Planned = {
    ...run,
    desired,
    plan: {
      ...run.plan,
      account: session.account,
      diagnostics: foldDiagnostics(review ? forReview(relevant) : relevant).map((diagnostic) =>
        allowIncomplete ? asWarning(diagnostic) : diagnostic,
      ),
      // It may quote what the platform says.
      ...(waiting
        ? { waiting: waiting.map((planWait) => ({ ...planWait, why: session.masking.mask(planWait.why) })) }
        : {}),
      ...(changed.length > 0 ? { changedBy: changed } : {}),
      ...(actions ? { actions } : {}),
      reads: session.sent() - sentBefore,
      // To destroy, nothing is read.
      ...(rest.destroy || sources.length === 0 ? {} : { sources }),
    },
  };
  return { ...planned, plan: await judged(planned, session) };
}

/** Keeps the secrets that references copy from the account out of what the platform says. */
function knowReferenced({ desired: { references = [] }, masking }: Session, live: Live): void {
  for (const { source, isLive } of references)
    if (isLive)
      for (const secret of sealedIn(live.resources.get(source.address)?.fields[source.field]))
        masking.know(secret);
}

/** Adds the findings of the operator's guards to a plan. */
async function judged(
  { plan: made, moves, aliases }: Pick<Planned, 'plan' | 'moves' | 'aliases'>,
  { guards }: Session,
): Promise<Plan> {
  if (!guards) return made;
  const { judge, ...by } = guards;
  // An object that the ledger never knew is renamed, too.
  const adopted = [...aliases].map(([from, to]): Move => ({ from, to, by: to }));
  const renames = [...adopted.filter(({ to }) => moves.every((move) => move.to !== to)), ...moves];
  const diagnostics = await judge(made, (address) => addressBefore(address, renames));
  return {
    ...made,
    diagnostics: [...made.diagnostics, ...diagnostics],
    guards: { ...by, verdict: hasErrors(diagnostics) ? 'refused' : 'allowed' },
  };
}

/** Like `openPlan`; if an earlier run may have created objects that the plan would create, it waits until lists show all writes, and plans again. `forgetReads`: drops answers that are kept for several sessions. */
export async function openSettledPlan(
  session: Session,
  options: OpenPlanOptions = {},
  forgetReads = () => {},
): Promise<Planned> {
  for (;;) {
    const planned = await openPlan(session, options);
    if (planned.settlesIn === undefined) return planned;
    const seconds = Math.ceil(planned.settlesIn / 1000);
    session.say(`Waiting ${seconds} s: the account may not show what the last run created yet.`);
    await session.clock.sleep(planned.settlesIn + 1);
    forgetReads();
  }
}

/** Says why the ledger is not verified. Without a key, it is trusted. */
function doubtOf({ key, store }: Session): Diagnostic | undefined {
  const proof = store.proof();
  return key && proof && !isVerified(proof) ? unverifiedProblem(proof, key) : undefined;
}

/** An incomplete read is an error, unless the user goes on with the rest. */
const asWarning = (diagnostic: Diagnostic): Diagnostic =>
  diagnostic.code === 'observe/incomplete' ? { ...diagnostic, severity: 'warning' } : diagnostic;

/** Compares the sources of secrets and variables, by name, with those that the ledger remembers of the last apply. */
function comparedSources(
  sources: ReadonlyMap<string, string>,
  { sources: known = {} }: Pick<Ledger, 'sources'>,
): PlanSource[] {
  return [...sources].sort(byKey).map(([name, source]): PlanSource => {
    const before = Object.hasOwn(known, name) ? known[name] : undefined;
    if (before === source) return { name, source };
    return before === undefined ? { name, source, since: 'new' } : { name, source, since: 'changed', before };
  });
}

export interface PlannedRun {
  plan: Plan;
  /** What was found; values that may not be shown are sealed. */
  live: Live;
  /** The ledger with the configuration's names, and with what an interrupted run has left. */
  ledger: Ledger;
  /** The renames: the kept ledger follows once they are done. */
  moves: Move[];
  /** Natural addresses whose objects are meant by another address. */
  aliases: ReadonlyMap<Address, Address>;
  /** All problems, those of the plan included. */
  diagnostics: Diagnostic[];
  /** All that the plan was made of. */
  input: PlanInput;
  /** The milliseconds until the account shows what an earlier run may have created, if the plan depends on it. */
  settlesIn?: number;
}

interface PlanRunOptions
  extends Omit<PlanInput, 'live' | 'resumedAddresses' | 'recordedAddresses' | 'otherStacks' | 'takenOver'> {
  /** The other stacks of the store; read while the account is. */
  others?: readonly OtherStack[] | Promise<readonly OtherStack[]>;
  /** Only ever asked to read. */
  send: Send;
  /** Milliseconds that lists may take to show a write. */
  settle: number;
  /** Reads these collections too. */
  also?: (kind: Kind, parent: Address | undefined) => boolean;
}

/** Reads the account and plans. First follows renames, and what an interrupted run has left. */
export async function planRun(planRunOptions: PlanRunOptions): Promise<PlannedRun> {
  const { send, settle, others: reading, also, ...rest } = planRunOptions;
  const { desired, kinds, facts, key, now, options } = rest;
  // Other ledgers are only needed before the account is read if their objects are to be found in it.
  const otherStacks = hasTakeOvers(desired, rest.ledger) ? await reading : undefined;
  const byAddress = takeOverByAddress(rest.ledger, { ...rest, otherStacks: otherStacks ?? [] });
  const rebased = rebase(byAddress.ledger, desired, { adoptRenamed: options?.adoptRenamed ?? false, kinds });
  const { targets = [] } = options ?? {};
  const scope = targets.length > 0 ? scopeOf(targets, { desired, ledger: rebased.ledger, kinds }) : undefined;
  const observed = await observe(desired, rebased.ledger, kinds, send, {
    facts,
    aliases: rebased.aliases,
    key,
    scope,
    ...(also ? { also } : {}),
  });
  const { moves, claims, anew, ...followed } = transferred(
    rebaseFound(rebased, observed, kinds),
    observed,
    rest,
  );
  const resumedRun = resume(followed.ledger, followed.live, {
    kinds,
    key,
    isSettled: isSettled(followed.ledger, now, settle),
  });
  const { resumed, ...found } = resumedRun;
  const others = withoutHandedOver((await reading) ?? [], rest.ledger, rest);
  const byId = takeOverById(resumedRun.ledger, resumedRun.live, { ...rest, otherStacks: others });
  const outside = followOutsideRenames({ desired, kinds, ledger: byId.ledger, live: resumedRun.live });
  const { ledger, live } = outside;
  const taken = new Set([...byAddress.taken, ...byId.taken]);
  const input: PlanInput = {
    ...rest,
    ledger,
    live: withoutAwaited(live, options?.awaitedStacks, kinds),
    resumedAddresses: resumed,
    recordedAddresses: new Map([...claims, ...outside.claims]),
    recreatedElsewhere: anew,
    otherStacks: others,
    takenOver: taken,
  };
  const made = plan(input);
  const early = unsettled(made, ledger, { now, settle, removed: options?.toleratesMissing === 'undo' });
  const { diagnostics } = made;
  const sealed = sealUnderAnyName({ ...input, live });
  return {
    plan: made,
    live: sealed,
    ledger: withoutTaken({ ledger, before: rest.ledger }, taken, made),
    moves,
    aliases: rebased.aliases,
    input: { ...input, live: sealed },
    diagnostics: [
      ...rebased.diagnostics.filter(
        ({ code, address }) => code !== 'was/unknown' || !outside.claims.has(address ?? ''),
      ),
      ...followed.diagnostics,
      ...found.diagnostics,
      ...diagnostics,
      ...unfoundRenames(made.changes, desired, { aliases: rebased.aliases, moves }),
      ...(scope && scope.omittedCount > 0 && options?.toleratesMissing !== 'undo'
        ? [onlyPart(scope.omittedCount)]
        : []),
      ...(early.length > 0 ? [tooEarly(early)] : []),
    ],
    ...(early.length > 0 ? { settlesIn: Date.parse(ledger.lastWrite!) + settle - now } : {}),
  };
}

/** Takes back the take-overs that the plan leaves out (`--target`). `before`: the stored ledger. */
function withoutTaken(
  { ledger, before }: { ledger: Ledger; before: Ledger },
  taken: ReadonlySet<Address>,
  { changes }: Plan,
): Ledger {
  const planned = new Set(changes.map(({ address }) => address));
  const left = [...taken].filter((address) => !planned.has(address));
  if (left.length === 0) return ledger;
  const entries = { ...ledger.entries };
  for (const address of left) {
    const ledgerEntry = before.entries[address];
    if (ledgerEntry) entries[address] = ledgerEntry;
    else delete entries[address];
  }
  return { ...ledger, entries };
}

/** Treats objects that other stacks have yet to create as missing, even if they exist, and so what each new one has from the start: its settings. */
function withoutAwaited(live: Live, awaited: ReadonlyMap<Address, string> | undefined, kinds: Kinds): Live {
  if (!awaited?.size) return live;
  const isToCome = ({ address, kind }: LiveResource) =>
    awaited.has(address) || (!canDo(kinds.get(kind)!, 'create') && isWithinAny(address, awaited));
  return { ...live, resources: new Map([...live.resources].filter(([, one]) => !isToCome(one))) };
}

const onlyPart = (left: number) =>
  warning(
    'target/narrowed',
    `only the targets and their dependencies were read, not ${left} more ${left === 1 ? 'resource' : 'resources'} of this stack`,
    { hint: 'plan without --target to see all of it' },
  );

/** The warning that lists may be behind, so that objects could be created twice. */
const tooEarly = (addresses: Address[]) =>
  warning(
    'plan/unsettled',
    `${addresses[0]}${addresses.length > 1 ? ` and ${addresses.length - 1} more` : ''}: a run just sent this, and the account does not show it yet`,
    { hint: 'apply waits for the lists to settle, so that nothing is created twice' },
  );
