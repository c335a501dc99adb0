import { type Address, indexByAddress, isWithinAny } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { hasErrors, raise } from '../model/diagnostic.ts';
import { canonicalJson } from '../model/digest.ts';
import { isEmpty, type Plan } from '../model/plan.ts';
import { type CollectionId, collectionId } from '../model/resource.ts';
import { type OpenPlanOptions, openSessionPlan, openSettledPlan, type Planned } from '../run/open-plan.ts';
import { readCache } from '../run/read-cache.ts';
import type { RunSession } from '../run/session.ts';
import {
  isSameAsSaved,
  refuseChanged,
  refuseOthers,
  refuseUnlikeShownBeside,
  withoutConflictsWithin,
} from './refuse-changed-plan.ts';
import type { SavedPlan } from './saved-plan.ts';

/** The plan that the user has approved: one that was shown, or one that was saved in a file. */
export type ApprovedPlan = { shown: Plan } | { file: string; approved: SavedPlan };

/** What other stacks have done since the plan was approved, if several were approved together. */
interface OtherStacksWork {
  /** The objects that they created, each with its stack. The approved plan took them for missing. */
  awaited?: ReadonlyMap<Address, string>;
  /** The lists that they wrote to, and that have one order or one draft for the objects of all stacks. */
  written?: ReadonlySet<CollectionId>;
  /** Finds the objects that they deleted. Called only if the plan differs from the approved one. */
  findDeleted?: FindDeleted | undefined;
}

/** Finds the objects that other stacks deleted. */
type FindDeleted = () => Promise<ReadonlySet<Address>>;

/**
 * Plans a stack again after its plan was approved, because the account may have changed meanwhile. Returns the new plan, which `apply` then
 * carries out, if it is the approved one (shown to the user, or from a file) apart from the effects of other stacks of this run: objects
 * that they created (`awaited`), ordered lists that they wrote (`written`) and objects that they deleted (`findDeleted`). Throws `Problems`
 * if the plan differs. Errors in the plan are not thrown: the caller reports them.
 */
export async function planAgain(
  session: RunSession,
  approvedPlan: ApprovedPlan,
  options: OpenPlanOptions,
  { awaited = new Map(), written = new Set(), findDeleted = async () => new Set() }: OtherStacksWork = {},
): Promise<Planned> {
  const savedPlan = 'approved' in approvedPlan ? approvedPlan.approved : undefined;
  if ('approved' in approvedPlan) refuseOthers(approvedPlan.approved, session, approvedPlan.file);
  const planOptions = { ...options, ...optionsAsApproved(approvedPlan) };
  // If an earlier run already started to apply this stack, the plan was made after the other stacks had created
  // their objects.
  const stillAwaited = savedPlan && isBegun(session, savedPlan) ? new Map() : awaited;
  // First the plan as if the awaited objects were still missing is compared with the approved one, then the plan to carry out with that.
  const { planned, plannedWithoutAwaited } = await planBothWays(session, planOptions, stillAwaited);
  const acceptedAddresses = await refuseUnlessApproved(plannedWithoutAwaited, approvedPlan, session, {
    written,
    findDeleted,
  });
  const result = withoutConflictsWithin(planned, acceptedAddresses);
  const isPlannedAsApproved = hasSameChanges(planned.plan, plannedWithoutAwaited.plan, stillAwaited);
  if (!isPlannedAsApproved && !hasErrors(result.plan.diagnostics))
    raise(
      'apply/changed',
      'what other stacks created changes more of this plan than was approved, so nothing was applied',
      { hint: 'plan again: what they created now exists' },
    );
  return savedPlan ? { ...result, digest: savedPlan.checksum } : result;
}

/**
 * Throws `Problems` if the current plan is not the approved one, whether that was shown or saved. Requests to ordered lists that other
 * stacks wrote (`written`), and positions in them, are not compared. Returns the addresses whose changes differ only because other stacks
 * deleted objects.
 */
function refuseUnlessApproved(
  current: Planned,
  approvedPlan: ApprovedPlan,
  session: RunSession,
  { written, findDeleted }: Required<Pick<OtherStacksWork, 'written'>> & { findDeleted: FindDeleted },
): Promise<ReadonlySet<Address>> {
  const plan = withoutListWrites(current.plan, written);
  if ('shown' in approvedPlan)
    return refuseUnlikeShownBeside(
      withoutListWrites(approvedPlan.shown, written),
      plan,
      session,
      findDeleted,
    );
  const approved = withoutListWrites(approvedPlan.approved, written);
  return refuseUnapproved({ ...approvedPlan, approved }, { ...current, plan }, session, findDeleted);
}

/**
 * Throws `Problems` if the current plan is not the one that was approved by saving it in a file. Called before a saved plan is applied; for
 * a file with several plans also before the first of them. A run that was killed may have applied a part of the saved plan, or all: then
 * the current plan may lack these changes. Returns the addresses whose changes differ because other stacks deleted objects: such
 * differences are accepted. `findDeleted`: finds the objects that other stacks deleted.
 */
export async function refuseUnapproved(
  { approved, file }: Extract<ApprovedPlan, { file: string }>,
  current: Planned,
  session: RunSession,
  findDeleted: FindDeleted,
): Promise<ReadonlySet<Address>> {
  const { plan } = current;
  const wasAppliedCompletely = isBegun(session, approved) && isEmpty(plan) && !hasErrors(plan.diagnostics);
  if (wasAppliedCompletely || isSameAsSaved(approved, current, session)) return new Set();
  return refuseChanged(approved, current, session, file, await findDeleted());
}

/**
 * Plans a stack twice from one reading of the account: as it is (the plan to apply), and as if the awaited objects were missing. Other
 * stacks of the same apply have created them since the approval, so only the second plan can be compared with the approved one. `awaited`:
 * these objects, each with the id of its stack; if there are none, both plans are the same. If lists may not show yet the objects that an
 * earlier run created, waits and reads again.
 */
async function planBothWays(
  session: RunSession,
  options: OpenPlanOptions,
  awaited: ReadonlyMap<Address, string>,
): Promise<{ planned: Planned; plannedWithoutAwaited: Planned }> {
  const reads = readCache(session.connection.send);
  const cachedSession: RunSession = Object.assign(Object.create(session) as RunSession, {
    connection: { ...session.connection, send: reads.send },
  });
  const planned = await openSettledPlan(cachedSession, options, reads.forget);
  const plannedWithoutAwaited =
    awaited.size === 0
      ? planned
      : await openSessionPlan(cachedSession, { ...options, awaitedStacks: awaited });
  return { planned, plannedWithoutAwaited };
}

/**
 * Returns a plan without its requests to these ordered lists, and without positions in them, to compare it with the approved plan. Other
 * stacks of the same `apply` have changed the lists, so positions and requests differ without any harm.
 */
export function withoutListWrites<
  P extends {
    changes: (Pick<Change, 'address' | 'kind' | 'parent'> & { position?: unknown })[];
    operations: { changes: Address[]; requests: unknown[] }[];
  },
>(plan: P, lists: ReadonlySet<CollectionId>): P {
  const changesInLists = plan.changes.filter(({ kind, parent }) => lists.has(collectionId(kind, parent)));
  const addresses = new Set(changesInLists.map(({ address }) => address));
  return {
    ...plan,
    changes: plan.changes.map((change) => {
      const { position: _, ...otherMembers } = change;
      return addresses.has(change.address) ? otherMembers : change;
    }),
    operations: plan.operations.map((operation) =>
      operation.changes.some((address) => addresses.has(address))
        ? { ...operation, requests: [] }
        : operation,
    ),
  };
}

/**
 * Returns the options with which `apply` plans again, so that the new plan can be compared with the approved one: the same canary (the
 * harmless change that a first apply does alone), the ids of the objects that existed when it was made (`foundIds`), because other stacks
 * may have created more since then, and no secrets if it was made in a `review` without them.
 */
export function optionsAsApproved(
  approvedPlan: ApprovedPlan,
): Pick<OpenPlanOptions, 'canary' | 'foundIds' | 'review'> {
  const { changes, firstContact } = 'approved' in approvedPlan ? approvedPlan.approved : approvedPlan.shown;
  return {
    canary: { agreed: firstContact },
    // A change of an object with several ids has them joined.
    foundIds: new Set(changes.flatMap(({ id }) => id?.split(',') ?? [])),
    review: 'approved' in approvedPlan && isReview(approvedPlan.approved),
  };
}

/**
 * True if a saved plan was made in a review, without secrets. It is then planned again without secrets, so that its
 * problems have the same texts and can be compared.
 */
const isReview = ({ diagnostics }: SavedPlan): boolean =>
  diagnostics.some(({ code }) => code === 'secret/left-out');

/**
 * True if two plans of a stack differ only by the objects that other stacks created since the approval (`awaited`, each with its stack).
 * `plan` is made from the account as it is. `approved` is made as if these objects were missing, and equals the plan that was approved. If
 * they differ in more, the new objects make the stack change more than was approved, and `apply` refuses the plan.
 *
 * Changes of the awaited objects themselves are not compared. A change of settings inside one may be smaller than approved
 * (`isSettingOfNew`), because the new object may have some of the desired values from its creation. Requests are not compared, because
 * fewer may suffice once the ids of these objects are known.
 */
function hasSameChanges(plan: Plan, approved: Plan, awaited: ReadonlyMap<Address, string>): boolean {
  const comparedChanges = ({ changes }: Plan) => changes.filter(({ address }) => !awaited.has(address));
  const approvedChangeOf = indexByAddress(comparedChanges(approved));
  const changes = comparedChanges(plan);
  const isApprovedChange = (change: Change) => {
    const approvedChange = approvedChangeOf.get(change.address);
    if (!approvedChange) return false;
    return outlineOf(change) === outlineOf(approvedChange) || isSettingOfNew(change, approvedChange, awaited);
  };
  return changes.length === approvedChangeOf.size && changes.every(isApprovedChange);
}

/**
 * Returns the members of a change that users approve, as a text to compare: action, severity, permissions and the
 * paths of its fields, but no values.
 */
const outlineOf = ({ action, grade, permissions = [], fields }: Change): string =>
  canonicalJson([action, grade, permissions, fields.map(({ path }) => path)]);

/**
 * True for an acceptable change of settings inside an object of another stack (`awaited`), such as the firewall of a project. The approved
 * plan sets all of them. Now that stack has created the object, and some settings may have their desired values from its creation, so the
 * change may have fewer fields than approved. It may not have others, be more severe, or need more permissions.
 */
function isSettingOfNew(change: Change, approved: Change, awaited: ReadonlyMap<Address, string>): boolean {
  const { action, grade, permissions = [], fields } = change;
  const isSetting =
    isWithinAny(change.address, awaited) &&
    approved.action === 'update' &&
    ['adopt', 'update', 'noop'].includes(action);
  if (!isSetting) return false;
  // Fields may be missing, because they have their desired values already, but none may be new.
  const approvedPaths = new Set(approved.fields.map(({ path }) => path));
  const hasOnlyApprovedFields = fields.every(({ path }) => approvedPaths.has(path));
  const isAsSevere = fields.length === 0 || grade === approved.grade;
  const needsNoOthers = permissions.every((permission) => approved.permissions?.includes(permission));
  return hasOnlyApprovedFields && isAsSevere && needsNoOthers;
}

/** True if the ledger says that a saved plan was applied before, at least in part. */
export const isBegun = ({ ledger }: Pick<RunSession, 'ledger'>, { checksum }: SavedPlan): boolean =>
  ledger.plan === checksum;
